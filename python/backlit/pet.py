"""PET list mode: events from arrays and files."""

from __future__ import annotations

import inspect
import os
from typing import Any

import numpy as np

from . import _arrays, _core, _options
from ._core import Events, InputError
from ._types import Array, Path
from .geometry import VolumeGrid, volume as any_volume
from .volumes import VolumeArray, load_phantom

METHODS = ("mlem", "osem")  # methods that also reconstruct events


def scanners() -> list[str]:
    """Names of the scanners that ship."""
    return list(_core.shipped_scanners())


def _numbers(values):
    return None if values is None else _arrays.host_float(values)


def listmode(xyz1: Array, xyz2: Array, tof: Array = None, *, tof_fwhm_ps: float = 0.0, tof_range_ps: float = 0.0,
             acf: Array = None, norm: Array = None, scatter_rate: Array = None, random_rate: Array = None,
             duration_s: float = 0.0, scanner: Path = "") -> Events:
    """PET events from arrays.

    xyz1, xyz2:   (events, 3), mm: where each event's two photons were seen
    tof:          (events,), ps: arrival at the first minus arrival at the second; positive: nearer the second
    tof_fwhm_ps:  its resolution
    acf, norm:    (events,): attenuation correction factors exp(integral of mu), normalisation factors 1 / efficiency
    scatter_rate, random_rate: (events,), 1/s, of the event's pair; with time of flight scatter's is per mm of the line,
                  and randoms are spread over tof_range_ps
    duration_s:   of the acquisition
    scanner:      a name (:func:`scanners`) or file; sensitivity images are made of its pairs
    """
    return _core.events_from_arrays(_arrays.host_float(xyz1), _arrays.host_float(xyz2), _numbers(tof), _numbers(acf),
                                    _numbers(norm), _numbers(scatter_rate), _numbers(random_rate), float(tof_fwhm_ps),
                                    float(tof_range_ps), float(duration_s), os.fspath(scanner))


def load_events(path: Path, scanner: Path = "", *, flip_tof: bool = False, delayeds: bool = False) -> Events:
    """PET events from a list-mode file, all of them in memory.

    path:     of CASToR, PETSIRD, Siemens, SAFIR, GATE or STIR; the content decides
    scanner:  a name (:func:`scanners`) or file, or the table of crystals of lists that use one; "": the one that the list
              holds, or that lies beside it
    flip_tof: the file holds t2 - t1
    delayeds: of Siemens and SAFIR: delayed coincidences too
    """
    return _core.load_events(os.fspath(path), os.fspath(scanner), bool(flip_tof), bool(delayeds))


def save_events(path: Path, events: Events) -> None:
    """Writes PET events as a list: .cdh (CASToR) or .petsird. The crystals are those of the events' scanner."""
    _core.save_events(os.fspath(path), events)


def simulate_events(activity: Any, scanner: Path, counts: float = 1e6, *, attenuation: Any = None, scatter: float = 0.0,
                    randoms: float = 0.0, tof_fwhm_ps: float = -1.0, duration_s: float = 60.0, scale: float = 1.0,
                    seed: int = 1, **options: Any) -> Events:
    """Simulated PET events of a phantom.

    activity, attenuation: phantoms by name or file; attenuation in 1/mm
    scanner:               a name (:func:`scanners`) or file
    counts:                prompts; scatter and randoms are shares of them
    tof_fwhm_ps:           0: no time of flight; below 0: the scanner's
    scale:                 what the phantoms' lengths are multiplied by
    """
    for name, here in (("tof", "tof_fwhm_ps"), ("duration", "duration_s")):
        if name in options:
            raise InputError(f"{name}: is called {here} here")
    matter = None if attenuation is None else load_phantom(attenuation).scaled(float(scale), 1.0)
    given = dict(options, counts=float(counts), scatter=float(scatter), randoms=float(randoms), tof=float(tof_fwhm_ps),
                 duration=float(duration_s))
    return _core.simulate_events(load_phantom(activity).scaled(float(scale), 1.0), matter, os.fspath(scanner),
                                 _options.texts(given), int(seed))


def _document_simulation():
    named = ("counts", "scatter", "randoms", "tof", "duration")
    more = [p for p in _core.simulation_parameters() if p["name"] not in named]
    simulate_events.__doc__ = f"{inspect.cleandoc(simulate_events.__doc__)}\n\nOptions:\n\n{_options.described(more)}\n"


_document_simulation()


def describe():
    lines = []
    for p in _core.pet_parameters():
        choices = "one of " + ", ".join(p["choices"]) + "; " if p["choices"] else ""
        lines.append(f"    {p['name']}: {p['unit'] + ', ' if p['unit'] else ''}{choices}default {p['default']}. {p['help']}")
    lines.append("    attenuation: an array (z, y, x), 1/mm; for the sensitivity of a scanner's pairs")
    lines.append("    normalisation: a CASToR normalisation (.cdh): the pairs that the sensitivity is made of, with factors")
    lines.append("    sensitivity: an array (z, y, x) in place of the scanner's: events per s for a value of 1")
    return "\n".join(lines)


def sensitivity(events: Events, volume: Any = None, *, attenuation: Array = None, normalisation: Path = "",
                device: Any = "auto", memory: float | None = None, **options: Any) -> VolumeArray:
    """The sensitivity image of the events' scanner (z, y, x): events per s for a value of 1. :func:`osem` makes it for
    itself; given as sensitivity= it serves several runs.

    volume:        the grid; None: what the scanner sees
    attenuation:   an array (z, y, x), 1/mm
    normalisation: a CASToR normalisation (.cdh): the pairs that it is made of, with factors
    options:       of :func:`osem` of events: sensitivity_pairs=, line=, tube_width= and so on
    """
    if not isinstance(events, Events):
        raise InputError(f"events: {_arrays.words(events)} are none; make them with bl.listmode() or bl.load_events()")
    grid, text, mu, choice = _prepared(events, volume, device, memory, options, attenuation)
    return VolumeArray(_core.sensitivity(events, grid, text, mu, os.fspath(normalisation), choice), grid)


def _prepared(events, volume, device, memory, options, attenuation):
    grid = VolumeGrid.of(events.default_grid()) if volume is None else any_volume(volume)
    text = {key: str(value).lower() if isinstance(value, bool) else str(value) for key, value in options.items()}
    mu = None if attenuation is None else _arrays.host_float(attenuation)
    return grid, text, mu, _core.Device(*_arrays.parse_device("auto" if device is None else device),
                                        _arrays.memory_bytes(memory))


def start(name, events, volume, device, memory, options):
    """A run of MLEM or OSEM on events."""
    if name not in METHODS:
        raise InputError(f"method: {_arrays.words(name)} does not take PET events; use osem or mlem")
    if name == "mlem" and int(options.get("subsets", 1)) > 1:
        raise InputError("subsets: mlem has none; use osem")
    attenuation, sensitivity = options.pop("attenuation", None), options.pop("sensitivity", None)
    normalisation = os.fspath(options.pop("normalisation", None) or "")
    grid, text, mu, choice = _prepared(events, volume, device, memory, options, attenuation)
    known = None if sensitivity is None else _arrays.host_float(sensitivity)
    return _core.start_em(events, grid, text, mu, known, normalisation, choice)
