"""Phantoms that ASTRA's data objects are filled with."""

import numpy as np

# Half axes, centre, degrees about z, value, value of the modified one: Kak and Slaney, Principles of Computerized
# Tomographic Imaging (1988), figure 3.22, with the depths of its three-dimensional form.
_ellipsoids = (
    (0.69, 0.92, 0.81, 0, 0, 0, 0, 2, 1),
    (0.6624, 0.874, 0.78, 0, -0.0184, 0, 0, -0.98, -0.8),
    (0.11, 0.31, 0.22, 0.22, 0, 0, -18, -0.02, -0.2),
    (0.16, 0.41, 0.28, -0.22, 0, 0, 18, -0.02, -0.2),
    (0.21, 0.25, 0.41, 0, 0.35, -0.15, 0, 0.01, 0.1),
    (0.046, 0.046, 0.05, 0, 0.1, 0.25, 0, 0.01, 0.1),
    (0.046, 0.046, 0.05, 0, -0.1, 0.25, 0, 0.01, 0.1),
    (0.046, 0.023, 0.05, -0.08, -0.605, 0, 0, 0.01, 0.1),
    (0.023, 0.023, 0.02, 0, -0.606, 0, 0, 0.01, 0.1),
    (0.023, 0.046, 0.02, 0.06, -0.605, 0, 0, 0.01, 0.1),
)


def shepp_logan(shape, modified):
    """fp32 of the shape (rows, columns), row 0 at the largest y, or (slices, rows, columns)."""
    flat = len(shape) == 2
    z, y, x = np.meshgrid(*((2 * np.arange(n) + 1) / n - 1 for n in ((1, *shape) if flat else shape)), indexing="ij")
    if flat:
        y = -y
    values = np.zeros(x.shape, np.float32)
    for a, b, c, x0, y0, z0, degrees, plain, high in _ellipsoids:
        cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
        u, v = cos * (x - x0) + sin * (y - y0), cos * (y - y0) - sin * (x - x0)
        w = 0 if flat else (z - z0) / c  # in two dimensions each is an ellipse
        values += np.float32(high if modified else plain) * ((u / a) ** 2 + (v / b) ** 2 + w**2 <= 1)
    return values[0] if flat else values
