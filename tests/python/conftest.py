"""Mesa's software OpenGL and triton, which torch imports late, have an LLVM each: the process dies unless triton's is first."""

try:
    import triton._C.libtriton  # noqa: F401
except ImportError:
    pass

import signal
import subprocess
import sys

import backlit as bl
import pytest


@pytest.fixture(params=["cpu"] + ["cuda"] * ("cuda" in bl.devices() and bl._core.cuda_devices() > 0))
def device(request):
    """Each device that is there."""
    return request.param


@pytest.fixture
def interrupted():
    """Runs a program, sends Ctrl-C once it has printed "begin", and gives its lines after that."""

    def run(code):
        child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert child.stdout.readline() == "begin\n"
        child.send_signal(signal.SIGINT)
        output, errors = child.communicate(timeout=120)
        assert child.returncode == 0, errors
        return output.splitlines()

    return run
