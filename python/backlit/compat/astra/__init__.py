"""ASTRA's Python interface over Backlit, written from ASTRA's public documentation.

`BACKLIT_ASTRA=1 python -m backlit script.py` runs a script that imports astra; in a program of one's own,
`backlit.compat.install_astra()` does the same. Geometries, data2d, data3d, projectors, algorithms (FP, BP, FBP, FDK, SIRT,
SART, CGLS, EM), OpTomo and the direct functions of `experimental` are there. What is not says so by name.

Backprojection is the exact transpose of projection. Any projector type takes the device that fits: cuda where there is a
card, the CPU otherwise. Supersampling options have no effect.
"""

from . import (
    algorithm,
    astra,
    creators,
    data2d,
    data3d,
    experimental,
    functions,
    log,
    optomo,
    projector,
    projector3d,
    pythonutils,
)
from ._objects import clear
from .astra import get_gpu_info, set_gpu_index, test, use_cuda
from .creators import (
    astra_dict,
    create_backprojection,
    create_backprojection3d_gpu,
    create_proj_geom,
    create_projector,
    create_reconstruction,
    create_sino,
    create_sino3d_gpu,
    create_vol_geom,
)
from .functions import add_noise_to_sino, geom_2vec, geom_postalignment, geom_size, move_vol_geom
from .optomo import OpTomo

__version__ = "2.4.0"
