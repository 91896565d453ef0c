"""Projection of arrays that have no numbers: NumPy, torch, CuPy and other arrays, and GPULinks."""

from . import _objects


def direct_FP3D(projector_id, vol, proj):
    """proj = A vol: (row, angle, column) of (z, y, x)."""
    _objects.projectors.find(projector_id).apply(False, vol, proj)


def direct_BP3D(projector_id, vol, proj):
    """vol = A' proj."""
    _objects.projectors.find(projector_id).apply(True, proj, vol)


def direct_FPBP3D(projector_id, vol, proj, mode, op):
    """"FP" or "BP"; mode 0 adds to what is there, 1 overwrites it."""
    projector = _objects.projectors.find(projector_id)
    if op == "FP":
        projector.apply(False, vol, proj, add=mode == 0)
    else:
        projector.apply(True, proj, vol, add=mode == 0)


def _composite(projector_id, vol_ids, proj_ids, mode, op):
    projector = _objects.projectors.find(projector_id)
    volumes = [_objects.data.find(i) for i in vol_ids]
    projections = [_objects.data.find(i) for i in proj_ids]
    sources, targets = (volumes, projections) if op == "FP" else (projections, volumes)
    for target in targets:
        for k, source in enumerate(sources):
            volume, views = (source, target) if op == "FP" else (target, source)
            pair = _objects.Projector(projector.kind, views.geometry, volume.geometry)
            pair.apply(op != "FP", source.values, target.values, add=k > 0 or mode == 0)


def do_composite(projector_id, vol_ids, proj_ids, mode, op):
    """The sum over all pairs of volumes and projections, each with its own geometry."""
    _composite(projector_id, vol_ids, proj_ids, mode, op)


def do_composite_FP(projector_id, vol_ids, proj_ids):
    _composite(projector_id, vol_ids, proj_ids, 1, "FP")


def do_composite_BP(projector_id, vol_ids, proj_ids):
    _composite(projector_id, vol_ids, proj_ids, 1, "BP")


def accumulate_FP(projector_id, vol_id, proj_id):
    _composite(projector_id, [vol_id], [proj_id], 0, "FP")


def accumulate_BP(projector_id, vol_id, proj_id):
    _composite(projector_id, [vol_id], [proj_id], 0, "BP")


def accumulate_FDK(projector_id, vol_id, proj_id):
    """Adds FDK of the projections to the volume."""
    views, volume = _objects.data.find(proj_id), _objects.data.find(vol_id)
    pair = _objects.Projector(_objects.projectors.find(projector_id).kind, views.geometry, volume.geometry)
    volume.values += pair.filtered(views.values)
