"""What the cases of all toolkits share: their list, the program, and how two results are compared."""

import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

import numpy as np


@dataclass
class Result:
    """How far Backlit and its peer are apart (relative L2), and each of them from the object, where that is known."""

    difference: float
    ours: float | None = None
    theirs: float | None = None


@dataclass
class Case:
    title: str
    bound: float
    why: str  # the difference is not only rounding
    run: Callable[[], Result]


CASES: dict[str, Case] = {}
program = "backlit"


class Skipped(Exception):
    """What a case needs is not there."""


def case(name, title, bound, why=""):
    """Registers a case. Its name begins with the toolkit's."""

    def add(run):
        CASES[name] = Case(title, bound, why, run)
        return run

    return add


def backlit(folder, *words):
    done = subprocess.run([program, *map(str, words)], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"backlit {' '.join(map(str, words))}: {done.stderr}")
    return done.stdout


def scan_file(folder, columns, rows, pixel, trajectory, projections=None, detector="", name="s.scan.toml"):
    """`trajectory`, `detector`: lines of TOML."""
    data = f'[data]\nprojections = "{projections}"\n' if projections else ""
    (Path(folder) / name).write_text(
        f"[detector]\ncolumns = {columns}\nrows = {rows}\npixel_mm = {pixel}\n{detector}\n"
        f"[trajectory]\n{trajectory}\n{data}")


def relative(a, b, region=np.s_[...]):
    """|a - b| / |b|, both in double precision."""
    a, b = np.asarray(a[region], np.float64), np.asarray(b[region], np.float64)
    return float(np.linalg.norm(a - b) / np.linalg.norm(b))


def ramp_taps(columns):
    """The band-limited ramp filter (Kak and Slaney, Principles of Computerized Tomographic Imaging, 3.3), columns apart."""
    n = np.arange(1 - columns, columns)
    odd = n % 2 != 0
    taps = np.where(n == 0, 0.25, 0.0)
    taps[odd] = -1 / (np.pi * n[odd]) ** 2
    return taps
