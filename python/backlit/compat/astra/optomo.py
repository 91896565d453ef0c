"""A projector as an operator of SciPy."""

import numpy as np

from . import _objects, algorithm, data2d, data3d


try:
    from scipy.sparse.linalg import LinearOperator as _Base
except ImportError:

    class _Base:
        def __init__(self, dtype, shape):
            self.dtype, self.shape = np.dtype(dtype), shape


class OpTomo(_Base):
    """W = OpTomo(projector): W * x, W.FP(x), W.T * y, W.BP(y), W.reconstruct("SIRT_CUDA", y, 100). Flat vectors or
    arrays. A scipy.sparse.linalg.LinearOperator where SciPy is."""

    def __new__(cls, proj_id):
        return object.__new__(cls)

    def __init__(self, proj_id):
        self.proj_id = proj_id
        self._projector = _objects.projectors.find(proj_id)
        self.vg, self.pg = self._projector.volume, self._projector.projection
        self.vshape, self.sshape = _objects.shape_of(self.vg), _objects.shape_of(self.pg)
        super().__init__(np.float32, (int(np.prod(self.sshape)), int(np.prod(self.vshape))))

    def FP(self, v, out=None):
        return self._applied(False, v, out, self.vshape, self.sshape)

    def BP(self, s, out=None):
        return self._applied(True, s, out, self.sshape, self.vshape)

    def _applied(self, transposed, x, out, shape, target):
        x = np.asarray(x, np.float32).reshape(shape)
        y = np.empty(target, np.float32) if out is None else out.reshape(target)
        self._projector.apply(transposed, x, y)
        return y if out is None else out

    def _matvec(self, v):
        return self.FP(v).ravel()

    def _rmatvec(self, s):
        return self.BP(s).ravel()

    def __mul__(self, v):
        return self._matvec(np.asarray(v))

    @property
    def T(self):
        return _Transposed(self)

    def reconstruct(self, method, s, iterations=1, extraOptions=None):
        """A reconstruction of projections by an algorithm of that type."""
        store, kind = (data2d, "-sino") if self._projector.flat else (data3d, "-proj3d")
        views = store.create(kind, self.pg, np.asarray(s, np.float32).reshape(self.sshape))
        volume = store.create("-vol", self.vg)
        number = algorithm.create({"type": method, "ProjectorId": self.proj_id, "ProjectionDataId": views,
                                   "ReconstructionDataId": volume, "option": extraOptions or {}})
        try:
            algorithm.run(number, iterations)
            return store.get(volume)
        finally:
            algorithm.delete(number)
            store.delete([views, volume])


class _Transposed:
    def __init__(self, parent):
        self.parent, self.T = parent, parent
        self.shape = parent.shape[::-1]

    def __mul__(self, s):
        return self.parent._rmatvec(np.asarray(s))

    __matmul__ = __mul__

    def dot(self, s):
        return self * s
