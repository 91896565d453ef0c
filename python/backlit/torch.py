"""Projectors in torch: differentiable by the volume, in batches and channels, twice; and by the geometry, once.

    f = bl.torch.operator(A)
    loss = ((f(net(x)) - y) ** 2).mean()     # x: (batch, channel, z, y, x); y: (batch, channel, view, row, column)
    loss.backward()                          # the gradient goes back through A.T

    y = bl.torch.project(x, vectors, detector=(128, 160))    # vectors (view, 12) may take gradients too
"""

import collections
import itertools
import threading
import weakref
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from . import _arrays
from ._core import InputError
from .geometry import vectors as views_of, volume as any_volume
from .operators import Operator, operator as _operator

_operators = weakref.WeakValueDictionary()  # by their number in the custom operation
_numbers = itertools.count()


def number_of(a: Operator) -> int:
    """The operator's number, its own for ever: an id would soon be another's."""
    if a._number is None:
        a._number = next(_numbers)
        _operators[a._number] = a
    return a._number


def differentiable(a: Operator, x: torch.Tensor) -> torch.Tensor:
    """A x with gradients."""
    return _differentiable(x, number_of(a), False, a)


def _apply(x, number, transposed):
    a = _operators[number]
    return (a.T if transposed else a)(x)


def _shape(x, number, transposed):
    a = _operators[number]
    domain, range_ = (a.range_shape, a.domain_shape) if transposed else (a.domain_shape, a.range_shape)
    return (*x.shape[: x.dim() - len(domain)], *range_)


_arrays.torch_.meet(torch)
_plain, _gradients = _arrays.torch_.plain, _arrays.torch_.gradients


class _Apply(torch.autograd.Function):
    """For calls by the program itself: the other two take 20 microseconds more."""

    @staticmethod
    def forward(ctx, x, a):
        ctx.a = a
        return a(x)

    @staticmethod
    def backward(ctx, gradient):
        plain = type(gradient) in _plain and not (_transforms() or _batched(gradient))
        return (ctx.a.T(gradient) if plain else differentiable(ctx.a.T, gradient)), None


def _compiles():
    return False


_transforms = _compiles
_batched = getattr(getattr(torch._C, "_functorch", None), "is_legacy_batchedtensor", lambda x: False)  # by is_grads_batched


def _differentiable(x, number, transposed, a):
    return _Apply.apply(x, a)


if hasattr(torch.library, "custom_op"):  # torch 2.4

    class _Transformed(torch.autograd.Function):
        """For torch.vmap and torch.func."""

        @staticmethod
        def forward(x, number, transposed):
            return _apply(x, number, transposed)

        @staticmethod
        def setup_context(ctx, inputs, output):
            _, ctx.number, ctx.transposed = inputs
            ctx.kept = _operators[ctx.number]  # the program may let go of it before it calls backward()

        @staticmethod
        def backward(ctx, gradient):
            return _Transformed.apply(gradient, ctx.number, not ctx.transposed), None, None

        @staticmethod
        def vmap(info, in_dims, x, number, transposed):
            return _Transformed.apply(x.movedim(in_dims[0], 0), number, transposed), 0

    @torch.library.custom_op("backlit::apply", mutates_args=())
    def _custom(x: torch.Tensor, number: int, transposed: bool) -> torch.Tensor:
        """For torch.compile, and for tensors without values."""
        return _apply(x.detach(), number, transposed)

    @_custom.register_fake
    def _(x, number, transposed):
        return x.new_empty(_shape(x, number, transposed))

    def _backward(ctx, gradient):
        return _custom(gradient, ctx.number, not ctx.transposed), None, None

    _custom.register_autograd(_backward, setup_context=_Transformed.setup_context)

    _compiles = torch.compiler.is_compiling
    _transforms = getattr(torch._C, "_are_functorch_transforms_active", lambda: True)

    def _differentiable(x, number, transposed, a):
        if _compiles() or type(x) not in _plain or _batched(x):
            return _custom(x, number, transposed)
        if _transforms():
            return _Transformed.apply(x, number, transposed)
        return _Apply.apply(x, a)


class TorchOperator(torch.nn.Module):
    """An :class:`Operator` as a module without parameters. Make it with :func:`operator`."""

    def __init__(self, a, transposed=False):
        super().__init__()
        self._a = a
        self._transposed = transposed
        self._settle()

    def _settle(self):
        self._number = number_of(self._a)
        self._applied = self._a.T if self._transposed else self._a
        self._adjoint = None

    def __getstate__(self):
        return {name: value for name, value in self.__dict__.items() if name not in ("_number", "_applied", "_adjoint")}

    def __setstate__(self, state):  # of a copy or a file
        super().__setstate__(state)
        self._settle()

    @property
    def T(self) -> "TorchOperator":
        """The adjoint as a module."""
        if self._adjoint is None:  # not among the module's children
            self.__dict__["_adjoint"] = TorchOperator(self._a, not self._transposed)
        return self._adjoint

    @property
    def domain_shape(self) -> tuple[int, ...]:
        return self._applied.domain_shape

    @property
    def range_shape(self) -> tuple[int, ...]:
        return self._applied.range_shape

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if type(x) in _plain and not (_compiles() or _transforms()):
            return _Apply.apply(x, self._applied) if x.requires_grad and _gradients() else self._applied(x)
        axes = len(self.domain_shape)
        if x.dim() < axes or tuple(x.shape[x.dim() - axes:]) != self.domain_shape:
            raise InputError(f"input: has shape {tuple(x.shape)}; give (..., "
                             f"{', '.join(map(str, self.domain_shape))})")
        return _differentiable(x, self._number, self._transposed, self._applied)

    def extra_repr(self):
        return repr(self._applied)


def operator(a: Operator) -> TorchOperator:
    """An operator as a torch module: f(x) = A x, with gradients of any order through A and its adjoint.

    Tensors (..., z, y, x) give tensors (..., view, row, column) of the same type on the same device; leading axes are
    batches and channels. With torch 2.4 and newer torch.compile and torch.vmap work, by a custom operation.
    """
    if not isinstance(a, Operator):
        raise InputError(f"a: a {type(a).__name__} is no operator; make one with bl.operator()")
    return TorchOperator(a)


class _Project(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, vectors, a):
        ctx.a = a
        ctx.save_for_backward(x, vectors)
        return a(x)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, gradient):
        x, vectors = ctx.saved_tensors
        by_volume = ctx.a.T(gradient) if ctx.needs_input_grad[0] else None
        by_vectors = _gradient_by_vectors(ctx.a, x, vectors, gradient) if ctx.needs_input_grad[1] else None
        return by_volume, by_vectors, None


def _gradient_by_vectors(a, x, vectors, weights):
    """In double precision, where x lies."""
    count = len(a.geometry)
    kind = torch.float64 if x.dtype == torch.float64 else torch.float32
    volumes = x.to(kind).reshape(-1, *a.domain_shape).contiguous()
    if x.is_cuda:
        weights = weights.to(kind).reshape(-1, *a.range_shape).contiguous()
        total = torch.zeros(count, 12, dtype=torch.float64, device=x.device)
        memory = [_arrays.torch_.memory(t) for t in (volumes, weights, total)]
        a._core.geometry_gradient(*memory, _arrays.torch_.stream(x))
        if a.geometry.beam == "parallel":  # vectors point to the source, the engine's directions away from it
            total[:, :3].neg_()
    else:
        views = a.geometry._views
        weights = weights.reshape(-1, *a.range_shape).double().contiguous().numpy()
        total = torch.as_tensor(sum((views.gradient(a.volume, v, w) for v, w in zip(volumes.numpy(), weights)),
                                    np.zeros((count, 12))))
    gradient = total.to(vectors)
    if a.geometry.beam == "parallel":  # the projector uses only the ray's direction, of length 1
        gradient[:, :3] /= torch.linalg.vector_norm(vectors[:, :3], dim=1, keepdim=True)
    return gradient


_projectors = collections.OrderedDict()  # of project(), by what stays when views move; the last one is the newest


def _moved(grid, views, device):
    """An operator of these views that shares its memory with that of an earlier call of the same shapes."""
    key = (*grid.shape, *grid.voxel, *grid.center, *views.shape, views.beam, str(device), threading.get_ident())
    made = _projectors.pop(key, None)
    a = _operator(grid, views, device=device) if made is None else made.moved(views)
    _projectors[key] = a
    while len(_projectors) > 2:
        _projectors.popitem(last=False)
    return a


def project(x: torch.Tensor, vectors: torch.Tensor, detector: Sequence[int], volume: Any = None, beam: str = "cone",
            device: Any = "auto") -> torch.Tensor:
    """Line integrals (..., view, row, column), with gradients by the volume and by the place of source and detector.

    x:        tensor (..., z, y, x), on the host or a CUDA device
    vectors:  tensor (views, 12), mm, as :meth:`Geometry.vectors` and ASTRA's cone_vec and parallel3d_vec have them:
              source (parallel: ray, to the source), detector's middle, step to the next column, step to the next row
    detector: (rows, columns), flat
    volume:   the grid of x (:func:`backlit.volume`); None: voxels of 1 mm about the origin
    beam:     "cone" or "parallel"

    Model joseph, exact. Gradients are of first order. That by `vectors` is computed where x lies, in double precision. It
    is exact wherever the projections are smooth in the geometry; a ray that meets a slice on a line through voxels'
    centres, which is a kink, takes the mean of both sides.

    The operators of the two latest shapes stay in memory for the next call. The host does
    not wait for the device, unless `vectors` lie there.
    """
    if not isinstance(x, torch.Tensor) or x.dim() < 3:
        raise InputError("x: is no tensor (..., z, y, x)")
    if not isinstance(vectors, torch.Tensor) or vectors.dim() != 2 or vectors.shape[1] != 12:
        raise InputError("vectors: are no tensor (views, 12); torch.tensor(geometry.vectors()) is one")
    grid = any_volume(tuple(x.shape[-3:]) if volume is None else volume)
    if not x.is_floating_point():
        x = x.float()
    views = views_of(vectors.detach().double().cpu().numpy(), detector, beam)
    return _Project.apply(x, vectors, _moved(grid, views, device))
