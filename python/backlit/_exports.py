"""Geometries and grids as objects of other toolkits. A toolkit is imported when somebody asks for its objects."""

import importlib

import numpy as np

from ._core import Error, Unsupported

_TOLERANCE = 1e-6  # relative: what is less counts as none


def _module(name, toolkit):
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise Error(f"to_{toolkit.lower()}: {toolkit} cannot be imported ({error}); install it") from None


class _Views:
    """The numbers of views, and whether they are one view that turns about z: `turn` has its angles in radians, `view`
    its numbers (4, 3) with the source towards -y, `climb` the height of each view above that. turn is None where they
    are not."""

    def __init__(self, geometry, toolkit):
        if geometry.curved:
            raise Unsupported(f"geometry: {toolkit} has no curved detectors like this one; save it as RTK XML")
        self.toolkit, self.parallel = toolkit, geometry.beam == "parallel"
        self.rows, self.columns = geometry.detector_shape
        self.numbers = geometry.vectors().reshape(-1, 4, 3)
        self.pixel = np.linalg.norm(self.numbers[:, 2:], axis=2)  # (view, 2): width, height
        if np.ptp(self.pixel, axis=0).max() > _TOLERANCE * self.pixel.max():
            raise Unsupported(f"geometry: pixels differ from view to view, {toolkit}'s do not; use vectors()")
        self.pixel = self.pixel[0]
        self.across, self.along = (self.numbers[:, 2 + i] / self.pixel[i] for i in range(2))
        if self.parallel:
            self.numbers[:, 0] /= np.linalg.norm(self.numbers[:, 0], axis=1, keepdims=True)
        self._turn()

    def _turn(self):
        flat = self.numbers[..., 0] + 1j * self.numbers[..., 1]
        turn = np.angle((flat * flat[0].conj()).sum(1))
        start = np.angle(flat[0, 0]) + np.pi / 2  # turned back by this, the first source lies towards -y
        self.climb = np.zeros(len(turn)) if self.parallel else self.numbers[:, 0, 2] - self.numbers[0, 0, 2]
        level = self.numbers.copy()
        level[:, :2, 2] -= self.climb[:, None]
        self.view = _turned(level[0], -start)
        self.turn = np.unwrap(turn) + start % (2 * np.pi)
        error = np.abs(np.array([_turned(self.view, a) for a in self.turn]) - level)
        place, step = 1e-3 * self.pixel.min(), 1e-5 * self.pixel.min()  # numbers may come from text
        if (error > np.array([_TOLERANCE if self.parallel else place, place, step, step])[:, None]).any():
            self.turn = None

    @property
    def still(self):
        """Whether no view is higher than others."""
        return np.abs(self.climb).max() < 1e-3 * self.pixel.min()

    @property
    def flat(self):
        """Whether all lies in the plane of x and y."""
        return self.rows == 1 and np.abs(self.numbers[:, :3, 2]).max() < _TOLERANCE * self.pixel.min() and (
            np.abs(self.along[:, :2]).max() < _TOLERANCE)


def _turned(vectors, angle):
    """Vectors (n, 3), turned about z."""
    s, c = np.sin(angle), np.cos(angle)
    return vectors @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])


def to_odl(geometry, ndim):
    odl = _module("odl", "ODL")
    tomo = odl.applications.tomo
    v = _Views(geometry, "ODL")
    if v.turn is None:
        raise Unsupported("geometry: its views are not one that turns about z, as ODL's are; use vectors()")
    steps = np.diff(v.turn)
    if not ((steps > 0).all() or (steps < 0).all()):
        raise Unsupported("geometry: its views go to and fro, ODL's turn one way; take them in order")
    side = -1 if len(steps) and steps[0] < 0 else 1  # to which the axis points
    turn = side * v.turn
    flat = v.flat if ndim is None else ndim == 2
    if flat and not v.flat:
        raise Unsupported("geometry: has rows or heights; ODL's 2-D geometries have none")
    axes = 2 if flat else 3
    first, middle = (p[:axes] for p in v.view[:2])
    across, along = v.view[2] / v.pixel[0], v.view[3] / v.pixel[1]
    named = {"det_axis_init": across[:2]} if flat else {"det_axes_init": (across, along)}
    if not flat:
        named["axis"] = (0, 0, side)
    elif side < 0:
        raise Unsupported("geometry: turns clockwise, which ODL's 2-D geometries do not; take the views in reverse order")
    half = v.pixel * (v.columns, v.rows) / 2
    if v.parallel:
        if abs(abs(np.dot(np.cross(across, along), v.view[0])) - 1) > _TOLERANCE:
            raise Unsupported("geometry: its rays do not meet the detector at right angles, ODL's do; use vectors()")
        kind = tomo.Parallel2dGeometry if flat else tomo.Parallel3dAxisGeometry
        return kind(_angles(odl, turn), _detector(odl, np.zeros(2), half, v, flat), det_pos_init=middle, **named)
    height = 0.0 if flat else first[2]
    radius = float(np.hypot(*first[:2]))
    ahead = np.array([0.0, 1.0, 0.0])
    normal = np.cross(across, along)
    down = np.append(middle, 0.0)[:3] - (0, 0, height)
    if radius < v.pixel.min() * _TOLERANCE or abs(normal @ ahead) < 1e-3:
        raise Unsupported("geometry: the source lies on the axis, or looks along the detector; use vectors()")
    distance = float(normal @ down / (normal @ ahead))
    offset = down - distance * ahead  # in the detector's plane
    shift = np.linalg.lstsq(np.stack([across, along], 1), offset, rcond=None)[0]
    dpart = _detector(odl, shift, half, v, flat)
    if flat:
        return tomo.FanBeamGeometry(_angles(odl, turn), dpart, radius, distance, src_to_det_init=(0, 1), **named)
    pitch = 0.0
    if not v.still:
        pitch = 2 * np.pi * (v.climb[-1] - v.climb[0]) / (v.turn[-1] - v.turn[0])
        if np.abs(v.climb - pitch * (v.turn - v.turn[0]) / (2 * np.pi)).max() > 1e-4 * v.pixel.min():
            raise Unsupported("geometry: does not climb evenly, as ODL's helices do; use vectors()")
    start = side * (height - pitch * v.turn[0] / (2 * np.pi))
    return tomo.ConeBeamGeometry(_angles(odl, turn), dpart, radius, distance, pitch=pitch, src_to_det_init=(0, 1, 0),
                                 offset_along_axis=start, **named)


def _angles(odl, turn):
    steps = np.diff(turn)
    step = steps.mean() if len(steps) else 1.0
    if len(steps) == 0 or np.ptp(steps) < 1e-9:
        return odl.uniform_partition(turn[0] - step / 2, turn[-1] + step / 2, len(turn))
    return odl.nonuniform_partition(turn)


def _detector(odl, middle, half, v, flat):
    if flat:
        return odl.uniform_partition(middle[0] - half[0], middle[0] + half[0], v.columns)
    return odl.uniform_partition(middle - half, middle + half, (v.columns, v.rows))


def volume_to_odl(grid, ndim, options):
    odl = _module("odl", "ODL")
    axes = (2 if grid.shape[0] == 1 else 3) if ndim is None else ndim
    if axes == 2 and grid.shape[0] > 1:
        raise Unsupported(f"grid: has {grid.shape[0]} slices, ODL's 2-D spaces have one; leave ndim out")
    options.setdefault("dtype", "float32")
    return odl.uniform_discr(grid.lower[:axes], grid.upper[:axes], grid.shape[::-1][:axes], **options)


def to_cil(geometry):
    make = _module("cil.framework", "CIL").AcquisitionGeometry
    v = _Views(geometry, "CIL")
    if np.abs((v.across * v.along).sum(1)).max() > _TOLERANCE:
        raise Unsupported("geometry: rows and columns are not at right angles, CIL's are; use vectors()")
    if v.turn is None or not v.still:
        if v.parallel:
            raise Unsupported("geometry: its views are not one that turns about z, as CIL's parallel beams are; use vectors()")
        flexible = getattr(make, "create_Cone3D_Flex", None) or getattr(make, "create_Cone3D_SOUV", None)
        if flexible is None:
            raise Unsupported("geometry: this CIL has no geometry with a source and detector a view; install a newer one")
        made = flexible(v.numbers[:, 0], v.numbers[:, 1], v.across, v.along, units="mm")
        return made.set_panel((v.columns, v.rows), tuple(v.pixel), origin="bottom-left")
    first, middle, across, along = v.view
    across, along = across / v.pixel[0], along / v.pixel[1]
    axes = 2 if v.flat else 3
    place = {"detector_position": middle[:axes], "detector_direction_x": across[:axes], "units": "mm"}
    if not v.flat:
        place["detector_direction_y"] = along
    if v.parallel:
        made = (make.create_Parallel2D if v.flat else make.create_Parallel3D)(ray_direction=-first[:axes], **place)
    else:
        made = (make.create_Cone2D if v.flat else make.create_Cone3D)(source_position=first[:axes], **place)
    # CIL turns the object: the other way round.
    return made.set_panel((v.columns, v.rows), tuple(v.pixel), origin="bottom-left").set_angles(
        -np.degrees(v.turn), angle_unit="degree")


def volume_to_cil(grid, channels):
    sizes = {f"voxel_{what}_{axis}": kind(value) for what, kind, values in (("num", int, grid.shape), ("size", float, grid.voxel))
             for axis, value in zip("zyx", values)}
    sizes |= {f"center_{axis}": float(c) for axis, c in zip("xyz", grid.center)}
    return _module("cil.framework", "CIL").ImageGeometry(**sizes, channels=channels)


def to_tomosipo(thing):
    return _module("tomosipo", "tomosipo").from_astra(thing.to_astra())
