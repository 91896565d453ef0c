"""Backlit's projectors as operators of CIL, in place of those of its ASTRA and TIGRE plug-ins:

    from backlit.compat.cil import ProjectionOperator
    A = ProjectionOperator(image_geometry, acquisition_geometry)
    FISTA(f=LeastSquares(A, data), g=TotalVariation(), ...)

Needs CIL.
"""

import numpy as np
from cil.optimisation.operators import LinearOperator

from ..geometry import geometry as any_geometry, volume
from ..operators import operator

_image = ("channel", "vertical", "horizontal_y", "horizontal_x")
_views = ("channel", "angle", "vertical", "horizontal")


class ProjectionOperator(LinearOperator):
    """Joseph's projector and its exact adjoint, for geometries of CIL: 2-D and 3-D, parallel and cone beams, any order
    of the dimensions, all channels in one call, on the CPU, OpenGL or CUDA.

    image_geometry: left out: acquisition_geometry.get_ImageGeometry()
    options:        of :func:`backlit.operator`: device=, precision=, model=
    """

    def __init__(self, image_geometry=None, acquisition_geometry=None, **options):
        if acquisition_geometry is None:
            raise TypeError("ProjectionOperator: acquisition_geometry is missing")
        if image_geometry is None:
            image_geometry = acquisition_geometry.get_ImageGeometry()
        super().__init__(domain_geometry=image_geometry, range_geometry=acquisition_geometry)
        self._operator = operator(volume(image_geometry), any_geometry(acquisition_geometry), **options)

    def direct(self, x, out=None):
        """A x; into `out` where it is given."""
        return _applied(self._operator, x, _image, self.range_geometry(), _views, out)

    def adjoint(self, x, out=None):
        """A' x; into `out` where it is given."""
        return _applied(self._operator.T, x, _views, self.domain_geometry(), _image, out)

    def calculate_norm(self):
        return self._operator.norm()


def _applied(A, x, names, geometry, result_names, out):
    labels = _labels(x.geometry)
    values = np.asarray(x.as_array())
    values = values.transpose([labels.index(name) for name in names if name in labels])
    lost = [names.index(name) for name in names[1:] if name not in labels]  # one slice, one row, one angle
    for axis in lost:
        values = np.expand_dims(values, axis - (0 if "channel" in labels else 1))
    found = A(values)
    wanted = _labels(geometry)
    axes = [name for name in result_names if name in wanted]
    shape = [n for name, n in zip(result_names[-found.ndim:], found.shape) if name in wanted]
    found = found.reshape(shape).transpose([axes.index(name) for name in wanted])
    result = geometry.allocate(None) if out is None else out
    result.fill(found)
    return result


def _labels(geometry):
    """Of Cone3D_Flex geometries CIL calls the views projections."""
    return ["angle" if str(label) == "projection" else str(label) for label in geometry.dimension_labels]
