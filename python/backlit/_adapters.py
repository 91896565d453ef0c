"""Geometries of other toolkits, as they describe them. None of them is imported."""

import numpy as np

from . import _arrays
from ._core import InputError


def _rotated(angles, radial, tangential):
    """(angles, 3): points of ASTRA's circle. At angle 0 the source looks along +y from below: (sin, -cos) is towards
    it, (cos, sin) along the columns."""
    s, c = np.sin(angles), np.cos(angles)
    zero = np.zeros_like(s)
    return radial * np.stack([s, -c, zero], 1) + tangential * np.stack([c, s, zero], 1)


def astra_vectors(g):
    """((views, 12), (rows, columns), beam) of an ASTRA projection geometry."""
    kind = g.get("type")
    columns = int(g.get("DetectorColCount", g.get("DetectorCount", 0)))
    rows = int(g.get("DetectorRowCount", 1))
    if kind in ("cone_vec", "parallel3d_vec"):
        return np.asarray(g["Vectors"], float), (rows, columns), "cone" if kind == "cone_vec" else "parallel"
    if kind in ("fanflat_vec", "parallel_vec"):
        flat = np.asarray(g["Vectors"], float).reshape(-1, 3, 2)
        first, middle, u = (np.pad(flat[:, i], ((0, 0), (0, 1))) for i in range(3))
        v = np.zeros_like(u)
        v[:, 2] = np.linalg.norm(u, axis=1)
        return np.hstack([first, middle, u, v]), (1, columns), "cone" if kind == "fanflat_vec" else "parallel"
    if kind not in ("cone", "parallel3d", "fanflat", "parallel"):
        raise InputError(f"geometry: ASTRA's type {_arrays.words(kind)} is not known; give cone, parallel3d, fanflat, parallel or one "
                         "of their _vec forms")
    angles = np.asarray(g["ProjectionAngles"], float).ravel()
    width = float(g.get("DetectorSpacingX", g.get("DetectorWidth", 1.0)))
    height = float(g.get("DetectorSpacingY", width))
    u = _rotated(angles, 0, width)
    v = np.tile([0.0, 0.0, height], (len(angles), 1))
    if kind in ("parallel3d", "parallel"):
        return np.hstack([_rotated(angles, 1, 0), np.zeros_like(u), u, v]), (rows, columns), "parallel"
    source, detector = float(g["DistanceOriginSource"]), float(g["DistanceOriginDetector"])
    return np.hstack([_rotated(angles, source, 0), _rotated(angles, -detector, 0), u, v]), (rows, columns), "cone"


def from_odl(g):
    """A geometry of ODL's, by what its methods say of each angle."""
    from .geometry import vectors

    detector = type(getattr(g, "detector", None)).__name__
    if detector not in ("Flat1dDetector", "Flat2dDetector"):
        raise InputError(f"geometry: ODL's {detector} is not flat; give flat detectors, or vectors of your own")
    angles = np.asarray(g.angles)
    cells = np.atleast_1d(g.det_partition.cell_sides)
    shape = g.det_partition.shape
    middle = np.asarray(g.det_partition.mid_pt, float)
    flat = g.ndim == 2

    def point(p):
        p = np.asarray(p, float).ravel()
        return np.append(p, 0.0) if p.size == 2 else p

    numbers = []
    for angle in angles:
        center = point(g.det_point_position(angle, middle if middle.size > 1 else middle[0]))
        if flat:
            u = point(g.det_axis(angle)) * cells[0]
            v = np.array([0.0, 0.0, cells[0]])
        else:
            axes = g.det_axes(angle)
            u, v = point(axes[0]) * cells[0], point(axes[1]) * cells[1]
        if hasattr(g, "src_position"):
            first = point(g.src_position(angle))
        else:
            first = point(g.det_to_src(angle, middle if middle.size > 1 else middle[0]))
        numbers.append(np.hstack([first, center, u, v]))
    detector = (1, shape[0]) if flat else (shape[1], shape[0])
    return vectors(np.array(numbers), detector, "cone" if hasattr(g, "src_position") else "parallel")


def volume_from_odl(space):
    """The grid of a discretised space of ODL. A 2-D one is a slice as thick as a cell is wide."""
    from .geometry import volume

    partition = space.partition
    shape, cells, middle = partition.shape, list(partition.cell_sides), list(partition.mid_pt)
    if len(shape) == 2:
        shape, cells, middle = (*shape, 1), [*cells, cells[0]], [*middle, 0.0]
    return volume(tuple(int(n) for n in shape)[::-1], cells[::-1], middle)


def from_cil(g):
    """An AcquisitionGeometry of CIL. Its object turns; here source and detector turn against it."""
    from .geometry import vectors

    if not hasattr(g, "config"):
        raise InputError(f"geometry: a {type(g).__name__} of CIL is no AcquisitionGeometry")
    system, panel = g.config.system, g.config.panel
    origin = str(getattr(panel, "origin", "bottom-left"))
    pixel = np.asarray(panel.pixel_size, float)
    columns, rows = (int(n) for n in panel.num_pixels)
    flat = str(g.dimension).endswith("2D")

    def point(p):
        p = np.asarray(p, float).ravel()
        return np.append(p, 0.0) if p.size == 2 else p

    def row_of(first, place, across, along):
        u = point(across) * pixel[0] * (-1 if "right" in origin else 1)
        v = np.array([0, 0, pixel[0]]) if flat else point(along) * pixel[1] * (-1 if "top" in origin else 1)
        return np.hstack([point(first), point(place), u, v])

    kind = str(g.geom_type).lower()
    cone = "parallel" not in kind
    if "flex" in kind or "souv" in kind:  # source and detector a view
        numbers = np.array([row_of(s.position, d.position, d.direction_x, d.direction_y)
                            for s, d in zip(system.source, system.detector)])
        numbers[:, :6] -= np.tile(point(system.volume_centre.position), 2)
        return vectors(numbers, (rows, columns), "cone")
    system = g.copy().config.system
    if hasattr(system, "align_reference_frame"):
        system.align_reference_frame("cil")
    still = row_of(system.source.position if cone else -np.asarray(system.ray.direction, float), system.detector.position,
                   system.detector.direction_x, getattr(system.detector, "direction_y", None))
    angles = g.config.angles
    turned = -(np.asarray(angles.angle_data, float) + float(angles.initial_angle))
    if "degree" in str(angles.angle_unit).lower():
        turned = np.deg2rad(turned)
    numbers = []
    for a in turned:
        turn = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
        numbers.append((turn @ still.reshape(4, 3).T).T.ravel())
    return vectors(np.array(numbers), (1 if flat else rows, columns), "cone" if cone else "parallel")


def volume_from_cil(g):
    """The grid of an ImageGeometry of CIL. A 2-D one is a slice as thick as a voxel is wide."""
    from .geometry import volume

    depth = int(g.voxel_num_z) or 1
    size = [float(g.voxel_size_x), float(g.voxel_size_y), float(g.voxel_size_z or g.voxel_size_x)]
    if int(g.voxel_num_z) == 0:
        size[2] = size[0]
    return volume((depth, int(g.voxel_num_y), int(g.voxel_num_x)), size[::-1],
                  (float(g.center_x), float(g.center_y), float(g.center_z)))
