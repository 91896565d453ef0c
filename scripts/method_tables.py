#!/usr/bin/env python3
"""Prints the tables of docs/methods/{sirt,ossart,tv,pwls,pdhg}.md: errors by iterations and by options.
"texture" is the second table of pwls; it comes last, since it overwrites the views.

Usage: method_tables.py [PROGRAM [TABLE...]]     build/backlit; all tables

The problem: one slice of the FORBILD head without ears, fan-beam views of 128 pixels, 100,000 photons a pixel, 104 x 128 voxels of
2 mm; the CPU backend (double precision). The error is the r.m.s. difference from the phantom in HU (water 0.02/mm) inside the head:
over voxels whose surroundings of 3 x 3 voxels attenuate by more than 0.01/mm.
"""
import array
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
SCAN = """[detector]
columns = 128
rows = 1
pixel_mm = 3.6
[trajectory]
kind = "circular"
source_to_axis_mm = 1000
source_to_detector_mm = 1500
views = {views}
[volume]
size = [104, 128, 1]
voxel_mm = 2.0
"""
VIEWS = (60, 120, 360)


def read(path):
    data = pathlib.Path(path).read_bytes()
    header, _, rest = data.partition(b"ElementDataFile = LOCAL\n")
    size = [int(n) for n in re.search(rb"DimSize = (.*)", header)[1].split()]
    values = array.array("f")
    values.frombytes(rest[:4 * size[0] * size[1]])
    return values, size[0], size[1]


class Problem:
    def __init__(self, program):
        self.program = program
        for views in VIEWS:
            pathlib.Path(f"{views}.geometry.toml").write_text(SCAN.format(views=views))
            os.rename(f"{views}.geometry.toml", f"g{views}.scan.toml")
            self.run("simulate", "forbild-head-plain", "--scan", f"g{views}.scan.toml", "-o", f"fan{views}.npy", "--noise",
                     "1e5", "--seed", "1", "--supersample", "4", "--truth", "truth.mha")
        self.truth, width, height = read("truth.mha")
        near = [dy * width + dx for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
        self.inside = [y * width + x for y in range(1, height - 1) for x in range(1, width - 1)
                       if all(self.truth[y * width + x + d] > 0.01 for d in near)]

    def run(self, *arguments):
        subprocess.run([self.program, *map(str, arguments), "-q"], check=True)

    def recon(self, views, method, *options):
        self.run("recon", f"fan{views}.scan.toml", "-o", "x.mha", "--method", method, "--backend", "cpu", *options)
        return read("x.mha")[0]

    def distance(self, a, b):
        return 5e4 * (sum((a[i] - b[i]) ** 2 for i in self.inside) / len(self.inside)) ** 0.5

    def error(self, *arguments):
        return self.distance(self.recon(*arguments), self.truth)

    def curve(self, views, method, counts, *options):
        """Errors after each of these numbers of iterations, of one run that is stopped and resumed."""
        state, values = pathlib.Path("state"), []
        state.unlink(missing_ok=True)
        for count in counts:
            resume = ["--resume", "state"] if state.exists() else []
            values.append(self.recon(views, method, "--iterations", count, "--checkpoint", "state", *resume, *options))
        return values


def row(name, values):
    print(f"| {name} | " + " | ".join(f"{v:.1f}" for v in values) + " |", flush=True)


def head(name, columns):
    print(f"\n| {name} | " + " | ".join(map(str, columns)) + " |\n" + "| --- " * (1 + len(columns)) + "|", flush=True)


def sirt(p):
    counts = (20, 40, 60, 100, 150, 200, 300)
    head("views", counts)
    for views in VIEWS:
        row(views, [p.distance(x, p.truth) for x in p.curve(views, "sirt", counts, "--nonnegative")])


def ossart(p):
    counts = (3, 5, 8, 10, 12, 15, 20, 30, 40)
    head("views", counts)
    for views in VIEWS:
        row(views, [p.distance(x, p.truth) for x in p.curve(views, "ossart", counts, "--nonnegative")])
    row("120, `--relaxation 0.5`",
        [p.distance(x, p.truth) for x in p.curve(120, "ossart", counts, "--nonnegative", "--relaxation", 0.5)])


def tv(p):
    strengths = (0.25, 0.5, 0.75, 1, 1.5, 2, 3)
    head("views", strengths)
    for views in VIEWS:
        row(views, [p.error(views, "tv", "--iterations", 60, "--strength", s) for s in strengths])
    counts = (1, 2, 4, 6, 8, 10, 15, 20, 30)
    head("120 views, subsets", counts)
    for subsets in (1, 5, 10, 20):
        row(subsets, [p.distance(x, p.truth) for x in p.curve(120, "tv", counts, "--subsets", subsets)])


def pwls(p):
    factors = (0.5, 1, 2, 4, 8)
    head("views, edge", factors)
    for views in VIEWS:
        for edge in (1e-4, 2e-4, 1e-3):
            chosen = chosen_strength(p, f"fan{views}.scan.toml", "--penalty-edge", edge)
            row(f"{views}, {edge:g}", [p.error(views, "pwls", "--iterations", 60, "--penalty-edge", edge, "--strength",
                                               f"{chosen * f / 4:.9g}") for f in factors])


def chosen_strength(p, scan, *options):
    done = subprocess.run([p.program, "recon", scan, "-o", "x.mha", "--method", "pwls", "--backend", "cpu", "--iterations", "1",
                           *map(str, options), "--json"], check=True, capture_output=True, text=True)
    return float(re.search(r'"strength": *([\d.eE+-]+)', done.stdout.split('"chosen"')[1])[1])


def textured(p, hounsfield):
    """The phantom with normal noise in its soft tissue, smoothed by a Gaussian with a standard deviation of 1.33 voxels."""
    truth, width, height = read("truth.mha")
    source = random.Random(1)
    noise = [source.gauss(0, 1) for _ in truth]
    weights = [math.exp(-0.5 * (d / 1.33) ** 2) for d in range(-4, 5)]
    for step, count in ((1, width), (width, height)):
        noise = [sum(w * noise[i + (d - 4) * step] for d, w in enumerate(weights)
                     if 0 <= (i // step) % count + d - 4 < count) for i in range(len(noise))]
    scale = hounsfield * 2e-5 / (sum(n * n for n in noise) / len(noise)) ** 0.5
    values = array.array("f", [t + (scale * n if 0.015 < t < 0.03 else 0) for t, n in zip(truth, noise)])
    header = pathlib.Path("truth.mha").read_bytes().partition(b"ElementDataFile = LOCAL\n")
    pathlib.Path("textured.mha").write_bytes(header[0] + header[1] + values.tobytes())
    for views in VIEWS:
        p.run("project", "textured.mha", "--scan", f"g{views}.scan.toml", "-o", "exact.npy", "--backend", "cpu")
        data = pathlib.Path("exact.npy").read_bytes()
        begin = 10 + int.from_bytes(data[8:10], "little")  # of the values in a .npy file
        integrals = array.array("f", data[begin:])
        means = [1e5 * math.exp(-v) for v in integrals]
        noisy = array.array("f", [-math.log(max(1, source.gauss(m, m ** 0.5)) / 1e5) for m in means])
        pathlib.Path(f"fan{views}.npy").write_bytes(data[:begin] + noisy.tobytes())
    return values


def texture(p):
    factors = (1, 2, 3, 4, 6, 8)
    head("views, texture", factors)
    plain = p.truth
    for hounsfield in (0, 20, 60):
        if hounsfield:
            p.truth = textured(p, hounsfield)
        for views in VIEWS:
            chosen = chosen_strength(p, f"fan{views}.scan.toml")
            row(f"{views}, {hounsfield} HU",
                [p.error(views, "pwls", "--strength", f"{chosen * f / 4:.9g}") for f in factors])
    p.truth = plain


def pdhg(p):
    counts = (5, 10, 15, 20, 30, 50)
    least = p.recon(60, "pdhg", "--iterations", 3000, "--subsets", 1)
    head("60 views", counts)
    for name, method, options in (("`pdhg`, 10 subsets", "pdhg", ["--subsets", 10]), ("`pdhg`, 1 subset", "pdhg", ["--subsets", 1]),
                                  ("`tv`, 10 subsets", "tv", ["--subsets", 10])):
        values = [p.distance(x, least) for x in p.curve(60, method, counts, *options)]
        print(f"| {name} | " + " | ".join(f"{v:.2g}" for v in values) + " |", flush=True)


def main():
    tables = {"sirt": sirt, "ossart": ossart, "tv": tv, "pwls": pwls, "pdhg": pdhg, "texture": texture}
    program = str(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/backlit").resolve())
    wanted = sys.argv[2:] or list(tables)
    if "-h" in sys.argv or "--help" in sys.argv or not set(wanted) <= set(tables):
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        problem = Problem(program)
        for name in wanted:
            print(f"\n## {name}")
            tables[name](problem)


if __name__ == "__main__":
    main()
