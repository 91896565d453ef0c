"""Writes __init__.pyi: what python/backlit/__init__.py imports, and the functions that the engine's methods become.

Usage: stubs.py FOLDER_OF_CORE __init__.py __init__.pyi   (the build calls it)
"""

import ast
import keyword
import sys


def imports(source):
    """Lines for the names that the package exports: `from .x import a as a` tells type checkers that `a` is public."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module:
            for name in node.names:
                if not name.name.startswith("_"):
                    yield f"from .{node.module} import {name.name} as {name.name}"
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield f"def {node.name}() -> list[str]: ..."


def parameter(p):
    kind = type(p["default"]).__name__
    if p["choices"]:
        kind = f"Literal[{', '.join(map(repr, p['choices']))}]"
    elif kind == "NoneType" or p["name"] in ("mask", "initial", "attenuation"):  # the latter: arrays or files
        kind = "Any"
    name = p["name"] + "_" if keyword.iskeyword(p["name"]) else p["name"]
    return f"{name}: {kind} | None = {p['default']!r}"


def function(info):
    own = [parameter(p) for p in info["parameters"] if p["name"] != "scan"]
    if info["name"] in ("osem", "mlem"):
        own.append("**options_of_events: Any")
    fixed = ["*", "volume: Any = None", "device: Any = None", "memory: float | None = None",
             "callback: Callable[[Step], Any] | None = None"]

    def declared(projections, result):
        lines = ",\n    ".join(["scan: Any", f"projections: {projections}", *fixed, *own])
        return f'@overload\ndef {info["name"]}(\n    {lines},\n) -> {result}:\n    """{info["title"]}. {info["about"]}"""\n'

    return declared("NumPyArray | None = None", "VolumeArray") + declared("ArrayT", "ArrayT")  # the kind of the projections


def main(core, source, target):
    sys.path.insert(0, core)
    import _core

    with open(source, encoding="utf-8") as file:
        head = "\n".join(imports(file.read()))
    functions = "\n".join(function(info) for info in _core.methods())
    with open(target, "w", encoding="utf-8") as file:
        file.write("from collections.abc import Callable\nfrom typing import Any, Literal, overload\n\n"
                   "from ._types import ArrayT, NumPyArray\n"
                   "from . import compat as compat, torch as torch\n"
                   f"{head}\n\n__version__: str\n\n{functions}")


if __name__ == "__main__":
    main(*sys.argv[1:])
