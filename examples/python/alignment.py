"""A misaligned scan, put right by gradient descent: alignment.py [--size 32] [--rounds 15]

In each view the detector is somewhere else, by up to two pixels. Volume and shifts are found together: a few steps of CGLS
with the shifts so far, then a few steps down the gradient that bl.torch.project() gives by the numbers of every view.
Needs torch.
"""

import argparse

import backlit as bl
import numpy as np

arguments = argparse.ArgumentParser(description=__doc__)
arguments.add_argument("--size", type=int, default=32, help="voxels along an axis")
arguments.add_argument("--views", type=int, default=40)
arguments.add_argument("--rounds", type=int, default=15)
options = arguments.parse_args()

try:
    import torch
except ImportError:
    print("torch is not installed")
    raise SystemExit(0)

n = options.size
pixel = 250 / n
grid = bl.volume(n, voxel=150 / n)
assumed = bl.circular(options.views, (n, n), pixel, 500.0, 700.0)
base = torch.tensor(assumed.vectors())


def moved(shifts):
    """The views with their detectors shifted by (view, 2) pixels along u and v."""
    source, center, u, v = base.split(3, dim=1)
    return torch.cat([source, center + shifts[:, :1] * u + shifts[:, 1:] * v, u, v], dim=1)


# What was measured, in views that are not where they should be.
true = torch.tensor(np.random.default_rng(1).uniform(-2, 2, (options.views, 2)))
shape = (n, n)
phantom = torch.tensor(bl.phantom("spheres", grid))
measured = bl.torch.project(phantom, moved(true), shape, volume=grid)


def reconstruct(shifts):
    A = bl.operator(grid, bl.vectors(moved(shifts).detach().numpy(), shape))
    return bl.cgls(A, measured, iterations=6)


def wrong(shifts):
    """RMS of the shifts' error, pixels. A volume may lie elsewhere: that part of the error is no error."""
    angles = np.linspace(0, 2 * np.pi, options.views, endpoint=False)
    nowhere = np.zeros_like(angles)
    motions = np.stack([np.r_[np.cos(angles), nowhere], np.r_[np.sin(angles), nowhere], np.r_[nowhere, nowhere + 1]], 1)
    error = (shifts.detach() - true).numpy().T.ravel()
    error -= motions @ np.linalg.lstsq(motions, error, rcond=None)[0]
    return np.sqrt((error**2).mean())


shifts = torch.zeros_like(true, requires_grad=True)
step = torch.optim.Adam([shifts], lr=0.15)
for turn in range(options.rounds + 1):
    volume = reconstruct(shifts)
    residual = measured - bl.torch.project(volume, moved(shifts).detach(), shape, volume=grid)
    print(f"round {turn:2}: residual {(residual.norm() / measured.norm()).item():.4f}, "
          f"shifts wrong by {wrong(shifts):.3f} pixels")
    if turn == options.rounds:
        break
    for _ in range(5):
        step.zero_grad()
        loss = ((bl.torch.project(volume, moved(shifts), shape, volume=grid) - measured) ** 2).mean()
        loss.backward()
        step.step()
