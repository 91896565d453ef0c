#!/usr/bin/env python3
"""Makes of line integrals what a scanner writes: 16-bit TIFF images, one a view, with flat and dark images.

practice_counts.py HEAD.npy FOLDER
"""

import array
import math
import os
import random
import re
import struct
import sys


def load(path):
    """Values of a float32 .npy of three axes, and its shape."""
    with open(path, "rb") as file:
        data = file.read()
    header_bytes = struct.unpack("<H", data[8:10])[0]
    shape = tuple(int(n) for n in re.search(rb"'shape': \(([^)]*)\)", data).group(1).split(b",") if n.strip())
    values = array.array("f")
    values.frombytes(data[10 + header_bytes:])
    return values, shape


def save(path, columns, rows, counts):
    """One grey image of 16 bits: a header, ten tags, the values."""
    tags = [(256, 4, columns), (257, 4, rows), (258, 3, 16), (259, 3, 1), (262, 3, 1), (273, 4, 134), (277, 3, 1),
            (278, 4, rows), (279, 4, 2 * columns * rows), (339, 3, 1)]
    entries = b"".join(struct.pack("<HHII", tag, kind, 1, value) for tag, kind, value in tags)
    with open(path, "wb") as file:
        file.write(b"II*\0" + struct.pack("<I", 8) + struct.pack("<H", len(tags)) + entries + bytes(4))
        file.write(array.array("H", counts).tobytes())


def main(source, folder):
    values, (views, rows, columns) = load(source)
    os.makedirs(folder, exist_ok=True)
    chance, pixels = random.Random(1), rows * columns
    dark, open_beam = 100, 60000
    gain = [chance.gauss(1, 0.05) for _ in range(pixels)]  # pixels differ by 5 %: what flats are for
    for name, level in (("dark", 0), ("flat", open_beam)):
        for i in range(5):
            save(f"{folder}/{name}_{i}.tif", columns, rows,
                 [min(65535, round(dark + gain[p] * level)) for p in range(pixels)])
    for view in range(views):
        line_integrals = values[view * pixels:(view + 1) * pixels]
        save(f"{folder}/view_{view:04d}.tif", columns, rows,
             [min(65535, round(dark + gain[p] * open_beam * math.exp(-b))) for p, b in enumerate(line_integrals)])


if __name__ == "__main__":
    main(*sys.argv[1:])
