"""Calls every function with arguments that are wrong, odd or right, drawn at random; test_any_arguments.py runs it.

python any_arguments.py SEED CALLS   prints each call before it is made, so that the last line names what ended it.
"""

import faulthandler
import inspect
import random
import sys

import backlit as bl
import numpy as np

# What a caller may get. Anything else, and any signal, is a defect.
REFUSALS = (bl.Error, TypeError, ValueError, OverflowError, MemoryError, OSError, AttributeError, IndexError, KeyError)
LEFT_OUT = {"show", "Viewer"}  # they start a program
WORK = {"iterations": 2, "size": 16, "counts": 100, "supersampling": 1, "antialias": 1}

GRID = bl.volume((4, 6, 5), voxel=8.0)
CONE = bl.circular(5, (4, 6), 11.0, 500.0, 900.0)
TRUTH = bl.phantom("shepp-logan-3d", GRID)
VIEWS = bl.operator(GRID, CONE, device="cpu")(np.asarray(TRUTH))
ENDS = np.array([[0.0, -100.0, 1.0], [3.0, -100.0, 2.0]]), np.array([[0.0, 100.0, 1.0], [5.0, 100.0, 3.0]])

GOOD = {  # by the name of an argument
    "geometry": [CONE, bl.parallel(5, (4, 6), 11.0)],
    "volume": [GRID, None],
    "grid": [GRID, None],
    "scan": [bl.scan(CONE, VIEWS), CONE, bl.listmode(*ENDS)],
    "projections": [VIEWS, VIEWS[::-1], None],
    "counts": [VIEWS, 100],
    "values": [TRUTH, np.asarray(TRUTH)],
    "what": [TRUTH, bl.scan(CONE, VIEWS)],
    "activity": [TRUTH],
    "a": [TRUTH],
    "b": [TRUTH],
    "phantom": ["shepp-logan-3d"],
    "name": ["sirt", "fdk", "shepp-logan-3d"],
    "path": ["out.mha", "out.npy", "out.scan.toml", "missing.mha", "/dev/null", "."],
    "scanner": ["gemini_tf", ""],
    "xyz1": [ENDS[0]],
    "xyz2": [ENDS[1]],
    "device": ["cpu", None],
    "detector": [(4, 6), 6],
    "shape": [(4, 6, 5)],
    "vectors": [CONE.vectors],
    "matrices": [CONE.matrices],
    "views": [5, CONE],
}
ODD = [None, True, -1, 0, 1, 3, 2**63, -(2**63), 2**70, 0.5, -0.0, 1e308, float("nan"), float("inf"), "", "cpu", "\0",
       "\udc80", "a" * 5000, "1,2;3", b"x", [], [1, 2, 3], [[1], [2, 3]], {}, (), (1, 2), (0, 0, 0), (-1, 4, 4),
       (2**40, 2**40, 2**40), object(), len, np.float32(2), np.int64(-7), np.datetime64("2026"), np.zeros(0),
       np.zeros((0, 4, 6), np.float32), np.zeros(()), np.full((5, 4, 6), np.nan, np.float32),
       np.ones((5, 4, 6))[::-1, ::2], np.ones((4, 6, 5), np.float32).T, np.ones((4, 6, 5), complex),
       np.ones((4, 6, 5), bool), np.ones((4, 6, 5), np.float16), np.ones((2, 2, 4, 6, 5), np.float32),
       np.array(["a", None], object), np.array(["a"]), np.ones(3, ">f4"), np.ones((5, 12)), np.full((5, 12), np.inf),
       np.ones((5, 3, 4)), np.lib.stride_tricks.as_strided(np.ones(1, np.float32), (4, 6, 5), (0, 0, 0)),
       np.ma.masked_all((4, 6, 5)), GRID, CONE, TRUTH, VIEWS, bl.listmode(*ENDS)]
BLOCKED = np.ones((4, 6, 5), np.float32)
BLOCKED.flags.writeable = False
ODD.append(BLOCKED)


def argument(rng, name):
    if name in WORK and rng.random() < 0.8:
        return WORK[name]
    given = drawn(rng, name)
    asked_for = name in WORK and isinstance(given, (int, float)) and given > 1e6  # would be done, and take years
    return WORK[name] if asked_for else given


def drawn(rng, name):
    return rng.choice(GOOD[name]) if name in GOOD and rng.random() < 0.8 else rng.choice(ODD)


def arguments(rng, function):
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # of the extension: any number
        return [rng.choice(ODD) for _ in range(rng.randrange(4))], {}
    given = {}
    for p in parameters:
        if p.kind in (p.VAR_KEYWORD, p.VAR_POSITIONAL):
            continue
        if p.default is p.empty or p.name in WORK or rng.random() < 1.5 / len(parameters):
            given[p.name] = argument(rng, p.name)
    if rng.random() < 0.05:
        given["no_such"] = rng.choice(ODD)
    return [], given


def targets():
    """Every public function, and what can be done with every public object, by name."""
    modules = {"torch", "compat"}  # imported on demand; torch may not be there
    made = {name: getattr(bl, name) for name in dir(bl)
            if not name.startswith("_") and name not in modules | set(LEFT_OUT) and callable(getattr(bl, name))}
    made = {name: f for name, f in made.items() if not (isinstance(f, type) and issubclass(f, Exception))}
    objects = {"grid": GRID, "geometry": CONE, "scan": bl.scan(CONE, VIEWS), "events": bl.listmode(*ENDS),
               "operator": bl.operator(GRID, CONE, device="cpu"), "transpose": bl.operator(GRID, CONE, device="cpu").T,
               "lines": bl.operator(GRID, bl.listmode(*ENDS), device="cpu"),
               "renderer": bl.Renderer(TRUTH, device="cpu")}
    special = ("__call__", "__getitem__", "__eq__", "__matmul__", "__init__")
    for owner, thing in objects.items():
        for name in dir(type(thing)):
            if (not name.startswith("_") or name in special) and callable(getattr(thing, name, None)):
                made[f"{owner}.{name}"] = getattr(thing, name)
    return {name: f for name, f in made.items() if not name.endswith((".__init__", ".plot", ".as_cupyx"))}


def shown(value):
    if isinstance(value, np.ndarray):
        return f"array({value.dtype}, {value.shape})"
    return repr(value)[:60]


def main(seed, calls):
    faulthandler.enable()
    rng = random.Random(seed)
    everything = sorted(targets().items())
    answered = 0
    for i in range(calls):
        name, function = everything[i % len(everything)]
        positional, named = arguments(rng, function)
        words = [shown(v) for v in positional] + [f"{k}={shown(v)}" for k, v in named.items()]
        print(f"{name}({', '.join(words)})".encode("ascii", "backslashreplace").decode(), flush=True)
        try:
            result = function(*positional, **named)
            if isinstance(result, bl.Iteration):
                for _ in zip(range(3), result):
                    result.steer(**{name: rng.choice(ODD) for name in result.steers if name != "iterations"})
            answered += 1
        except REFUSALS as refusal:
            if isinstance(refusal, bl.Error):
                assert "\n" not in str(refusal).strip(), f"more than one line: {refusal}"
    print(f"{calls} calls, {answered} answered, {len(everything)} functions")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
