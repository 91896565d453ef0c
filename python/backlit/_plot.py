"""Drawings of geometries and calibrations with matplotlib."""

import itertools
import warnings

import numpy as np

from ._core import Error
from .geometry import volume as make_volume


def _pyplot():
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise Error("plot: matplotlib is not installed; pip install matplotlib") from None
    return plt


def draw(geometry, ax, volume, views):
    plt = _pyplot()
    if ax is None:
        ax = plt.figure().add_subplot(projection="3d")
    if volume is None:
        volume = geometry.default_volume()
    numbers = geometry.vectors().reshape(-1, 4, 3)
    rows, columns = geometry.detector_shape
    chosen = np.unique(np.linspace(0, len(geometry) - 1, min(views, len(geometry))).astype(int))
    for i in chosen:
        first, middle, u, v = numbers[i]
        corners = np.array([middle + a * columns / 2 * u + b * rows / 2 * v
                            for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1))])
        ax.plot(*corners.T, color="tab:blue", lw=1)
        source = first if geometry.beam == "cone" else middle + first * np.linalg.norm(columns * u)
        ax.plot(*np.array([source, middle]).T, color="tab:orange", lw=0.5)
    if geometry.beam == "cone":
        ax.plot(*numbers[:, 0].T, color="tab:red", marker=".", ms=2, lw=0.5)
    box = np.array(list(itertools.product(*zip(volume.lower, volume.upper))))
    for a, b in itertools.combinations(box, 2):
        if np.count_nonzero(a != b) == 1:
            ax.plot(*np.array([a, b]).T, color="black", lw=1)
    ax.set_xlabel("x / mm")
    ax.set_ylabel("y / mm")
    ax.set_zlabel("z / mm")
    ax.set_aspect("equal")
    ax.set_title(repr(geometry), fontsize="small", wrap=True)
    return ax


def _middle_slice(scan, grid, most=512):
    """One slice of a filtered backprojection, at the height of the grid's middle, and its extent."""
    from .methods import run_to_end

    coarser = max(1.0, max(grid.shape[1:]) / most)
    shape = (1, *(max(1, int(n / coarser)) for n in grid.shape[1:]))
    voxel = (grid.voxel[0], *(v * coarser for v in grid.voxel[1:]))
    grid = make_volume(shape, voxel, grid.center)
    with warnings.catch_warnings():  # advice on the scan is no news here
        warnings.simplefilter("ignore")
        values = run_to_end(scan.geometry._views.default_method(), scan, volume=grid, device="cpu")[0]
    return values, (*grid.extent[2], *grid.extent[1])


def draw_calibration(found, figure):
    curves = [n for n in found.parameters.values() if n.at.size]
    moved = found.view_shifts is not None
    rows = 1 + (len(curves) + 1) // 2 + moved
    if figure is None:
        figure = _pyplot().figure(figsize=(9, 4 + 2.4 * (rows - 1)), layout="constrained")
    axes = figure.subplots(rows, 2, squeeze=False, height_ratios=[2] + [1] * (rows - 1)).ravel()
    slices = [_middle_slice(scan, found.given.volume) for scan in (found.given, found.scan)]
    low, high = np.percentile(slices[1][0], (0.5, 99.5))
    for ax, (values, extent), title in zip(axes, slices, ("before", "calibrated")):
        ax.imshow(values, cmap="gray", vmin=low, vmax=high, origin="lower", extent=extent)
        ax.set(title=title, xlabel="x / mm", ylabel="y / mm")
    rest = list(axes[2:])
    for number in curves:
        ax = rest.pop(0)
        ax.semilogy(number.at, number.criterion)
        if number.determined:
            ax.axvline(number.correction, color="tab:red", lw=1)
        name, factor = number.name.rpartition("_")[0], number.name.startswith("source_to_detector")
        ax.set(title=name + ("" if number.determined else " (left alone)"), ylabel="disagreement",
               xlabel="factor of the distance" if factor else f"change / {number.unit}")
    if moved:
        across, changes = axes[-2:]
        across.plot(found.view_shifts, label=("along columns", "along rows"))
        across.set(title="shifts of views", xlabel="view", ylabel="px")
        across.legend()
        changes.semilogy(np.arange(1, len(found.view_changes) + 1), found.view_changes)
        changes.set(title="alignment of views", xlabel="round", ylabel="change, px r.m.s.")
        rest = rest[:-2]
    for ax in rest:
        ax.set_axis_off()
    return figure
