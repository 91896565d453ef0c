#!/usr/bin/env python3
"""Draws docs/images/projectors/*.svg: what a ray, a voxel or a cell sees, for each projector. draw_projectors.py [FOLDER]"""

import math
import pathlib
import sys

N, CELL, LEFT, TOP = 8, 34, 150, 24  # voxels a side, their size, where the grid begins
WIDTH, HEIGHT = 560, TOP + N * CELL + 24
SOURCE, DETECTOR = (24, 200), 500    # the source, and the column at which the detector stands
GRID, RAY, HIT, SOFT, TEXT = "#9aa5b1", "#d9480f", "#1c7ed6", "#a5d8ff", "#495057"


class Picture:
    def __init__(self):
        self.parts = [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>']

    def line(self, a, b, color=RAY, width=2, more=""):
        self.parts.append(f'<line x1="{a[0]:.1f}" y1="{a[1]:.1f}" x2="{b[0]:.1f}" y2="{b[1]:.1f}" stroke="{color}" '
                          f'stroke-width="{width}" {more}/>')

    def dot(self, at, radius=4, color=HIT, opacity=1.0, edge="none"):
        self.parts.append(f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="{radius:.1f}" fill="{color}" '
                          f'fill-opacity="{opacity}" stroke="{edge}"/>')

    def box(self, x, y, width, height, color=SOFT, opacity=1.0):
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{color}" '
                          f'fill-opacity="{opacity:.2f}"/>')

    def text(self, at, words, anchor="middle"):
        self.parts.append(f'<text x="{at[0]:.1f}" y="{at[1]:.1f}" font-family="sans-serif" font-size="13" fill="{TEXT}" '
                          f'text-anchor="{anchor}">{words}</text>')

    def voxel(self, i, j, opacity=1.0):
        self.box(LEFT + i * CELL, TOP + j * CELL, CELL, CELL, SOFT, opacity)

    def grid(self):
        for k in range(N + 1):
            self.line((LEFT + k * CELL, TOP), (LEFT + k * CELL, TOP + N * CELL), GRID, 1)
            self.line((LEFT, TOP + k * CELL), (LEFT + N * CELL, TOP + k * CELL), GRID, 1)

    def bench(self, cell=None):
        """Source and detector; one detector cell marked."""
        self.dot(SOURCE, 6, RAY)
        self.text((SOURCE[0], SOURCE[1] + 22), "source")
        for k in range(9):
            y = TOP + 4 + k * 30
            marked = k == cell
            self.box(DETECTOR, y, 14, 27, HIT if marked else "#dee2e6")
        self.text((DETECTOR + 7, HEIGHT - 4), "detector")

    def save(self, path):
        path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">\n'
                        + "\n".join(self.parts) + "\n</svg>\n", encoding="utf-8")


def centre(i, j):
    return LEFT + (i + 0.5) * CELL, TOP + (j + 0.5) * CELL


def cell_y(k, share=0.5):
    return TOP + 4 + k * 30 + share * 27


def y_at(x, k, share=0.5):
    """Height at column x of the ray from the source to a cell."""
    return SOURCE[1] + (cell_y(k, share) - SOURCE[1]) * (x - SOURCE[0]) / (DETECTOR - SOURCE[0])


def ray(picture, k, share=0.5, width=2):
    picture.line(SOURCE, (DETECTOR, cell_y(k, share)), RAY, width)


def voxel_driven():
    p, (i, j) = Picture(), (5, 2)
    p.voxel(i, j)
    p.grid()
    p.bench()
    x, y = centre(i, j)
    end = SOURCE[1] + (y - SOURCE[1]) * (DETECTOR - SOURCE[0]) / (x - SOURCE[0])
    k = int((end - TOP - 4 - 15) // 30)
    for neighbour in (k, k + 1):
        p.box(DETECTOR, TOP + 4 + neighbour * 30, 14, 27, HIT, 0.8)
    p.line(SOURCE, (DETECTOR, end))
    p.dot((x, y), 5)
    p.dot((DETECTOR + 7, end), 4, RAY)
    return p


def joseph():
    p, k = Picture(), 2
    p.grid()
    p.bench(k)
    for i in range(N):
        x = LEFT + (i + 0.5) * CELL
        y = y_at(x, k)
        below = (y - TOP) / CELL - 0.5
        if -1 < below < N:
            first = math.floor(below)
            p.line((x, TOP), (x, TOP + N * CELL), GRID, 1, 'stroke-dasharray="3 3"')
            for j, share in ((first, 1 - below + first), (first + 1, below - first)):
                if 0 <= j < N:
                    p.dot(centre(i, j), 3 + 5 * share, SOFT, 1, HIT)
            p.dot((x, y), 3.5, RAY)
    ray(p, k)
    return p


def siddon():
    p, k = Picture(), 2
    crossings = [LEFT + i * CELL for i in range(N + 1)]
    for j in range(N + 1):
        y = TOP + j * CELL
        slope = (cell_y(k) - SOURCE[1]) / (DETECTOR - SOURCE[0])
        x = SOURCE[0] + (y - SOURCE[1]) / slope
        if LEFT < x < LEFT + N * CELL:
            crossings.append(x)
    crossings.sort()
    pieces = [(a, b) for a, b in zip(crossings, crossings[1:]) if b - a > 0.01]
    for a, b in pieces:
        middle = (a + b) / 2
        p.voxel(int((middle - LEFT) // CELL), int((y_at(middle, k) - TOP) // CELL))
    p.grid()
    p.bench(k)
    ray(p, k, width=1)
    for n, (a, b) in enumerate(pieces):
        p.line((a, y_at(a, k)), (b, y_at(b, k)), (RAY, HIT)[n % 2], 5)
    return p


def raycast():
    p, k = Picture(), 2
    p.grid()
    p.bench(k)
    ray(p, k)
    x = LEFT
    while x <= LEFT + N * CELL:
        p.dot((x, y_at(x, k)), 4, HIT, 1, "#ffffff")
        x += CELL / 2
    return p


def blob():
    p, k = Picture(), 2
    p.grid()
    p.bench(k)
    slope = (cell_y(k) - SOURCE[1]) / (DETECTOR - SOURCE[0])
    for i in range(N):
        for j in range(N):
            x, y = centre(i, j)
            distance = abs(y - y_at(x, k)) / math.hypot(1, slope)
            reach = 1.23 * CELL
            if distance < reach:
                share = (1 - (distance / reach) ** 2) ** 2
                p.dot((x, y), reach, SOFT, 0.12 + 0.25 * share, HIT if share > 0.3 else "none")
            p.dot((x, y), 1.5, GRID)
    ray(p, k)
    return p


def distance_driven():
    p, k = Picture(), 2
    for i in range(N):
        x = LEFT + (i + 0.5) * CELL
        top, bottom = sorted((y_at(x, k, -0.05), y_at(x, k, 1.05)))
        for j in range(N):
            low, high = TOP + j * CELL, TOP + (j + 1) * CELL
            overlap = max(0, min(high, bottom) - max(low, top))
            if overlap > 0:
                p.voxel(i, j, min(1, overlap / (bottom - top)))
        p.box(x - 2.5, max(top, TOP), 5, min(bottom, TOP + N * CELL) - max(top, TOP), HIT)
    p.grid()
    p.bench(k)
    ray(p, k, -0.05, 1.5)
    ray(p, k, 1.05, 1.5)
    return p


def lines_of_response():
    p = Picture()
    a, b = (70, 60), (470, 250)
    length = math.hypot(b[0] - a[0], b[1] - a[1])
    for i in range(N):
        for j in range(N):
            x, y = centre(i, j)
            distance = abs((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) / length
            weight = math.exp(-0.5 * (distance / (0.8 * CELL)) ** 2)
            if distance < 2 * CELL:
                p.voxel(i, j, weight)
    p.grid()
    p.line(a, b)
    normal = (-(b[1] - a[1]) / length, (b[0] - a[0]) / length)
    for side in (-1, 1):
        shift = side * 1.6 * CELL
        p.line((a[0] + normal[0] * shift, a[1] + normal[1] * shift), (b[0] + normal[0] * shift, b[1] + normal[1] * shift),
               RAY, 1, 'stroke-dasharray="5 4"')
    for name, (x, y) in (("crystal 1", a), ("crystal 2", b)):
        p.dot((x, y), 8, HIT)
        p.text((x, y + 24), name)
    return p


def emission():
    p, k = Picture(), 3
    for i in range(N):
        p.box(LEFT + i * CELL, TOP, CELL, N * CELL, SOFT, 0.1 + 0.08 * i)
    p.grid()
    p.bench(k)
    x = [LEFT + (i + 0.5) * CELL for i in range(N)]
    for i in range(N):
        p.dot((x[i], cell_y(k)), 5, HIT, 0.3 + 0.7 * i / N)
        blur = 5 + 3.2 * (N - i)
        p.line((x[i], cell_y(k) - blur), (x[i], cell_y(k) + blur), HIT, 1.5)
    p.line((LEFT, cell_y(k)), (DETECTOR - 4, cell_y(k)), RAY, 2)
    p.text((LEFT + N * CELL / 2, HEIGHT - 6), "far plane ... each plane attenuates, blurs and adds ... near plane")
    p.parts = [part for part in p.parts if ">source<" not in part and f'cx="{SOURCE[0]:.1f}"' not in part]
    return p


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2] / "docs/images/projectors")
    folder.mkdir(parents=True, exist_ok=True)
    for draw in (voxel_driven, joseph, siddon, raycast, blob, distance_driven, lines_of_response, emission):
        draw().save(folder / f"{draw.__name__}.svg")


if __name__ == "__main__":
    main()
