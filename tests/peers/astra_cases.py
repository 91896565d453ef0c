"""ASTRA on the CPU: tables of cone_vec and parallel3d_vec both ways; FBP, SIRT and CGLS on flat scans."""

import tempfile
from pathlib import Path

import astra
import numpy as np

from harness import Result, backlit, case, ramp_taps, relative, scan_file

COLUMNS, ROWS, PIXEL, VIEWS, SID, SDD = 96, 80, 2.5, 90, 300, 450
OFFSET = (3.25, -1.5)  # columns and rows by which the axis lies beside the detector's middle

# --- tables of views -------------------------------------------------------------------------------------------------


def our_trajectory(beam, views=VIEWS):
    if beam == "cone":
        return (f'kind = "circular"\nviews = {views}\nsource_to_axis_mm = {SID}.0\n'
                f"source_to_detector_mm = {SDD}.0\n")
    return f'kind = "parallel"\nviews = {views}\narc_deg = 180.0\n'


def table_of(beam, offset):
    """ASTRA's 12 numbers of each view of its own circular scan."""
    # ASTRA's view at an angle is Backlit's at that angle - 90 degrees.
    angles = np.linspace(0, 2 * np.pi if beam == "cone" else np.pi, VIEWS, endpoint=False) + np.pi / 2
    if beam == "cone":
        geometry = astra.create_proj_geom("cone", PIXEL, PIXEL, ROWS, COLUMNS, angles, SID, SDD - SID)
    else:
        geometry = astra.create_proj_geom("parallel3d", PIXEL, PIXEL, ROWS, COLUMNS, angles)
    geometry = astra.geom_postalignment(geometry, (-offset[0], -offset[1])) if any(offset) else geometry
    return np.asarray(astra.geom_2vec(geometry)["Vectors"])


def table_written(beam, offset):
    with tempfile.TemporaryDirectory() as folder:
        scan_file(folder, COLUMNS, ROWS, PIXEL, our_trajectory(beam), detector=f"offset_px = {list(offset)}")
        backlit(folder, "info", "s.scan.toml", "--geometry", "ours.txt", "-q")
        return Result(relative(np.loadtxt(Path(folder) / "ours.txt"), table_of(beam, offset)))


def table_read(beam, offset):
    """Projections of a phantom along the views of ASTRA's table beside those of Backlit's own trajectory."""
    with tempfile.TemporaryDirectory() as folder:
        comment = "parallel3d_vec" if beam == "parallel3d" else "cone_vec"
        np.savetxt(Path(folder) / "theirs.txt", table_of(beam, offset), header=comment)
        scan_file(folder, COLUMNS, ROWS, PIXEL, our_trajectory(beam), detector=f"offset_px = {list(offset)}")
        scan_file(folder, COLUMNS, ROWS, PIXEL, 'geometry = "theirs.txt"', name="t.scan.toml")
        for scan in "st":
            backlit(folder, "simulate", "shepp-logan-3d", "--scan", f"{scan}.scan.toml", "-o",
                    f"of-{scan}.npy", "-q")
        return Result(relative(np.load(Path(folder) / "of-t.npy"), np.load(Path(folder) / "of-s.npy")))


for beam in ("cone", "parallel3d"):
    for name, offset in (("", (0.0, 0.0)), ("-offset", OFFSET)):
        words = f"`{beam}_vec`" + (", detector offset" if name else "")
        case(f"astra-table-written-{beam}{name}", f"ASTRA {words}, written by Backlit", 1e-14)(
            lambda b=beam, o=offset: table_written(b, o))
        case(f"astra-table-read-{beam}{name}", f"ASTRA {words}, read by Backlit: exact line integrals", 1e-6)(
            lambda b=beam, o=offset: table_read(b, o))

# --- flat scans ------------------------------------------------------------------------------------------------------

N, FLAT_COLUMNS, FLAT_VIEWS = 64, 96, 120
Y, X = np.mgrid[:N, :N] - (N - 1) / 2
IMAGE = ((X / 25) ** 2 + (Y / 28) ** 2 <= 1) * 0.02 + (((X - 8) / 6) ** 2 + ((Y + 5) / 9) ** 2 <= 1) * 0.01
FIELD = X**2 + Y**2 < 30**2
MODELS = {"line": "siddon", "linear": "joseph", "strip": None}


class FlatScan:
    """ASTRA's own projections of IMAGE, of 64 x 64 pixels, by the rays of `projector`."""

    def __init__(self, beam, projector):
        self.beam, self.volume = beam, astra.create_vol_geom(N, N)
        angles = np.linspace(0, np.pi if beam == "parallel" else 2 * np.pi, FLAT_VIEWS, endpoint=False)
        if beam == "parallel":
            self.geometry = astra.create_proj_geom("parallel", 1.0, FLAT_COLUMNS, angles)
        else:
            self.geometry = astra.create_proj_geom("fanflat", 2.0, FLAT_COLUMNS, angles, 200, 200)
            projector += "_fanflat"
        self.projector = astra.create_projector(projector, self.geometry, self.volume)
        self.matrix = astra.matrix.get(astra.projector.matrix(self.projector))
        self.sinogram = (self.matrix @ IMAGE.ravel()).reshape(FLAT_VIEWS, FLAT_COLUMNS).astype(np.float32)

    def theirs(self, algorithm, iterations=1):
        data = astra.data2d.create("-sino", self.geometry, self.sinogram)
        result = astra.data2d.create("-vol", self.volume)
        config = astra.astra_dict(algorithm)
        config.update(ProjectorId=self.projector, ProjectionDataId=data, ReconstructionDataId=result)
        astra.algorithm.run(astra.algorithm.create(config), iterations)
        return astra.data2d.get(result)

    def ours(self, *words):
        """In ASTRA's order: its rows run down the y axis."""
        with tempfile.TemporaryDirectory() as folder:
            np.save(Path(folder) / "p.npy", self.sinogram[:, None, :])
            kind = ('kind = "parallel"\narc_deg = 180.0' if self.beam == "parallel" else
                    'kind = "circular"\nsource_to_axis_mm = 200.0\nsource_to_detector_mm = 400.0')
            scan_file(folder, FLAT_COLUMNS, 1, 1.0 if self.beam == "parallel" else 2.0,
                      f"{kind}\nstart_deg = -90.0", "p.npy")
            backlit(folder, "recon", "s.scan.toml", "--backend", "cpu", "--grid", f"{N}x{N}x1", "--voxel", 1, "-o",
                    "v.npy", "-q", *words)
            return np.flipud(np.load(Path(folder) / "v.npy")[0])

    def filtered(self):
        taps = ramp_taps(FLAT_COLUMNS)
        middle = slice(FLAT_COLUMNS - 1, 2 * FLAT_COLUMNS - 1)
        return np.array([np.convolve(row, taps)[middle] for row in self.sinogram])


def compared(ours, theirs):
    return Result(relative(ours, theirs, FIELD), relative(ours, IMAGE, FIELD), relative(theirs, IMAGE, FIELD))


def iterative(beam, projector, algorithm, iterations):
    scan = FlatScan(beam, projector)
    return compared(scan.ours("--method", algorithm.lower(), "--iterations", iterations, "--model", MODELS[projector]),
                    scan.theirs(algorithm, iterations))


CGLS = "Conjugate gradients amplify the rounding of single precision, in either program, with each iteration."

for beam in ("parallel", "fan"):
    for projector in ("line",) if beam == "fan" else ("line", "linear"):
        for algorithm, iterations in (("SIRT", 20), ("CGLS", 10)):
            case(f"astra-{beam}-{projector}-{algorithm.lower()}",
                 f"ASTRA {algorithm}, {iterations} iterations, `{projector}` (`--model {MODELS[projector]}`), {beam} beam",
                 5e-5 if algorithm == "CGLS" else 1e-5, CGLS if algorithm == "CGLS" else "")(
                lambda b=beam, p=projector, a=algorithm, i=iterations: iterative(b, p, a, i))

BACKPROJECTION = ("The filter is the same. ASTRA backprojects by the transpose of its projector's rays, Backlit samples "
                  "each view where a voxel falls on it, as the formula says. A ray of `strip` is as wide as a pixel, so "
                  "its transpose comes close. ASTRA's backprojection of views that were filtered with Backlit's taps is "
                  "ASTRA's FBP (the row below).")

for projector, bound in (("line", 5e-2), ("linear", 2e-2), ("strip", 3e-3)):
    @case(f"astra-fbp-{projector}", f"ASTRA FBP, `{projector}`, parallel beam", bound, BACKPROJECTION)
    def fbp(projector=projector):
        scan = FlatScan("parallel", projector)
        return compared(scan.ours(), scan.theirs("FBP"))


@case("astra-fbp-filter", "ASTRA FBP, `line`, beside the transpose of its rays on views with Backlit's filter", 1e-5)
def fbp_filter():
    scan = FlatScan("parallel", "line")
    by_rays = (scan.matrix.T @ scan.filtered().ravel()).reshape(N, N) * np.pi / FLAT_VIEWS
    return compared(by_rays, scan.theirs("FBP"))
