"""The geometry of a scan, found from its projections."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np

from . import _arrays, _core, _options
from ._core import InputError
from ._types import Array, Path
from .geometry import Geometry
from .scans import Scan


@dataclasses.dataclass(frozen=True)
class CalibratedNumber:
    """A number of the geometry, after calibration.

    value:       mm, pixels or degrees, as `unit` says; nan where the scan has none
    change:      from what the scan said
    uncertainty: one standard deviation
    determined:  whether the views determine it; else it was left alone, and `reason` says why
    correction:  what was found, in the terms of `at`: px, degrees, or a factor of a distance
    at, criterion: how much the views disagree along this number, the others as found; empty without curves=True
    """

    name: str
    unit: str
    value: float
    change: float
    uncertainty: float
    determined: bool
    reason: str
    correction: float
    at: np.ndarray = dataclasses.field(repr=False)
    criterion: np.ndarray = dataclasses.field(repr=False)

    def __str__(self):
        if math.isnan(self.value):
            return f"{self.name:22} {'':10} there is none: {self.reason}"
        value = f"{self.name:22} {round(self.value, 4) + 0.0:10.4f}"  # without a negative zero
        if not self.determined:
            return f"{value} {self.unit:3} left alone: {self.reason}"
        return f"{value} {self.unit:3} +- {self.uncertainty:.2g}, changed by {self.change:+.4f}"


class Calibration:
    """What :func:`calibrate` found: print() shows a table, plot() pictures. Methods take it in place of a scan.

    scan, geometry: with the geometry that was found
    given:          the scan as it was
    parameters:     :class:`CalibratedNumber` by name: column_offset_px, row_offset_px, in_plane_deg, tilt_u_deg, tilt_v_deg,
                    source_to_detector_mm, source_to_axis_mm; also calibration[name]
    reversed:       whether the object turned in the opposite direction; direction_determined: whether the views tell
    compared:       the data whose disagreement was made small
    before, after:  that disagreement; 0: views agree, about 1: they are unrelated
    view_shifts:    (views, 2), px along columns and rows, with align_views=True; else None
    view_changes:   px r.m.s., the change of the shifts in each round
    notes:          sentences
    """

    def __init__(self, given, found):
        self.given = given
        self.geometry = Geometry(found.source.views, f"{given.geometry._words}, calibrated", given.geometry._parts)
        self.scan = given._with(found.source, self.geometry)
        self.parameters = {}
        for number in found.numbers:
            number["at"], number["criterion"] = np.array(number["at"]), np.array(number["criterion"])
            self.parameters[number["name"]] = CalibratedNumber(**number)
        self.reversed, self.direction_determined = found.reversed, found.direction_determined
        self.compared, self.before, self.after = found.compared, found.before, found.after
        self.view_shifts, self.view_changes = found.shifts, np.array(found.changes)
        self.notes = list(found.notes)

    def __getitem__(self, name):
        return self.parameters[name]

    def save(self, path: Path) -> None:
        """Writes NAME.scan.toml and, beside it, NAME.npy."""
        self.scan.save(path)

    def plot(self, figure: Any = None) -> Any:
        """Draws the middle slice before and after, the criterion along each number, and the shifts of views, with
        matplotlib; returns the figure."""
        from ._plot import draw_calibration

        return draw_calibration(self, figure)

    def __repr__(self):
        direction = ("reversed" if self.reversed else "as given") + ("" if self.direction_determined else ", not determined")
        lines = [f"calibrated by {self.compared}",
                 f"disagreement of the views {self.before:.3g} before, {self.after:.3g} now",
                 *map(str, self.parameters.values()), f"{'direction':22} {direction}"]
        if self.view_shifts is not None:
            lengths = np.hypot(*self.view_shifts.T)
            lines.append(f"{'shifts of views':22} {np.sqrt((lengths**2).mean()):10.4f} px r.m.s., at most {lengths.max():.4f}")
        return "\n".join(lines + [f"note: {note}" for note in self.notes])


def calibrate(scan: Any, projections: Array = None, *, views: int = 48, columns: int = 256, find_center: bool = True,
              measured_length: float = 0, known_length: float = 0, align_views: bool = False, align_rounds: int = 12,
              align_columns: int = 128, curves: bool = True, device: Any = "auto",
              memory: float | None = None) -> Calibration:
    """Finds the geometry of a scan from its projections: no calibration phantom, no start value.

        found = bl.calibrate(scan)
        print(found)
        volume = bl.fdk(found)

    scan:        a scan, a file of one, or a geometry or operator with projections= beside it
    projections: line integrals (views, rows, columns)
    views:       how many views are compared, evenly spread over the scan
    columns:     pixels are binned until a view has at most this many columns and rows
    find_center: looks for the axis over the whole detector first
    measured_length, known_length: mm, a length near the axis in a volume of this scan, and its true value: sets the
                 distance from source to axis, which no view shows
    align_views: finds a shift along columns and rows for each view, too: views that moved
    align_rounds, align_columns: most rounds at each resolution, and columns of a binned view, of that alignment
    curves:      computes the criterion along each number, for plot()
    device, memory: of the alignment, as of :func:`sirt`

    Cone, fan and parallel beams, full and short scans. Returns a :class:`Calibration`. What the views do not determine
    is left alone, and the result says why. Raises InputError where nothing is determined.

    Papers: Clackdoyle and Desbat, Med. Phys. 42 (2015) 831; Lesaint, Rit, Clackdoyle and Desbat, IEEE Trans. Radiat.
    Plasma Med. Sci. 1 (2017) 517; Debbeler, Maass, Elter, Dennerlein and Buzug, Fully3D 2013; Aichert, Berger, Wang,
    Maass, Doerfler, Hornegger and Maier, IEEE Trans. Med. Imaging 34 (2015) 2205. Alignment: Dengler, Ultramicroscopy
    30 (1989) 337; Guersoy et al., Sci. Rep. 7 (2017) 11818.
    """
    from .methods import problem_of

    given = problem_of(scan, projections)[0]
    aligning = {"align_rounds": align_rounds, "align_columns": align_columns}
    defaults = {p["name"]: p["default"] for p in _core.calibration_parameters()}
    for name, value in aligning.items():
        if not align_views and value != defaults[name]:
            raise InputError(f"{name}: needs align_views=True")
    options = _options.texts(dict(views=views, columns=columns, find_center=find_center, measured_length=measured_length,
                                  known_length=known_length, **aligning))
    choice = _core.Device(*_arrays.parse_device(device), _arrays.memory_bytes(memory))
    return Calibration(given, _core.calibrate(given._source, options, bool(curves), bool(align_views), choice))
