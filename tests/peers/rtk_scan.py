"""A scan of ellipsoids in RTK: exact projections, geometry, FDK and Joseph projection, as numpy arrays.

RTK's axes (x, y, z) are Backlit's (y, z, x).
"""

import itk
import numpy as np
from itk import RTK as rtk

Image = itk.Image[itk.F, 3]

# centre, half axes in mm (RTK's x, y, z), value in 1/mm
ELLIPSOIDS = [((0, 0, 0), (52, 48, 50), 0.02), ((18, -10, 12), (9, 14, 8), 0.012), ((-20, 14, -6), (7, 6, 16), -0.01)]


# Does not change along Backlit's z: FDK is exact for it.
COLUMN = [((0, 0, 0), (50, 3000, 50), 0.02)]


def geometry(cases, radius=0):
    """`cases`: arguments of AddProjection, a view each. `radius`: of a cylindrical detector, mm."""
    g = rtk.ThreeDCircularProjectionGeometry.New()
    g.SetRadiusCylindricalDetector(radius)
    for c in cases:
        g.AddProjection(c["sid"], c["sdd"], c["angle"], c.get("offset_x", 0), c.get("offset_y", 0),
                        c.get("tilt", 0), c.get("in_plane", 0), c.get("source_x", 0), c.get("source_y", 0))
    return g


def blank(size, spacing, origin, value=0.0):
    source = rtk.ConstantImageSource[Image].New(Size=list(size), Spacing=list(spacing), Origin=list(origin),
                                                Constant=value)
    source.Update()
    return source.GetOutput()


def centred(size, spacing, shift=(0, 0, 0)):
    return [-(n - 1) / 2 * s + d for n, s, d in zip(size, spacing, shift)]


def views_of(array, pixel, shift=(0, 0, 0)):
    """An image of [view][row][column], its middle at `shift`, mm."""
    image = itk.image_from_array(np.ascontiguousarray(array, np.float32))
    image.SetSpacing((pixel, pixel, 1))
    image.SetOrigin(centred(array.shape[::-1], (pixel, pixel, 1), shift))
    return image


def projections(g, columns, rows, pixel, shift=(0, 0), bodies=None):
    """Exact line integrals. `shift`: of the images' origin, mm."""
    views = len(g.GetGantryAngles())
    size, spacing = (columns, rows, views), (pixel, pixel, 1)
    total = None
    for centre, half, value in bodies or ELLIPSOIDS:
        body = rtk.RayEllipsoidIntersectionImageFilter[Image, Image].New()
        body.SetInput(blank(size, spacing, centred(size, spacing, (*shift, 0))))
        body.SetGeometry(g)
        body.SetCenter(list(centre))
        body.SetAxis(list(half))
        body.SetDensity(value)
        body.Update()
        array = itk.array_from_image(body.GetOutput())
        total = array if total is None else total + array
    return views_of(total, pixel, (*shift, 0))


def fdk(g, stack, n, voxel, displaced=True):
    """n^3 voxels, as [z][y][x] of Backlit. `displaced`: RTK weighs the rays that a displaced detector measures twice."""
    source = stack
    angles = np.unwrap(np.array(g.GetGantryAngles()))
    if angles.max() - angles.min() < 1.9 * np.pi:
        parker = rtk.ParkerShortScanImageFilter[Image].New()
        parker.SetInput(source)
        parker.SetGeometry(g)
        parker.InPlaceOff()
        source = parker.GetOutput()
    if displaced:
        weights = rtk.DisplacedDetectorImageFilter[Image].New()
        weights.SetInput(source)
        weights.SetGeometry(g)
        source = weights.GetOutput()
    fdk = rtk.FDKConeBeamReconstructionFilter[Image].New()
    fdk.SetInput(0, blank((n, n, n), (voxel,) * 3, centred((n, n, n), (voxel,) * 3)))
    fdk.SetInput(1, source)
    fdk.SetGeometry(g)
    fdk.GetRampFilter().SetTruncationCorrection(0.0)
    fdk.GetRampFilter().SetHannCutFrequency(0.0)
    fdk.Update()
    return np.transpose(itk.array_from_image(fdk.GetOutput()), (1, 2, 0)).copy()


def joseph(g, volume, voxel, columns, rows, pixel):
    """Of a volume of Backlit's axes; [view][row][column]."""
    n = volume.shape[0]
    image = itk.image_from_array(np.transpose(volume, (2, 0, 1)).astype(np.float32).copy())
    image.SetSpacing((voxel,) * 3)
    image.SetOrigin(centred((n, n, n), (voxel,) * 3))
    size, spacing = (columns, rows, len(g.GetGantryAngles())), (pixel, pixel, 1)
    p = rtk.JosephForwardProjectionImageFilter[Image, Image].New()
    p.SetInput(0, blank(size, spacing, centred(size, spacing)))
    p.SetInput(1, image)
    p.SetGeometry(g)
    p.Update()
    return itk.array_from_image(p.GetOutput()).copy()


def phantom(n, voxel, supersampling=3):
    """Voxel means, [z][y][x] of Backlit."""
    m = n * supersampling
    c = ((np.arange(m) - (m - 1) / 2) * voxel / supersampling).astype(np.float32)
    z, y, x = np.meshgrid(c, c, c, indexing="ij")
    total = np.zeros((m, m, m), np.float32)
    for (cx, cy, cz), (hx, hy, hz), value in ELLIPSOIDS:  # RTK's x, y, z are y, z, x here
        total += value * (((y - cx) / hx) ** 2 + ((z - cy) / hy) ** 2 + ((x - cz) / hz) ** 2 <= 1)
    return total.reshape(n, supersampling, n, supersampling, n, supersampling).mean(axis=(1, 3, 5))


def write_xml(g, path):
    writer = rtk.ThreeDCircularProjectionGeometryXMLFileWriter.New()
    writer.SetObject(g)
    writer.SetFilename(str(path))
    writer.WriteFile()


def read_xml(path):
    reader = rtk.ThreeDCircularProjectionGeometryXMLFileReader.New()
    reader.SetFilename(str(path))
    reader.GenerateOutputInformation()
    return reader.GetOutputObject()
