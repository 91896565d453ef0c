"""scikit-image: iradon, on its own sinogram and on the measured tooth."""

import os
import tempfile
from pathlib import Path

import numpy as np
from skimage.transform import iradon, radon

from harness import Result, Skipped, backlit, case, relative, scan_file

ROUNDING = 2e-6  # scikit-image computes in double precision, Backlit keeps single


def ours(sinogram, angles_deg, size, center):
    """As iradon: size x size pixels of 1, the axis on pixel size // 2. `sinogram`: [view][column]."""
    with tempfile.TemporaryDirectory() as folder:
        np.save(Path(folder) / "p.npy", np.ascontiguousarray(sinogram[:, None, :], np.float32))
        np.savetxt(Path(folder) / "angles.txt", angles_deg - 90, fmt="%.17g")
        columns = sinogram.shape[1]
        scan_file(folder, columns, 1, 1.0, 'kind = "parallel"\nangles = "angles.txt"', "p.npy",
                  f"offset_px = [{center - (columns - 1) / 2}, 0.0]")
        # The pixel of the axis lies at 0: the grid's middle is off by what the axis is off the middle of the pixels.
        middle = (size - 1) / 2 - size // 2
        backlit(folder, "recon", "s.scan.toml", "--backend", "cpu", "--redundancy", "none", "--grid", f"{size}x{size}x1",
                "--voxel", 1, "--grid-center", f"{middle},{-middle},0", "-o", "v.npy", "-q")
        return np.flipud(np.load(Path(folder) / "v.npy")[0])


def compared(sinogram, angles_deg, image=None):
    size = sinogram.shape[1]
    theirs = iradon(sinogram.T, theta=angles_deg, output_size=size, filter_name="ramp", circle=True)
    mine = ours(sinogram, angles_deg, size, size // 2)
    y, x = np.mgrid[:size, :size] - size // 2
    field = x**2 + y**2 < (size // 2 - 2) ** 2
    if image is None:
        return Result(relative(mine, theirs, field))
    return Result(relative(mine, theirs, field), relative(mine, image, field), relative(theirs, image, field))


@case("skimage-iradon", "scikit-image iradon of its radon", ROUNDING)
def phantom():
    size = 127
    y, x = np.mgrid[:size, :size] - size // 2
    image = ((x / 50) ** 2 + (y / 55) ** 2 <= 1) * 0.02 + (((x - 16) / 12) ** 2 + ((y + 10) / 18) ** 2 <= 1) * 0.01
    angles = np.arange(0, 180, 1.5)
    return compared(radon(image, theta=angles, circle=True).T, angles, image)


@case("skimage-iradon-tooth", "scikit-image iradon of a slice of the measured tooth", ROUNDING)
def tooth():
    file = Path(os.environ.get("BACKLIT_DATA_DIR", "")) / "tooth/tooth.h5"
    if not file.is_file():
        raise Skipped(f"no {file}")
    import h5py

    with h5py.File(file) as f:
        exchange = f["exchange"]
        dark, white = (exchange[name][:, 0].mean(axis=0) for name in ("data_dark", "data_white"))
        counts, angles = exchange["data"][:, 0].astype(np.float64), exchange["theta"][:].astype(np.float64)
    sinogram = -np.log(np.clip((counts - dark) / (white - dark), 1e-6, None))
    axis = 296  # a column near the axis, which must be a pixel's middle here: half as many columns on both sides
    return compared(sinogram[:, axis - 290:axis + 290], angles)
