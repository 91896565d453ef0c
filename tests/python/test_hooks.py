"""Backlit beneath other toolkits by their own interfaces. Each test is skipped where its toolkit is not installed."""

import backlit as bl
import numpy as np
import pytest


@pytest.fixture(params=["3-D", "2-D"])
def A(request):
    if request.param == "2-D":
        return bl.operator(bl.volume((1, 12, 10), voxel=2.0), bl.fan(30, 24, 2.0, 60.0, 110.0), device="cpu")
    return bl.operator(bl.volume((6, 12, 10), voxel=2.0), bl.circular(30, (14, 24), 2.0, 60.0, 110.0), device="cpu")


def test_deepinv(A):
    torch = pytest.importorskip("torch")
    pytest.importorskip("deepinv")
    from backlit.compat.deepinv import Projection

    physics = Projection(A)
    x = torch.rand(2, 1, *physics.img_size, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    y = physics(x)
    assert y.shape == (2, 1, 30, 24) if physics.is_2d else (2, 1, 30, 14, 24)
    np.testing.assert_allclose(y[1, 0].reshape(A.range_shape), A(x[1, 0].reshape(A.domain_shape).numpy()))
    assert abs(physics.adjointness_test(x)) < 1e-9 * float((y * y).sum())
    found = physics.A_dagger(y)
    assert ((physics.A(found) - y).norm() < 1e-2 * y.norm()).all()
    x.requires_grad_()
    gradient, = torch.autograd.grad((physics.A(x) ** 2).sum() / 2, x)
    torch.testing.assert_close(gradient, physics.A_adjoint(y))
    assert float(Projection(A, normalize=True).compute_sqnorm(torch.rand_like(x[:1]))) == pytest.approx(1, rel=0.02)
    disc = torch.zeros(1, 1, *physics.img_size)
    disc[..., 2:-2, 2:-2] = 1
    assert float(physics.fbp(physics(disc))[..., 5:7, 4:6].mean()) == pytest.approx(1, abs=0.25)


@pytest.mark.parametrize("kind", ["parallel", "fan", "parallel 3-D", "cone"])
def test_odl(kind):
    from backlit.compat import install_astra

    install_astra()  # ODL looks for astra when it is imported
    odl = pytest.importorskip("odl")
    from backlit.compat.odl import RayTransformImpl, install

    tomo, partition = odl.applications.tomo, odl.uniform_partition
    low, high, shape = [-10, -12, -6], [14, 12, 6], [48, 24, 16]  # no cubes, not centred
    axes = 3 if kind in ("parallel 3-D", "cone") else 2
    space = odl.uniform_discr(low[:axes], high[:axes], shape[:axes], dtype="float32")
    turn, line, flat = partition(0, 2 * np.pi, 20), partition(-30, 30, 40), partition([-30, -12], [30, 12], [40, 16])
    geometry = {"parallel": lambda: tomo.Parallel2dGeometry(turn, line),
                "fan": lambda: tomo.FanBeamGeometry(turn, line, 60, 30),
                "parallel 3-D": lambda: tomo.Parallel3dAxisGeometry(turn, flat),
                "cone": lambda: tomo.ConeBeamGeometry(turn, flat, 60, 30)}[kind]()
    ray = tomo.RayTransform(space, geometry, impl=RayTransformImpl)
    random = np.random.default_rng(1)
    image, views = (s.element(random.random(s.shape).astype(np.float32)) for s in (ray.domain, ray.range))
    forward, back = ray(image), ray.adjoint(views)
    assert forward.inner(views) == pytest.approx(image.inner(back), rel=1e-5)
    out = ray.range.element()
    ray(image, out=out)
    np.testing.assert_array_equal(np.asarray(out.data), np.asarray(forward.data))

    # A blob off the middle against its integrals along ODL's own rays.
    spot = np.array([4.0, -2.0, 1.0])[:axes]
    points = np.stack(np.meshgrid(*space.grid.coord_vectors, indexing="ij"), -1)
    blob = ray(space.element(np.exp(-((points - spot) ** 2).sum(-1) / 8).astype(np.float32)))
    angle, pixel = geometry.angles[3], geometry.det_partition.grid.points()
    pixel = pixel.ravel() if axes == 2 else pixel
    at = np.array([geometry.det_point_position(angle, p) for p in pixel])
    if hasattr(geometry, "src_position"):
        along = at - geometry.src_position(angle)
    else:
        along = np.array([geometry.det_to_src(angle, p) for p in pixel])
    along /= np.linalg.norm(along, axis=1)[:, None]
    away = spot - at
    square = (away**2).sum(1) - (away * along).sum(1) ** 2
    exact = np.sqrt(8 * np.pi) * np.exp(-square / 8)
    np.testing.assert_allclose(np.asarray(blob.data)[3].ravel(), exact, atol=0.04 * exact.max())

    with pytest.raises(bl.InputError, match="CircularDetector"):
        bl.geometry(tomo.FanBeamGeometry(turn, partition(-0.5, 0.5, 40), 60, 30, det_curvature_radius=90))
    install()
    assert tomo.RayTransform(space, geometry, impl="backlit").impl == "backlit"
