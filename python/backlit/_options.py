"""Options that the engine declares: in docstrings, and as the text that the engine takes."""

import keyword
import math
import os

import numpy as np


def name_of(parameter):
    """A parameter's name in Python: lambda_ for lambda."""
    return parameter + "_" if keyword.iskeyword(parameter) else parameter


def parameter_of(name):
    """The reverse."""
    return name[:-1] if keyword.iskeyword(name[:-1]) and name.endswith("_") else name


def text_of(value):
    """A value as the engine reads it."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (float, np.floating)):
        value = float(value)
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)  # 2.0 iterations are 2
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, (tuple, list, np.ndarray)):
        return ",".join(text_of(v) for v in value)
    return str(value)


def texts(options):
    """All that are given, by the engine's names."""
    return {parameter_of(name): text_of(value) for name, value in options.items() if value is not None}


def _range(p):
    if p["choices"]:
        return "one of " + ", ".join(p["choices"]) + "; "
    bounds = [p.get("min", -math.inf), p.get("max", math.inf)]
    if all(math.isinf(b) for b in bounds):
        return ""
    return f"{bounds[0]:g} to {bounds[1]:g}; "


def described(parameters, arrays=()):
    """Lines for a docstring. `arrays`: names of parameters that may be arrays, too."""
    lines = []
    for p in parameters:
        unit = f"{p['unit']}, " if p["unit"] else ""
        array = "; or an array (z, y, x)" if p["name"] in arrays else ""
        lines.append(f"    {name_of(p['name'])}: {unit}{_range(p)}default {p['default']!r}. {p['help']}{array}")
    return "\n".join(lines)
