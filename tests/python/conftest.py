"""Mesa's software OpenGL and triton, which torch imports late, have an LLVM each: the process dies unless triton's is first."""

try:
    import triton._C.libtriton  # noqa: F401
except ImportError:
    pass

import backlit as bl
import pytest


@pytest.fixture(params=["cpu"] + ["cuda"] * ("cuda" in bl.devices() and bl._core.cuda_devices() > 0))
def device(request):
    """Each device that is there."""
    return request.param
