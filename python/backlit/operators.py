"""Projectors as linear operators: A(x), A.T(y)."""

from __future__ import annotations

import math
from typing import Any, overload

import numpy as np

from . import _arrays, _core
from ._core import InputError
from ._types import Array, ArrayT, NumPyArray
from .geometry import Geometry, VolumeGrid, geometry as any_geometry, volume as any_volume


def model_names() -> list[str]:
    """Models that projectors may have: "joseph", "siddon", "distance_driven", "emission" and so on."""
    return list(_core.model_names())


class Operator:
    """A linear operator between volumes (z, y, x) and projections (view, row, column). Make it with :func:`operator`.

    A(x), A.T(y)          line integrals, and the adjoint: <A x, y> = <x, A' y>. Of a tensor that takes gradients they are
                          differentiable, as :func:`backlit.torch.operator` is
    A(x, out=y)           writes to y; with add=True adds to it. Nothing is allocated
    A[::10], A[30]        some of its views, sharing tables and textures with A
    A.domain_shape, A.range_shape

    Arrays of 16, 32 or 64-bit floating-point numbers, of any strides, from NumPy, torch, CuPy or any library with DLPack;
    the same kind comes back, of the same type, on the same device. Leading axes are batches. CUDA arrays are read and
    written in place, in order with the caller's current stream; the host waits for nothing. One operator does one call
    at a time; several work side by side, in several threads too.
    """

    def __init__(self, core, domain_shape, rows, row_shape, order, transposed=False, **facts):
        self._core = core
        self._domain_shape = tuple(domain_shape)
        self._rows = rows  # range of the core's rows
        self._row_shape = tuple(row_shape)
        self._order = order
        self._transposed = transposed
        self._facts = facts
        self._sums = {}
        self._adjoint = None
        self._number = None  # in backlit.torch
        self._settle()

    def _like(self, **changes):
        made = object.__new__(Operator)
        made.__dict__.update(self.__dict__, _sums={}, _adjoint=None, _number=None, **changes)
        made._settle()
        return made

    def _settle(self):
        """What every call needs."""
        self._axes, self._to = len(self.domain_shape), self.range_shape
        self._subset = self._rows.start, len(self._rows), self._rows.step
        self._turned = self._order == "astra"

    # Description.

    @property
    def volume(self) -> VolumeGrid:
        """The grid of its volumes."""
        return self._facts["volume"]

    @property
    def geometry(self) -> Geometry | None:
        """The geometry of its views; None for lines of a list."""
        g = self._facts.get("geometry")
        return g if g is None or len(self._rows) == len(g) else g[list(self._rows)]

    @property
    def _range_shape(self):
        shape = (len(self._rows), *self._row_shape)
        return (shape[1], shape[0], shape[2]) if self._order == "astra" else shape

    @property
    def domain_shape(self) -> tuple[int, ...]:
        """(z, y, x): the shape of what it is applied to. Of an adjoint, that of the projections."""
        return self._range_shape if self._transposed else self._domain_shape

    @property
    def range_shape(self) -> tuple[int, ...]:
        """(view, row, column), with order="astra" (row, view, column), of events (line,). Of an adjoint (z, y, x)."""
        return self._domain_shape if self._transposed else self._range_shape

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns) as a matrix"""
        return (math.prod(self.range_shape), math.prod(self.domain_shape))

    @property
    def T(self) -> Operator:
        """The adjoint; shares everything with this one."""
        if self._adjoint is None:
            self._adjoint = self._like(_transposed=not self._transposed)
        return self._adjoint

    adjoint = H = T

    @property
    def matched(self) -> bool:
        """Whether A.T is the exact adjoint, up to rounding. Makes the plan."""
        return self._core.matched

    @property
    def variant(self) -> str:
        """How it is computed, in words. Makes the plan."""
        return self._core.variant

    @property
    def device(self) -> str:
        """The device in use. Makes the plan."""
        return self._core.device

    def __getitem__(self, views: Any) -> Operator:
        if self._transposed:
            return self.T[views].T
        if isinstance(views, (int, np.integer)):
            i = range(len(self._rows))[views]
            views = slice(i, i + 1)
        if isinstance(views, slice):
            rows = self._rows[views]
            if len(rows) == 0:
                raise InputError("views: none is left")
            if rows.step > 0:
                return self._like(_rows=rows)
        if self._facts.get("geometry") is None:
            raise InputError("rows: give a slice with a positive step")
        return operator(**dict(self._facts["made"], geometry=self.geometry[views]))

    def moved(self, geometry: Any) -> Operator:
        """The operator of other views, of the same number and shape, for geometries that change from call to call. It
        shares the plan and the memory of this one; a call puts its own views in place of those of the call before."""
        if self._facts.get("geometry") is None or len(self._rows) != self._facts["all_rows"]:
            raise InputError("geometry: only operators of all views of a geometry can be moved")
        views = any_geometry(getattr(geometry, "geometry", geometry))
        facts = dict(self._facts, geometry=views, range=repr(views), made=dict(self._facts["made"], geometry=views))
        return self._like(_core=self._core.moved(views._views), _facts=facts)

    # Application.

    @overload
    def __call__(self, x: NumPyArray, out: None = None, add: bool = False) -> NumPyArray: ...
    @overload
    def __call__(self, x: ArrayT, out: None = None, add: bool = False) -> ArrayT: ...
    @overload
    def __call__(self, x: Array, out: ArrayT, add: bool = False) -> ArrayT: ...
    def __call__(self, x: Array, out: Array = None, add: bool = False) -> Any:
        """A x, in `out` where it is given. add=True: out += A x."""
        if type(x) in _arrays.tensors and not x.is_neg() and (
                out is None or type(out) in _arrays.tensors and not out.is_neg()):
            y = self._of_tensor(x, out, add)
            if y is not None:
                return y
        library, x = _arrays.kind_of(x)
        given = out
        if out is None:
            if add:
                raise InputError("add: needs out=, to which is added")
            if library is _arrays.torch_ and library.takes_gradients(x):
                return library.differentiable(self, x)
            out = library.empty((*x.shape[: max(0, len(x.shape) - self._axes)], *self._to), x)
        else:
            output_library, out = _arrays.kind_of(out)
            if not output_library.writes(given, out):
                raise InputError(f"out: a {type(given).__name__} cannot be written to; pass a NumPy, torch or CuPy array")
        library.apply(self._core, self._transposed, x, out, self._subset, add, self._turned)
        return given if given is not None else library.result(out)

    def _of_tensor(self, x, out, add):
        """Applies the operator to tensors of torch by one call. None: not possible, nothing was done."""
        if out is None:
            if add:
                return None
            if x.requires_grad and _arrays.torch_.gradients():
                return _arrays.torch_.differentiable(self, x)
            lead = x.dim() - self._axes
            out = x.new_empty((*x.shape[:lead], *self._to) if lead > 0 else self._to)
        return out if self._core.apply_tensors(self._transposed, x, out, self._subset, add, self._turned) else None

    @overload
    def __matmul__(self, x: NumPyArray) -> NumPyArray: ...
    @overload
    def __matmul__(self, x: ArrayT) -> ArrayT: ...
    def __matmul__(self, x: Array) -> Any:
        return self(x)

    # Properties.

    @property
    def row_sums(self) -> np.ndarray:
        """A 1 (NumPy, range_shape): the length of each ray in the volume, mm. Computed once."""
        return self._ones(self._transposed)

    @property
    def column_sums(self) -> np.ndarray:
        """A' 1 (NumPy, domain_shape): how much each voxel is seen. Computed once."""
        return self._ones(not self._transposed)

    def _ones(self, transposed):
        if transposed not in self._sums:
            a = self._like(_transposed=transposed)
            self._sums[transposed] = a(np.ones(a.domain_shape, np.float32))
        return self._sums[transposed]

    def norm(self, iterations: int = 20, seed: int = 1) -> float:
        """The largest singular value, from below, by so many steps of the power method."""
        if iterations < 1:
            raise InputError(f"iterations: {_arrays.words(iterations)} steps give no norm; give 1 or more")
        x = np.random.default_rng(seed).random(self.domain_shape)
        value = 0.0
        for _ in range(iterations):
            x /= np.linalg.norm(x)
            x = self.T(self(x))
            value = math.sqrt(np.linalg.norm(x))
        return value

    def adjoint_error(self, seed: int = 1) -> float:
        """|<A x, y> - <x, A' y>| / (|A x| |y|) for random x and y."""
        random = np.random.default_rng(seed)
        x, y = random.random(self.domain_shape), random.random(self.range_shape)
        forward, back = self(x), self.T(y)
        return abs(np.vdot(forward, y) - np.vdot(x, back)) / (np.linalg.norm(forward) * np.linalg.norm(y))

    def as_scipy(self, dtype: Any = np.float32) -> Any:
        """A scipy.sparse.linalg.LinearOperator on flat vectors: for lsqr, lsmr, cg and the like."""
        from scipy.sparse.linalg import LinearOperator

        return LinearOperator(self.shape, matvec=lambda x: self(x.reshape(self.domain_shape)).ravel(),
                              rmatvec=lambda y: self.T(y.reshape(self.range_shape)).ravel(), dtype=dtype)

    def as_cupyx(self, dtype: Any = np.float32) -> Any:
        """The same for cupyx.scipy.sparse.linalg, on CuPy arrays."""
        from cupyx.scipy.sparse.linalg import LinearOperator

        return LinearOperator(self.shape, matvec=lambda x: self(x.reshape(self.domain_shape)).ravel(),
                              rmatvec=lambda y: self.T(y.reshape(self.range_shape)).ravel(), dtype=dtype)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self  # it never changes; copies of a network share it

    def __reduce__(self):
        """For pickling: the other process makes its own tables and textures."""
        if "made" not in self._facts:
            raise InputError("operator: one of PET events is not pickled; make it anew where it is needed")
        return _restored, (self._facts["made"], self._rows, self._transposed)

    def finish(self) -> None:
        """Waits until the device has done all that it was given."""
        self._core.finish()

    def __repr__(self):
        what = "adjoint of " if self._transposed else ""
        views = "" if len(self._rows) == self._facts["all_rows"] else f"{len(self._rows)} of "
        return f"{what}operator {self._facts['words']}: {self._facts['volume']!r} -> {views}{self._facts['range']}"


def _restored(made, rows, transposed):
    a = operator(**made)._like(_rows=rows)
    return a.T if transposed else a


def operator(volume: Any = None, geometry: Any = None, *, model: str = "joseph", precision: str = "exact",
             packing: str = "auto", device: Any = "auto", memory: float | None = None, order: str = "view",
             line: str = "tube", tube_width: float = 0.0, tof_cut: float = 3.0, attenuation: Any = None,
             **choices: Any) -> Operator:
    """The projector of a volume onto the views of a geometry, or onto the lines of PET events.

    volume:    a grid (:func:`volume`), an ASTRA or tomosipo volume geometry; None: what every view sees
    geometry:  a :class:`Geometry`, whatever :func:`geometry` takes, a :class:`Scan`, or PET events (:func:`listmode`)
    model:     how voxels and rays meet (:func:`model_names`). joseph: Joseph, IEEE Trans. Med. Imaging 1 (1982) 192
    precision: "exact" (fp32, a true adjoint), "fast" (the texture units interpolate: faster, pairs match to 1e-3) or
               "half" (fp16 textures). The CPU computes in double precision whatever is asked
    device:    "auto": where CUDA arrays are; for arrays of the host cuda where there is a card, else cpu. Or "cpu",
               "gl", "cuda", "cuda:1", or "cuda:0,1": several share the work on arrays of the host
    memory:    bytes that the device's arrays and tables may take; larger volumes go through in parts. For host arrays
    order:     "view" (view, row, column), or "astra" (row, view, column)
    attenuation: of model="emission" (SPECT): an array (z, y, x), 1/mm; None: nothing attenuates
    choices:   the projector's own: step=0.25 (raycast: distance of samples, in voxels), pipeline="compute" (gl), ...; the
               names and values of the flags of ``backlit project``
    line, tube_width, tof_cut: of PET events: "tube" or "joseph" (thin lines), mm, standard deviations

    Nothing touches a device before the first call, so processes may fork after this one.
    """
    if order not in ("view", "astra"):
        raise InputError(f"order: {_arrays.words(order)} is neither view nor astra")
    name, index = _arrays.parse_device(device)
    choice = _core.Device(name, index, _arrays.memory_bytes(memory))
    if isinstance(geometry, _core.Events):
        if order != "view":
            raise InputError("order: lines have one axis; leave it out")
        grid = any_volume(volume) if volume is not None else VolumeGrid.of(geometry.default_grid())
        core = _core.lines_operator(geometry, grid, line, float(tube_width), float(tof_cut), choice)
        return Operator(core, grid.shape, range(len(geometry)), (), order, volume=grid, all_rows=len(geometry),
                        words=line, range=f"{len(geometry)} lines", device=device, model=line, precision=precision)
    if geometry is None:
        raise InputError("geometry: is missing; give bl.circular(...), say")
    views = getattr(geometry, "geometry", geometry)  # the geometry of a Scan
    views = any_geometry(views)
    grid = any_volume(volume) if volume is not None else views.default_volume()
    names = list(choices)
    values = [str(value).lower() if value is True or value is False else str(value) for value in choices.values()]
    if model == "emission":
        if packing not in ("auto", "none"):
            raise InputError("packing: emission has none; leave it out")
        mu = None if attenuation is None else _arrays.host_float(attenuation)
        core = _core.emission_operator(grid, views._views, precision, mu, names, values, choice)
    elif attenuation is not None:
        raise InputError("attenuation: needs model=\"emission\"")
    else:
        core = _core.ct_operator(grid, views._views, model, precision, packing, names, values, choice)

    made = dict(choices, volume=grid, geometry=views, model=model, precision=precision, packing=packing, device=device,
                memory=memory, order=order, attenuation=attenuation)
    return Operator(core, grid.shape, range(len(views)), views.detector_shape, order, volume=grid, geometry=views,
                    all_rows=len(views), words=f"{model}, {precision}", range=repr(views), device=device, model=model,
                    precision=precision, made=made)
