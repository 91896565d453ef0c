"""Memory of others."""

from backlit import _core


class GPULink:
    """fp32 in CUDA memory that somebody else owns: x, y, z values along its axes, `pitch` bytes from row to row."""

    def __init__(self, ptr, x, y, z, pitch):
        self.ptr, self.x, self.y, self.z, self.pitch = map(int, (ptr, x, y, z, pitch))
        self.shape = (self.z, self.y, self.x)
        row = self.pitch // 4
        self.array = _core.cuda_values(self.ptr, list(self.shape), [self.y * row, row, 1])
