"""Projectors by numbers."""

from . import _objects


def create(config):
    """A number for a projector: {"type", "ProjectionGeometry", "VolumeGeometry"}."""
    return _objects.projectors.add(
        _objects.Projector(config["type"], config["ProjectionGeometry"], config["VolumeGeometry"]))


def projection_geometry(i):
    return _objects.projectors.find(i).projection


def volume_geometry(i):
    return _objects.projectors.find(i).volume


def is_cuda(i):
    return str(_objects.projectors.find(i).kind).startswith("cuda")


def delete(ids):
    _objects.projectors.delete(ids)


def clear():
    _objects.projectors.clear()
