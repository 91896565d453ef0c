"""Drawings of geometries with matplotlib."""

import itertools

import numpy as np

from ._core import Error


def draw(geometry, ax, volume, views):
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise Error("plot: matplotlib is not installed; pip install matplotlib") from None
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
