"""Compares Backlit with RTK and ASTRA. Usage: compare.py BACKLIT [CASE...]; without a CASE: all.

Prints a line a case and exits with 1 when one is beyond its bound. scripts/setup_peers.sh makes the environment.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

CASES = {}
N, VOXEL, COLUMNS, ROWS, PIXEL, VIEWS, SID, SDD = 64, 2.0, 96, 80, 2.5, 90, 300, 450


def case(name, bound, why=""):
    def add(work):
        CASES[name] = (work, bound, why)
        return work

    return add


def backlit(folder, *words):
    done = subprocess.run([PROGRAM, *map(str, words)], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"backlit {' '.join(map(str, words))}: {done.stderr}")
    return done.stdout


def relative(a, b, region=np.s_[...]):
    return float(np.linalg.norm(a[region] - b[region]) / np.linalg.norm(b[region]))


def field_of_view(radius, ends):
    """Voxels within `radius` mm of the axis, `ends` slices left out at both ends of the volume."""
    c = (np.arange(N) - (N - 1) / 2) * VOXEL
    inside = c[:, None] ** 2 + c[None, :] ** 2 < radius**2
    region = np.broadcast_to(inside, (N, N, N)).copy()
    region[:ends] = region[N - ends:] = False
    return region


def circle(count=VIEWS, arc=360.0, start=0.0, **more):
    return [dict(sid=SID, sdd=SDD, angle=start + arc * i / count, **more) for i in range(count)]


def rtk_fdk(views, shift=(0, 0), radius=55, ends=12, columns=COLUMNS):
    """RTK's exact projections and geometry through both; the errors of both against the phantom are printed."""
    import itk
    import rtk_case as rtk

    geometry = rtk.geometry(views)
    stack = rtk.projections(geometry, columns, ROWS, PIXEL, shift)
    theirs = rtk.fdk(geometry, stack, N, VOXEL)
    with tempfile.TemporaryDirectory() as folder:
        itk.imwrite(stack, str(Path(folder) / "p.mha"))
        rtk.write_xml(geometry, Path(folder) / "g.xml")
        (Path(folder) / "s.scan.toml").write_text(
            f"[detector]\ncolumns = {columns}\nrows = {ROWS}\npixel_mm = {PIXEL}\n"
            '[trajectory]\ngeometry = "g.xml"\n[data]\nprojections = "p.mha"\n')
        backlit(folder, "recon", "s.scan.toml", "--backend", "cpu", "--grid", f"{N}x{N}x{N}", "--voxel", VOXEL,
                "-o", "v.npy", "-q")
        ours = np.load(Path(folder) / "v.npy")
    region = field_of_view(radius, ends)
    truth = rtk.phantom(N, VOXEL)
    print(f"    against the phantom: Backlit {relative(ours, truth, region):.4f}, RTK {relative(theirs, truth, region):.4f}")
    return relative(ours, theirs, region)


@case("rtk-fdk-full", 1e-5)
def full():
    return rtk_fdk(circle())


@case("rtk-fdk-short", 1e-5)
def short():
    return rtk_fdk(circle(arc=220.0))


# RTK's weights of a displaced detector (Wang 2002) rise otherwise than Backlit's; at the edge of the overlap both err.
@case("rtk-fdk-half-fan-geometry", 1e-2)
def half_fan():
    return rtk_fdk(circle(offset_x=40.0), radius=50)


@case("rtk-fdk-half-fan-origin", 1e-2)
def half_fan_origin():
    return rtk_fdk(circle(), shift=(40.0, 0.0), radius=50)


@case("rtk-joseph", 1e-5)
def joseph():
    import rtk_case as rtk

    geometry = rtk.geometry(circle(count=24))
    volume = rtk.phantom(N, VOXEL)
    theirs = rtk.joseph(geometry, volume, VOXEL, COLUMNS, ROWS, PIXEL)
    with tempfile.TemporaryDirectory() as folder:
        import itk

        image = itk.image_from_array(volume)
        image.SetSpacing((VOXEL,) * 3)
        image.SetOrigin([-(N - 1) / 2 * VOXEL] * 3)
        itk.imwrite(image, str(Path(folder) / "v.mha"))
        rtk.write_xml(geometry, Path(folder) / "g.xml")
        itk.imwrite(rtk.blank((COLUMNS, ROWS, 24), (PIXEL, PIXEL, 1),
                              rtk.centred((COLUMNS, ROWS, 24), (PIXEL, PIXEL, 1))), str(Path(folder) / "z.mha"))
        (Path(folder) / "s.scan.toml").write_text(
            f"[detector]\ncolumns = {COLUMNS}\nrows = {ROWS}\npixel_mm = {PIXEL}\n"
            '[trajectory]\ngeometry = "g.xml"\n[data]\nprojections = "z.mha"\n')
        backlit(folder, "project", "v.mha", "--scan", "s.scan.toml", "--backend", "cpu", "--model", "joseph", "-o",
                "p.npy", "-q")
        ours = np.load(Path(folder) / "p.npy")
    return relative(ours, theirs)


@case("astra-table", 1e-6)
def astra_table():
    """The 12 numbers of each view: ASTRA's own of its circular cone scan beside what Backlit writes of its own."""
    import astra

    phi = 2 * np.pi * np.arange(VIEWS) / VIEWS
    geometry = astra.create_proj_geom("cone", PIXEL, PIXEL, ROWS, COLUMNS, phi + np.pi / 2, SID, SDD - SID)
    theirs = np.asarray(astra.geom_2vec(geometry)["Vectors"])
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "s.scan.toml").write_text(
            f"[detector]\ncolumns = {COLUMNS}\nrows = {ROWS}\npixel_mm = {PIXEL}\n[trajectory]\nkind = \"circular\"\n"
            f"views = {VIEWS}\nsource_to_axis_mm = {SID}.0\nsource_to_detector_mm = {SDD}.0\n")
        backlit(folder, "info", "s.scan.toml", "--geometry", "ours.txt")
        ours = np.loadtxt(Path(folder) / "ours.txt")
    return relative(ours, theirs)


def flat_scan(kind):
    """A phantom in 2-D, its exact sinogram by strips is not needed: projections come from ASTRA's matrix."""
    import astra

    n, columns, views, pixel = 64, 96, 120, 1.0
    angles = np.linspace(0, np.pi if kind == "parallel" else 2 * np.pi, views, endpoint=False)
    volume = astra.create_vol_geom(n, n)
    if kind == "parallel":
        geometry = astra.create_proj_geom("parallel", pixel, columns, angles)
        projector = astra.create_projector("line", geometry, volume)
    else:
        geometry = astra.create_proj_geom("fanflat", 2 * pixel, columns, angles, 200, 200)
        projector = astra.create_projector("line_fanflat", geometry, volume)
    y, x = np.mgrid[:n, :n] - (n - 1) / 2
    image = ((x / 25) ** 2 + (y / 28) ** 2 <= 1) * 0.02 + (((x - 8) / 6) ** 2 + ((y + 5) / 9) ** 2 <= 1) * 0.01
    matrix_id = astra.projector.matrix(projector)
    matrix = astra.matrix.get(matrix_id)
    sinogram = (matrix @ image.ravel()).reshape(views, columns)
    return astra, volume, geometry, projector, sinogram, image


def flat_methods(kind, method, iterations, model):
    astra, volume, geometry, projector, sinogram, image = flat_scan(kind)
    data = astra.data2d.create("-sino", geometry, sinogram.astype(np.float32))
    result = astra.data2d.create("-vol", volume)
    config = astra.astra_dict({"fbp": "FBP", "sirt": "SIRT", "cgls": "CGLS"}[method])
    config.update(ProjectorId=projector, ProjectionDataId=data, ReconstructionDataId=result)
    algorithm = astra.algorithm.create(config)
    astra.algorithm.run(algorithm, iterations)
    # ASTRA's rows run down its y axis; its angle is that of the detector: the ray's angle less 90 degrees.
    theirs = np.flipud(astra.data2d.get(result))
    n, (views, columns) = image.shape[0], sinogram.shape
    with tempfile.TemporaryDirectory() as folder:
        np.save(Path(folder) / "p.npy", sinogram.astype(np.float32)[:, None, :])
        arc, pixel = (180.0, 1.0) if kind == "parallel" else (360.0, 2.0)
        distances = "" if kind == "parallel" else "source_to_axis_mm = 200.0\nsource_to_detector_mm = 400.0\n"
        (Path(folder) / "s.scan.toml").write_text(
            f"[detector]\ncolumns = {columns}\nrows = 1\npixel_mm = {pixel}\n[trajectory]\n"
            f"kind = \"{'parallel' if kind == 'parallel' else 'circular'}\"\nviews = {views}\nstart_deg = -90.0\n"
            f"arc_deg = {arc}\n{distances}[data]\nprojections = \"p.npy\"\n")
        words = ["recon", "s.scan.toml", "--backend", "cpu", "--grid", f"{n}x{n}x1", "--voxel", 1, "-o", "v.npy", "-q"]
        if method != "fbp":
            words += ["--method", method, "--iterations", iterations, "--model", model]
        backlit(folder, *words)
        ours = np.load(Path(folder) / "v.npy")[0]
    y, x = np.mgrid[:n, :n] - (n - 1) / 2
    inside = x**2 + y**2 < 30**2
    print(f"    against the phantom: Backlit {relative(ours, np.flipud(image), inside):.4f}, "
          f"ASTRA {relative(theirs, np.flipud(image), inside):.4f}")
    return relative(ours, theirs, inside)


# ASTRA's FBP backprojects by the transpose of its rays, Backlit by the place of each voxel: another method.
# On the CPU it takes parallel beams alone.
for beam in ("parallel", "fan"):
    for method, iterations, bound in (("fbp", 1, 5e-2), ("sirt", 20, 1e-5), ("cgls", 10, 2e-5)):
        if (beam, method) == ("fan", "fbp"):
            continue
        CASES[f"astra-{beam}-{method}"] = (
            lambda b=beam, m=method, i=iterations: flat_methods(b, m, i, "siddon"), bound, "")


def main(program, names):
    global PROGRAM
    PROGRAM = str(Path(program).resolve())
    failed = 0
    for name in names or CASES:
        work, bound, why = CASES[name]
        difference = work()
        good = difference <= bound
        failed += not good
        print(f"{name}: relative L2 {difference:.2e}, bound {bound:.0e}{'' if good else ': TOO FAR'}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
