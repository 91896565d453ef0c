"""Methods of reconstruction: one function each, with the options that the engine declares for it."""

from __future__ import annotations

import inspect
import os
import warnings
from collections.abc import Callable, Iterator
from typing import Any, overload

import numpy as np

from . import _arrays, _core, _options, pet
from ._core import InputError
from ._types import ArrayT, NumPyArray
from .geometry import VolumeGrid, geometry as any_geometry, volume as any_volume
from .operators import Operator
from .scans import Scan, load, scan as make_scan
from .volumes import VolumeArray

_volumes = ("mask", "initial", "attenuation")  # options that may be arrays


class Step:
    """Where a reconstruction is.

    iteration:   finished iterations
    done, total: of the work, in `unit`
    residual:    |b - A x| / |b| after the last iteration; None where the method has none
    stopped_by:  the rule that ended the iterations early (stop_residual, noise), in words; else ""
    """

    stage: str
    done: int
    total: int
    unit: str
    iteration: int
    residual: float | None
    stopped_by: str

    def __init__(self, run, like=None):
        self._run = run
        self._like = like
        self._volume = None
        self.stage, self.done, self.total, self.unit, self.iteration = run.progress
        residuals = run.residuals
        self.residual = residuals[-1] if residuals else None
        self.stopped_by = run.stopped_by

    @property
    def volume(self) -> Any:
        """The volume of the last finished iteration (z, y, x), 1/mm. Copied from the device when asked for."""
        if self._volume is None:
            values = self._run.volume()
            self._volume = (VolumeArray(values, VolumeGrid.of(self._run.grid)) if self._like is None
                            else _arrays.same_kind(values, self._like))
        return self._volume

    def __repr__(self):
        residual = "" if self.residual is None else f", residual {self.residual:.4g}"
        stopped = f"; stopped by {self.stopped_by}" if self.stopped_by else ""
        return f"iteration {self.iteration}: {self.done} of {self.total} {self.unit}{residual}{stopped}"


class Iteration(Iterator[Step]):
    """A method that runs, iteration by iteration: what :func:`iterate` gives. Each turn of a loop is a :class:`Step`.

    method:    its name
    steers:    names of the parameters that :meth:`steer` takes
    """

    method: str
    steers: list[str]

    def __init__(self, method, run, like):
        self.method = method
        self.steers = [_options.name_of(name) for name in run.steers]
        self._run = run
        self._like = like
        self._ended = False

    def __iter__(self) -> Iteration:
        return self

    def __next__(self) -> Step:
        while self._run is not None and not self._ended:
            status = self._run.step()  # runs without the GIL; Ctrl-C stops between two work items
            self._ended = status == "finished"
            if status != "more":
                return Step(self._run, self._like)
        raise StopIteration

    def steer(self, **parameters: Any) -> None:
        """Goes on from the present volume with other values of parameters, without a new start:

            it = bl.iterate("pwls", A, y, iterations=20, strength=0.001)
            for step in it:
                if step.iteration == 10:
                    it.steer(strength=0.02)

        They act from the next iteration on, and the run then makes `iterations` more of them, as many as before unless
        that is steered too. After the last iteration, too: it.steer(iterations=30) and another loop. Momentum begins anew;
        pcg and cgls keep their directions. `steers` lists what may change: strength and edge of a penalty, bounds, relaxation,
        rules that stop, iterations. Other parameters need another :func:`iterate`, which may start with initial=.
        """
        if self._run is None:
            raise InputError("steer: the run was closed; start another one")
        self._run.steer(_options.texts(parameters))
        self._ended = False

    @property
    def residuals(self) -> list[float]:
        """|b - A x| / |b| of each iteration so far; empty where the method has none."""
        return [] if self._run is None else self._run.residuals

    @property
    def seconds(self) -> dict[str, float]:
        """Seconds in each stage so far."""
        return {} if self._run is None else self._run.seconds

    def close(self) -> None:
        """Ends the run. The device's memory is free once no :class:`Step` of it is left."""
        self._run = None

    def __repr__(self):
        if self._run is None:
            return f"{self.method}, closed"
        return f"{self.method} on {self._run.device}: {Step(self._run)!r}"


def method_names() -> list[str]:
    """Names of the methods: each is a function of this package."""
    return [m["name"] for m in _core.methods()]


def problem_of(data, projections):
    """(scan, grid, options that the operator has already, an array whose kind the result has)"""
    like = None
    if projections is not None and type(projections).__module__.partition(".")[0] != "numpy":
        like = projections
    if isinstance(data, Operator):
        if data._transposed or data.geometry is None:
            raise InputError("A: is not an operator from volumes to views")
        if projections is None:
            raise InputError("projections: are missing; give the method (A, y)")
        if data._order == "astra":
            projections = np.swapaxes(_arrays.host_float(projections), 0, 1)
        known = {"model": data._facts["model"], "precision": data._facts["precision"]}
        return make_scan(data.geometry, projections), data.volume, known, data._facts["device"], like
    if isinstance(getattr(data, "scan", None), Scan):  # what calibrate() found
        data = data.scan
    if isinstance(data, Scan):
        if projections is not None:
            raise InputError("projections: the scan has its own")
        return data, None, {}, "auto", None
    if isinstance(data, (str, os.PathLike)) and projections is None:
        return load(data), None, {}, "auto", None
    if projections is None:
        raise InputError("scan: give a scan, a file, an operator and projections, or a geometry and projections")
    return make_scan(data, projections), None, {}, "auto", like


def _run(name, data, projections, volume, device, memory, options, stacklevel=4):
    if isinstance(data, pet.Events):
        if projections is not None:
            raise InputError("projections: events have none")
        return pet.start(name, data, volume, device, memory, options), None
    scan, grid, known, operators_device, like = problem_of(data, projections)
    declared = {p["name"] for m in _core.methods() if m["name"] == name for p in m["parameters"]}
    if "iterations" not in declared or name == "ifdk":
        known = {}
    arrays, text = {}, {}
    for key, value in options.items():
        if value is None:
            continue
        key = _options.parameter_of(key)
        if key in _volumes and not isinstance(value, (str, os.PathLike)):
            arrays[key] = _arrays.host_float(value)
        else:
            text[key] = _options.text_of(value)
    for key, value in known.items():
        if key in declared:
            text.setdefault(key, value)
    grid = any_volume(volume) if volume is not None else grid or scan.volume
    backend, index = _arrays.parse_device(operators_device if device is None else device)
    choice = _core.Device(backend, index, _arrays.memory_bytes(memory))
    run = _core.start_method(scan._source, grid, name, text, arrays, choice)
    for advice in run.advice:
        warnings.warn(advice, stacklevel=stacklevel)
    return run, like


def _check_name(name):
    if name not in method_names():
        raise InputError(f"method: there is no {_arrays.words(name)}; choose one of {', '.join(method_names())}")


def iterate(name: str, scan: Any, projections: Any = None, *, volume: Any = None, device: Any = None,
            memory: float | None = None, **options: Any) -> Iteration:
    """Runs a method iteration by iteration:

        for step in bl.iterate("cgls", A, y, iterations=50):
            print(step.residual)
            show(step.volume)

    name: one of :func:`method_names`; the rest as of the function of that name. Leaving the loop stops the run.
    Parameters may change on the way: :meth:`Iteration.steer`.
    """
    _check_name(name)
    run, like = _run(name, scan, projections, volume, device, memory, options, 3)
    return Iteration(name, run, like)


@overload
def reconstruct(scan: Any, projections: NumPyArray | None = None, *, method: str | None = None, volume: Any = None,
                device: Any = None, memory: float | None = None, callback: Callable[[Step], Any] | None = None,
                **options: Any) -> VolumeArray: ...
@overload
def reconstruct(scan: Any, projections: ArrayT, *, method: str | None = None, volume: Any = None, device: Any = None,
                memory: float | None = None, callback: Callable[[Step], Any] | None = None, **options: Any) -> ArrayT: ...
def reconstruct(scan: Any, projections: Any = None, *, method: str | None = None, volume: Any = None, device: Any = None,
                memory: float | None = None, callback: Callable[[Step], Any] | None = None, **options: Any) -> Any:
    """The volume (z, y, x), 1/mm, by the method that suits the scan: fdk, of a helix hfdk, of PET events osem.

    method: one of :func:`method_names`, in place of it; the rest as of the function of that name
    """
    if method is None:
        method = _suitable(scan)
    _check_name(method)
    return run_to_end(method, scan, projections, volume, device, memory, callback, options)


def _suitable(data):
    if isinstance(data, pet.Events):
        return "osem"
    if isinstance(data, (str, os.PathLike)):
        views = any_geometry(data)
    else:
        views = data.geometry if hasattr(data, "geometry") else any_geometry(data)  # of a scan, an operator, a calibration
    return "fdk" if views is None else views._views.default_method()


def run_to_end(name, data, projections=None, volume=None, device=None, memory=None, callback=None, options=None):
    options = options or {}
    run, like = _run(name, data, projections, volume, device, memory, options)
    has_iterations = "iterations" in options or run.progress[0] in ("iterate", "read")
    while True:
        status = run.step()
        if callback is not None and (status != "more" or not has_iterations):
            answer = callback(Step(run, like))
            if isinstance(answer, (bool, np.bool_)) and answer:
                break
        if status == "finished":
            break
    return Step(run, like).volume


_arguments = """
    scan:        a scan, a file of one, or an operator A or a geometry with projections= beside it
    projections: line integrals (views, rows, columns) of A or the geometry; the result is of the same kind
    volume:      the grid (:func:`volume`); left out: A's, the scan file's, or what every view sees
    device:      "auto" (cuda, gl, cpu: the first that starts and can), or as of :func:`operator`; "cuda:0,1": several share it
    memory:      bytes that the device's arrays may take; larger volumes go through in parts
    callback:    called with a :class:`Step` after each iteration (direct methods: each part of the work); True stops
"""


def _make(info):
    name, parameters = info["name"], info["parameters"]
    of_pet = name in pet.METHODS

    def method(scan, projections=None, *, volume=None, device=None, memory=None, callback=None, **options):
        return run_to_end(name, scan, projections, volume, device, memory, callback, options)

    kind = inspect.Parameter
    fixed = [kind("scan", kind.POSITIONAL_OR_KEYWORD), kind("projections", kind.POSITIONAL_OR_KEYWORD, default=None)]
    fixed += [kind(n, kind.KEYWORD_ONLY, default=None) for n in ("volume", "device", "memory", "callback")]
    fixed += [kind(_options.name_of(p["name"]), kind.KEYWORD_ONLY, default=p["default"]) for p in parameters if p["name"] != "scan"]
    if of_pet:
        fixed.append(kind("options_of_events", kind.VAR_KEYWORD))
    method.__signature__ = inspect.Signature(fixed)
    method.__name__ = method.__qualname__ = name
    method.__module__ = "backlit"
    doc = f"{info['title']}. {info['about']}\n\n    Returns the volume (z, y, x), 1/mm.\n\n    {info['paper']}.\n"
    doc += _arguments + "\n" + _options.described(parameters, _volumes) + "\n"
    if info["steers"]:
        doc += f"\n    May change on the way (:meth:`Iteration.steer`): {', '.join(map(_options.name_of, info['steers']))}\n"
    if of_pet:
        doc += "\n    Of PET events (:func:`listmode`) it takes:\n\n" + pet.describe() + "\n"
    method.__doc__ = doc
    return method


def functions():
    """The methods as functions, by name."""
    return {info["name"]: _make(info) for info in _core.methods()}
