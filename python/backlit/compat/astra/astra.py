"""The devices that ASTRA's functions report."""

import backlit as bl
from backlit import _core

from . import _objects


def use_cuda():
    """Whether there is a CUDA device."""
    return _core.cuda_devices() > 0


def version(printToScreen=False):
    """As ASTRA's, a number: 204 stands for 2.4."""
    if printToScreen:
        print(f"Backlit {bl.__version__} with ASTRA's interface, 2.4")
    return 204


def set_gpu_index(index, memory=0):
    """The CUDA device for host arrays and the host's data objects; a list takes its first."""
    first = index[0] if isinstance(index, (list, tuple)) else index
    _objects.device = f"cuda:{int(first)}" if use_cuda() and int(first) >= 0 else "auto"


def get_gpu_info(device=-1):
    return f"{_core.cuda_devices()} CUDA devices"


def test():
    """Projects a cube and says what came out."""
    from . import creators

    projector = _objects.Projector("cuda3d", creators.create_proj_geom("parallel3d", 1.0, 1.0, 8, 8, [0.0, 0.5]),
                                   creators.create_vol_geom(8, 8, 8))
    import numpy as np

    sums = projector.forward(np.ones((8, 8, 8), np.float32))
    print(f"{projector.operator.device}: {'ok' if abs(sums[:, 0].sum() - 512) < 1e-3 else 'wrong'}")
