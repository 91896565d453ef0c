#!/usr/bin/env python3
"""Draws charts of a study's CSV, for docs/study.md.

Usage: draw_study.py speed STUDY.csv PICTURE.svg   the fastest of each pipeline, relative to the fastest of all
       draw_study.py error STUDY.csv PICTURE.svg   speed against error of backprojection (cube256)
       draw_study.py views STUDY.csv PICTURE.svg   AG-GPU and MP-GPU by views per pass (cube256)
"""
import csv
import html
import math
import sys

COLOURS = {"CPU": "#8a8a8a", "MP-GPU": "#d58b3a", "AG-GPU": "#c53a32", "AG-GPU+": "#c46fb0", "compute": "#3b76af",
           "CUDA": "#519e3e"}
TASKS = [("backprojection", "cube256 x 64 views"), ("projection", "cube192 x 64 views"), ("sart", "course128 x 80 views"),
         ("os-em", "course128 x 80 views"), ("lines_forward", "lm75 x 0.5 M lines, tube 3 voxels"),
         ("lines_back", "lm75 x 0.5 M lines, tube 3 voxels"), ("render", "cube256, 512 x 512 pixels, mip"),
         ("render", "cube256, 512 x 512 pixels, dvr"), ("d2vr", "cube128 x 180 views, 160 x 160 pixels, mip")]
LEFT, TOP, WIDTH, HEIGHT = 70, 30, 560, 300


class Svg:
    def __init__(self, width, height):
        self.parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
                      f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
                      '<rect width="100%" height="100%" fill="white"/>']

    def text(self, x, y, words, anchor="start", more=""):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {more}>{html.escape(words)}</text>')

    def line(self, x1, y1, x2, y2, colour="#ddd", width=1):
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
                          f'stroke-width="{width}"/>')

    def mark(self, x, y, colour):
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}" fill-opacity="0.8"/>')

    def key(self, names, y):
        x = LEFT
        for name in names:
            self.mark(x, y - 4, COLOURS[name])
            self.text(x + 8, y, name)
            x += 24 + 8 * len(name)

    def write(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(self.parts + ["</svg>"]) + "\n")


class Axes:
    """Logarithmic axes with a line at every step of ten (x) and of ten (y)."""

    def __init__(self, svg, x_range, y_range, x_title, y_title, x_ticks=None):
        self.x_range, self.y_range = x_range, y_range
        for value in x_ticks or decades(x_range):
            svg.line(self.x(value), TOP, self.x(value), TOP + HEIGHT)
            svg.text(self.x(value), TOP + HEIGHT + 16, f"{value:g}", "middle")
        for value in decades(y_range):
            svg.line(LEFT, self.y(value), LEFT + WIDTH, self.y(value))
            svg.text(LEFT - 6, self.y(value) + 4, f"{value:g}", "end")
        svg.text(LEFT + WIDTH / 2, TOP + HEIGHT + 34, x_title, "middle")
        svg.text(0, 0, y_title, "middle", f'transform="translate(16 {TOP + HEIGHT / 2}) rotate(-90)"')

    def x(self, value):
        return LEFT + WIDTH * place(value, self.x_range)

    def y(self, value):
        return TOP + HEIGHT * (1 - place(value, self.y_range))


def place(value, ends):
    return math.log(value / ends[0]) / math.log(ends[1] / ends[0])


def decades(ends):
    return [10.0 ** k for k in range(math.ceil(math.log10(ends[0]) - 1e-9), math.floor(math.log10(ends[1]) + 1e-9) + 1)]


def speed(rows, path):
    row_height, left = 46, 250
    least = 1e-4
    svg = Svg(left + 460, TOP + row_height * len(TASKS) + 40)
    bottom = TOP + row_height * len(TASKS)
    for value in decades((least, 1)):
        x = left + 400 * place(value, (least, 1))
        svg.line(x, TOP - 6, x, bottom)
        svg.text(x, bottom + 16, f"{value:g}", "middle")
    svg.text(left + 200, bottom + 32, "speed, times the fastest", "middle")
    svg.key(["MP-GPU", "AG-GPU", "compute", "CUDA"], 16)
    for i, (operation, workload) in enumerate(TASKS):
        best = {}
        for row in rows:
            in_place = operation == "sart" and "layout" in row["options"]  # another projector, which CUDA alone has
            if (row["operation"], row["workload"], row["status"]) == (operation, workload, "ok") and not in_place:
                name = row["architecture"]
                best[name] = max(best.get(name, 0), float(row["rate"]))
        y = TOP + i * row_height
        svg.text(left - 8, y + 18, operation.replace("_", " "), "end")
        svg.text(left - 8, y + 33, workload, "end", 'font-size="10" fill="#555"')
        for j, name in enumerate(["MP-GPU", "AG-GPU", "compute", "CUDA"]):
            if name in best:
                width = 400 * place(best[name] / max(best.values()), (least, 1))
                svg.parts.append(f'<rect x="{left}" y="{y + 3 + 10 * j}" width="{max(width, 1):.1f}" height="9" '
                                 f'fill="{COLOURS[name]}"/>')
    svg.write(path)


def error(rows, path):
    svg = Svg(LEFT + WIDTH + 20, TOP + HEIGHT + 45)
    axes = Axes(svg, (3, 5000), (0.004, 4), "GUPS", "error, HU r.m.s.")
    svg.key(["MP-GPU", "AG-GPU", "AG-GPU+", "compute", "CUDA"], 16)
    for row in rows:
        if row["status"] == "ok" and (row["operation"], row["workload"], row["part"]) == (
                "backprojection", "cube256 x 64 views", "1"):
            svg.mark(axes.x(float(row["rate"])), axes.y(float(row["error"])), COLOURS[row["architecture"]])
    svg.write(path)


def views(rows, path):
    svg = Svg(LEFT + WIDTH + 20, TOP + HEIGHT + 45)
    axes = Axes(svg, (0.9, 72), (3, 40), "views per pass", "GUPS", [1, 2, 4, 8, 16, 32, 64])
    for value in (5, 20):
        svg.text(LEFT - 6, axes.y(value) + 4, f"{value:g}", "end")
    svg.key(["MP-GPU", "AG-GPU"], 16)
    for name in ("MP-GPU", "AG-GPU"):
        points = []
        for row in rows:
            options = dict(text.rsplit(" ", 1) for text in row["options"].split(", ")) if row["options"] else {}
            wanted = {"packing": "none", "texel": "r32f", "accumulate": "blend", "target": "layered", "kill": "none",
                      "interpolation": "linear"}
            if (row["operation"], row["workload"], row["architecture"], row["status"], row["part"]) == (
                    "backprojection", "cube256 x 64 views", name, "ok", "1") and wanted.items() <= options.items():
                points.append((float(options["views per pass"]), float(row["rate"])))
        points.sort()
        path_of = " ".join(f"{axes.x(x):.1f},{axes.y(y):.1f}" for x, y in points)
        svg.parts.append(f'<polyline points="{path_of}" fill="none" stroke="{COLOURS[name]}" stroke-width="2"/>')
        for x, y in points:
            svg.mark(axes.x(x), axes.y(y), COLOURS[name])
    svg.write(path)


def main():
    kinds = {"speed": speed, "error": error, "views": views}
    if len(sys.argv) != 4 or sys.argv[1] not in kinds:
        sys.exit(__doc__)
    with open(sys.argv[2], encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row.setdefault("part", "1")
    kinds[sys.argv[1]](rows, sys.argv[3])


if __name__ == "__main__":
    main()
