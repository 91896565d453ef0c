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


def read_views(folder):
    """[view, row, column] of the .pfm files."""
    views = []
    for path in sorted(Path(folder).glob("p_*.pfm")):
        with open(path, "rb") as file:
            file.readline()
            columns, rows = map(int, file.readline().split())
            kind = "<f4" if float(file.readline()) < 0 else ">f4"
            views.append(np.frombuffer(file.read(), kind).reshape(rows, columns))
    return np.stack(views)


def as_plastimatch_filters(views):
    """|f| under a Hann window, rows not padded: their ends run into each other."""
    f = np.fft.fftfreq(views.shape[-1])
    return np.fft.ifft(np.fft.fft(views) * np.abs(f) * (0.5 + 0.5 * np.cos(2 * np.pi * f))).real.astype(np.float32)


def compare(their_filter, our_filter, *options, prepare=None):
    """Both volumes of the same views. plastimatch's values have a scale of their own: that which suits best."""
    require()
    with tempfile.TemporaryDirectory() as folder:
        project(folder, 90, 96, 96, 300, 300)
        plastimatch(folder, "fdk", "-I", ".", "-O", "f.mha", "-r", f"{N} {N} {N}", "-z", " ".join([str(N * VOXEL)] * 3),
                    "-f", their_filter)
        data = "p_*.pfm"
        if prepare:
            data = "prepared.npy"
            np.save(Path(folder) / data, prepare(read_views(folder)))
        (Path(folder) / "s.scan.toml").write_text(
            '[detector]\npixel_mm = 3.125\n[trajectory]\ngeometry = "p_*.txt"\n'
            f'[data]\nprojections = "{data}"\nscale = 10  # it integrates in cm\n')
        backlit(folder, "recon", "s.scan.toml", "--grid", f"{N}x{N}x{N}", "--voxel", VOXEL, "--filter", our_filter,
                "-o", "v.npy", "-q", *options)
        mine = np.load(Path(folder) / "v.npy")
        peer = itk.array_from_image(itk.imread(str(Path(folder) / "f.mha"), itk.F)).astype(np.float64)
    peer *= np.vdot(mine[FIELD], peer[FIELD]) / np.vdot(peer[FIELD], peer[FIELD])
    if our_filter == "none":
        return Result(relative(peer, mine, FIELD))
    scaled = peer * np.vdot(SPHERE[FIELD], peer[FIELD]) / np.vdot(peer[FIELD], peer[FIELD])
    return Result(relative(peer, mine, FIELD), relative(mine, SPHERE, FIELD), relative(scaled, SPHERE, FIELD))


CPU = ("--backend", "cpu")
NEAREST = ("--backend", "gl", "--pipeline", "fragment", "--precision", "exact", "--interpolation", "nearest")
REASON = "plastimatch takes the nearest pixel, and filters rows that are not padded, under a Hann window."
ROUNDING = "Where a voxel falls between two pixels, rounding decides which is the nearest."

case("plastimatch-backprojection-nearest", "plastimatch, backprojection without a filter, of the nearest pixel", 4e-3,
     ROUNDING)(lambda: compare("none", "none", *NEAREST))
case("plastimatch-fdk-same-filter", "plastimatch FDK, of the nearest pixel and with its filter", 4e-3,
     ROUNDING)(lambda: compare("ramp", "none", *NEAREST, prepare=as_plastimatch_filters))
case("plastimatch-backprojection", "plastimatch, backprojection without a filter, at the scale that suits best", 3e-2,
     REASON)(lambda: compare("none", "none", *CPU))
case("plastimatch-fdk", "plastimatch FDK, at the scale that suits best", 0.12, REASON)(
    lambda: compare("ramp", "ram-lak", *CPU))
