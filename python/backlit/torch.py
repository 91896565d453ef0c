"""Projectors in torch: differentiable, in batches and channels, twice.

    f = bl.torch.operator(A)
    loss = ((f(net(x)) - y) ** 2).mean()     # x: (batch, channel, z, y, x); y: (batch, channel, view, row, column)
    loss.backward()                          # the gradient goes back through A.T
"""

import weakref

import torch

from ._core import InputError
from .operators import Operator

_operators = weakref.WeakValueDictionary()  # by the number under which the custom operation knows them


def _apply(x, number, transposed):
    a = _operators[number]
    return (a.T if transposed else a)(x)


def _shape(x, number, transposed):
    a = _operators[number]
    domain, range_ = (a.range_shape, a.domain_shape) if transposed else (a.domain_shape, a.range_shape)
    return (*x.shape[: x.dim() - len(domain)], *range_)


if hasattr(torch.library, "custom_op"):

    @torch.library.custom_op("backlit::apply", mutates_args=())
    def _differentiable(x: torch.Tensor, number: int, transposed: bool) -> torch.Tensor:
        return _apply(x, number, transposed)

    @_differentiable.register_fake
    def _(x, number, transposed):
        return x.new_empty(_shape(x, number, transposed))

    def _setup(ctx, inputs, output):
        _, ctx.number, ctx.transposed = inputs

    def _backward(ctx, gradient):
        return _differentiable(gradient, ctx.number, not ctx.transposed), None, None

    _differentiable.register_autograd(_backward, setup_context=_setup)

    if hasattr(_differentiable, "register_vmap"):

        @_differentiable.register_vmap
        def _(info, in_dims, x, number, transposed):
            return _differentiable(x.movedim(in_dims[0], 0), number, transposed), 0

else:  # before torch 2.4

    class _Apply(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, number, transposed):
            ctx.number, ctx.transposed = number, transposed
            return _apply(x, number, transposed)

        @staticmethod
        def backward(ctx, gradient):
            return _Apply.apply(gradient, ctx.number, not ctx.transposed), None, None

    _differentiable = _Apply.apply


class TorchOperator(torch.nn.Module):
    """An :class:`Operator` as a module without parameters. Make it with :func:`operator`."""

    def __init__(self, a, transposed=False):
        super().__init__()
        self._a = a
        self._transposed = transposed
        _operators[id(a)] = a

    @property
    def T(self):
        """The adjoint as a module."""
        return TorchOperator(self._a, not self._transposed)

    @property
    def domain_shape(self):
        return self._a.range_shape if self._transposed else self._a.domain_shape

    @property
    def range_shape(self):
        return self._a.domain_shape if self._transposed else self._a.range_shape

    def forward(self, x):
        axes = len(self.domain_shape)
        if x.dim() < axes or tuple(x.shape[x.dim() - axes:]) != self.domain_shape:
            raise InputError(f"input: has shape {tuple(x.shape)}; give (..., "
                             f"{', '.join(map(str, self.domain_shape))})")
        return _differentiable(x, id(self._a), self._transposed)

    def extra_repr(self):
        return repr(self._a.T if self._transposed else self._a)


def operator(a):
    """An operator as a torch module: f(x) = A x, with gradients of any order through A and its adjoint.

    Tensors (..., z, y, x) give tensors (..., view, row, column) of the same type on the same device; leading axes are
    batches and channels. With torch 2.4 and newer it is a custom operation, for torch.compile and torch.vmap too.
    """
    if not isinstance(a, Operator):
        raise InputError(f"a: a {type(a).__name__} is no operator; make one with bl.operator()")
    return TorchOperator(a)
