"""Few, noisy views: iterative methods, watched as they go, and SciPy's lsqr on the same operator: iterative.py [--size 48]"""

import argparse

import backlit as bl
import numpy as np

arguments = argparse.ArgumentParser(description=__doc__)
arguments.add_argument("--size", type=int, default=48, help="voxels along x and y")
n = arguments.parse_args().size

grid = bl.volume((max(4, n // 8), n, n), voxel=200 / n)
geometry = bl.circular(40, (max(6, n // 6), n), 420 / n, 600, 1000)
truth = bl.phantom("shepp-logan-3d", grid)
A = bl.operator(grid, geometry)
y = bl.add_noise(A(truth), photons=1e5, seed=1)


def error(volume):
    return bl.compare(volume, truth)["relative_l2"]


print(f"fdk      error {error(bl.fdk(A, y)):.3f}")

for step in bl.iterate("sirt", A, y, iterations=40, relaxation=1.5, nonnegative=True):
    if step.iteration % 10 == 0:
        print(f"sirt     iteration {step.iteration:3}, residual {step.residual:.4f}, error {error(step.volume):.3f}")

# Stop where the residual is what the noise leaves.
seen = bl.cgls(A, y, iterations=100, noise=float(np.std(y - A(truth))), callback=lambda s: print(f"cgls     {s}"))
print(f"cgls     error {error(seen):.3f}")

# An edge-preserving penalty; options are those of `backlit recon`.
print(f"pwls, tv error {error(bl.pwls(A, y, iterations=20, penalty='tv', strength=0.02)):.3f}")

# Steered: where the first iterations are too rough, the run goes on with a stronger penalty.
run = bl.iterate("pwls", A, y, iterations=10, penalty="tv", strength=0.001)
for step in run:
    if step.iteration == 10:
        print(f"pwls     error {error(step.volume):.3f}, strength 0.001")
        run.steer(strength=0.02)
print(f"pwls     error {error(step.volume):.3f}, 10 iterations later, strength 0.02")

try:
    from scipy.sparse.linalg import lsqr
except ImportError:
    print("SciPy is not installed: no lsqr")
else:
    x = lsqr(A.as_scipy(), y.ravel(), iter_lim=15)[0].reshape(A.domain_shape)
    print(f"lsqr     error {error(x):.3f}")
