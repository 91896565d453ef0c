"""Geometries and grids as objects of ODL, CIL and tomosipo, and back."""

import sys
import types

import backlit as bl
import numpy as np
import pytest

CONE = dict(source_to_axis=60.0, source_to_detector=110.0)
SHIFTED = dict(offset_u=1.5, offset_v=-2.25)
GEOMETRIES = {
    "cone": lambda: bl.circular(12, (14, 24), (3.0, 2.0), **CONE),
    "cone, shifted and tilted": lambda: bl.circular(12, (14, 24), 2.0, start=40, tilt=(1, 2, 3), **SHIFTED, **CONE),
    "cone, other way": lambda: bl.circular(angles=np.linspace(30, -200, 9), detector=(14, 24), pixel=2.0, **SHIFTED, **CONE),
    "cone, uneven": lambda: bl.circular(angles=[0, 5, 20, 90, 260, 420], detector=(14, 24), pixel=2.0, **CONE),
    "fan": lambda: bl.fan(12, 24, 2.0, 60.0, 110.0, offset_u=1.5),
    "helix": lambda: bl.helical(20, (14, 24), 2.0, pitch=25.0, arc=720, **SHIFTED, **CONE),
    "helix, other way": lambda: bl.helical(angles=np.linspace(700, 20, 20), detector=(14, 24), pixel=2.0, pitch=25.0, **CONE),
    "raised cone": lambda: bl.laminographic(12, (14, 24), 2.0, elevation=30.0, **CONE),
    "parallel": lambda: bl.parallel(12, (14, 24), (3.0, 2.0), **SHIFTED),
    "raised parallel": lambda: bl.laminographic(12, (14, 24), 2.0, elevation=30.0),
    "parallel, one row": lambda: bl.parallel(12, (1, 24), 2.0, offset_u=1.5),
}


def shaken(g):
    """The same with sources and detectors that move a bit."""
    numbers = g.vectors()
    numbers[:, :6] += np.arange(8)[:, None] % 3 * ([1] * 6 if g.beam == "cone" else [0] * 3 + [1] * 3)
    return bl.vectors(numbers, g.detector_shape, g.beam)


def alike(found, given):
    assert found.shape == given.shape and found.beam == given.beam
    numbers, expected = (g.vectors() for g in (found, given))
    if given.beam == "parallel":  # lines: a direction of any length, a place along it
        for v in (numbers, expected):
            v[:, :3] /= np.linalg.norm(v[:, :3], axis=1, keepdims=True)
    if given.detector_shape[0] == 1:  # 2-D ones have no height of a row
        numbers[:, 9:] = expected[:, 9:]
    np.testing.assert_allclose(numbers, expected, atol=1e-9)


@pytest.mark.parametrize("name", GEOMETRIES)
def test_odl(name):
    odl = pytest.importorskip("odl")
    g = GEOMETRIES[name]()
    made = g.to_odl()
    kinds = odl.applications.tomo
    kind = {"fan": kinds.FanBeamGeometry, "parallel, one row": kinds.Parallel2dGeometry}.get(
        name, kinds.Parallel3dAxisGeometry if g.beam == "parallel" else kinds.ConeBeamGeometry)
    assert type(made) is kind
    alike(bl.geometry(made), g)


def test_of_a_helix_odl_knows_the_pitch():
    pytest.importorskip("odl")
    made = GEOMETRIES["helix"]().to_odl()
    assert made.pitch == pytest.approx(25) and made.src_radius == pytest.approx(60) and made.det_radius == pytest.approx(50)
    np.testing.assert_allclose(made.src_to_det_init, (0, 1, 0))


@pytest.mark.parametrize("geometry, names", [
    (lambda: bl.circular(8, (5, 6), 2.0, curved=True, **CONE), "curved"),
    (lambda: shaken(bl.circular(8, (5, 6), 2.0, **CONE)), "turns about z"),
    (lambda: bl.circular(angles=[0, 20, 10], detector=(5, 6), pixel=2.0, **CONE), "to and fro"),
    (lambda: bl.parallel(8, (5, 6), 2.0, tilt=(0, 10, 0)), "right angles"),
    (lambda: bl.fan(angles=[20, 10, 0], columns=6, pixel=2.0, **CONE), "clockwise"),
])
def test_what_odl_does_not_have_is_refused(geometry, names):
    pytest.importorskip("odl")
    with pytest.raises(bl.Unsupported, match=names):
        geometry().to_odl()


@pytest.mark.parametrize("shape", [(6, 12, 10), (1, 12, 10)])
def test_grids_of_odl(shape):
    odl = pytest.importorskip("odl")
    grid = bl.volume(shape, (2.0, 3.0, 2.0) if shape[0] > 1 else 2.0, (1.0, -2.0, 0.5 if shape[0] > 1 else 0))
    space = grid.to_odl()
    assert isinstance(space, odl.DiscretizedSpace) and space.shape == shape[::-1][:space.ndim] and space.dtype == np.float32
    assert space.ndim == (3 if shape[0] > 1 else 2)
    assert bl.volume(space) == grid
    if shape[0] > 1:
        with pytest.raises(bl.Unsupported, match="6 slices"):
            grid.to_odl(ndim=2)


class Acquisition:
    """Signatures and checks of cil.framework.AcquisitionGeometry, after its documentation."""

    def __init__(self, dimension, kind, units, source=None, ray=None, detector=None, centre=None):
        axes = int(dimension[0])
        for values in [v for v in (source, ray) if v is not None]:
            assert np.shape(values)[-1] == axes
        self.units, self.dimension, self.geom_type = units, dimension, kind  # as CIL's labels print
        named = types.SimpleNamespace
        self.config = named(system=named(align_reference_frame=lambda definition: None), angles=None, panel=None)
        system = self.config.system
        many = kind == "CONE_FLEX"
        detectors = [self._detector(axes, *one) for one in (zip(*detector) if many else [detector])]
        system.detector = detectors if many else detectors[0]
        if many:
            system.source = [named(position=np.asarray(p)) for p in source]
            system.volume_centre = named(position=np.asarray(centre))
            assert len(system.source) == len(detectors)
        elif source is not None:
            system.source = named(position=np.asarray(source))
        else:
            system.ray = named(direction=np.asarray(ray) / np.linalg.norm(ray))

    @staticmethod
    def _detector(axes, position, x, y=None):
        x = np.asarray(x) / np.linalg.norm(x)
        made = types.SimpleNamespace(position=np.asarray(position), direction_x=x)
        assert made.position.shape == x.shape == (axes,)
        if axes == 3:
            made.direction_y = np.asarray(y) / np.linalg.norm(y)
            if abs(made.direction_y @ x) > 1e-5:
                raise ValueError("vectors detector.direction_x and detector.direction_y must be orthogonal")
        return made

    @staticmethod
    def create_Parallel2D(ray_direction=[0, 1], detector_position=[0, 0], detector_direction_x=[1, 0],
                          rotation_axis_position=[0, 0], units="units distance"):
        return Acquisition("2D", "PARALLEL", units, ray=ray_direction, detector=(detector_position, detector_direction_x))

    @staticmethod
    def create_Cone2D(source_position, detector_position, detector_direction_x=[1, 0], rotation_axis_position=[0, 0],
                      units="units distance"):
        return Acquisition("2D", "CONE", units, source=source_position, detector=(detector_position, detector_direction_x))

    @staticmethod
    def create_Parallel3D(ray_direction=[0, 1, 0], detector_position=[0, 0, 0], detector_direction_x=[1, 0, 0],
                          detector_direction_y=[0, 0, 1], rotation_axis_position=[0, 0, 0],
                          rotation_axis_direction=[0, 0, 1], units="units distance"):
        return Acquisition("3D", "PARALLEL", units, ray=ray_direction,
                           detector=(detector_position, detector_direction_x, detector_direction_y))

    @staticmethod
    def create_Cone3D(source_position, detector_position, detector_direction_x=[1, 0, 0], detector_direction_y=[0, 0, 1],
                      rotation_axis_position=[0, 0, 0], rotation_axis_direction=[0, 0, 1], units="units distance"):
        return Acquisition("3D", "CONE", units, source=source_position,
                           detector=(detector_position, detector_direction_x, detector_direction_y))

    @staticmethod
    def create_Cone3D_Flex(source_position_set, detector_position_set, detector_direction_x_set, detector_direction_y_set,
                           volume_centre_position=[0, 0, 0], units="units distance"):
        return Acquisition("3D", "CONE_FLEX", units, source=source_position_set, centre=volume_centre_position,
                           detector=(detector_position_set, detector_direction_x_set, detector_direction_y_set))

    def set_angles(self, angles, initial_angle=0, angle_unit="degree"):
        assert self.geom_type != "CONE_FLEX"  # its sources say it
        self.config.angles = types.SimpleNamespace(angle_data=np.asarray(angles, np.float32), initial_angle=initial_angle,
                                                   angle_unit=angle_unit)
        return self

    def set_panel(self, num_pixels, pixel_size=(1, 1), origin="bottom-left"):
        self.config.panel = types.SimpleNamespace(num_pixels=list(num_pixels), pixel_size=list(pixel_size), origin=origin)
        return self

    def copy(self):
        return self


class Image:
    """The same of cil.framework.ImageGeometry."""

    def __init__(self, voxel_num_x=1, voxel_num_y=1, voxel_num_z=1, voxel_size_x=1, voxel_size_y=1, voxel_size_z=1, center_x=0,
                 center_y=0, center_z=0, channels=1, **kwargs):
        assert not kwargs
        vars(self).update((k, v) for k, v in locals().items() if k not in ("self", "kwargs"))


@pytest.fixture
def cil(monkeypatch):
    """CIL is not on PyPI."""
    for name in ("cil", "cil.framework"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    sys.modules["cil.framework"].AcquisitionGeometry = Acquisition
    sys.modules["cil.framework"].ImageGeometry = Image


@pytest.mark.parametrize("name", GEOMETRIES)
def test_cil(name, cil):
    g = GEOMETRIES[name]()
    made = g.to_cil()
    kind = "CONE_FLEX" if "helix" in name else "PARALLEL" if g.beam == "parallel" else "CONE"
    assert made.geom_type == kind and made.dimension == ("2D" if g.detector_shape[0] == 1 else "3D") and made.units == "mm"
    again = bl.geometry(made)
    if kind == "CONE_FLEX":
        alike(again, g)
    else:  # CIL keeps angles in single precision
        np.testing.assert_allclose(again.vectors()[:, :9], g.vectors()[:, :9], atol=1e-4)
        assert again.shape == g.shape and again.beam == g.beam
    assert kind == "CONE_FLEX" or len(made.config.angles.angle_data) == len(g)


# Views of CIL as rows of numbers, by hand: its defaults are rows along +x and columns along +z, rays along +y; an object that
# turns by an angle counterclockwise is sources and detectors that turn by it clockwise (its plug-in for ASTRA).
H = 3**0.5 / 2
CIL_CONE = {  # source (0, -60, 0), detector (1, 50, -2), pixels of 3 x 2 mm
    0: (0, -60, 0, 1, 50, -2, 3, 0, 0, 0, 0, 2),
    30: (-30, -60 * H, 0, H + 25, 50 * H - 0.5, -2, 3 * H, -1.5, 0, 0, 0, 2),
    90: (-60, 0, 0, 50, -1, -2, 0, -3, 0, 0, 0, 2),
}
CIL_PARALLEL = {  # detector (1, 0, -2); the first three lead to the source
    0: (0, -1, 0, 1, 0, -2, 3, 0, 0, 0, 0, 2),
    30: (-0.5, -H, 0, H, -0.5, -2, 3 * H, -1.5, 0, 0, 0, 2),
    90: (-1, 0, 0, 0, -1, -2, 0, -3, 0, 0, 0, 2),
}


@pytest.mark.parametrize("views, beam", [(CIL_CONE, "cone"), (CIL_PARALLEL, "parallel")])
def test_views_of_cil_lie_where_it_says(views, beam, cil):
    angles = np.array(list(views))
    if beam == "cone":
        theirs = Acquisition.create_Cone3D((0, -60, 0), (1, 50, -2))
    else:
        theirs = Acquisition.create_Parallel3D(detector_position=(1, 0, -2))
    theirs.set_panel((24, 14), (3, 2)).set_angles(angles - 10, initial_angle=10)
    ours = bl.vectors(np.array(list(views.values()), float), (14, 24), beam)
    np.testing.assert_allclose(bl.geometry(theirs).vectors(), ours.vectors(), atol=1e-5)
    made = ours.to_cil().config
    turned = made.angles.angle_data + made.angles.initial_angle
    np.testing.assert_allclose(np.mod(turned + 1, 360) - 1, angles, atol=1e-4)
    system, expected = made.system, theirs.config.system
    np.testing.assert_allclose(system.detector.position, expected.detector.position, atol=1e-9)
    np.testing.assert_allclose(system.detector.direction_x, (1, 0, 0), atol=1e-9)
    np.testing.assert_allclose(system.detector.direction_y, (0, 0, 1), atol=1e-9)
    first, wanted = (s.source.position if beam == "cone" else s.ray.direction for s in (system, expected))
    np.testing.assert_allclose(first, wanted, atol=1e-9)
    assert made.panel.num_pixels == [24, 14] and made.panel.pixel_size == [3, 2] and "bottom" in made.panel.origin


def test_free_views_of_cil(cil, monkeypatch):
    g = shaken(bl.circular(8, (5, 6), 2.0, **CONE))
    alike(bl.geometry(g.to_cil()), g)
    monkeypatch.setattr(Acquisition, "create_Cone3D_SOUV", Acquisition.create_Cone3D_Flex, raising=False)
    monkeypatch.delattr(Acquisition, "create_Cone3D_Flex")  # of a CIL before it was called so
    alike(bl.geometry(g.to_cil()), g)
    with pytest.raises(bl.Unsupported, match="turns about z"):
        shaken(bl.parallel(8, (5, 6), 2.0)).to_cil()


def test_grids_of_cil(cil):
    grid = bl.volume((6, 12, 10), (2.0, 3.0, 4.0), (1.0, -2.0, 0.5))
    made = grid.to_cil(channels=3)
    assert (made.voxel_num_x, made.voxel_size_y, made.center_y, made.channels) == (10, 3, -2, 3)
    assert bl.volume(made) == grid


def test_tomosipo(monkeypatch):
    module = types.ModuleType("tomosipo")

    class Theirs:
        def __init__(self, g):
            self.g = g

        def to_astra(self):
            return self.g

    module.from_astra = Theirs
    monkeypatch.setitem(sys.modules, "tomosipo", module)
    g, grid = GEOMETRIES["cone"](), bl.volume((6, 12, 10), (2.0, 3.0, 4.0), (1.0, -2.0, 0.5))
    alike(bl.geometry(g.to_tomosipo()), g)
    np.testing.assert_allclose(bl.volume(grid.to_tomosipo()).extent, grid.extent)


@pytest.mark.parametrize("toolkit", ["odl", "cil", "tomosipo"])
def test_a_toolkit_that_is_not_there_is_named(toolkit, monkeypatch):
    for name in {toolkit, *[m for m in sys.modules if m.startswith(toolkit + ".")], toolkit + ".framework"}:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(bl.Error, match=f"to_{toolkit}.*install it"):
        getattr(GEOMETRIES["cone"](), f"to_{toolkit}")()
