"""Where voxels, sources and detectors are. Lengths are mm, angles degrees.

World frame: right handed, the rotation axis is +z. Shapes are in the order of arrays, points are (x, y, z).
"""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _arrays, _core
from ._core import InputError
from ._types import Array, Lengths, Path


def _numbers(value, count, what):
    try:
        values = np.atleast_1d(np.asarray(value, dtype=float)).ravel()
    except (TypeError, ValueError):
        values = np.empty(0)
    if values.size == 1:
        values = np.repeat(values, count)
    if values.size != count:
        raise InputError(f"{what}: {_arrays.words(value)} is not 1 or {count} numbers")
    return tuple(float(v) for v in values)


def _text(numbers):
    return " x ".join(f"{n:g}" for n in numbers) if len(set(numbers)) > 1 else f"{numbers[0]:g}"


class VolumeGrid(_core.Grid):
    """A regular grid of voxels. Make it with :func:`volume`.

    shape:        (z, y, x), numbers of voxels
    voxel:        mm, (z, y, x)
    center:       mm, (x, y, z), the middle
    lower, upper: mm, (x, y, z), the corners
    """

    @classmethod
    def of(cls, grid: Any) -> VolumeGrid:
        """A grid of the engine as a VolumeGrid."""
        return grid if isinstance(grid, cls) else cls(grid.shape, grid.voxel, grid.center)

    @property
    def size(self) -> int:
        """Number of voxels."""
        return math.prod(self.shape)

    @property
    def extent(self) -> tuple[tuple[float, float], ...]:
        """((z, z), (y, y), (x, x)): where the grid begins and ends, mm, in the order of its axes."""
        return tuple(zip(self.lower[::-1], self.upper[::-1]))

    def __reduce__(self):
        return VolumeGrid, (self.shape, self.voxel, self.center)

    def to_astra(self) -> dict[str, Any]:
        """ASTRA's volume geometry: a dict."""
        z, y, x = self.shape
        low, high = self.lower, self.upper
        window = {f"WindowM{end}{axis}": float(side[i]) for i, axis in enumerate("XYZ")
                  for end, side in (("in", low), ("ax", high))}
        return {"GridRowCount": y, "GridColCount": x, "GridSliceCount": z, "option": window}

    def to_tomosipo(self) -> Any:
        """A volume geometry of tomosipo, which is imported."""
        from ._exports import to_tomosipo

        return to_tomosipo(self)

    def to_odl(self, ndim: int | None = None, **options: Any) -> Any:
        """A discretised space of ODL, which is imported. Its arrays are (x, y, z), or (x, y).

        ndim:    2 or 3; None: 2 where there is one slice
        options: of odl.uniform_discr(): impl=, device=; dtype="float32" unless it is given
        """
        from ._exports import volume_to_odl

        return volume_to_odl(self, ndim, options)

    def to_cil(self, channels: int = 1) -> Any:
        """An ImageGeometry of CIL, which is imported."""
        from ._exports import volume_to_cil

        return volume_to_cil(self, channels)

    def __repr__(self):
        z, y, x = self.shape
        at = "" if self.center == (0, 0, 0) else f", centred on ({', '.join(f'{c:g}' for c in self.center)}) mm"
        return f"volume of {z} x {y} x {x} voxels (z, y, x) of {_text(self.voxel)} mm{at}"


def volume(shape: Any, voxel: Lengths = 1.0, center: Sequence[float] = (0, 0, 0)) -> VolumeGrid:
    """A grid of voxels.

    shape:  (z, y, x), or one number for a cube; the grid of a scan, a volume or an operator; or a volume geometry of
            ASTRA (a dict), tomosipo, ODL or CIL
    voxel:  mm between voxels, one number or (z, y, x)
    center: mm, the middle of the grid, (x, y, z)
    """
    if isinstance(shape, VolumeGrid):
        return shape
    for grid in (getattr(shape, "grid", None), getattr(shape, "volume", None)):
        if isinstance(grid, VolumeGrid):
            return grid
    if isinstance(shape, Geometry):
        raise InputError("volume: is a geometry; the volume comes first, as in bl.operator(volume, geometry)")
    if isinstance(shape, dict):
        return volume_from_astra(shape)
    if hasattr(shape, "to_astra"):  # tomosipo
        return volume_from_astra(shape.to_astra())
    if hasattr(shape, "voxel_num_x"):  # CIL
        from ._adapters import volume_from_cil

        return volume_from_cil(shape)
    if hasattr(shape, "partition") and hasattr(shape, "cell_sides"):  # ODL
        from ._adapters import volume_from_odl

        return volume_from_odl(shape)
    if isinstance(shape, _core.Grid):
        return VolumeGrid.of(shape)
    sizes = np.atleast_1d(np.asarray(shape))
    if sizes.dtype.kind not in "iu" or sizes.size not in (1, 3):
        raise InputError(f"shape: {_arrays.words(shape)} is not (z, y, x)")
    sizes = np.repeat(sizes, 3) if sizes.size == 1 else sizes
    return VolumeGrid([int(n) for n in sizes], _numbers(voxel, 3, "voxel"), _numbers(center, 3, "center"))


class Geometry:
    """Where source and detector are in each view. Make it with :func:`circular` and its sisters, or :func:`geometry`.

    len(g) is the number of views, g[::10] a geometry of every tenth.
    """

    def __init__(self, views, words="views", parts=()):
        self._views = views
        self._words = words
        self._parts = tuple(parts)

    @property
    def shape(self) -> tuple[int, int, int]:
        """(views, rows, columns): the shape of its projections."""
        return (len(self._views), *self.detector_shape)

    @property
    def detector_shape(self) -> tuple[int, int]:
        """(rows, columns)"""
        return (self._views.detector.rows, self._views.detector.columns)

    @property
    def pixel(self) -> tuple[float, float]:
        """mm, (height of a row, width of a column)"""
        return (self._views.detector.pixel_v, self._views.detector.pixel_u)

    @property
    def beam(self) -> str:
        """"cone" (fan beams too) or "parallel" """
        return "parallel" if self._views.parallel else "cone"

    @property
    def curved(self) -> bool:
        """Whether the detector is part of a cylinder."""
        return self._views.detector.curved

    @property
    def center_px(self) -> float:
        """The column on which the rotation axis projects, from 0, fractions allowed."""
        return self._views.center_px()

    def with_center(self, column: float) -> Geometry:
        """The same with its detector shifted so that the axis projects to `column`."""
        return Geometry(self._views.with_center(float(column)), self._words, self._parts)

    def vectors(self) -> np.ndarray:
        """(views, 12), mm: source (parallel: ray, to the source), detector's middle, step to the next column, step to
        the next row; each (x, y, z). ASTRA's cone_vec and parallel3d_vec."""
        return self._views.vectors()

    def matrices(self) -> np.ndarray:
        """(views, 3, 4): (x, y, z, 1) in mm -> (column w, row w, w), w the depth in mm."""
        return self._views.matrices()

    def default_volume(self) -> VolumeGrid:
        """The region that every view sees, in voxels as large as a pixel seen at the axis."""
        return VolumeGrid.of(self._views.default_grid())

    def save(self, path: Path) -> None:
        """Writes .xml (RTK), .txt (ASTRA vectors), .matrices (3x4) or .scan.toml."""
        self._views.save(os.fspath(path))

    def to_astra(self) -> dict[str, Any]:
        """ASTRA's projection geometry, cone_vec or parallel3d_vec: a dict."""
        if self.curved:
            raise _core.Unsupported("geometry: ASTRA has no curved detectors; save it as RTK XML")
        rows, columns = self.detector_shape
        return {"type": "parallel3d_vec" if self.beam == "parallel" else "cone_vec", "DetectorRowCount": rows,
                "DetectorColCount": columns, "Vectors": self.vectors()}

    def to_tomosipo(self) -> Any:
        """A projection geometry of tomosipo, which is imported."""
        from ._exports import to_tomosipo

        return to_tomosipo(self)

    def to_odl(self, ndim: int | None = None) -> Any:
        """A geometry of ODL, which is imported: of views that turn one way about z, and may climb evenly.

        ndim: 2 or 3; None: 2 where all lies in the plane z = 0 and there is one row
        """
        from ._exports import to_odl

        return to_odl(self, ndim)

    def to_cil(self) -> Any:
        """An AcquisitionGeometry of CIL, which is imported: Cone2D, Cone3D, Parallel2D or Parallel3D with angles where
        the views turn about z, else Cone3D_Flex (Cone3D_SOUV of older ones). Data are (angle, vertical, horizontal)."""
        from ._exports import to_cil

        return to_cil(self)

    def plot(self, ax: Any = None, volume: Any = None, views: int = 12) -> Any:
        """Draws sources, detectors and the volume's box with matplotlib; returns the axes.

        views: how many views are drawn, evenly spaced
        """
        from ._plot import draw

        return draw(self, ax, volume, views)

    def __len__(self) -> int:
        return len(self._views)

    def __eq__(self, other):
        return isinstance(other, Geometry) and self._views == other._views

    __hash__ = None

    def __getitem__(self, which: Any) -> Geometry:
        chosen = np.arange(len(self))[which]
        chosen = [int(i) for i in np.atleast_1d(chosen)]
        if not chosen:
            raise InputError("views: none is left")
        return Geometry(self._views.some(chosen), f"some of {len(self)} views, {self._words}", self._parts)

    def __repr__(self):
        rows, columns = self.detector_shape
        detector = f"{'curved ' if self.curved else ''}detector of {rows} x {columns} pixels (row, column) of " \
                   f"{_text(self.pixel)} mm"
        return f"{self._words}: " + ", ".join([f"{len(self)} views", *self._parts, detector])


def _distances(source_to_axis, source_to_detector):
    _need(source_to_axis=source_to_axis, source_to_detector=source_to_detector)
    axis, detector = (_arrays.number(source_to_axis, "source_to_axis"),
                      _arrays.number(source_to_detector, "source_to_detector"))
    if not axis > 0:
        raise InputError(f"source_to_axis: {axis:g} mm is no distance; give more than 0")
    if not detector >= axis:
        raise InputError(f"source_to_detector: {detector:g} mm is less than source_to_axis; are the two exchanged?")
    return axis, detector


def _steady(values, size):
    return np.ptp(values) <= 1e-3 * size


def described(views):
    """(words, parts) of a file's views for a Geometry: which trajectory it is, by its numbers."""
    first, middle = np.moveaxis(views.vectors().reshape(-1, 4, 3), 1, 0)[:2]
    turned = np.unwrap(np.arctan2(first[:, 1], first[:, 0]))
    steps = np.diff(turned)
    arc = [f"from {math.degrees(turned[0]):g} to {math.degrees(turned[-1]):g} degrees"] if len(steps) else []
    one_way = (steps > 0).all() or (steps < 0).all()
    if views.parallel:
        level = np.abs(first[:, 2]).max() < 1e-3 and one_way
        return ("parallel beam", arc) if level else ("free views, parallel beam", [])
    radius = np.hypot(first[:, 0], first[:, 1])
    distance = ((first - middle)[:, :2] * first[:, :2]).sum(1) / np.maximum(radius, 1e-12)  # along the ray through the axis
    if not (one_way and _steady(radius, radius[0]) and _steady(distance, distance[0])):
        return "free views, cone beam", []
    distances = f"source to axis {radius.mean():.6g} mm, to detector {distance.mean():.6g} mm"
    z = first[:, 2]
    if _steady(z, radius[0]):
        return "circular fan beam" if views.detector.rows == 1 else "circular cone beam", [*arc, distances]
    pitch = 2 * math.pi * (z[-1] - z[0]) / (turned[-1] - turned[0])
    if not _steady(z - pitch * turned / (2 * math.pi), radius[0]):
        return "free views, cone beam", [distances]
    return "helical cone beam", [*arc, f"{pitch:.6g} mm a turn", distances]


def _detector(detector, pixel, curved=False, radius=0.0):
    shape = np.atleast_1d(np.asarray(detector))
    if shape.dtype.kind not in "iu" or shape.size != 2:
        raise InputError(f"detector: {_arrays.words(detector)} is not (rows, columns)")
    height, width = _numbers(pixel, 2, "pixel")
    return _core.Detector(int(shape[0]), int(shape[1]), width, height, bool(curved), _arrays.number(radius, "radius"))


def _angles(views, angles, start, arc):
    if (views is None) == (angles is None):
        raise InputError("views: give either how many there are or angles=, their angles in degrees")
    if angles is None:
        if not isinstance(views, (int, np.integer)) or views < 1:
            raise InputError(f"views: {_arrays.words(views)} is no number of views")
        arc = _arrays.number(arc, "arc")
        return _core.equal_angles(int(views), _arrays.number(start, "start"), arc), f"over {arc:g} degrees"
    try:
        angles = np.asarray(angles, dtype=float).ravel()
    except (TypeError, ValueError):
        raise InputError(f"angles: {_arrays.words(angles)} are no numbers; give degrees") from None
    if angles.size == 0:
        raise InputError("angles: there are none")
    _look_for_radians(angles)
    return [float(a) for a in angles], f"from {angles[0]:g} to {angles[-1]:g} degrees"


def _look_for_radians(angles):
    """Warns where equal steps make a half or a whole turn in radians, as ASTRA and tomosipo have them."""
    if angles.size < 8:
        return
    span = abs(angles[-1] - angles[0])
    whole = span + span / (angles.size - 1)
    if any(math.isclose(arc, turn, rel_tol=1e-3) for arc in (span, whole) for turn in (math.pi, 2 * math.pi)):
        warnings.warn(f"angles: {angles.size} views within {span:.3g} degrees look like radians; np.degrees(angles) converts",
                      stacklevel=4)


def _placement(offset_u, offset_v, tilt):
    return [_arrays.number(offset_u, "offset_u"), _arrays.number(offset_v, "offset_v"), *_numbers(tilt, 3, "tilt")]


def circular(views: int | None = None, detector: Sequence[int] | None = None, pixel: Lengths = 1.0,
             source_to_axis: float | None = None, source_to_detector: float | None = None, *, angles: Array = None,
             start: float = 0.0, arc: float = 360.0, offset_u: float = 0.0, offset_v: float = 0.0,
             tilt: Lengths = (0, 0, 0), curved: bool = False, radius: float = 0.0) -> Geometry:
    """A cone beam on a circle about z: source at R (cos, sin, 0), columns along (-sin, cos, 0), rows along +z.

    views:               how many share `arc` equally from `start` on, its end left out; or angles= in degrees
    detector:            (rows, columns)
    pixel:               mm, one number or (height, width)
    source_to_axis:      mm, R
    source_to_detector:  mm
    offset_u, offset_v:  pixels; the axis projects to column (columns - 1) / 2 + offset_u
    tilt:                degrees about the detector's u axis, v axis and normal, in this order
    curved, radius:      a cylinder about v, focused on the source unless its radius is given
    """
    source_to_axis, source_to_detector = _distances(source_to_axis, source_to_detector)
    _need(detector=detector)
    all_angles, arc_words = _angles(views, angles, start, arc)
    core = _core.Views.circular(_detector(detector, pixel, curved, radius), all_angles, source_to_axis,
                                source_to_detector, _placement(offset_u, offset_v, tilt))
    return Geometry(core, "circular fan beam" if detector[0] == 1 else "circular cone beam",
                    [arc_words, f"source to axis {source_to_axis:g} mm, to detector {source_to_detector:g} mm"])


def fan(views: int | None = None, columns: int | None = None, pixel: Lengths = 1.0, source_to_axis: float | None = None,
        source_to_detector: float | None = None, **more: Any) -> Geometry:
    """A fan beam: :func:`circular` with one row. Its volumes have one slice."""
    _need(columns=columns)
    return circular(views, (1, columns), pixel, source_to_axis, source_to_detector, **more)


def parallel(views: int | None = None, detector: Sequence[int] | None = None, pixel: Lengths = 1.0, *,
             angles: Array = None, start: float = 0.0, arc: float = 180.0, offset_u: float = 0.0, offset_v: float = 0.0,
             tilt: Lengths = (0, 0, 0)) -> Geometry:
    """Parallel beams about z, along -(cos, sin, 0). Arguments as of :func:`circular`."""
    _need(detector=detector)
    all_angles, arc_words = _angles(views, angles, start, arc)
    core = _core.Views.parallel_beam(_detector(detector, pixel), all_angles, _placement(offset_u, offset_v, tilt))
    return Geometry(core, "parallel beam", [arc_words])


def helical(views: int | None = None, detector: Sequence[int] | None = None, pixel: Lengths = 1.0,
            source_to_axis: float | None = None, source_to_detector: float | None = None, pitch: float | None = None, *,
            angles: Array = None, start: float = 0.0, arc: float = 360.0, start_z: float | None = None,
            offset_u: float = 0.0, offset_v: float = 0.0, tilt: Lengths = (0, 0, 0), curved: bool = False,
            radius: float = 0.0) -> Geometry:
    """As :func:`circular`, source and detector climbing `pitch` mm a turn (below 0: falling).

    start_z: mm, where the first view is; left out, the scan is centred on z = 0
    """
    source_to_axis, source_to_detector = _distances(source_to_axis, source_to_detector)
    _need(detector=detector, pitch=pitch)
    pitch = _arrays.number(pitch, "pitch")
    all_angles, arc_words = _angles(views, angles, start, arc)
    if start_z is None:
        start_z = -0.5 * pitch * (all_angles[-1] - all_angles[0]) / 360
    core = _core.Views.helical(_detector(detector, pixel, curved, radius), all_angles, source_to_axis,
                               source_to_detector, pitch, _arrays.number(start_z, "start_z"),
                               _placement(offset_u, offset_v, tilt))
    return Geometry(core, "helical cone beam",
                    [arc_words, f"{pitch:g} mm a turn",
                     f"source to axis {source_to_axis:g} mm, to detector {source_to_detector:g} mm"])


def laminographic(views: int | None = None, detector: Sequence[int] | None = None, pixel: Lengths = 1.0,
                  source_to_axis: float = 0.0, source_to_detector: float = 0.0, elevation: float | None = None, *,
                  angles: Array = None, start: float = 0.0, arc: float = 360.0, offset_u: float = 0.0,
                  offset_v: float = 0.0, tilt: Lengths = (0, 0, 0)) -> Geometry:
    """As :func:`circular`, or as :func:`parallel` without distances, the rays raised by `elevation` degrees."""
    _need(detector=detector, elevation=elevation)
    all_angles, arc_words = _angles(views, angles, start, arc)
    elevation = _arrays.number(elevation, "elevation")
    core = _core.Views.laminographic(_detector(detector, pixel), all_angles,
                                     _arrays.number(source_to_axis, "source_to_axis"),
                                     _arrays.number(source_to_detector, "source_to_detector"), elevation,
                                     _placement(offset_u, offset_v, tilt))
    return Geometry(core, "laminographic " + ("cone beam" if source_to_axis else "parallel beam"),
                    [arc_words, f"raised by {elevation:g} degrees"])


def vectors(vectors: Array, detector: Sequence[int], beam: str = "cone") -> Geometry:
    """Free views from (views, 12) numbers, as :meth:`Geometry.vectors` gives them.

    detector: (rows, columns)
    beam:     "cone" or "parallel"
    """
    if beam not in ("cone", "parallel"):
        raise InputError(f"beam: {_arrays.words(beam)} is neither cone nor parallel")
    numbers = np.ascontiguousarray(np.asarray(vectors, dtype=float))
    core = _core.Views.from_vectors(_detector(detector, 1.0), numbers, beam == "parallel")
    return Geometry(core, f"free views, {beam} beam")


def matrices(matrices: Array, detector: Sequence[int], pixel: Lengths, source_to_detector: float = 0.0) -> Geometry:
    """Views from (views, 3, 4) matrices: (x, y, z, 1) in mm -> (column w, row w, w), pixel centres at integers.

    detector: (rows, columns)
    pixel:    mm; it fixes the distance to the detector, which a matrix leaves free, unless source_to_detector= does
    """
    numbers = np.ascontiguousarray(np.asarray(matrices, dtype=float))
    core = _core.Views.from_matrices(_detector(detector, pixel), numbers, float(source_to_detector))
    return Geometry(core, "views from matrices")


def geometry(source: Any, detector: Sequence[int] | None = None, pixel: Lengths = 1.0,
             source_to_detector: float = 0.0) -> Geometry:
    """A geometry of whatever says one.

    source: a Geometry, an ASTRA dict, a geometry of tomosipo, ODL or CIL, an array (views, 12) or (views, 3, 4), or a file:
            RTK XML, ASTRA vectors, 3x4 matrices, plastimatch, *.scan.toml
    detector, pixel, source_to_detector: what arrays and files do not say, as in :func:`vectors` and :func:`matrices`
    """
    if isinstance(source, Geometry):
        return source
    if isinstance(source, dict):
        return from_astra(source)
    if isinstance(source, _core.Grid):
        raise InputError("geometry: is a volume; the volume comes first, as in bl.operator(volume, geometry)")
    if isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        if path.endswith(".toml") or _core.is_scan(path):
            core = _core.Views.read_scan(path)
            return Geometry(core, *described(core))
        _need(detector=detector)
        core = _core.Views.read(path, _detector(detector, pixel), float(source_to_detector))
        return Geometry(core, *described(core))
    if hasattr(source, "to_astra"):  # tomosipo
        return from_astra(source.to_astra())
    if hasattr(source, "det_point_position"):  # ODL
        from ._adapters import from_odl

        return from_odl(source)
    if hasattr(source, "geom_type") and hasattr(source, "config"):  # CIL
        from ._adapters import from_cil

        return from_cil(source)
    numbers = np.asarray(source)
    if numbers.ndim == 2 and numbers.shape[1] == 12:
        _need(detector=detector)
        return vectors(numbers, detector)
    if numbers.ndim == 3 and numbers.shape[1:] == (3, 4):
        _need(detector=detector)
        return matrices(numbers, detector, pixel, source_to_detector)
    raise InputError(f"geometry: a {type(source).__name__} says no geometry; give a file, an ASTRA dict or vectors")


def from_astra(projection_geometry: dict[str, Any]) -> Geometry:
    """A geometry from ASTRA's dict: parallel3d, cone, parallel, fanflat and their _vec forms."""
    from ._adapters import astra_vectors

    try:
        numbers, detector, beam = astra_vectors(projection_geometry)
    except KeyError as key:
        raise InputError(f"geometry: ASTRA's {projection_geometry['type']} has no {key.args[0]}") from None
    found = vectors(numbers, detector, beam)
    found._words = f"ASTRA {projection_geometry['type']}"
    return found


def volume_from_astra(volume_geometry: dict[str, Any]) -> VolumeGrid:
    """A grid from ASTRA's volume geometry. Two-dimensional ones become one slice, as thick as a voxel is wide."""
    g = volume_geometry
    option = g.get("option", g.get("options", {}))
    for key in ("GridRowCount", "GridColCount"):
        if key not in g:
            raise InputError(f"volume: ASTRA's volume geometry has no {key}")
    counts = (int(g.get("GridSliceCount", 1)), int(g["GridRowCount"]), int(g["GridColCount"]))
    low, high = [], []
    for axis, n in zip("XYZ", counts[::-1]):
        low.append(float(option.get(f"WindowMin{axis}", -0.5 * n)))
        high.append(float(option.get(f"WindowMax{axis}", 0.5 * n)))
    voxel = [(b - a) / n for a, b, n in zip(low, high, counts[::-1])]
    if "GridSliceCount" not in g:
        voxel[2] = voxel[0]
    middle = [0.5 * (a + b) for a, b in zip(low, high)]
    return volume(counts, voxel[::-1], middle)


def _need(**arguments):
    for name, value in arguments.items():
        if value is None:
            raise InputError(f"{name}: is missing; give {name}=")
