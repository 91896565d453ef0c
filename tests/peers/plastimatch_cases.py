"""plastimatch (Debian's): its projections of a sphere and their geometry through both programs' FDK."""

import shutil
import subprocess
import tempfile
from pathlib import Path

import itk
import numpy as np

from harness import Result, Skipped, backlit, case, relative

N, VOXEL = 48, 2.0
C = (np.arange(N) - (N - 1) / 2) * VOXEL
Z, Y, X = np.meshgrid(C, C, C, indexing="ij")
FIELD = (X**2 + Y**2 < 44**2) & (abs(Z) < 32)
SPHERE = ((X - 10) ** 2 + (Y + 14) ** 2 + (Z - 6) ** 2 < 22**2) * 1000.0


def plastimatch(folder, *words):
    done = subprocess.run(["plastimatch", *map(str, words)], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"plastimatch {' '.join(map(str, words))}: {done.stderr}")
    return done.stdout


def require():
    if not shutil.which("plastimatch"):
        raise Skipped("plastimatch is not installed")


def project(folder, views, rows, columns, height, width):
    """Views of a sphere: p_0000.pfm with p_0000.txt, ..."""
    plastimatch(folder, "synth", "--pattern", "sphere", "--center", "10 -14 6", "--radius", "22 22 22", "--dim",
                "96 96 96", "--spacing", "1 1 1", "--origin", "-47.5 -47.5 -47.5", "--background", 0, "--foreground",
                1000, "--output", "v.mha")
    plastimatch(folder, "drr", "-a", views, "-N", 360 / views, "-r", f"{rows} {columns}", "-z", f"{height} {width}",
                "--sad", 1000, "--sid", 1500, "-P", "none", "-i", "exact", "-t", "pfm", "-O", "p_", "v.mha")


def fdk(ours, theirs):
    """plastimatch's values have a scale of their own: that which suits best."""
    require()
    with tempfile.TemporaryDirectory() as folder:
        project(folder, 90, 96, 96, 300, 300)
        plastimatch(folder, "fdk", "-I", ".", "-O", "f.mha", "-r", f"{N} {N} {N}", "-z", " ".join([str(N * VOXEL)] * 3),
                    "-f", theirs)
        (Path(folder) / "s.scan.toml").write_text(
            '[detector]\npixel_mm = 3.125\n[trajectory]\ngeometry = "p_*.txt"\n'
            '[data]\nprojections = "p_*.pfm"\nscale = 10  # it integrates in cm\n')
        backlit(folder, "recon", "s.scan.toml", "--backend", "cpu", "--grid", f"{N}x{N}x{N}", "--voxel", VOXEL,
                "--filter", ours, "-o", "v.npy", "-q")
        mine = np.load(Path(folder) / "v.npy")
        peer = itk.array_from_image(itk.imread(str(Path(folder) / "f.mha"), itk.F)).astype(np.float64)
    peer *= np.vdot(mine[FIELD], peer[FIELD]) / np.vdot(peer[FIELD], peer[FIELD])
    if ours == "none":
        return Result(relative(peer, mine, FIELD))
    scaled = peer * np.vdot(SPHERE[FIELD], peer[FIELD]) / np.vdot(peer[FIELD], peer[FIELD])
    return Result(relative(peer, mine, FIELD), relative(mine, SPHERE, FIELD), relative(scaled, SPHERE, FIELD))


OWN = "plastimatch interpolates, scales and filters in its own way; which of them makes the difference was not looked into."

case("plastimatch-backprojection", "plastimatch, backprojection without a filter, at the scale that suits best", 3e-2, OWN)(
    lambda: fdk("none", "none"))
case("plastimatch-fdk", "plastimatch FDK, at the scale that suits best", 0.12, OWN)(lambda: fdk("ram-lak", "ramp"))
