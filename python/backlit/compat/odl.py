"""Backlit beneath ODL's RayTransform:

    backlit.compat.odl.install()
    ray = odl.applications.tomo.RayTransform(space, geometry, impl="backlit")

or impl=backlit.compat.odl.RayTransformImpl without install(). Needs ODL.
"""

from odl.applications.tomo.backends.util import _add_default_complex_impl
from odl.applications.tomo.operators.ray_trafo import RAY_TRAFO_IMPLS

from ..geometry import geometry as any_geometry, volume
from ..operators import operator


class RayTransformImpl:
    """Joseph's projector and its exact adjoint, for whatever geometry and device ODL has.

    2-D and 3-D, parallel and cone beams with flat detectors, cells of any shape; NumPy and torch arrays are read and
    written where they lie. The adjoint is that of ODL's weighted spaces.
    options: of :func:`backlit.operator`: precision=, device=, model=
    """

    def __init__(self, geometry, vol_space, proj_space, **options):
        self.geometry, self.vol_space, self.proj_space = geometry, vol_space, proj_space
        self._flat = len(vol_space.partition.shape) == 2
        self._operator = operator(volume(vol_space), any_geometry(geometry), **options)

    def _volume(self, x):
        """(x, y, z) or (x, y) -> (z, y, x)"""
        return x.T[None] if self._flat else _axes(x, (2, 1, 0))

    def _views(self, y):
        """(angle, u, v) or (angle, u) -> (view, row, column)"""
        return y[:, None] if self._flat else _axes(y, (0, 2, 1))

    @_add_default_complex_impl
    def call_forward(self, x, out=None, **_):
        result = self.proj_space.real_space.element() if out is None else out
        self._operator(self._volume(x.data), out=self._views(result.data))
        return result

    @_add_default_complex_impl
    def call_backward(self, y, out=None, **_):
        result = self.vol_space.real_space.element() if out is None else out
        self._operator.T(self._views(y.data), out=self._volume(result.data))
        result *= _weight(self.proj_space) / _weight(self.vol_space)
        return result


def _axes(x, order):
    return x.permute(order) if hasattr(x, "permute") else x.transpose(order)


def _weight(space):
    return float(getattr(space.weighting, "const", 1.0))


def install():
    """Makes impl="backlit" known to ODL, which takes it by default from then on."""
    RAY_TRAFO_IMPLS["backlit"] = RayTransformImpl
