#!/usr/bin/env python3
"""Draws the middle slices of line-pair volumes: group 16 and a profile across it for each, and the circle of all groups
of the finest square one, unrolled.

Usage: draw_line_pairs.py PHANTOM.toml OUTPUT.png VOLUME.npy:VOXEL_MM... (0.1, or 0.075,0.1,0.1 for x, y, z)
"""
import math
import pathlib
import sys
import tomllib

import numpy
from PIL import Image, ImageDraw

PANEL, GAP, LOW, HIGH = 216, 16, 0.005, 0.08  # pixels; 1/mm
GROUP = 16


class Slice:
    """The middle slice of a volume, sampled in mm from its middle."""

    def __init__(self, name):
        path, voxel = name.rsplit(":", 1)
        volume = numpy.load(path, mmap_mode="r")
        self.values = numpy.array(volume[volume.shape[0] // 2])
        spacing = [float(v) for v in voxel.split(",")]
        self.dx, self.dy = spacing[0], spacing[1] if len(spacing) > 1 else spacing[0]
        self.label = f"{self.values.shape[1]} x {self.values.shape[0]}, {self.dx:g} mm"

    def at(self, x, y):
        rows, columns = self.values.shape
        u, v = x / self.dx + (columns - 1) / 2, y / self.dy + (rows - 1) / 2
        i, j = numpy.floor(u).astype(int), numpy.floor(v).astype(int)
        inside = (i >= 0) & (j >= 0) & (i < columns - 1) & (j < rows - 1)
        i, j, a, b = i.clip(0, columns - 2), j.clip(0, rows - 2), u - i, v - j
        s = self.values
        upper = (1 - a) * s[j + 1, i] + a * s[j + 1, i + 1]
        return numpy.where(inside, (1 - b) * ((1 - a) * s[j, i] + a * s[j, i + 1]) + b * upper, 0)


def gray(values):
    return Image.fromarray((255 * ((values - LOW) / (HIGH - LOW)).clip(0, 1)).astype("uint8"))


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    bodies = tomllib.loads(pathlib.Path(sys.argv[1]).read_text())["body"]
    group = next(b for b in bodies if b["name"] == f"{GROUP} per cm")
    step, bars = numpy.array(group["step"][:2]), group["count"]
    first = numpy.array(group["center"][:2])
    middle, length = first + (bars - 1) / 2 * step, math.hypot(*step)
    along, across = step / length, numpy.array([-step[1], step[0]]) / length
    slices = [Slice(name) for name in sys.argv[3:]]

    width = len(slices) * PANEL + (len(slices) + 1) * GAP
    picture = Image.new("L", (width, 24 + PANEL + 20 + 150 + 24 + 3 * 88), 255)
    draw = ImageDraw.Draw(picture)
    offsets = numpy.linspace(-7.2, 7.2, PANEL)
    for n, s in enumerate(slices):
        x, top = GAP + n * (PANEL + GAP), 24 + PANEL + 20
        draw.text((x, 6), s.label, fill=0)
        voxel_x = numpy.round((middle[0] + offsets) / s.dx - 0.5) * s.dx + 0.5 * s.dx  # nearest: voxels stay visible
        voxel_y = numpy.round((middle[1] + offsets[::-1]) / s.dy - 0.5) * s.dy + 0.5 * s.dy
        picture.paste(gray(s.at(*numpy.meshgrid(voxel_x, voxel_y))), (x, 24))
        t = numpy.linspace(-length, bars * length, 16 * (bars + 1))
        q = numpy.arange(-2, 2.001, 0.1)
        places = first + t[:, None, None] * along + q[None, :, None] * across
        profile = s.at(places[..., 0], places[..., 1]).mean(axis=1)
        height = lambda value: top + 150 - 150 * (min(max(value, LOW), HIGH + 0.01) - LOW) / (HIGH + 0.01 - LOW)
        draw.rectangle((x, top, x + PANEL, top + 150), outline=160)
        for value in (0.02, 0.075):
            draw.line((x, height(value), x + PANEL, height(value)), fill=210)
        draw.line([(x + PANEL * i / (len(profile) - 1), height(p)) for i, p in enumerate(profile)], fill=0)
    draw.text((GAP, 24 + PANEL + 174), f"Line profiles across the bars of group {GROUP}; grey lines: water 0.02/mm, "
              "aluminium 0.075/mm", fill=0)
    finest = max((s for s in slices if s.values.shape[0] == s.values.shape[1]), key=lambda s: s.values.shape[0])
    for row in range(3):
        angle = math.pi / 2 - (row + numpy.linspace(0, 1, width - 2 * GAP)) * 2 * math.pi / 3
        radius = numpy.linspace(51.5, 42.5, 83)
        r, a = numpy.meshgrid(radius, angle, indexing="ij")
        picture.paste(gray(finest.at(r * numpy.cos(a), r * numpy.sin(a))), (GAP, 24 + PANEL + 194 + row * 88))
    picture.quantize(48).save(sys.argv[2], optimize=True)


if __name__ == "__main__":
    main()
