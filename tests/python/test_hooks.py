"""Backlit beneath other toolkits by their own interfaces. Each test is skipped where its toolkit is not installed."""

import copy
import sys
import types

import backlit as bl
import numpy as np
import pytest


@pytest.fixture(params=["3-D", "2-D"])
def A(request, device):
    if request.param == "2-D":
        return bl.operator(bl.volume((1, 12, 10), voxel=2.0), bl.fan(30, 24, 2.0, 60.0, 110.0), device=device)
    return bl.operator(bl.volume((6, 12, 10), voxel=2.0), bl.circular(30, (14, 24), 2.0, 60.0, 110.0), device=device)


def test_deepinv(A, device):
    torch = pytest.importorskip("torch")
    pytest.importorskip("deepinv")
    from backlit.compat.deepinv import Projection

    physics = Projection(A)
    x = torch.rand(2, 1, *physics.img_size, dtype=torch.float64, generator=torch.Generator().manual_seed(1)).to(device)
    y = physics(x)
    assert y.shape == (2, 1, 30, 24) if physics.is_2d else (2, 1, 30, 14, 24)
    np.testing.assert_allclose(y[1, 0].reshape(A.range_shape).cpu(), A(x[1, 0].reshape(A.domain_shape).cpu().numpy()))
    assert abs(physics.adjointness_test(x)) < (1e-9 if device == "cpu" else 1e-5) * float((y * y).sum())
    found = physics.A_dagger(y)
    assert ((physics.A(found) - y).norm() < 1e-2 * y.norm()).all()
    x.requires_grad_()
    gradient, = torch.autograd.grad((physics.A(x) ** 2).sum() / 2, x)
    torch.testing.assert_close(gradient, physics.A_adjoint(y))
    norm = Projection(A, normalize=True).compute_sqnorm(torch.ones_like(x[:1]), tol=1e-6)
    assert float(norm) == pytest.approx(1, rel=0.02)
    disc = torch.zeros(1, 1, *physics.img_size, device=device)
    disc[..., 2:-2, 2:-2] = 1
    assert float(physics.fbp(physics(disc))[..., 5:7, 4:6].mean()) == pytest.approx(1, abs=0.25)


@pytest.mark.parametrize("kind", ["parallel", "fan", "parallel 3-D", "cone"])
def test_odl(kind, device):
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

    class Impl(RayTransformImpl):
        def __init__(self, *spaces, **named):
            super().__init__(*spaces, **named, device=device)

    ray = tomo.RayTransform(space, geometry, impl=Impl)
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


def test_odl_on_torch(device):
    torch = pytest.importorskip("torch")
    from backlit.compat import install_astra

    install_astra()
    odl = pytest.importorskip("odl")
    from backlit.compat.odl import RayTransformImpl

    tomo, partition = odl.applications.tomo, odl.uniform_partition
    where = "cuda:0" if device == "cuda" else device
    space = odl.uniform_discr([-10, -12, -6], [14, 12, 6], [48, 24, 16], dtype="float32", impl="pytorch", device=where)
    geometry = tomo.ConeBeamGeometry(partition(0, 2 * np.pi, 20), partition([-30, -12], [30, 12], [40, 16]), 60, 30)
    ray = tomo.RayTransform(space, geometry, impl=RayTransformImpl)
    image, views = (s.element(torch.rand(s.shape, device=where)) for s in (ray.domain, ray.range))
    forward = ray(image)
    assert forward.data.device.type == device
    assert float(forward.inner(views)) == pytest.approx(float(image.inner(ray.adjoint(views))), rel=1e-5)


class _Numbers(types.SimpleNamespace):
    """Attributes by name, as CIL's geometries have them."""

    def copy(self):
        return copy.deepcopy(self)


@pytest.fixture
def cil(monkeypatch):
    """What CIL's pages say of its interfaces, for CIL itself is not on PyPI."""
    class LinearOperator:
        def __init__(self, domain_geometry, range_geometry):
            self._geometries = domain_geometry, range_geometry

        def domain_geometry(self):
            return self._geometries[0]

        def range_geometry(self):
            return self._geometries[1]

    class Data:
        def __init__(self, geometry):
            self.geometry, self.values = geometry, np.zeros(geometry.shape, np.float32)

        def as_array(self):
            return self.values

        def fill(self, values):
            assert values.shape == self.values.shape
            self.values[...] = values

    class Described(_Numbers):
        def allocate(self, _):
            return Data(self)

    for name in ("cil", "cil.optimisation", "cil.optimisation.operators"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    sys.modules["cil.optimisation.operators"].LinearOperator = LinearOperator
    monkeypatch.delitem(sys.modules, "backlit.compat.cil", raising=False)
    return Described


def _described(cil, kind, labels, channels=0):
    """An acquisition geometry, an image geometry and the same as Backlit's; angles of CIL turn the object."""
    angles = np.linspace(0, 340, 18)
    flat = kind == "fan"
    detector = _Numbers(position=np.array([1.5, 40.0, 0.0][:2 if flat else 3]),
                        direction_x=np.array([1.0, 0, 0][:2 if flat else 3]))
    if not flat:
        detector.direction_y = np.array([0, 0, 1.0])
    system = _Numbers(detector=detector, source=_Numbers(position=np.array([0, -60.0, 0][:2 if flat else 3])),
                      ray=_Numbers(direction=np.array([0, 1.0, 0])))
    sizes = {"channel": channels, "angle": 18, "vertical": 14, "horizontal": 24}
    acquisition = cil(geom_type="parallel" if kind == "parallel" else "cone", dimension="2D" if flat else "3D",
                      dimension_labels=labels, shape=[sizes[n] for n in labels],
                      config=_Numbers(system=system,
                                      panel=_Numbers(num_pixels=[24, 1 if flat else 14], pixel_size=[2.0, 3.0],
                                                     origin="bottom-left"),
                                      angles=_Numbers(angle_data=angles, initial_angle=10.0, angle_unit="degree")))
    own = ["channel"] * bool(channels) + ["vertical"] * (not flat) + ["horizontal_y", "horizontal_x"]
    sizes = {"channel": channels, "vertical": 6, "horizontal_y": 12, "horizontal_x": 10}
    image = cil(voxel_num_x=10, voxel_num_y=12, voxel_num_z=0 if flat else 6, voxel_size_x=2.0, voxel_size_y=2.0,
                voxel_size_z=0 if flat else 3.0, center_x=1.0, center_y=-2.0, center_z=0.0, dimension_labels=own,
                shape=[sizes[n] for n in own])
    return acquisition, image, -np.deg2rad(angles + 10)


@pytest.mark.parametrize("kind, labels, channels", [
    ("fan", ["angle", "horizontal"], 0), ("cone", ["angle", "vertical", "horizontal"], 0),
    ("cone", ["vertical", "angle", "horizontal"], 0), ("parallel", ["channel", "vertical", "angle", "horizontal"], 2)])
def test_cil(cil, kind, labels, channels):
    from backlit.compat.cil import ProjectionOperator

    acquisition, image, turned = _described(cil, kind, labels, channels)
    A = ProjectionOperator(image, acquisition, device="cpu")
    random = np.random.default_rng(3)
    x, y = image.allocate(None), acquisition.allocate(None)
    x.fill(random.random(x.values.shape)), y.fill(random.random(y.values.shape))
    forward, back = A.direct(x).as_array(), A.adjoint(y).as_array()
    assert (forward * y.values).sum() == pytest.approx((x.values * back).sum(), rel=1e-5)
    # The same by vectors: CIL's object turns counterclockwise, so source and detector turn clockwise.
    s, c = np.sin(turned), np.cos(turned)
    zero, one = np.zeros_like(s), np.ones_like(s)
    first = np.stack([-s, c, zero], 1) if kind == "parallel" else np.stack([60 * s, -60 * c, zero], 1)
    place = np.stack([1.5 * c - 40 * s, 1.5 * s + 40 * c, zero], 1)
    numbers = np.hstack([first, place, np.stack([2 * c, 2 * s, zero], 1), np.stack([zero, zero, 3 * one], 1)])
    rows = 1 if kind == "fan" else 14
    same = bl.operator(bl.volume((1, 12, 10) if kind == "fan" else (6, 12, 10), (2 if kind == "fan" else 3, 2, 2),
                                 (1, -2, 0)),
                       bl.vectors(numbers, (rows, 24), "parallel" if kind == "parallel" else "cone"), device="cpu")
    one = same(x.values[0] if channels else x.values.reshape(same.domain_shape))  # view, row, column
    one = one[:, 0] if kind == "fan" else one.swapaxes(0, 1) if labels.index("vertical") < labels.index("angle") else one
    np.testing.assert_allclose(forward[0] if channels else forward, one, rtol=1e-4, atol=1e-4)
    out = acquisition.allocate(None)
    assert A.direct(x, out=out) is out and np.array_equal(out.as_array(), forward)
    assert A.calculate_norm() == pytest.approx(same.norm(), rel=1e-2)
