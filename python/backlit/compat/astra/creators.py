"""Geometries, projectors, and results in one call."""

import numpy as np

from backlit._core import InputError

from . import _objects, algorithm, data2d, data3d


def astra_dict(intype):
    """A configuration of a type: {"type": intype}."""
    return {"type": intype}


def create_vol_geom(*varargin):
    """(rows, columns[, slices][, min x, max x, min y, max y[, min z, max z]]), or the counts as one tuple; (n) is a
    square."""
    counts = list(varargin[0]) if np.ndim(varargin[0]) else []
    rest = list(varargin[1:] if counts else varargin)
    if not counts:
        given = len(rest)
        take = {1: 1, 2: 2, 3: 3, 6: 2, 9: 3}.get(given)
        if take is None:
            raise InputError(f"astra: create_vol_geom takes 1, 2, 3, 6 or 9 numbers, not {given}")
        counts, rest = rest[:take], rest[take:]
    if len(counts) == 1:
        counts = counts * 2
    if len(counts) not in (2, 3) or len(rest) not in (0, 2 * len(counts)):
        raise InputError("astra: create_vol_geom has too few or too many numbers")
    counts = [int(n) for n in counts]
    names = ["GridRowCount", "GridColCount", "GridSliceCount"]
    if not rest:
        for n in (counts[1], counts[0], *counts[2:]):
            rest += [-0.5 * n, 0.5 * n]
    window = ["WindowMinX", "WindowMaxX", "WindowMinY", "WindowMaxY", "WindowMinZ", "WindowMaxZ"]
    return {**dict(zip(names, counts)), "option": dict(zip(window, map(float, rest)))}


_keys = {
    "parallel": ("DetectorWidth", "DetectorCount", "ProjectionAngles"),
    "parallel_vec": ("DetectorCount", "Vectors"),
    "fanflat": ("DetectorWidth", "DetectorCount", "ProjectionAngles", "DistanceOriginSource", "DistanceOriginDetector"),
    "fanflat_vec": ("DetectorCount", "Vectors"),
    "parallel3d": ("DetectorSpacingX", "DetectorSpacingY", "DetectorRowCount", "DetectorColCount", "ProjectionAngles"),
    "parallel3d_vec": ("DetectorRowCount", "DetectorColCount", "Vectors"),
    "cone": ("DetectorSpacingX", "DetectorSpacingY", "DetectorRowCount", "DetectorColCount", "ProjectionAngles",
             "DistanceOriginSource", "DistanceOriginDetector"),
    "cone_vec": ("DetectorRowCount", "DetectorColCount", "Vectors"),
}


def create_proj_geom(intype, *args):
    """A projection geometry: its type, then what that type takes, angles in radians."""
    if intype not in _keys:
        raise InputError(f"astra: projection geometry '{intype}' is not there; choose one of {', '.join(_keys)}")
    names = _keys[intype]
    if len(args) != len(names):
        raise InputError(f"astra: {intype} takes {', '.join(names)}")
    geometry = {"type": intype, **dict(zip(names, args))}
    for name in ("ProjectionAngles", "Vectors"):
        if name in geometry:
            geometry[name] = np.asarray(geometry[name], float)
    if "Vectors" in geometry and geometry["Vectors"].shape[1:] != ((6,) if intype in ("parallel_vec", "fanflat_vec")
                                                                   else (12,)):
        raise InputError(f"astra: vectors of {intype} have shape {geometry['Vectors'].shape}")
    return geometry


def create_projector(proj_type, proj_geom, vol_geom, options=None):
    """The number of a projector between two geometries."""
    return _objects.projectors.add(_objects.Projector(proj_type, proj_geom, vol_geom))


def _values(data, store):
    return (store.get_shared(data), True) if np.ndim(data) == 0 else (np.asarray(data), False)


def _given(result, datatype, geometry, store, returnData):
    number = store.create(datatype, geometry, result)
    return (number, store.get_shared(number)) if returnData else number


def create_sino(data, proj_id, returnData=True, gpuIndex=None):
    """The projections of an image, an array or a number of data2d: (number, array)."""
    projector = _objects.projectors.find(proj_id)
    values, _ = _values(data, data2d)
    return _given(projector.forward(values), "-sino", projector.projection, data2d, returnData)


def create_backprojection(data, proj_id, returnData=True):
    """The backprojection of projections, an array or a number of data2d: (number, array)."""
    projector = _objects.projectors.find(proj_id)
    values, _ = _values(data, data2d)
    return _given(projector.back(values), "-vol", projector.volume, data2d, returnData)


def create_sino3d_gpu(data, proj_geom, vol_geom, returnData=True, gpuIndex=None):
    """The projections (row, angle, column) of a volume, an array or a number of data3d: (number, array)."""
    values, _ = _values(data, data3d)
    return _given(_objects.Projector("cuda3d", proj_geom, vol_geom).forward(values), "-proj3d", proj_geom, data3d,
                  returnData)


def create_backprojection3d_gpu(data, proj_geom, vol_geom, returnData=True):
    """The backprojection of projections, an array or a number of data3d: (number, array)."""
    values, _ = _values(data, data3d)
    return _given(_objects.Projector("cuda3d", proj_geom, vol_geom).back(values), "-vol", vol_geom, data3d, returnData)


def create_reconstruction(rec_type, proj_id, sinogram, iterations=1, use_mask="no", mask=None, use_minc="no",
                          minc=0, use_maxc="no", maxc=255, returnData=True, filterType=None, filterData=None):
    """A reconstruction of a sinogram by an algorithm of that type: (number, array)."""
    if filterData is not None:
        raise InputError("astra: filters of one's own are not there; choose filterType")
    projector = _objects.projectors.find(proj_id)
    made = [data2d.create("-sino", projector.projection, sinogram)] if np.ndim(sinogram) else []
    volume = data2d.create("-vol", projector.volume)
    config = {"type": rec_type, "ProjectorId": proj_id, "ProjectionDataId": made[0] if made else sinogram,
              "ReconstructionDataId": volume, "option": {}}
    option = config["option"]
    if use_mask == "yes":
        made.append(data2d.create("-vol", projector.volume, mask))
        option["ReconstructionMaskId"] = made[-1]
    if use_minc == "yes":
        option["MinConstraint"] = minc
    if use_maxc == "yes":
        option["MaxConstraint"] = maxc
    if filterType:
        option["FilterType"] = filterType
    number = algorithm.create(config)
    algorithm.run(number, iterations)
    algorithm.delete(number)
    data2d.delete(made)
    return (volume, data2d.get(volume)) if returnData else volume
