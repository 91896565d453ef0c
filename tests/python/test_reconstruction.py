"""Methods, scans, corrections, files, pictures."""

import ast
import inspect
import os
import pathlib
import signal
import sys
import threading
import urllib.error
import urllib.request

import backlit as bl
import numpy as np
import pytest

GRID = bl.volume((10, 24, 24), voxel=8.0)
CONE = bl.circular(36, (20, 36), 11.0, 500.0, 900.0)


@pytest.fixture(scope="module")
def truth():
    return bl.phantom("shepp-logan-3d", GRID)


@pytest.fixture(scope="module")
def A():
    return bl.operator(GRID, CONE, device="cpu")


@pytest.fixture(scope="module")
def y(A, truth):
    return A(np.asarray(truth))


def test_every_method_is_a_function_with_its_own_options():
    for name in bl.method_names():
        method = getattr(bl, name)
        options = inspect.signature(method).parameters
        assert "volume" in options and "callback" in options
        assert name in ("fdk", "hfdk") or options["iterations"].default > 0
        for option in options:
            assert option + ":" in method.__doc__ or option == "options_of_events"
    assert "relaxation" in inspect.signature(bl.sirt).parameters
    assert "relaxation" not in inspect.signature(bl.cgls).parameters


@pytest.mark.parametrize("name, options, limit", [
    ("fdk", {}, 0.5), ("ifdk", {"iterations": 3}, 0.5), ("sirt", {"iterations": 10, "relaxation": 1.5}, 0.5),
    ("cgls", {"iterations": 8}, 0.35), ("ossart", {"iterations": 2, "subsets": 8}, 0.45),
    ("mlem", {"iterations": 5}, 0.6), ("sart", {"iterations": 1, "relaxation": 0.5}, 0.5)])
def test_methods(A, y, truth, name, options, limit):
    found = getattr(bl, name)(A, y, device="cpu", **options)
    assert found.shape == truth.shape and found.grid == GRID and found.dtype == np.float32
    assert np.linalg.norm(found - truth) < limit * np.linalg.norm(truth)


def test_iterate_is_the_same_run(A, y):
    steps = list(bl.iterate("cgls", A, y, iterations=4, device="cpu"))
    assert [s.iteration for s in steps] == [1, 2, 3, 4]
    residuals = [s.residual for s in steps]
    assert residuals == sorted(residuals, reverse=True)
    np.testing.assert_array_equal(steps[-1].volume, bl.cgls(A, y, iterations=4, device="cpu"))
    for step in bl.iterate("cgls", A, y, iterations=100, device="cpu"):
        if step.iteration == 2:
            break
    assert "iteration 2" in repr(step)


def test_callback_may_stop(A, y):
    seen = []

    def look(step):
        seen.append(step.residual)
        return len(seen) == 3

    bl.sirt(A, y, iterations=50, device="cpu", callback=look)
    assert len(seen) == 3 and seen[0] > seen[2]
    seen.clear()
    bl.fdk(A, y, device="cpu", callback=lambda s: seen.append(s.done))
    assert seen == sorted(seen) and seen[-1] > 0


def test_callback_that_fails_stops_the_run(A, y):
    def fail(step):
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        bl.sirt(A, y, iterations=5, device="cpu", callback=fail)


def test_arrays_as_options(A, y, truth):
    mask = (np.asarray(truth) > 0).astype(float)
    found = bl.sirt(A, y, iterations=3, mask=mask, initial=truth, device="cpu")
    assert np.all(found[mask == 0] == 0)
    assert np.linalg.norm(found - truth) < 0.02 * np.linalg.norm(truth)


def test_scan_files_come_back(tmp_path, y):
    path = tmp_path / "s.scan.toml"
    bl.save(path, bl.scan(CONE, y, GRID))
    scan = bl.load(path)
    assert scan.volume == GRID and scan.geometry.shape == CONE.shape
    np.testing.assert_allclose(scan.projections, y, rtol=1e-6)
    np.testing.assert_allclose(scan.geometry.vectors(), CONE.vectors(), atol=1e-9)
    np.testing.assert_array_equal(bl.fdk(scan, device="cpu"), bl.fdk(str(path), device="cpu"))
    assert len(scan[::4].geometry) == 9 and scan[::4].projections.shape[0] == 9
    assert bl.load(path, views=slice(0, 10), center=17.0).geometry.center_px == pytest.approx(17.0)


def test_phantoms_are_scaled():
    small = bl.simulate("shepp-logan-3d", bl.circular(36, (20, 36), 5.5, 250.0, 450.0), scale=0.5, value=3.0)
    np.testing.assert_allclose(small, 1.5 * bl.simulate("shepp-logan-3d", CONE), rtol=1e-4, atol=1e-5)


def test_counts_become_line_integrals():
    y = bl.simulate("shepp-logan-3d", CONE)
    flat, dark = np.full((20, 36), 5e4), np.full((3, 20, 36), 100.0)
    counts = 100 + (5e4 - 100) * np.exp(-y)
    scan = bl.correct(CONE, counts, flat, dark)
    np.testing.assert_allclose(scan.projections, y, atol=1e-4)


def test_centre_is_found():
    moved = bl.circular(90, (8, 64), 6.0, 500.0, 900.0, offset_u=3.0)
    y = bl.simulate("shepp-logan-3d", moved)
    wrong = bl.circular(90, (8, 64), 6.0, 500.0, 900.0)
    assert bl.find_center(wrong, y) == pytest.approx(31.5 + 3.0, abs=0.5)
    assert bl.find_center(bl.scan(wrong, y)) == bl.find_center(wrong, y)
    scan = bl.scan(wrong, y).with_center("find")
    assert scan.geometry.center_px == pytest.approx(34.5, abs=0.5)


def test_noise():
    y = bl.simulate("water-cylinder", CONE)
    noisy = bl.simulate("water-cylinder", CONE, photons=1e4, seed=3)
    np.testing.assert_array_equal(noisy, bl.add_noise(y, 1e4, seed=3))
    empty = y == 0
    assert np.std(noisy[empty]) == pytest.approx(0.01, rel=0.1)
    stripes = bl.remove_stripes(CONE, y + np.where(np.arange(36) == 20, 0.2, 0), 5)
    assert abs(stripes[:, :, 20] - y[:, :, 20]).mean() < 0.1


def test_surfaces(tmp_path):
    grid = bl.volume(24, voxel=2.0, center=(5, 0, 0))
    z, y, x = (np.arange(24) - 11.5 for _ in range(3))
    ball = 16 - np.hypot(np.hypot(z[:, None, None], y[:, None]), x) * 2
    vertices, triangles = bl.isosurface(ball, 0.0, grid)
    np.testing.assert_allclose(np.linalg.norm(vertices - [5, 0, 0], axis=1), 16, atol=0.2)
    a, b, c = (vertices[triangles[:, i]] for i in range(3))
    assert np.einsum("ij,ij->", a, np.cross(b, c)) / 6 == pytest.approx(4 / 3 * np.pi * 16**3, rel=0.02)
    for name in ("ball.stl", "ball.ply"):
        bl.save(tmp_path / name, (vertices, triangles))
        assert (tmp_path / name).stat().st_size > 12 * len(triangles)
    with pytest.raises(bl.InputError, match="vertex"):
        bl.save(tmp_path / "x.stl", (vertices[:10], triangles))
    with pytest.raises(bl.InputError):
        bl.save(tmp_path / "x.mha", (vertices, triangles))


def test_image_quality_of_the_phantom_itself():
    grid = bl.volume((24, 160, 180), voxel=(10.0, 2.0, 2.0), center=(0, 30, 0))
    quality = bl.image_quality(bl.phantom("nema-iq", grid))
    largest = quality["spheres"][-1]
    assert len(quality["spheres"]) == 6 and largest["diameter"] == 37
    assert largest["contrast"] == pytest.approx(100, abs=10) and largest["variability"] < 1
    assert quality["background"] == pytest.approx(1) and quality["lung_residual"] == pytest.approx(0, abs=1e-6)
    rods = bl.image_quality(bl.phantom("derenzo", bl.volume((8, 240, 240), voxel=(4.0, 1.0, 1.0))), "derenzo")["rods"]
    assert rods[-1]["valley_to_peak"] < 0.2 and rods[0]["diameter"] < rods[-1]["diameter"]


def test_volume_arrays_keep_their_grid(truth):
    assert (truth * 2).grid == GRID and truth[1:].grid is None and truth.copy().grid == GRID
    import pickle

    again = pickle.loads(pickle.dumps(truth))
    assert again.grid == GRID and np.array_equal(again, truth)


def test_compare(truth):
    same = bl.compare(truth, truth)
    assert same["rmse"] == 0 and same["ssim"] == pytest.approx(1)
    assert bl.compare(truth + np.float32(0.01), truth)["rmse"] == pytest.approx(0.01, rel=1e-4)


def test_compare_by_slice(truth):
    other = np.array(truth)
    other[4] += np.float32(0.01)
    table = bl.compare(other, truth, by_slice=True)
    assert table["slice"].tolist() == list(range(10))
    np.testing.assert_allclose(table["rmse"], 0.01 * (np.arange(10) == 4), atol=1e-7)
    assert table["ssim"][4] < 1 == pytest.approx(table["ssim"][5])
    some = bl.compare(other, truth, slices=slice(4, 6), by_slice=True)
    assert some["slice"].tolist() == [4, 5] and some["max_abs"][0] == table["max_abs"][4]
    assert bl.compare(other, truth, slices=slice(5, 10))["rmse"] == 0 < bl.compare(other, truth, slices=slice(4, 6))["rmse"]
    with pytest.raises(bl.InputError, match="slices"):
        bl.compare(other, truth, slices=slice(20, 30))
    with pytest.raises(bl.InputError, match="equal size"):
        bl.compare(other, truth[1:], by_slice=True)


def test_counts_of_16_bits_keep_their_scale(truth, tmp_path):
    file = tmp_path / "head.tif"
    bl.save(file, truth, bits=16)
    low, step = float(truth.min()), float(truth.max() - truth.min()) / 65535
    counts = np.asarray(bl.load_volume(file))
    assert np.abs(low + step * counts - np.asarray(truth)).max() < 0.51 * step and file.stat().st_size < 2.5 * truth.size
    lines = file.read_bytes().split(b"\n")  # of ImageJ
    stated = [float(next(line for line in lines if line.startswith(name))[3:]) for name in (b"c0=", b"c1=")]
    assert stated == [pytest.approx(low, abs=1e-6 * step), pytest.approx(step)]
    bl.save(file, truth, bits=16, range=(0, 0.01))
    assert bl.load_volume(file)[np.asarray(truth) > 0.0101].min() == 65535
    for wrong, names in (({"bits": 8}, "bits"), ({"range": (0, 1)}, "range"), ({"bits": 16, "range": (1, 1)}, "range")):
        with pytest.raises(bl.InputError, match=names):
            bl.save(file, truth, **wrong)
    with pytest.raises(bl.InputError, match="TIFF"):
        bl.save(tmp_path / "head.mha", truth, bits=16)


@pytest.mark.parametrize("option", [{"bits": 16}, {"range": (0, 1)}, {"fps": 12}], ids=lambda o: next(iter(o)))
def test_what_a_file_does_not_take_is_refused(truth, y, tmp_path, option):
    picture = np.zeros((4, 5, 3), np.uint8)
    surface = (np.eye(3, dtype=np.float32), np.array([[0, 1, 2]], np.uint32))
    film = [] if "fps" in option else [("a.png", np.stack([picture] * 2))]
    for name, values in (("a.png", picture), ("a.stl", surface), ("a.scan.toml", bl.scan(CONE, y)), ("a.mha", truth), *film):
        with pytest.raises(bl.InputError, match=next(iter(option))):
            bl.save(tmp_path / name, values, **option)
    assert not list(tmp_path.iterdir())


def test_looks(truth):
    look = {"size": 24, "azimuth": 0.0, "elevation": 0.0, "device": "cpu"}
    plain = bl.render(truth, "iso", background="#102030", surface_color=(255, 0, 0), **look)
    assert plain[0, 0].tolist() == [0x10, 0x20, 0x30] and plain[12, 12, 0] > 3 * plain[12, 12, 1] + 50
    low, high = GRID.lower, GRID.upper
    left = bl.render(truth, "iso", crop=((low[0], low[1], low[2]), (high[0], 0, high[2])), surface_color=(255, 0, 0), **look)
    assert left[12, 14:, 0].max() == 0 < left[12, :10, 0].max()  # the camera is on +x: +y lies to the right
    clipped = bl.render(truth, "iso", clips=[((0, 0, 0), (0, 1, 0))], surface_color=(255, 0, 0), **look)
    np.testing.assert_array_equal(clipped, left)
    lit, unlit = (bl.render(truth, "dvr", shaded=shaded, **look) for shaded in (True, False))
    assert (lit != unlit).any()
    assert (bl.render(truth, "dvr", jitter=True, step=2, **look) != bl.render(truth, "dvr", step=2, **look)).any()
    one, other = (bl.render(truth, "dvr", transfer="bone", water=water, **look) for water in (0.02, 0.01))
    assert (one != other).any()
    for wrong in ({"crop": (1, 2)}, {"background": "red"}, {"surface_color": (1, 2, 300)}, {"clips": [1]}):
        with pytest.raises(bl.InputError, match=next(iter(wrong))):
            bl.render(truth, "iso", **wrong)


def test_films(truth, tmp_path):
    camera = bl.Renderer(truth, device="cpu")
    frames = np.stack([camera("mip", size=(12, 16), azimuth=a) for a in (0, 90, 180)])
    bl.save(tmp_path / "turn.png", frames, fps=12)
    data = (tmp_path / "turn.png").read_bytes()
    assert data.count(b"fcTL") == 3 and data[data.index(b"acTL") + 4:][:4] == bytes((0, 0, 0, 3))


@pytest.mark.parametrize("mode", ["slice", "mip", "average", "drr", "iso", "dvr"])
def test_pictures(truth, mode):
    how = {} if mode == "slice" else {"size": (20, 30)}
    picture = bl.render(truth, mode, **how)
    assert picture.dtype == np.uint8 and picture.shape == ((24, 24, 3) if mode == "slice" else (20, 30, 3))
    assert picture.max() > 60 and picture.min() < picture.max()


def test_slices_lie_as_people_look_at_them():
    grid = bl.volume((4, 5, 6))
    values = np.zeros(grid.shape)
    values[2, 4, 5] = 1  # +x, +y
    assert np.unravel_index(bl.slice_of(values, "z", 0.5).argmax(), (5, 6)) == (0, 5)


def test_planes_of_a_volume_agree_with_its_slices(truth):
    for axis, normal in (("x", (1, 0, 0)), ("y", (0, -1, 0)), ("z", (0, 0, 1))):
        plane = bl.slice_of(truth, normal=normal, center=GRID.center)
        assert np.allclose(plane, bl.slice_of(truth, axis), atol=1e-6)
    tilted = bl.slice_of(truth, normal=(1, 1, 2), size=31)
    assert max(tilted.shape) == 31 and tilted.max() > 0
    with pytest.raises(bl.InputError, match="normal"):
        bl.slice_of(truth, normal=(0, 0, 0))


def test_slices_come_straight_from_projections(A, y):
    """FDK at the pixels of a plane is FDK at the voxels that lie there."""
    scan = bl.scan(A.geometry, y, GRID)
    volume = bl.fdk(scan, volume=GRID, model="voxel_driven", precision="exact", device="cpu")
    for axis in "xyz":
        expected = bl.slice_of(volume, axis, 0.5 * GRID.voxel[0])
        found = bl.slice_of(scan, axis, 0.5 * GRID.voxel[0], device="cpu")
        assert found.shape == expected.shape
        assert np.abs(found - expected).max() < 1e-4 * np.abs(expected).max()


def test_pictures_straight_from_projections(A, y):
    scan = bl.scan(A.geometry, y, GRID)
    try:
        camera = bl.Renderer(scan)
    except bl.Error as reason:
        pytest.skip(f"no OpenGL: {reason}")
    volume = bl.Renderer(bl.fdk(scan, volume=GRID), device="gl")
    for mode in ("mip", "iso", "dvr"):
        look = {"size": (40, 50), "window": (0.0, 0.04), "iso": 0.01, "transfer": "bone"}
        one, other = (np.asarray(r(mode, **look), float) for r in (camera, volume))
        assert one.shape == (40, 50, 3) and one.max() > 60
        assert np.abs(one - other).mean() < 12  # a volume of 24 voxels is blurred by its voxels
    with pytest.raises(bl.InputError, match="device"):
        bl.render(scan, "dvr", device="cpu")


def test_the_cpu_draws_what_gl_draws(truth):
    try:
        gl = bl.Renderer(truth, device="gl")
    except bl.Error as reason:
        pytest.skip(f"no OpenGL: {reason}")
    for mode in ("mip", "dvr"):
        one, other = (np.asarray(r(mode, size=40), float) for r in (gl, bl.Renderer(truth, device="cpu")))
        assert np.abs(one - other).mean() < 2


def test_viewer_is_named_when_it_is_missing(truth, monkeypatch):
    monkeypatch.delenv("BACKLIT_VIEW", raising=False)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(bl.Failure, match="backlit-view"):
        bl.show(truth)


def test_viewer_in_a_browser(truth, monkeypatch):
    if not os.environ.get("BACKLIT_VIEW"):
        pytest.skip("BACKLIT_VIEW does not name the viewer")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    viewer = bl.show(truth)
    try:
        with urllib.request.urlopen(viewer.address) as page:
            assert b"backlit" in page.read()
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(viewer.address.split("?")[0])
        assert viewer.address in viewer._repr_html_()
        viewer.command("wait done")
        viewer.set("shaded", False)
        assert viewer.get("shaded") == 0 and viewer.get("map") == "gray"
        viewer.command("window 0 1")
        assert viewer.get("high") == 1
        window, pane = viewer.picture(), viewer.picture("pane Axial")
        assert window.dtype == np.uint8 and window.shape[2] == 3 and window.shape[0] > pane.shape[0] > 100
        assert pane.std() > 5
        with pytest.raises(bl.InputError, match="fly"):
            viewer.command("fly", "a way")
        viewer.command("set", "map", "viridis")
        assert viewer.get("map") == "viridis"
    finally:
        viewer.close()
    assert viewer.process.returncode is not None
    with pytest.raises(bl.Failure, match="has ended"):
        viewer.get("map")


VIEWER = f'''#!{sys.executable}
import os, signal, sys, time
print("http://127.0.0.1:1/?token=1", flush=True)
for line in sys.stdin:
    if line == "end\\n":
        break
    if line == "wait\\n":
        os.kill(os.getppid(), signal.SIGINT)  # as Ctrl-C, while Python waits for the answer
        time.sleep(0.5)
    print("ok", line.partition("get ")[2].strip(), flush=True)
'''


@pytest.fixture
def viewer(tmp_path):
    program = tmp_path / "viewer"
    program.write_text(VIEWER)
    program.chmod(0o755)
    made = bl.show("nothing.mha", program=program, browser=True)
    yield made
    made.close()


@pytest.fixture(params=["this thread", "another thread"])
def thread_of_signals(request):
    """Which thread takes signals: they interrupt what this one waits for, or do not."""
    end = threading.Event()
    other = threading.Thread(target=end.wait)
    other.start()
    if request.param == "another thread":
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    yield
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    end.set()
    other.join()


def test_answers_of_a_viewer_keep_in_step_after_ctrl_c(viewer, thread_of_signals):
    for name in ("one", "two"):
        with pytest.raises(KeyboardInterrupt):
            viewer.command("wait")
        assert viewer.get(name) == name
    assert viewer.get("three") == "three"


def test_a_viewer_that_died_is_closed_quietly(viewer):
    with pytest.raises(bl.Failure, match="has ended"):
        viewer.command("end")
    viewer.process.wait()
    with pytest.raises(bl.Failure, match="has ended"):
        viewer.command("get", "one")
    viewer.close()


def test_a_viewer_that_cannot_start_is_named(truth):
    with pytest.raises(bl.Failure, match="exit code 1"):
        bl.show(truth, program="false", browser=True)


@pytest.mark.parametrize("wrong, names", [
    (lambda A, y: bl.sirt(A, y, iterations=0), "iterations"),
    (lambda A, y: bl.sirt(A, y, subsets=4), "subsets"),
    (lambda A, y: bl.cgls(A, y[1:]), "projections"),
    (lambda A, y: bl.fdk(A), "projections"),
    (lambda A, y: bl.fdk(A, y, filter="blue"), "blue"),
    (lambda A, y: bl.iterate("magic", A, y), "magic"),
    (lambda A, y: bl.sirt(A, y, initial=np.zeros((3, 3, 3))), "initial"),
    (lambda A, y: bl.fdk(A, y, mask=np.zeros((3, 3, 3))), "mask"),
    (lambda A, y: bl.load("nowhere.scan.toml"), "nowhere"),
    (lambda A, y: bl.load_volume("nowhere.mha"), "nowhere"),
    (lambda A, y: bl.phantom("nothing", GRID), "nothing"),
    (lambda A, y: bl.render(y, "magic"), "magic"),
])
def test_bad_input_is_named(A, y, wrong, names):
    with pytest.raises(bl.InputError, match=names):
        wrong(A, y)


def test_the_stub_tells_every_name_and_option():
    """__init__.pyi is written by the build; it must say what the package has."""
    stub = ast.parse(pathlib.Path(bl.__file__).with_suffix(".pyi").read_text())
    functions = {node.name: node for node in stub.body if isinstance(node, ast.FunctionDef)}
    names = set(functions) | {n.asname for node in stub.body if isinstance(node, ast.ImportFrom) for n in node.names}
    public = {n for n in vars(bl) if not n.startswith("_") and not inspect.ismodule(getattr(bl, n))}
    assert public <= names
    for name in bl.method_names():
        real = inspect.signature(getattr(bl, name)).parameters.values()
        told = functions[name].args
        assert [a.arg for a in told.kwonlyargs] == [p.name for p in real if p.kind == p.KEYWORD_ONLY]
        assert (told.kwarg is not None) == any(p.kind == p.VAR_KEYWORD for p in real)
