"""Other toolkits' interfaces over Backlit."""

import importlib
import sys

_parts = ("algorithm", "astra", "creators", "data2d", "data3d", "experimental", "functions", "log", "optomo",
          "projector", "projector3d", "pythonutils")


def install_astra():
    """From now on `import astra` gives :mod:`backlit.compat.astra`, in this process."""
    sys.modules["astra"] = importlib.import_module("backlit.compat.astra")
    for part in _parts:
        sys.modules[f"astra.{part}"] = importlib.import_module(f"backlit.compat.astra.{part}")


def __getattr__(name):
    if name in ("astra", "cil", "deepinv", "odl"):  # the latter three import the toolkit of that name
        return importlib.import_module("backlit.compat." + name)
    raise AttributeError(f"module 'backlit.compat' has no attribute '{name}'")
