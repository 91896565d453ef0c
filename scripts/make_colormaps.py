#!/usr/bin/env python3
"""Writes assets/colormaps/: paths through a few anchor colours, joined in CIELAB (CIE 15:2004, D65) in equal steps.

Equal steps of colour difference (CIE 1976) along the whole map are what "perceptually uniform" means here;
tests/render/colormap_test.cpp checks them. Anchors are our own, but for viridis: five of its colours (CC0, Smith and
van der Walt, 2015).
"""
import pathlib

STOPS = 65
MAPS = {
    "heat": ("black through red and orange to near white",
             [(0, 0, 0), (74, 6, 44), (150, 22, 44), (214, 72, 22), (243, 148, 34), (252, 220, 110), (255, 255, 235)]),
    "viridis": ("dark blue through green to yellow; readable without colour vision",
                [(68, 1, 84), (59, 82, 139), (33, 145, 140), (94, 201, 98), (253, 231, 37)]),
    "ice": ("black through deep blue to pale cyan and white",
            [(0, 0, 0), (18, 22, 74), (26, 66, 140), (40, 124, 180), (108, 186, 208), (190, 230, 228), (250, 255, 252)]),
    "difference": ("light blue, nearly black in the middle, light orange; for signed values",
                   [(120, 200, 255), (25, 80, 160), (10, 10, 14), (160, 60, 20), (255, 190, 100)]),
    "blue-red": ("blue, light grey in the middle, red; for signed values on paper",
                 [(28, 52, 140), (92, 132, 200), (226, 226, 226), (204, 104, 84), (130, 14, 32)]),
}
SIGNED = ("difference", "blue-red")
WHITE = (0.95047, 1.0, 1.08883)


def linear(c):
    return c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4


def encoded(c):
    c = min(max(c, 0.0), 1.0)
    return 12.92 * c if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055


def lab(rgb):
    r, g, b = (linear(c / 255) for c in rgb)
    xyz = (0.4124564 * r + 0.3575761 * g + 0.1804375 * b,
           0.2126729 * r + 0.7151522 * g + 0.0721750 * b,
           0.0193339 * r + 0.1191920 * g + 0.9503041 * b)
    f = [(v / w) ** (1 / 3) if v / w > 216 / 24389 else (24389 / 27 * v / w + 16) / 116 for v, w in zip(xyz, WHITE)]
    return 116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])


def rgb(color):
    fy = (color[0] + 16) / 116
    f = (fy + color[1] / 500, fy, fy - color[2] / 200)
    x, y, z = (w * (t ** 3 if t ** 3 > 216 / 24389 else (116 * t - 16) * 27 / 24389) for t, w in zip(f, WHITE))
    return [encoded(c) for c in (3.2404542 * x - 1.5371385 * y - 0.4985314 * z,
                                 -0.9692660 * x + 1.8760108 * y + 0.0415560 * z,
                                 0.0556434 * x - 0.2040259 * y + 1.0572252 * z)]


def distance(a, b):
    return sum((p - q) ** 2 for p, q in zip(a, b)) ** 0.5


def spread(points, count):
    """`count` points at equal distances along the polyline."""
    length = [0.0]
    for a, b in zip(points, points[1:]):
        length.append(length[-1] + distance(a, b))
    result, i = [], 0
    for n in range(count):
        at = length[-1] * n / (count - 1)
        while i < len(points) - 2 and length[i + 1] < at:
            i += 1
        t = (at - length[i]) / (length[i + 1] - length[i])
        result.append(tuple(p + t * (q - p) for p, q in zip(points[i], points[i + 1])))
    return result


def reflected(points, i):
    """Beyond its ends the path goes on as its own point reflection, so that a mean leaves the ends where they are."""
    end = min(max(i, 0), len(points) - 1)
    return points[i] if i == end else tuple(2 * e - p for e, p in zip(points[end], points[2 * end - i]))


def even(anchors, count):
    """Even steps along the anchors' polyline, its corners rounded by a short running mean."""
    fine = spread(anchors, 4097)
    smooth = [tuple(sum(reflected(fine, i + k)[c] for k in range(-192, 193)) / 385 for c in range(3))
              for i in range(0, 4097, 8)]
    return spread(smooth, count)


def write(folder, name, about, stops):
    lines = [f"# {about}", "# red green blue, 0..1 as displayed; evenly spaced from the window's low end to its high end"]
    lines += ["{:.4f} {:.4f} {:.4f}".format(*stop) for stop in stops]
    (folder / f"{name}.txt").write_text("\n".join(lines) + "\n")


def main():
    folder = pathlib.Path(__file__).resolve().parent.parent / "assets" / "colormaps"
    write(folder, "gray", "black to white, as values are stored in pictures", [(0, 0, 0), (1, 1, 1)])
    write(folder, "gray-inverted", "white to black, as on film", [(1, 1, 1), (0, 0, 0)])
    write(folder, "pet-hot", "black, red, orange, yellow, white: the palette Hot Iron of DICOM, for PET",
          [(0, 0, 0), (0.5, 0, 0), (1, 0, 0), (1, 0.5, 0), (1, 1, 1)])
    for name, (about, anchors) in MAPS.items():
        path = [lab(a) for a in anchors]
        if name in SIGNED:  # the middle colour stays in the middle: each half has even steps of its own
            half = len(path) // 2
            low, high = even(path[:half + 1], STOPS // 2 + 1), even(path[half:], STOPS // 2 + 1)
            stops = low + high[1:]
        else:
            stops = even(path, STOPS)
        write(folder, name, about, [rgb(c) for c in stops])


main()
