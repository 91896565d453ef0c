"""Memory of others."""

from backlit import _core


class GPULink:
    """fp32 in CUDA memory that somebody else owns: x, y, z values along its axes, `pitch` bytes from row to row."""

    def __init__(self, ptr, x, y, z, pitch):
        self.ptr, self.x, self.y, self.z, self.pitch = ptr, x, y, z, pitch
        self.shape = (z, y, x)
        self.array = _core.cuda_values(int(ptr), [z, y, x], [y * pitch // 4, pitch // 4, 1])
