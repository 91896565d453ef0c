"""A trajectory of one's own, and geometries of other toolkits: own_geometry.py [--size 48]

The source runs on a saddle; each view is twelve numbers. The same views as ASTRA's dict, as RTK-free text and as matrices.
"""

import argparse

import backlit as bl
import numpy as np

arguments = argparse.ArgumentParser(description=__doc__)
arguments.add_argument("--size", type=int, default=48, help="voxels along an axis")
n = arguments.parse_args().size

angles = np.linspace(0, 2 * np.pi, 2 * n, endpoint=False)
vectors = []
for t in angles:
    source = np.array([500 * np.cos(t), 500 * np.sin(t), 120 * np.cos(2 * t)])
    middle = -source  # the detector, opposite
    along = source / np.linalg.norm(source)
    u = np.cross([0, 0, 1], along)
    u *= 4 * 100 / n / np.linalg.norm(u)
    v = np.cross(along, u)
    vectors.append([*source, *middle, *u, *v])
geometry = bl.vectors(vectors, detector=(n, n))
print(geometry)

grid = bl.volume(n, voxel=150 / n)
A = bl.operator(grid, geometry)
x = bl.phantom("spheres", grid)
y = A(x)
print(f"adjoint error {A.adjoint_error():.1e}, norm {A.norm(10):.4g}")

# The saddle answers the questions that a circle leaves open: few iterations do.
found = bl.cgls(A, y, iterations=15)
print(f"relative error {bl.compare(found, x)['relative_l2']:.3f}")

# To other toolkits and back.
again = bl.from_astra(geometry.to_astra())
geometry.save("saddle.txt")
loaded = bl.geometry("saddle.txt", detector=(n, n), pixel=geometry.pixel)
from_matrices = bl.matrices(geometry.matrices(), detector=(n, n), pixel=geometry.pixel)
for other in (again, loaded, from_matrices):
    assert np.allclose(other.vectors(), geometry.vectors(), atol=1e-6)
print("ASTRA's dict, a table of vectors and matrices say the same")
