#!/usr/bin/env python3
"""Draws what `test_cuda "Study of distance-driven *"` printed: speed over views, size and depth, and errors; and curves of
what scripts/distance_driven_studies.sh made: profiles (a column a volume) and residuals (a file a method).

Usage: draw_distance_driven.py speed STUDY.txt PICTURE.svg
       draw_distance_driven.py precision STUDY.txt PICTURE.svg
       draw_distance_driven.py profiles "TITLE=PROFILES.csv"... PICTURE.svg
       draw_distance_driven.py residuals "METHOD=RESIDUALS.csv"... PICTURE.svg
       draw_distance_driven.py differences "TITLE=DIFFERENCES.csv"... PICTURE.svg   (of test_unit "Study of profiles *")
"""
import csv
import math
import re
import sys

COLOURS = {"bs": "#8a8a8a", "bl": "#3b76af", "bl,plain": "#84584e", "bz": "#519e3e", "bc": "#c53a32",
           "bl in software": "#8d69b8", "bl,plain in software": "#d58b3a", "bl,compensated in software": "#3aa5a5",
           "bl,plain,compensated in software": "#c46fb0"}
PANEL_W, PANEL_H, LEFT, TOP, GAP = 270, 200, 60, 50, 70
SPEED = re.compile(r"^(depth|size|views) (\d+) +(\S+) +[\d.]+ ms +([\d.]+) GUPS +back +[\d.]+ ms +([\d.]+) GUPS")
ERROR = re.compile(r"^(.+?) {2,}(forward|back) +(\S.*?) {2,}(\S+) +(\S+)(?: rmse \S+)?$")
TITLES = {"views": "views (512 x 512 x 64)", "size": "voxels along x and y (64 slices, 246 views)",
          "depth": "slices and rows (512 x 512, 246 views)"}


class Svg:
    def __init__(self, width, height):
        self.parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
                      'font-family="sans-serif" font-size="12">', '<rect width="100%" height="100%" fill="white"/>']

    def line(self, points, colour, width=1.0, dash=""):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        style = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}"{style}/>')

    def dot(self, x, y, colour, filled=True):
        fill = colour if filled else "white"
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{fill}" stroke="{colour}" stroke-width="1.5"/>')

    def text(self, x, y, words, anchor="start", colour="black"):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{words}</text>')

    def save(self, path):
        with open(path, "w") as file:
            file.write("\n".join(self.parts + ["</svg>"]) + "\n")


def speed(lines):
    curves = {}
    for match in filter(None, map(SPEED.match, lines)):
        axis, at, variant, forward, back = match.groups()
        for way, rate in (("forward", forward), ("back", back)):
            curves.setdefault((way, axis), {}).setdefault(variant, []).append((int(at), float(rate)))
    most = 100 * math.ceil(max(r for c in curves.values() for v in c.values() for _, r in v) / 100)
    svg = Svg(LEFT + 3 * (PANEL_W + GAP), TOP + 2 * (PANEL_H + GAP) + 20)
    for row, way in enumerate(("forward", "back")):
        for column, axis in enumerate(("views", "size", "depth")):
            x0, y0 = LEFT + column * (PANEL_W + GAP), TOP + row * (PANEL_H + GAP)
            found = curves[way, axis]
            places = sorted({x for v in found.values() for x, _ in v})
            low, high = math.log(places[0]), math.log(places[-1])

            def at(x, y):
                return x0 + PANEL_W * (math.log(x) - low) / (high - low), y0 + PANEL_H * (1 - y / most)
            for rate in range(0, most + 1, 100):
                svg.line([at(places[0], rate), at(places[-1], rate)], "#ddd")
                svg.text(x0 - 6, at(places[0], rate)[1] + 4, f"{rate}", "end")
            for place in places:
                svg.text(at(place, 0)[0], y0 + PANEL_H + 16, f"{place}", "middle")
            svg.text(x0 + PANEL_W / 2, y0 + PANEL_H + 34, TITLES[axis], "middle")
            svg.text(x0, y0 - 8, f"{way}, GUPS")
            for variant, points in found.items():
                points.sort()
                svg.line([at(*p) for p in points], COLOURS[variant], 2)
                for p in points:
                    svg.dot(*at(*p), COLOURS[variant])
    for i, variant in enumerate(v for v in COLOURS if any(v in c for c in curves.values())):
        svg.dot(LEFT + 8 + 70 * i, 18, COLOURS[variant])
        svg.text(LEFT + 18 + 70 * i, 22, variant)
    return svg


def precision(lines):
    cases, found = [], {}
    for match in filter(None, map(ERROR.match, lines)):
        name, way, variant, largest, l2 = match.groups()
        if variant == "variant":
            continue
        case = f"{name}, {way}"
        if case not in cases:
            cases.append(case)
        found[case, variant] = (float(largest), float(l2))
    left, width, pitch, low, high = 250, 620, 26, -8, -1
    svg = Svg(left + width + 30, TOP + pitch * len(cases) + 60)

    def at(value):
        return left + width * (math.log10(max(value, 10.0**low)) - low) / (high - low)
    bottom = TOP + pitch * len(cases)
    for power in range(low, high + 1):
        svg.line([(at(10.0**power), TOP - 8), (at(10.0**power), bottom)], "#ddd")
        svg.text(at(10.0**power), bottom + 16, f"1e{power}", "middle")
    svg.line([(at(2e-3), TOP - 8), (at(2e-3), bottom)], "#888", 1, "4 3")
    svg.text(at(2e-3), bottom + 32, "0.2 %", "middle", "#666")
    for i, case in enumerate(cases):
        y = TOP + pitch * (i + 0.5)
        svg.text(left - 10, y + 4, case, "end")
        for variant, colour in COLOURS.items():
            if (case, variant) in found:
                largest, l2 = found[case, variant]
                svg.dot(at(l2), y - 4, colour, False)
                svg.dot(at(largest), y + 4, colour)
    svg.text(left, bottom + 48, "filled: max|a - b| / max|b|; open: relative L2; against double precision")
    x, y = 20, 10
    for variant, colour in COLOURS.items():
        if not any(k[1] == variant for k in found):
            continue
        if x + 10 + 6.5 * len(variant) > left + width:
            x, y = 20, y + 18
        svg.dot(x, y, colour)
        svg.text(x + 10, y + 4, variant)
        x += 35 + 6.5 * len(variant)
    return svg


PALETTE = ["#222222", "#3b76af", "#c53a32", "#519e3e", "#d58b3a", "#8d69b8"]


def panel(svg, x0, y0, width, height, curves, x_range, y_range, ticks, logarithmic=False):
    """Curves {name: [(x, y)]} in a frame with ticks (of x, of y)."""
    scale = math.log10 if logarithmic else float
    (left, right), (low, high) = map(scale, x_range), map(scale, y_range)

    def at(x, y):
        return x0 + width * (scale(x) - left) / (right - left), y0 + height * (1 - (scale(y) - low) / (high - low))
    for y in ticks[1]:
        svg.line([at(x_range[0], y), at(x_range[1], y)], "#ddd")
        svg.text(x0 - 6, at(x_range[0], y)[1] + 4, f"{y:g}", "end")
    for x in ticks[0]:
        svg.text(at(x, y_range[0])[0], y0 + height + 16, f"{x:g}", "middle")
    for colour, points in zip(PALETTE, curves.values()):
        svg.line([at(x, min(max(y, y_range[0]), y_range[1])) for x, y in points], colour, 1.3)


def legend(svg, names, x, y):
    for colour, name in zip(PALETTE, names):
        svg.line([(x, y - 4), (x + 18, y - 4)], colour, 2)
        svg.text(x + 23, y, name)
        x += 40 + 7.5 * len(name)


def profiles(named):
    width, height = 3 * PANEL_W, 150
    svg = Svg(LEFT + width + 30, TOP + len(named) * (height + 50))
    for i, (title, path) in enumerate(named):
        with open(path) as file:
            rows = list(csv.reader(file))
        curves = {name: [(n, float(r[c])) for n, r in enumerate(rows[1:])] for c, name in enumerate(rows[0])}
        values = [y for points in curves.values() for _, y in points]
        most = math.ceil(max(values) * 50) / 50
        y0 = TOP + i * (height + 50)
        panel(svg, LEFT, y0, width, height, curves, (0, len(rows) - 2), (0, most),
              (range(0, len(rows) - 1, max(1, (len(rows) - 1) // 8)), [most * n / 4 for n in range(5)]))
        svg.text(LEFT, y0 - 8, title)
    legend(svg, curves, LEFT, 18)
    return svg


def residuals(named):
    curves = {}
    for name, path in named:
        with open(path) as file:
            numbers = [r.split(",") for r in file if re.match(r"\d+,", r)]
        curves[name] = [(int(n), float(y)) for n, y in numbers]
    values = [y for points in curves.values() for _, y in points]
    most = max(points[-1][0] for points in curves.values())
    low, high = (10.0 ** f(math.log10(v)) for f, v in ((math.floor, min(values)), (math.ceil, max(values))))
    svg = Svg(LEFT + 2 * PANEL_W + 30, TOP + 2 * PANEL_W // 2 + 70)
    powers = [10.0**p for p in range(round(math.log10(low)), round(math.log10(high)) + 1)]
    panel(svg, LEFT, TOP, 2 * PANEL_W, PANEL_W, curves, (1, most), (low, high),
          ([x for x in (1, 3, 10, 30, 100, 300) if x <= most], powers), True)
    svg.text(LEFT + PANEL_W, TOP + PANEL_W + 36, "iterations", "middle")
    legend(svg, curves, LEFT, 18)
    return svg


def differences(named):
    """A column a file: the reference, and by how much of its largest value each variant differs from it."""
    width, height, pitch = 340, 60, 92
    for i, (title, path) in enumerate(named):
        with open(path) as file:
            rows = list(csv.reader(file))
        lines = {name: [float(r[c]) for r in rows[1:]] for c, name in enumerate(rows[0])}
        if i == 0:
            svg = Svg(LEFT + len(named) * (width + 75) - 50, 20 + pitch * len(lines))
        reference = lines.pop("reference")
        largest = max(map(abs, reference))
        strips = {title: ([v / largest for v in reference], 1)}
        for name, values in lines.items():
            off = [(v - r) / largest for v, r in zip(values, reference)]
            strips[name] = (off, max(map(abs, off)))
        for n, (name, (values, most)) in enumerate(strips.items()):
            x0, y0, last = LEFT + i * (width + 75), 30 + pitch * n, len(values) - 1

            def at(place, value):
                return x0 + width * place / last, y0 + height * (1 - (value / (most or 1) + (n > 0)) / (1 + (n > 0)))
            for value in {0, most, -most if n > 0 else 0}:
                svg.line([at(0, value), at(last, value)], "#ddd")
                svg.text(x0 - 5, at(0, value)[1] + 4, f"{value:.2g}", "end", "#666")
            svg.line([at(*p) for p in enumerate(values)], COLOURS.get(name, "#222222"), 1)
            svg.text(x0, y0 - 8, name)
    return svg


def main():
    drawn = {"profiles": profiles, "residuals": residuals, "differences": differences}
    if len(sys.argv) > 3 and sys.argv[1] in drawn and all("=" in a for a in sys.argv[2:-1]):
        drawn[sys.argv[1]]([a.split("=", 1) for a in sys.argv[2:-1]]).save(sys.argv[-1])
        return
    if len(sys.argv) != 4 or sys.argv[1] not in ("speed", "precision"):
        sys.exit(__doc__)
    with open(sys.argv[2]) as file:
        lines = file.read().splitlines()
    (speed if sys.argv[1] == "speed" else precision)(lines).save(sys.argv[3])


if __name__ == "__main__":
    main()
