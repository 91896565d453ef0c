"""ASTRA's interface: scripts as its manual writes them, and other toolkits over it."""

import os
import subprocess
import sys

import backlit as bl
import numpy as np
import pytest
from backlit.compat import astra


@pytest.fixture(autouse=True)
def clean():
    yield
    astra.clear()


@pytest.fixture(scope="module")
def flat():
    """A disc off the middle, projected by hand: at angle t it is at x cos t + y sin t, its rays are chords."""
    volume = astra.create_vol_geom(64, 64)
    angles = np.linspace(0, np.pi, 60, False)
    geometry = astra.create_proj_geom("parallel", 1.0, 96, angles)
    x, y, radius = 10.0, 15.0, 9.0
    at = np.arange(96) - 47.5
    distance = at[None] - (x * np.cos(angles) + y * np.sin(angles))[:, None]
    exact = 2 * np.sqrt(np.maximum(0, radius**2 - distance**2))
    column, row = np.meshgrid(np.arange(64), np.arange(64))
    image = ((column - 31.5 - x) ** 2 + (31.5 - row - y) ** 2 < radius**2).astype(np.float32)  # row 0: the largest y
    return volume, geometry, image, exact.astype(np.float32)


@pytest.mark.parametrize("kind", ["line", "linear", "strip", "cuda"])
def test_flat_projection_lies_where_the_manual_says(flat, kind):
    volume, geometry, image, exact = flat
    projector = astra.create_projector(kind, geometry, volume)
    number, sinogram = astra.create_sino(image, projector)
    assert sinogram.shape == (60, 96) and astra.data2d.get(number).shape == (60, 96)
    assert np.linalg.norm(sinogram - exact) < 0.06 * np.linalg.norm(exact)


def test_flat_reconstructions(flat):
    volume, geometry, image, exact = flat
    projector = astra.create_projector("cuda", geometry, volume)
    for method, iterations, limit in (("FBP", 1, 0.4), ("SIRT_CUDA", 30, 0.45), ("CGLS", 8, 0.35), ("SART", 180, 0.6),
                                      ("EM_CUDA", 20, 0.4)):
        _, found = astra.create_reconstruction(method, projector, exact, iterations)
        assert np.linalg.norm(found - image) < limit * np.linalg.norm(image), method
        inside = found[image > 0].mean()
        assert inside == pytest.approx(1, abs=0.25), method


def test_a_script_of_algorithms(flat):
    volume, geometry, image, exact = flat
    sinogram = astra.data2d.create("-sino", geometry, exact)
    found = astra.data2d.create("-vol", volume)
    config = astra.astra_dict("SIRT_CUDA")
    config["ReconstructionDataId"], config["ProjectionDataId"] = found, sinogram
    config["option"] = {"MinConstraint": 0, "MaxConstraint": 1}
    algorithm = astra.algorithm.create(config)
    astra.algorithm.run(algorithm, 5)
    first = astra.algorithm.get_res_norm(algorithm)
    astra.algorithm.run(algorithm, 10)
    assert astra.algorithm.get_res_norm(algorithm) < first
    result = astra.data2d.get(found)
    assert result.min() >= 0 and result.max() <= 1
    again = astra.data2d.create("-vol", volume)
    other = astra.algorithm.create({**config, "ReconstructionDataId": again})
    astra.algorithm.run(other, 15)
    np.testing.assert_allclose(astra.data2d.get(again), result, atol=1e-5)  # 5 + 10 iterations are 15
    astra.algorithm.delete([algorithm, other])
    astra.data2d.delete(found)
    with pytest.raises(bl.InputError, match="data object"):
        astra.data2d.get(found)


@pytest.fixture(scope="module")
def cone():
    volume = astra.create_vol_geom(20, 18, 12)
    angles = np.linspace(0, 2 * np.pi, 30, False)
    return volume, astra.create_proj_geom("cone", 1.5, 1.5, 16, 24, angles, 100.0, 60.0)


def test_three_dimensions(cone):
    volume, geometry = cone
    cube = np.zeros((12, 20, 18), np.float32)
    cube[4:8, 5:15, 4:14] = 1
    number, views = astra.create_sino3d_gpu(cube, geometry, volume)
    assert views.shape == (16, 30, 24) == astra.geom_size(geometry)
    # a corner of the cube, projected with the manual's geometry
    t = geometry["ProjectionAngles"][7]
    source, middle = 100 * np.array([np.sin(t), -np.cos(t), 0]), -60 * np.array([np.sin(t), -np.cos(t), 0])
    center = np.array([0, 0, 0.0]) + [(9 - 9), (10 - 10), (6 - 6)]
    ray = (center - source) / np.linalg.norm(center - source)
    plane = source + ray * np.dot(middle - source, ray) / np.dot(ray, ray)
    column = np.dot(plane - middle, [np.cos(t), np.sin(t), 0]) / 1.5 + 11.5
    assert views[7:9, 7, int(column)].min() > 9
    _, back = astra.create_backprojection3d_gpu(views, geometry, volume)
    assert np.vdot(views, views) == pytest.approx(np.vdot(cube, back), rel=1e-5)
    _, vec = astra.create_sino3d_gpu(cube, astra.geom_2vec(geometry), volume)
    np.testing.assert_allclose(vec, views, atol=1e-4)
    moved = astra.functions.geom_postalignment(geometry, (1.0, 0))
    _, shifted = astra.create_sino3d_gpu(cube, moved, volume)
    np.testing.assert_allclose(shifted[:, :, :-1], views[:, :, 1:], atol=1e-3)


def test_fdk_and_iterations_in_three_dimensions(cone):
    volume, geometry = cone
    cube = np.zeros((12, 20, 18), np.float32)
    cube[4:8, 5:15, 4:14] = 1
    views = astra.create_sino3d_gpu(cube, geometry, volume, returnData=False)
    for method, iterations, limit in (("FDK_CUDA", 1, 0.5), ("CGLS3D_CUDA", 8, 0.25), ("SIRT3D_CUDA", 20, 0.4)):
        found = astra.data3d.create("-vol", volume)
        config = {"type": method, "ReconstructionDataId": found, "ProjectionDataId": views}
        algorithm = astra.algorithm.create(config)
        astra.algorithm.run(algorithm, iterations)
        assert np.linalg.norm(astra.data3d.get(found) - cube) < limit * np.linalg.norm(cube), method


def test_direct_functions_and_links(cone):
    volume, geometry = cone
    projector = astra.create_projector("cuda3d", geometry, volume)
    x = np.random.default_rng(1).random((12, 20, 18)).astype(np.float32)
    y, x2 = np.empty((16, 30, 24), np.float32), np.zeros_like(x)
    astra.experimental.direct_FP3D(projector, x, y)
    astra.experimental.direct_FPBP3D(projector, x2, y, 1, "BP")
    assert np.vdot(y, y) == pytest.approx(np.vdot(x, x2), rel=1e-5)
    once = y.copy()
    astra.experimental.direct_FPBP3D(projector, x, y, 0, "FP")
    np.testing.assert_allclose(y, 2 * once, rtol=1e-5)
    link = astra.data3d.link("-vol", volume, x)
    views = astra.data3d.create("-proj3d", geometry)
    astra.experimental.do_composite_FP(projector, [link], [views])
    np.testing.assert_allclose(astra.data3d.get_shared(views), once, rtol=1e-5)
    astra.experimental.accumulate_FP(projector, link, views)
    np.testing.assert_allclose(astra.data3d.get(views), 2 * once, rtol=1e-5)
    back = astra.data3d.create("-vol", volume, x2)
    astra.experimental.accumulate_BP(projector, back, views)
    np.testing.assert_allclose(astra.data3d.get(back), 3 * x2, rtol=1e-4)
    fdk = astra.data3d.create("-vol", volume, 1.0)
    astra.experimental.accumulate_FDK(projector, fdk, views)
    np.testing.assert_allclose(astra.data3d.get(fdk) - 1, astra._objects.Projector("cuda3d", geometry, volume).filtered(2 * once),
                               atol=1e-5)
    x *= 0  # linked, not copied
    assert not astra.data3d.get(link).any()
    assert astra.projector.volume_geometry(projector) is volume and astra.projector3d.is_cuda(projector)


def test_links_to_cuda_memory_are_arrays():
    if "cuda" not in bl.devices():
        pytest.skip("no CUDA in this build")
    link = astra.pythonutils.GPULink(4096, 5, 4, 3, 32)  # of memory that is not read here: rows of 8 values
    assert link.shape == (3, 4, 5) and link.array.__dlpack_device__() == (2, 0)
    assert astra.data3d.GPULink is astra.pythonutils.GPULink
    volume = astra.create_vol_geom(4, 5, 3)
    config = astra.astra_dict("SIRT3D_CUDA")
    config["ReconstructionDataId"] = astra.data3d.link("-vol", volume, link)
    config["ProjectionDataId"] = astra.data3d.create("-sino", astra.create_proj_geom("parallel3d", 1, 1, 3, 5, [0, 1]))
    with pytest.raises(bl.InputError, match="host"):
        astra.algorithm.create(config)


def test_links_to_cuda_memory(cone):
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available() or "cuda" not in bl.devices():
        pytest.skip("no CUDA")
    volume, geometry = cone
    projector = astra.create_projector("cuda3d", geometry, volume)
    x = torch.rand(12, 20, 18, device="cuda")
    wide, back = torch.zeros(16, 30, 32, device="cuda"), torch.zeros_like(x)
    y = astra.pythonutils.GPULink(wide.data_ptr(), 24, 30, 16, 4 * 32)  # rows lie 32 values apart
    astra.experimental.direct_FPBP3D(projector, astra.pythonutils.GPULink(x.data_ptr(), 18, 20, 12, 4 * 18), y, 1, "FP")
    expected = np.empty((16, 30, 24), np.float32)
    astra.experimental.direct_FP3D(projector, x.cpu().numpy(), expected)
    np.testing.assert_allclose(wide[:, :, :24].cpu(), expected, rtol=1e-5, atol=1e-4)
    assert not wide[:, :, 24:].any()
    astra.experimental.direct_FPBP3D(projector, astra.pythonutils.GPULink(back.data_ptr(), 18, 20, 12, 4 * 18), y, 1, "BP")
    assert float((x * back).sum()) == pytest.approx(float((expected**2).sum()), rel=1e-5)
    config = astra.astra_dict("FP3D_CUDA")  # objects with numbers, on the same memory
    config["VolumeDataId"] = astra.data3d.link("-vol", volume, astra.data3d.GPULink(x.data_ptr(), 18, 20, 12, 4 * 18))
    config["ProjectionDataId"] = astra.data3d.link("-sino", geometry, y)
    wide.zero_()
    astra.algorithm.run(astra.algorithm.create(config))
    np.testing.assert_allclose(wide[:, :, :24].cpu(), expected, rtol=1e-5, atol=1e-4)


def test_optomo(flat):
    linalg = pytest.importorskip("scipy.sparse.linalg")
    volume, geometry, image, exact = flat
    W = astra.OpTomo(astra.create_projector("linear", geometry, volume))
    assert isinstance(W, linalg.LinearOperator)
    y = W * image.ravel()
    np.testing.assert_allclose(W.FP(image).ravel(), y)
    assert np.vdot(y, y) == pytest.approx(np.vdot(image.ravel(), W.T * y), rel=1e-5)
    found = linalg.lsqr(W, exact.ravel(), iter_lim=8)[0].reshape(64, 64)
    assert np.linalg.norm(found - image) < 0.4 * np.linalg.norm(image)
    sirt = W.reconstruct("SIRT", exact, 10, {"MinConstraint": 0})
    assert sirt.shape == (64, 64) and sirt.min() >= 0


def test_detectors_are_shifted_by_pixels(flat):
    volume, geometry, image, _ = flat
    moved = astra.geom_postalignment(geometry, 3)
    sinograms = [astra.create_sino(image, astra.create_projector("linear", g, volume))[1] for g in (geometry, moved)]
    np.testing.assert_allclose(sinograms[1][:, :-3], sinograms[0][:, 3:], atol=1e-3)


def test_volumes_are_moved():
    g = astra.create_vol_geom(8, 10, 6)
    moved = astra.move_vol_geom(astra.move_vol_geom(g, [1, 2, 3]), [4, 0, -1], is_relative=True)
    assert bl.volume(moved).center == pytest.approx([5, 2, 2]) and bl.volume(moved).voxel == (1, 1, 1)
    assert bl.volume(g).center == (0, 0, 0)


def test_noise_of_counts(flat):
    _, _, _, exact = flat
    noisy = astra.add_noise_to_sino(exact, 1e4, seed=1)
    np.testing.assert_array_equal(noisy, astra.functions.add_noise_to_sino(exact, 1e4, seed=1))
    empty = exact == 0
    assert np.std(noisy[empty]) == pytest.approx(exact.max() / 100, rel=0.1)
    with pytest.raises(bl.InputError, match="noise"):
        astra.add_noise_to_sino(np.zeros((3, 4)), 100)


def test_shepp_and_logan():
    number, head = astra.data2d.shepp_logan(astra.create_vol_geom(256, 256))
    assert np.array_equal(astra.data2d.get(number), head) and head[0, 0] == 0
    assert head[128, 128] == pytest.approx(0.2) and head.max() == 1
    assert head[250, 128] == 0 and head[12, 128] == 1  # the skull; row 0 is the top
    assert head[83, 128] == pytest.approx(0.3)  # the disc above the middle
    _, plain = astra.data2d.shepp_logan(astra.create_vol_geom(256, 256), modified=False)
    assert plain[128, 128] == pytest.approx(1.02) and plain.max() == 2
    _, solid = astra.data3d.shepp_logan(astra.create_vol_geom(64, 64, 64))
    assert solid[32, 32, 32] == pytest.approx(0.2) and solid[0].max() == 0 < solid[10].max()
    skull, ventricles = 0.69 * 0.92 * 0.81, 0.11 * 0.31 * 0.22 + 0.16 * 0.41 * 0.28  # the latter are 0
    assert (solid > 1e-6).mean() == pytest.approx(np.pi / 6 * (skull - ventricles), rel=0.01)


def test_volume_geometries():
    assert astra.geom_size(astra.create_vol_geom(5)) == (5, 5)
    assert astra.geom_size(astra.create_vol_geom([4, 5])) == (4, 5)
    g = astra.create_vol_geom(4, 5, 6, -1, 1, -2, 2, -3, 3)
    assert astra.geom_size(g) == (6, 4, 5) and g["option"]["WindowMaxZ"] == 3
    assert bl.volume(g).voxel == pytest.approx([1, 1, 0.4])


def test_scripts_run_unchanged(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("""
import sys
import astra
import astra.experimental
from astra import data3d
vg = astra.create_vol_geom(8, 8, 8)
pg = astra.create_proj_geom("parallel3d", 1, 1, 8, 8, [0, 1])
i = astra.create_sino3d_gpu(1, pg, vg, returnData=False) if False else None
p, d = astra.create_sino3d_gpu(data3d.create("-vol", vg, 1), pg, vg)
print(sys.argv[1], d.shape, round(float(d[:, 0].sum())))
""")
    result = subprocess.run([sys.executable, "-m", "backlit", str(script), "argument"], capture_output=True, text=True,
                            timeout=100, env={**os.environ, "BACKLIT_ASTRA": "1"})
    assert result.stdout == "argument (8, 2, 8) 512\n", result.stderr


def test_messages(capsys):
    astra.log.setOutputScreen(astra.log.STDOUT, astra.log.INFO)
    astra.log.info("seen")
    astra.log.debug("not seen")
    astra.log.disable()
    astra.log.error("not seen")
    astra.log.enable()
    astra.log.setOutputScreen(astra.log.STDERR, astra.log.WARN)
    assert capsys.readouterr().out == "seen\n"


@pytest.mark.parametrize("name", ["s005_3d_geometry", "s006_3d_data", "s007_3d_reconstruction",
                                  "s019_experimental_multires"])
def test_samples_of_astra(name, tmp_path):
    """ASTRA's samples are GPL and not here: scripts/test_python.sh fetches them, or BACKLIT_ASTRA_SAMPLES names a folder.
    They run unchanged; without a card, iterations are cut to the first."""
    folder = os.environ.get("BACKLIT_ASTRA_SAMPLES")
    if not folder:
        pytest.skip("BACKLIT_ASTRA_SAMPLES names no folder with ASTRA's samples/python")
    pytest.importorskip("six")  # samples of ASTRA 1.8 take it, and NumPy's former name of float
    card = "cuda" in bl.devices() and bl._core.cuda_devices() > 0
    if name == "s007_3d_reconstruction" and not (card or os.environ.get("BACKLIT_SLOW_SAMPLES")):
        pytest.skip("takes half a minute without a card; BACKLIT_SLOW_SAMPLES=1 runs it")
    most = 10**6 if card else 1
    (tmp_path / "sitecustomize.py").write_text(f"""
import numpy
from backlit.compat.astra import algorithm
numpy.float = float
whole = algorithm.run
algorithm.run = lambda number, iterations=1: whole(number, min(iterations, {most}))
""")
    (tmp_path / "pylab.py").write_text("""
import numpy as np
def imshow(picture):  # instead of windows: what a sample shows
    assert np.isfinite(picture).all() and np.ptp(picture) > 0
    print("shown", picture.shape, round(float(np.max(picture)), 3))
def gray(): pass
figure = show = lambda *_: None
""")
    result = subprocess.run([sys.executable, "-m", "backlit", os.path.join(os.path.abspath(folder), f"{name}.py")],
                            capture_output=True, text=True, timeout=1000, env={
                                **os.environ, "BACKLIT_ASTRA": "1", "PYTHONPATH": os.pathsep.join(
                                    [str(tmp_path), *os.environ.get("PYTHONPATH", "").split(os.pathsep)])})
    assert result.returncode == 0, result.stderr
    assert result.stdout.count("shown") == {"s007_3d_reconstruction": 2, "s019_experimental_multires": 2}.get(name, 0)
    print(result.stdout)


def test_odl():
    from backlit.compat import install_astra

    install_astra()  # before ODL looks for astra
    odl = pytest.importorskip("odl")
    tomo = odl.applications.tomo
    space = odl.uniform_discr([-20, -20], [20, 20], [40, 40], dtype="float32")
    random = np.random.default_rng(1)
    fan = tomo.FanBeamGeometry(odl.uniform_partition(0, 2 * np.pi, 24), odl.uniform_partition(-40, 40, 50), 60, 30)
    for geometry in (tomo.parallel_beam_geometry(space, num_angles=30), fan):
        ray = tomo.RayTransform(space, geometry, impl="astra_cpu")
        image, views = (s.element(random.random(s.shape).astype(np.float32)) for s in (ray.domain, ray.range))
        forward, back = ray(image), ray.adjoint(views)
        assert forward.inner(views) == pytest.approx(image.inner(back), rel=0.03)  # ODL scales as if continuous

    # A blob off the middle, seen by ODL's geometries as ours: ODL's arrays are (x, y), y upwards.
    x, y = np.meshgrid(np.arange(40) - 19.5, np.arange(40) - 19.5, indexing="ij")
    blob = np.exp(-((x - 6) ** 2 + (y + 3) ** 2) / 30).astype(np.float32)
    parallel = tomo.parallel_beam_geometry(space, num_angles=30)
    mine = bl.operator(bl.volume((1, 40, 40)), parallel, device="cpu")(blob.T[None])[:, 0]
    theirs = tomo.RayTransform(space, parallel, impl="astra_cpu")(space.element(blob))
    np.testing.assert_allclose(np.asarray(theirs.data), mine, atol=1e-3 * mine.max())
    # Of fans ODL asks for line_fanflat, lengths through square pixels: 6 % off a blob as small as this, and 1.3 % in pixels
    # of a quarter.
    theirs = tomo.RayTransform(space, fan, impl="astra_cpu")(space.element(blob))
    mine = bl.operator(bl.volume((1, 40, 40)), fan, model="siddon", device="cpu")(blob.T[None])[:, 0]
    np.testing.assert_allclose(np.asarray(theirs.data), mine, atol=1e-6 * mine.max())
    mine = bl.operator(bl.volume((1, 40, 40)), fan, device="cpu")(blob.T[None])[:, 0]
    for angle, view in zip(fan.angles, mine):
        source = fan.src_position(angle)
        along = np.array([fan.det_point_position(angle, u) for u in fan.det_grid.points().ravel()]) - source
        along /= np.linalg.norm(along, axis=1)[:, None]
        distance = (6 - source[0]) * along[:, 1] - (-3 - source[1]) * along[:, 0]
        exact = np.sqrt(30 * np.pi) * np.exp(-(distance**2) / 30)
        np.testing.assert_allclose(view, exact, atol=0.02 * exact.max())


def on_cards():
    """Kinds of arrays for ODL's way to CUDA, astra_cuda: NumPy's are taken without a card, too."""
    try:
        import torch
        return ["numpy"] + ["pytorch"] * torch.cuda.is_available()
    except ImportError:
        return ["numpy"]


@pytest.mark.parametrize("kind", on_cards())
@pytest.mark.parametrize("flat", [True, False], ids=["2-D", "3-D"])
def test_odl_for_cards(kind, flat):
    from backlit.compat import install_astra

    install_astra()
    odl = pytest.importorskip("odl")
    tomo = odl.applications.tomo
    cards = tomo.backends.astra_cuda.AstraCudaImpl
    d = 2 if flat else 3
    place = {"impl": kind, "device": "cuda:0"} if kind == "pytorch" else {}
    space = odl.uniform_discr([-20] * d, [20] * d, [40, 40, 30][:d], dtype="float32", **place)
    angles = odl.uniform_partition(0, 2 * np.pi, 24)
    if flat:
        beam = tomo.FanBeamGeometry(angles, odl.uniform_partition(-40, 40, 50), 60, 30)
    else:
        beam = tomo.ConeBeamGeometry(angles, odl.uniform_partition([-40, -40], [40, 40], [50, 36]), 60, 30)
    ray = tomo.RayTransform(space, beam, impl=cards)
    random = np.random.default_rng(1)
    image, views = (random.random(s.shape).astype(np.float32) for s in (ray.domain, ray.range))
    if kind == "pytorch":
        image, views = (pytest.importorskip("torch").tensor(a, device="cuda:0") for a in (image, views))
    image, views = ray.domain.element(image), ray.range.element(views)
    forward, back = ray(image), ray.adjoint(views)
    assert float(forward.inner(views)) == pytest.approx(float(image.inner(back)), rel=0.03)  # as if continuous

    host, found = (np.asarray(e.data.cpu() if kind == "pytorch" else e.data) for e in (image, forward))
    host = host.T[None] if flat else host.T  # ODL's arrays are (x, y, z)
    mine = bl.operator(bl.volume(space), beam, device="cpu")(np.ascontiguousarray(host))
    mine = mine[:, 0] if flat else np.swapaxes(mine, 1, 2)
    np.testing.assert_allclose(found, mine, atol=1e-4 * mine.max())


@pytest.mark.parametrize("wrong, names", [
    (lambda: astra.create_proj_geom("spiral", 1), "spiral"),
    (lambda: astra.create_proj_geom("cone", 1), "cone takes"),
    (lambda: astra.create_vol_geom(1, 2, 3, 4), "create_vol_geom"),
    (lambda: astra.data3d.get(99999), "data object 99999"),
    (lambda: astra.data3d.create("-vol", astra.create_vol_geom(4, 4, 4), np.zeros((3, 3, 3))), "shape"),
    (lambda: astra.create_projector("magic", astra.create_proj_geom("parallel", 1, 4, [0]), astra.create_vol_geom(4)),
     "magic"),
    (lambda: astra.algorithm.create({"type": "DART"}), "DART"),
])
def test_bad_input_is_named(wrong, names):
    with pytest.raises(bl.InputError, match=names):
        wrong()


@pytest.mark.parametrize("size", [(12, 10), (6, 12, 10)], ids=["2-D", "3-D"])
def test_operators_of_deepinv(size, monkeypatch):
    """deepinv's TomographyWithAstra as it is; without a card its links to CUDA memory are the tensors themselves."""
    from backlit.compat import install_astra

    install_astra()
    torch = pytest.importorskip("torch")
    pytest.importorskip("deepinv")
    from deepinv.physics import TomographyWithAstra
    from deepinv.physics.functional import astra as theirs

    device = "cuda" if torch.cuda.is_available() and "cuda" in bl.devices() else "cpu"
    if device == "cpu":
        monkeypatch.setattr(theirs, "_create_astra_link", lambda tensor: tensor)
    flat = len(size) == 2
    physics = TomographyWithAstra(size, 20, n_detector_pixels=24 if flat else (8, 24), angular_range=(0, 360),
                                  geometry_type="fanbeam" if flat else "conebeam", normalize=False, device=device,
                                  geometry_parameters={"source_radius": 60.0, "detector_radius": 30.0})
    x = torch.zeros(2, 1, *size, device=device)
    x[0, ..., 3:8, 4:9] = 1
    x[1, ..., 2:4, 2:4] = 1
    y = physics.A(x)
    grid = bl.volume((1, *size)[-3:])
    mine = bl.operator(grid, bl.from_astra(physics.projection_geometry), order="astra", device="cpu")
    for k in range(2):
        expected = mine(x[k, 0].cpu().numpy().reshape(mine.domain_shape)).reshape(y[k, 0].shape)
        np.testing.assert_allclose(y[k, 0].cpu(), expected, rtol=1e-4, atol=1e-4)
    back, own = physics.A_adjoint(y)[0, 0].cpu().numpy().ravel(), mine.T(y[0, 0].cpu().numpy().reshape(mine.range_shape))
    assert np.corrcoef(back, own.ravel())[0, 1] > 1 - 1e-6  # deepinv scales it as ASTRA's needs
    found = physics.A_dagger(y, fbp=True)
    assert float(found[0, ..., 4:7, 5:8].mean()) > 0.3
