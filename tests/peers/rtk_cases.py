"""RTK: FDK, Joseph's projection and exact line integrals, its data and geometry here and Backlit's there."""

import tempfile
from pathlib import Path

import itk
import numpy as np

import rtk_scan as rtk
from harness import Result, backlit, case, relative, scan_file

N, VOXEL, COLUMNS, ROWS, PIXEL, VIEWS, SID, SDD = 64, 2.0, 96, 80, 2.5, 90, 300, 450
GRID = ("--grid", f"{N}x{N}x{N}", "--voxel", VOXEL)
ROUNDING = 1e-6  # both keep projections and volumes in single precision

SCALE = ("RTK scales views as if its source lay in the plane of rotation and its rows in that plane, too. For an object "
         "that does not change along the axis, for which FDK is exact, Backlit's values are right and RTK's are too "
         "large by the number stated. The difference is what is left when RTK's volume is divided by that number.")
WEIGHTS = ("Both weigh the rays that a displaced detector measures twice by Wang's method (Med. Phys. 29 (2002) 1634). "
           "RTK's weights rise over the whole overlap, from the middle of the first pixel; Backlit's from that pixel's "
           "edge, and over a part of the overlap where the detector is displaced by less than that. This "
           "leaves 9 % less noise in the first case. With Backlit's weights RTK's FDK gives Backlit's volume.")


TOGETHER = "With both tilts the two scales vary a little across a view."
TIE = "Two of the rays run within 1e-5 of 45 degrees between two axes. Either may be their main axis."


def circle(count=VIEWS, arc=360.0, **more):
    return [dict(sid=SID, sdd=SDD, angle=arc * i / count, **more) for i in range(count)]


# name: title, views, radius of a cylindrical detector, by how much RTK's FDK is too large
SCANS = {
    "full": ("full circle", circle(), 0, 1),
    "short": ("short scan of 220 degrees (Parker)", circle(arc=220.0), 0, 1),
    "vertical-offset": ("`ProjectionOffsetY` 6 mm", circle(offset_y=6.0), 0, 1),
    "half-fan": ("half fan, `ProjectionOffsetX` 40 mm", circle(offset_x=40.0), 0, 1),
    "out-of-plane": ("`OutOfPlaneAngle` 2 degrees", circle(tilt=2.0), 0, 1 / np.cos(np.radians(2))),
    "in-plane": ("`InPlaneAngle` 3 degrees", circle(in_plane=3.0), 0, np.cos(np.radians(3))),
    "both-tilts": ("both tilts", circle(tilt=2.0, in_plane=3.0), 0, None),
    "source-x": ("`SourceOffsetX` 5 mm", circle(source_x=5.0), 0, 1),
    "source-y": ("`SourceOffsetY` 5 mm", circle(source_y=5.0), 0, np.hypot(1, 5 / SID)),
    "cylinder": ("cylindrical detector, radius 450 mm", circle(), SDD, None),
    "cylinder-400": ("cylindrical detector, radius 400 mm, `ProjectionOffsetX` 20 mm", circle(offset_x=20.0), 400, None),
}


def field_of_view(radius=50, ends=12):
    """Voxels within `radius` mm of the axis, `ends` slices left out at both ends of the volume."""
    c = (np.arange(N) - (N - 1) / 2) * VOXEL
    region = np.broadcast_to(c[:, None] ** 2 + c[None, :] ** 2 < radius**2, (N, N, N)).copy()
    region[:ends] = region[N - ends:] = False
    return region


FIELD = field_of_view()
PHANTOM = rtk.phantom(N, VOXEL)


def write_scan(folder, geometry, stack=None, columns=COLUMNS):
    """g.xml by RTK, p.mha where there is a stack, and the scan file s.scan.toml."""
    rtk.write_xml(geometry, Path(folder) / "g.xml")
    if stack is not None:
        itk.imwrite(stack, str(Path(folder) / "p.mha"))
    scan_file(folder, columns, ROWS, PIXEL, 'geometry = "g.xml"', None if stack is None else "p.mha")


def our_fdk(geometry, stack, columns=COLUMNS):
    with tempfile.TemporaryDirectory() as folder:
        write_scan(folder, geometry, stack, columns)
        backlit(folder, "recon", "s.scan.toml", "--backend", "cpu", *GRID, "-o", "v.npy", "-q")
        return np.load(Path(folder) / "v.npy")


def compared(ours, theirs, factor=1.0):
    return Result(relative(ours, theirs / factor, FIELD), relative(ours, PHANTOM, FIELD),
                  relative(theirs, PHANTOM, FIELD))


def fdk(views, shift=(0, 0), columns=COLUMNS, factor=1.0):
    geometry = rtk.geometry(views)
    stack = rtk.projections(geometry, columns, ROWS, PIXEL, shift)
    return compared(our_fdk(geometry, stack, columns), rtk.fdk(geometry, stack, N, VOXEL), factor)


# --- FDK, RTK's exact projections and geometry through both ----------------------------------------------------------

for name in ("full", "short", "vertical-offset", "source-x"):
    case(f"rtk-fdk-{name}", f"RTK FDK, {SCANS[name][0]}", ROUNDING)(lambda v=SCANS[name][1]: fdk(v))

case("rtk-fdk-vertical-origin", "RTK FDK, origin of the images 6 mm higher", ROUNDING)(
    lambda: fdk(circle(), shift=(0.0, 6.0)))

for name in ("out-of-plane", "in-plane", "source-y"):
    title, views, _, factor = SCANS[name]
    case(f"rtk-fdk-{name}", f"RTK FDK / {factor:.6f}, {title}", ROUNDING, SCALE)(
        lambda v=views, f=factor: fdk(v, factor=f))
BOTH = SCANS["out-of-plane"][3] * SCANS["in-plane"][3]
case("rtk-fdk-both-tilts", f"RTK FDK / {BOTH:.6f}, both tilts", 1e-5, f"{SCALE} {TOGETHER}")(
    lambda: fdk(SCANS["both-tilts"][1], factor=BOTH))


def column(views):
    """The mean in the middle of a column whose value is 0.02/mm, as relative error."""
    geometry = rtk.geometry(views)
    stack = rtk.projections(geometry, COLUMNS, ROWS, PIXEL, bodies=rtk.COLUMN)
    middle = field_of_view(30, 30)
    ours, theirs = (abs(v[middle].mean() / 0.02 - 1)
                    for v in (our_fdk(geometry, stack), rtk.fdk(geometry, stack, N, VOXEL)))
    return Result(ours, ours, theirs)


for name, more in (("full", {}), ("out-of-plane", dict(tilt=8.0)), ("in-plane", dict(in_plane=8.0)),
                   ("source-y", dict(source_y=24.0))):
    words = ", ".join(f"{key} {value:g}" for key, value in more.items()).replace("_", " ") or "full circle"
    case(f"rtk-column-{name}", f"Mean of a column, {words}: its relative error", 2e-3)(
        lambda m=more: column(circle(**m)))


# --- the half fan ----------------------------------------------------------------------------------------------------

case("rtk-fdk-half-fan-geometry", f"RTK FDK, {SCANS['half-fan'][0]}", 4e-3, WEIGHTS)(
    lambda: fdk(SCANS["half-fan"][1]))
case("rtk-fdk-half-fan-origin", "RTK FDK, half fan, origin of the images 40 mm aside", 4e-3, WEIGHTS)(
    lambda: fdk(circle(), shift=(40.0, 0.0)))
case("rtk-fdk-half-fan-wide", "RTK FDK, half fan of 80 columns, `ProjectionOffsetX` 80 mm", 1e-3, WEIGHTS)(
    lambda: fdk(circle(offset_x=80.0), columns=80))


def half_fan_weights(columns, offset):
    """Backlit's weights of the columns of a displaced detector whose middle is `offset` mm beside the axis."""

    def angle(c):
        return np.arctan(((c - (columns - 1) / 2) * PIXEL + offset) / SDD)

    low, high = angle(-0.5), angle(columns - 0.5)
    rise = min(2 * min(-low, high), max(abs(low + high), 0.1 * (high - low)))

    def trust(a):
        from_short, from_long = (a - low, high - a) if -low < high else (high - a, a - low)
        return np.where(from_long < 0, 0, np.sin(0.5 * np.pi * np.clip(from_short / rise, 0, 1)) ** 2)

    mine, conjugate = trust(angle(np.arange(columns))), trust(-angle(np.arange(columns)))
    return mine / (mine + conjugate)


def half_fan_reweighed(columns, offset):
    """RTK's FDK of views that are weighed as Backlit does, with zero columns on the short side."""
    geometry = rtk.geometry(circle(offset_x=offset))
    stack = rtk.projections(geometry, columns, ROWS, PIXEL)
    weighed = itk.array_from_image(stack) * 2 * half_fan_weights(columns, offset)
    wide = np.pad(weighed, ((0, 0), (0, 0), (columns, 0) if offset > 0 else (0, columns)))
    moved = -np.sign(offset) * columns * PIXEL / 2
    theirs = rtk.fdk(geometry, rtk.views_of(wide, PIXEL, (moved, 0, 0)), N, VOXEL, displaced=False)
    return compared(our_fdk(geometry, stack, columns), theirs)


for columns, offset in ((COLUMNS, 40.0), (COLUMNS, -40.0), (80, 80.0)):
    case(f"rtk-fdk-half-fan-reweighed{offset:+g}",
         f"RTK FDK of views with Backlit's weights, half fan of {columns} columns, {offset:g} mm", ROUNDING)(
        lambda c=columns, o=offset: half_fan_reweighed(c, o))


# --- projections, both ways ------------------------------------------------------------------------------------------

def write_phantom(file):
    bodies = "".join(
        f'[[body]]\nshape = "ellipsoid"\ncenter = {[float(c[2]), float(c[0]), float(c[1])]}\n'
        f"half = {[float(h[2]), float(h[0]), float(h[1])]}\nvalue = {value}\n" for c, h, value in rtk.ELLIPSOIDS)
    file.write_text(f'name = "ellipsoids"\n{bodies}')


def exact(name):
    """Backlit's exact projections and its own copy of the geometry, read by RTK, beside RTK's."""
    views, radius = SCANS[name][1][::4], SCANS[name][2]
    geometry = rtk.geometry(views, radius)
    theirs = itk.array_from_image(rtk.projections(geometry, COLUMNS, ROWS, PIXEL))
    with tempfile.TemporaryDirectory() as folder:
        write_scan(folder, geometry)
        write_phantom(Path(folder) / "e.phantom.toml")
        backlit(folder, "simulate", "e.phantom.toml", "--scan", "s.scan.toml", "-o", "p.mha", "-q")
        backlit(folder, "info", "s.scan.toml", "--geometry", "ours.xml", "-q")
        again = rtk.read_xml(Path(folder) / "ours.xml")
        stack = itk.imread(str(Path(folder) / "p.mha"), itk.F)
    for i in range(len(views)):
        a, b = (itk.array_from_matrix(g.GetMatrix(i)) for g in (again, geometry))
        if relative(a, b) > 1e-9:
            raise AssertionError(f"view {i}: RTK reads another matrix from Backlit's XML")
    if radius != again.GetRadiusCylindricalDetector() and radius != SDD:
        raise AssertionError("RTK reads another radius from Backlit's XML")
    frame = list(stack.GetOrigin())[:2] + list(stack.GetSpacing())[:2]
    expected = rtk.centred((COLUMNS, ROWS), (PIXEL, PIXEL)) + [PIXEL, PIXEL]
    if not np.allclose(frame, expected, atol=1e-6):
        raise AssertionError(f"RTK reads origin and spacing {frame} in Backlit's projections, not {expected}")
    return Result(relative(itk.array_from_image(stack), theirs))


def joseph(name):
    geometry = rtk.geometry(SCANS[name][1][::4], SCANS[name][2])
    theirs = rtk.joseph(geometry, PHANTOM, VOXEL, COLUMNS, ROWS, PIXEL)
    with tempfile.TemporaryDirectory() as folder:
        image = itk.image_from_array(PHANTOM)
        image.SetSpacing((VOXEL,) * 3)
        image.SetOrigin(rtk.centred((N,) * 3, (VOXEL,) * 3))
        itk.imwrite(image, str(Path(folder) / "v.mha"))
        write_scan(folder, geometry)
        backlit(folder, "project", "v.mha", "--scan", "s.scan.toml", "--backend", "cpu", "--model", "joseph", "-o",
                "p.npy", "-q")
        return Result(relative(np.load(Path(folder) / "p.npy"), theirs))


for name, (title, _, _, _) in SCANS.items():
    case(f"rtk-exact-{name}", f"RTK, exact line integrals written by Backlit, {title}", ROUNDING)(
        lambda n=name: exact(n))
    tie = name == "both-tilts"
    case(f"rtk-joseph-{name}", f"RTK, Joseph's projection, {title}", 1e-5 if tie else ROUNDING, TIE if tie else "")(
        lambda n=name: joseph(n))


@case("rtk-fdk-ours-there", "RTK FDK of Backlit's projections and geometry, short scan", ROUNDING)
def ours_there():
    """As rtk-fdk-short, but all that RTK reads was written by Backlit."""
    with tempfile.TemporaryDirectory() as folder:
        scan_file(folder, COLUMNS, ROWS, PIXEL,
                  f'kind = "circular"\nviews = {VIEWS}\narc_deg = 220.0\nsource_to_axis_mm = {SID}.0\n'
                  f"source_to_detector_mm = {SDD}.0", "p.mha")
        write_phantom(Path(folder) / "e.phantom.toml")
        backlit(folder, "simulate", "e.phantom.toml", "--scan", "s.scan.toml", "-o", "p.mha", "-q")
        scan = "s.scan.toml"
        backlit(folder, "info", scan, "--geometry", "ours.xml", "-q")
        backlit(folder, "recon", scan, "--backend", "cpu", *GRID, "-o", "v.npy", "-q")
        theirs = rtk.fdk(rtk.read_xml(Path(folder) / "ours.xml"), itk.imread(str(Path(folder) / "p.mha"), itk.F), N,
                         VOXEL)
        return compared(np.load(Path(folder) / "v.npy"), theirs)


@case("rtk-fdk-cylinder", "Backlit's FDK on RTK's exact projections onto a cylinder (RTK's FDK takes flat ones only): "
      "error against the object", 0.04)
def cylinder():
    geometry = rtk.geometry(circle(), SDD)
    ours = our_fdk(geometry, rtk.projections(geometry, COLUMNS, ROWS, PIXEL))
    return Result(relative(ours, PHANTOM, FIELD))
