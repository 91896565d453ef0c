"""Arguments of any kind give a result or an exception: no signal, no hang, no memory without end."""

import os
import pathlib
import resource
import subprocess
import sys

import pytest


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))


@pytest.mark.parametrize("seed", [1, 2])
def test_any_arguments(tmp_path, seed):
    calls = os.environ.get("BACKLIT_CALLS", "1500")
    script = pathlib.Path(__file__).with_name("any_arguments.py")
    with open(tmp_path / "log", "w") as log:
        run = subprocess.run([sys.executable, script, str(seed), calls], cwd=tmp_path, stdout=log,
                             stderr=subprocess.STDOUT, timeout=600, preexec_fn=limited)
    told = (tmp_path / "log").read_text(errors="backslashreplace").splitlines()
    assert run.returncode == 0, "\n".join(told[-30:])
    assert " calls, " in told[-1]
    assert int(told[-1].split(", ")[1].split()[0]) > int(calls) / 20  # some arguments were right
