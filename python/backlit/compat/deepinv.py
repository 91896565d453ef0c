"""Backlit's projectors as physics of deepinv:

    physics = backlit.compat.deepinv.Projection(A)     # A: bl.operator(...)
    x = deepinv.optim.optim_builder(...)(y, physics)

Needs deepinv and torch.
"""

import torch
from deepinv.physics import LinearPhysics

from .. import methods
from ..torch import operator


class Projection(LinearPhysics):
    """A (:class:`backlit.Operator`) as a deepinv.physics.LinearPhysics, with its true adjoint.

    Tensors (batch, channel, z, y, x) give (batch, channel, view, row, column), all in one call, on the host or a CUDA
    device. Operators of one slice and one detector row are 2-D: (batch, channel, y, x), (batch, channel, view, column).

    normalize: divides by the operator's norm, as deepinv advises
    others:    noise_model=, max_iter=, solver= and so on, as of LinearPhysics
    """

    def __init__(self, A, normalize=False, **others):
        super().__init__(**others)
        self._operator = A
        self._forward, self._adjoint = operator(A), operator(A.T)
        self.is_2d = A.domain_shape[0] == 1 and A.range_shape[1] == 1
        self.img_size = A.domain_shape[1:] if self.is_2d else A.domain_shape
        self.scale = 1 / A.norm() if normalize else 1.0

    def A(self, x, **_):
        if self.is_2d:
            return self.scale * self._forward(x.unsqueeze(-3)).squeeze(-2)
        return self.scale * self._forward(x)

    def A_adjoint(self, y, **_):
        if self.is_2d:
            return self.scale * self._adjoint(y.unsqueeze(-2)).squeeze(-3)
        return self.scale * self._adjoint(y)

    def fbp(self, y, method=None, **options):
        """Filtered backprojection (:func:`backlit.fdk`, of a helix :func:`backlit.hfdk`), or another method, of every
        channel. Not differentiable.

        A_dagger() is deepinv's own: it solves for least squares and is differentiable.
        """
        domain, range_ = self._operator.domain_shape, self._operator.range_shape
        reconstruct = methods.functions()[method or self._operator.geometry._views.default_method()]
        flat = (y.detach() / self.scale).reshape(-1, *range_)
        found = torch.stack([reconstruct(self._operator, one, **options) for one in flat])
        return found.reshape(*y.shape[:2], *(domain[1:] if self.is_2d else domain)).to(y)
