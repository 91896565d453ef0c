"""Projectors by numbers; those of three dimensions are projectors like the others."""

from .experimental import direct_BP3D as direct_BP  # noqa: F401
from .experimental import direct_FP3D as direct_FP  # noqa: F401
from .projector import clear, create, delete, is_cuda, projection_geometry, volume_geometry  # noqa: F401
