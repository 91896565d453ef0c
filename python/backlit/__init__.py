"""Backlit: tomographic reconstruction, projectors that are true adjoints, PET list mode and pictures.

    import backlit as bl

    scan = bl.load("tooth.scan.toml")
    volume = bl.fdk(scan)

    A = bl.operator(bl.volume((256, 256, 256), voxel=0.4), scan.geometry)
    y = A(x)          # line integrals (view, row, column) of a volume (z, y, x)
    x = A.T(y)        # the adjoint

Lengths are mm, angles degrees, values of volumes 1/mm. Arrays are (z, y, x) and (view, row, column), the last axis
fastest; points and directions are (x, y, z). Arrays may be NumPy's, torch's, CuPy's or others' with DLPack; what comes
back is of the same kind. See docs/python.md.
"""

import os as _os

from . import _libraries  # noqa: F401  (loads _core, or says which library is missing)
from . import _core
from ._core import Error, Failure, InputError, Unsupported
from .calibration import CalibratedNumber, Calibration, calibrate
from .geometry import (
    Geometry,
    VolumeGrid,
    circular,
    fan,
    from_astra,
    geometry,
    helical,
    laminographic,
    matrices,
    parallel,
    vectors,
    volume,
)
from .methods import Iteration, Step, iterate, method_names, reconstruct
from .operators import Operator, model_names, operator
from .pet import Events, listmode, load_events, save_events, scanners, sensitivity, simulate_events
from .pictures import Renderer, Viewer, colorize, render, show, slice_of
from .scans import Scan, ScanFact, add_noise, correct, find_center, load, remove_stripes, scan, simulate
from .volumes import (
    VolumeArray,
    compare,
    hounsfield,
    image_quality,
    isosurface,
    load_volume,
    phantom,
    phantoms,
    save,
)

if hasattr(_os, "register_at_fork"):
    _os.register_at_fork(before=_core.end_threads)
_core.set_asset_folder(_os.path.join(_os.path.dirname(__file__), "share", "backlit"))

__version__ = _core.version


def devices() -> list[str]:
    """The devices that this build knows: "cpu", "gl", and "cuda" where it was built with nvcc."""
    return list(_core.backend_names())


from . import methods as _methods  # noqa: E402

for _name, _function in _methods.functions().items():
    globals()[_name] = _function
del _name, _function


def __dir__():
    return sorted({*globals(), "torch", "compat"})


def __getattr__(name):
    # Imported on demand, since it needs torch.
    if name in ("torch", "compat"):
        import importlib

        return importlib.import_module("." + name, __name__)
    raise AttributeError(f"module 'backlit' has no attribute '{name}'")
