"""examples/python at small sizes."""

import os
import pathlib
import subprocess
import sys

import pytest

FOLDER = pathlib.Path(os.environ.get("BACKLIT_EXAMPLES",
                                     pathlib.Path(__file__).parents[2] / "examples" / "python"))
SMALL = {
    "first_reconstruction": (["--size", "32"], ["head.mha", "head.png"]),
    "own_geometry": (["--size", "16"], ["saddle.txt"]),
    "iterative": (["--size", "24"], []),
    "calibration": (["--size", "64", "--views", "36"], []),
    "alignment": (["--size", "12", "--views", "10", "--rounds", "2"], []),
    "torch_training": (["--size", "12", "--steps", "11"], []),
    "pet": (["--counts", "2e4", "--pairs", "20000"], ["spheres.mha"]),
    "viewer": (["--size", "24", "--no-window"], ["slice_03.png", "head.png"]),
}


def test_all_are_tried():
    assert {p.stem for p in FOLDER.glob("*.py")} == set(SMALL)


@pytest.mark.parametrize("name", SMALL)
def test_example(name, tmp_path):
    arguments, files = SMALL[name]
    result = subprocess.run([sys.executable, str(FOLDER / f"{name}.py"), *arguments], cwd=tmp_path, capture_output=True,
                            text=True, timeout=250)
    assert result.returncode == 0, result.stderr
    assert result.stdout
    for file in files:
        assert (tmp_path / file).stat().st_size > 100
    if "torch is not installed" in result.stdout:
        pytest.skip("torch is not installed")
