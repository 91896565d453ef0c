"""Pictures of volumes as arrays, and the viewer."""

from __future__ import annotations

import atexit
import contextlib
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _arrays, _core
from ._core import Failure, InputError
from ._types import Array, Size
from .geometry import volume as any_volume
from .scans import Scan, load
from .volumes import grid_of, save


def _window(window):
    if window is None:
        return "0.1%,99.9%"
    return window if isinstance(window, str) else f"{window[0]!r},{window[1]!r}"


def _scan_of(what):
    """The scan, where `what` is one or names its file; else None."""
    return load(what) if isinstance(what, (str, os.PathLike)) else what if isinstance(what, Scan) else None


def _color(value, what):
    """"#rrggbb" or (r, g, b), 0 to 255"""
    if isinstance(value, str) and len(value) == 7 and value[0] == "#":
        try:
            return list(bytes.fromhex(value[1:]))
        except ValueError:
            pass
    try:
        numbers = [int(v) for v in value]
    except (TypeError, ValueError):
        numbers = []
    if len(numbers) != 3 or not all(0 <= n <= 255 for n in numbers):
        raise InputError(f"{what}: {_arrays.words(value)} is no colour; give \"#ff8000\" or (255, 128, 0)")
    return numbers


def _corners(pair, what):
    """Two points (x, y, z)."""
    try:
        points = np.asarray(pair, float)
    except (TypeError, ValueError):
        points = np.empty(0)
    if points.shape != (2, 3):
        raise InputError(f"{what}: {_arrays.words(pair)} is no pair of (x, y, z)")
    return points.tolist()


def _device(device):
    return _core.Device(*_arrays.parse_device(device), 0)


def slice_of(what: Any, axis: str = "z", position: float | None = None, grid: Any = None, *,
             normal: Sequence[float] | None = None, up: Sequence[float] | None = None,
             center: Sequence[float] | None = None, pixel: float | None = None, size: int | None = None,
             filter: str = "ram-lak", device: Any = "auto") -> np.ndarray:
    """A slice as values (rows, columns), as people look at it: z: +x to the right and +y up; others +z up.

    what:     a volume; or a scan (or its file): the slice is computed from the projections by FDK, without a volume
    position: mm along the axis; None: the middle
    normal:   instead of an axis: the direction (x, y, z) that the plane faces
    up:       what is up in the picture of such a plane; None: +z, or +y where the normal is near z
    center:   the middle of the picture of such a plane, mm; None: the middle of the volume
    pixel:    mm; None: the smallest side of a voxel (a volume's slices along an axis: its voxels)
    size:     pixels along the longer side in place of `pixel`
    filter, device: of slices from projections; on gl and cpu
    """
    scan = _scan_of(what)
    box = scan.volume if scan else grid_of(what, grid)
    if normal is None:
        if axis not in ("x", "y", "z"):
            raise InputError(f"axis: {_arrays.words(axis)} is not x, y or z")
        if up is not None or center is not None:
            raise InputError("up, center: belong to a plane given by its normal")
        along = "xyz".index(axis)
        at = box.center[along] if position is None else float(position)
        if not scan and pixel is None and size is None:
            return _core.plane(box, _arrays.host_float(what), axis, at)
        normal = [(1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, 1.0)][along]
        center = [at if n == along else box.center[n] for n in range(3)]
    elif position is not None:
        raise InputError("position: belongs to an axis; give center beside normal")
    plane = _core.Plane([float(c) for c in (box.center if center is None else center)], [float(n) for n in normal],
                        [float(u) for u in (up or (0, 0, 0))], float(pixel or 0), int(size or 0))
    if not scan:
        return _core.cut_of_volume(box, _arrays.host_float(what), plane)
    return _core.cut_of_scan(scan._source, box, filter, plane, _device(device))


def colorize(values: Array, window: Any = None, colormap: str = "gray") -> np.ndarray:
    """Values (rows, columns) as colours (rows, columns, 3), uint8.

    window: (low, high), or percentiles as "1%,99%"
    """
    return _core.colorize(_arrays.host_float(values), _window(window), colormap)


class Renderer:
    """Takes pictures of a volume, or of a scan without a volume; what the device needs is kept between pictures.

        camera = bl.Renderer(scan)
        frames = [camera("dvr", azimuth=a) for a in range(0, 360, 4)]

    what:   a volume, or a scan (or its file): then every sample of every ray is reconstructed by filtered
            backprojection (D2VR: Rautek et al., EuroVis 2006)
    filter: of scans
    device: "gl", "cpu" (volumes; double precision, the reference), or "auto": gl where it starts
    """

    def __init__(self, what, *, grid=None, filter="ram-lak", device="auto"):
        scan = _scan_of(what)
        self._words = repr(scan) if scan else f"a {grid_of(what, grid)!r}"
        self._core = (_core.scan_renderer(scan._source, scan.volume if grid is None else any_volume(grid), filter,
                                          _device(device)) if scan
                      else _core.volume_renderer(grid_of(what, grid), _arrays.host_float(what), _device(device)))

    def __repr__(self):
        return f"renderer of {self._words} on {self.device}"

    @property
    def device(self) -> str:
        """The device that draws."""
        return self._core.device

    def __call__(self, mode: str = "dvr", *, size: Size = 512, window: Any = None, colormap: str = "gray",
                 transfer: Any = "auto", iso: float | None = None, azimuth: float = -60.0, elevation: float = 20.0,
                 fov: float = 30.0, zoom: float = 1.0, offset: Sequence[float] = (0, 0, 0), antialias: int = 1,
                 step: float = 0.5, gradient_opacity: float = 0.0, shadows: float = 0.0, occlusion: float = 0.0,
                 shaded: bool = True, jitter: bool = False, water: float = 0.02, crop: Any = None,
                 clips: Sequence[Any] = (), background: Any = "#000000", surface_color: Any = "#e8d6b8") -> np.ndarray:
        """A picture (rows, columns, 3), uint8; see :func:`render`."""
        rows, columns = (size, size) if np.ndim(size) == 0 else size
        return self._core.picture(mode, _window(window), transfer, colormap, None if iso is None else float(iso),
                                  [azimuth, elevation, fov, zoom], list(map(float, offset)),
                                  [int(columns), int(rows)], int(antialias), float(step),
                                  [float(gradient_opacity), float(shadows), float(occlusion)], bool(shaded), bool(jitter),
                                  _arrays.number(water, "water"), None if crop is None else _corners(crop, "crop"),
                                  [_corners(c, "clips") for c in clips], _color(background, "background"),
                                  _color(surface_color, "surface_color"))


def render(what: Any, mode: str = "dvr", *, grid: Any = None, axis: str | None = None, position: float | None = None,
           window: Any = None, colormap: str = "gray", filter: str = "ram-lak", device: Any = "auto",
           **look: Any) -> np.ndarray:
    """A picture: (rows, columns, 3), uint8, row 0 at the top.

    what:      a volume, or a scan or its file: pictures straight from the projections, without a volume (D2VR)
    mode:      slice, or seen by a camera: mip (largest values), average, drr (line integrals), iso (a surface), dvr
               (light through a transfer function). mip of a volume with axis= looks along that axis
    size:      pixels of a camera's picture, one number or (rows, columns)
    window:    (low, high), or percentiles as "0.1%,99.9%"
    transfer:  dvr: a name or a file; auto: by the volume's values, as in the viewer
    iso:       value of the surface; None: of the object, or of its denser part, by the values
    azimuth, elevation, fov: degrees; fov 0 is orthographic
    offset:    mm from the middle of the volume to the middle of the picture, (x, y, z)
    antialias: n x n rays a pixel
    step:      distance of samples, in voxels
    gradient_opacity: dvr of volumes: even parts become clear, borders stay; 0 to 1
    shadows, occlusion: dvr and iso of volumes: soft shadows, and dark hollows and gaps; 0 to 1
    shaded:    dvr: strong gradients are lit
    jitter:    shifts the samples of each ray: noise in place of rings
    water:     1/mm, to which transfer functions in HU refer
    crop:      ((x, y, z), (x, y, z)), mm: shows only the box between two corners
    clips:     pairs of a point and a normal, mm: cuts the volume away on the side to which the normal points
    background, surface_color: "#rrggbb" or (red, green, blue), 0 to 255; the latter of iso
    filter:    of scans
    device:    as of :class:`Renderer`, which keeps what several pictures share
    """
    if mode == "slice":
        return colorize(slice_of(what, axis or "z", position, grid, filter=filter, device=device, **look), window,
                        colormap)
    if mode == "mip" and axis is not None:
        return colorize(_core.plane(grid_of(what, grid), _arrays.host_float(what), axis, None), window, colormap)
    if axis is not None or position is not None:
        raise InputError("axis, position: belong to mode slice")
    return Renderer(what, grid=grid, filter=filter, device=device)(mode, window=window, colormap=colormap, **look)


class Viewer:
    """A running backlit-view: in a window, or served to browsers. In a notebook the cell shows it.

        viewer = bl.show(scan)
        viewer.set("precision", "half")
        viewer.command("wait done")
        viewer.command("window 0 0.04")
        plt.imshow(viewer.picture("pane Axial"))

    address: of the browser page, with its token; None for a window
    process: the program, a subprocess.Popen
    """

    def __init__(self, process, address=None, height=640):
        self.process, self.address, self._height = process, address, height
        self._lines = queue.SimpleQueue()  # with a queue each for the answer
        self._talk = threading.Thread(target=_converse, args=(process, self._lines), daemon=True)
        self._talk.start()
        if address:
            atexit.register(self.close)  # nobody else ends a viewer without a window

    def command(self, *words: Any) -> str:
        """Runs a command of the viewer's scripts (F1 in the viewer lists them), and returns what it says.

            viewer.command("set precision half")          # as a script writes it
            viewer.command("export volume", "my v.mha")   # or further words, which may hold blanks

        Commands that work in the background, such as `reconstruct`, return at once; "wait done" waits for their end.
        A command that fails raises InputError.
        """
        line = " ".join([str(words[0]), *map(_quoted, words[1:])]) if words else ""
        if "\n" in line:
            raise InputError("command: one at a time, in one line")
        answers = queue.SimpleQueue()
        self._lines.put((line + "\n", answers))
        answer = None
        while answer is None:  # in steps: another thread may take the signal of Ctrl-C, and does not wake this one
            alive = self._talk.is_alive()  # not after close()
            try:
                answer = answers.get(timeout=0.2)
            except queue.Empty:
                answer = None if alive else ""
        if not answer:
            raise Failure("viewer: has ended")
        state, _, text = answer.rstrip("\n").partition(" ")
        if state == "error:":
            raise InputError(text)
        return text

    def set(self, name: str, value: Any) -> None:
        """Sets a parameter by its name, as `set` of scripts does."""
        self.command("set", name, str(value).lower() if isinstance(value, bool) else value)

    def get(self, name: str) -> Any:
        """A parameter, or a value that `expect` of scripts knows: a number where it is one, else text."""
        text = self.command("get", name)
        try:
            return float(text)
        except ValueError:
            return text

    def picture(self, label: str | None = None) -> np.ndarray:
        """The window, or the pane, plot or button of that label, as (rows, columns, 3), uint8."""
        with tempfile.TemporaryDirectory(prefix="backlit-") as folder:
            path = os.path.join(folder, "picture.png")
            self.command("screenshot", path, *([label] if label else []))
            return _core.load_png(path)

    def close(self) -> None:
        """Ends the viewer."""
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait()
        self._lines.put(None)
        for pipe in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(OSError):  # a viewer that died before
                pipe.close()

    def _repr_html_(self):
        if not self.address:
            return None
        port = self.address.split("://", 1)[1].split("/", 1)[0].rsplit(":", 1)[1]
        return (f'<iframe src="{self.address}" width="100%" height="{self._height}" style="border: 0"></iframe>'
                f'<a href="{self.address}" target="_blank">in a tab of its own</a> (from another machine: '
                f"<code>ssh -L {port}:127.0.0.1:{port} SERVER</code>)")

    def __repr__(self):
        return f"viewer at {self.address}" if self.address else f"viewer in a window, process {self.process.pid}"


def _converse(process, lines):
    """Writes lines to a viewer and reads their answers, in a thread of its own: Ctrl-C never comes between the two."""
    for line, answers in iter(lines.get, None):
        answer = ""
        with contextlib.suppress(OSError, ValueError):  # a viewer that died, closed pipes
            os.write(process.stdin.fileno(), os.fsencode(line))  # nothing stays in a buffer for close()
            answer = process.stdout.readline()
            while answer and not answer.startswith(("ok", "error: ")):  # what else it prints
                answer = process.stdout.readline()
        answers.put(answer)


def _quoted(word):
    """A word of a command, in quotes where it needs them."""
    text = str(word)
    if text and not set(text) & set(' \t"#\\'):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _in_notebook():
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return type(shell).__name__ == "ZMQInteractiveShell"


def show(what: Any, grid: Any = None, program: str | None = None, browser: bool | None = None,
         height: int = 640) -> Viewer:
    """Opens backlit-view on a volume, a scan or a file and goes on; returns a :class:`Viewer`, which takes commands.

    program: the viewer; left out, $BACKLIT_VIEW or backlit-view of the PATH
    browser: True: serves the viewer to a browser on this machine, or through `ssh -L`. No display is needed. The viewer
             ends by close(), or with this program. None: True in notebooks and where there is no display
    height:  of a notebook's cell, pixels
    """
    program = program or os.environ.get("BACKLIT_VIEW") or shutil.which("backlit-view")
    if not program:
        raise Failure("backlit-view: was not found; install Backlit's programs, or set BACKLIT_VIEW to the viewer")
    if isinstance(what, (str, os.PathLike)):
        path = os.fspath(what)
    else:
        folder = tempfile.mkdtemp(prefix="backlit-")  # the viewer may read it at any time
        path = os.path.join(folder, "scan.scan.toml" if isinstance(what, Scan) else "volume.mha")
        save(path, what, *([] if isinstance(what, Scan) else [grid]))
    if browser is None:
        browser = _in_notebook() or not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    try:
        process = subprocess.Popen([program, "--commands", *(["--serve", "0"] if browser else []), path],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    except OSError as reason:
        raise Failure(f"{program}: cannot be started ({reason.strerror}); set BACKLIT_VIEW to the viewer") from None
    if not browser:
        return Viewer(process)
    address = process.stdout.readline().strip()
    if not address.startswith("http"):
        process.wait()
        raise Failure(f"backlit-view: ended with exit code {process.returncode}; see its message above")
    return Viewer(process, address, height)
