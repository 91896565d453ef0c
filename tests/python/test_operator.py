"""Operators: exact adjoints, any array, any strides, threads, processes, Ctrl-C."""

import copy
import os
import pathlib
import pickle
import subprocess
import sys
import threading

import backlit as bl
import numpy as np
import pytest

GRID = bl.volume((9, 12, 14), voxel=(1.2, 1.0, 1.0))
CONE = bl.circular(7, (8, 11), 2.0, 60.0, 110.0, offset_u=0.7)


@pytest.fixture(scope="module")
def A():
    return bl.operator(GRID, CONE, device="cpu")


@pytest.fixture(scope="module")
def x():
    return np.random.default_rng(1).random(GRID.shape)


def test_shapes_and_words(A):
    assert A.domain_shape == (9, 12, 14) and A.range_shape == (7, 8, 11)
    assert A.T.domain_shape == A.range_shape and A.T.T.range_shape == A.range_shape
    assert "joseph" in repr(A) and repr(A.T).startswith("adjoint of")
    assert A.matched and "joseph" in A.variant and A.device.startswith("cpu")


@pytest.mark.parametrize("model", ["joseph", "siddon", "raycast", "blob", "distance_driven"])
def test_adjoint(model):
    assert bl.operator(GRID, CONE, model=model, device="cpu").adjoint_error() < 1e-12


@pytest.mark.parametrize("geometry", [
    bl.helical(7, (8, 11), 2.0, 60.0, 110.0, pitch=4.0), bl.parallel(7, (8, 11), 1.5),
    bl.laminographic(7, (8, 11), 1.5, elevation=25), bl.circular(7, (8, 11), 2.0, 60.0, 110.0, curved=True)],
    ids=["helix", "parallel", "laminography", "curved"])
def test_geometries(geometry, x):
    a = bl.operator(GRID, geometry, device="cpu")
    assert a.adjoint_error() < 1e-12 and a(x).min() >= 0 and a(x).max() > 1


def test_agrees_with_exact_line_integrals():
    grid = bl.volume((48, 48, 48), voxel=4.0)
    g = bl.circular(5, (20, 24), 9.0, 500.0, 800.0)
    inside = bl.phantom("water-cylinder", grid)
    measured, exact = bl.operator(grid, g, device="cpu")(inside), bl.simulate("water-cylinder", g, supersampling=3)
    assert np.linalg.norm(measured - exact) < 0.03 * np.linalg.norm(exact)


def test_types_and_strides(A, x):
    y = A(x)
    assert y.dtype == np.float64
    for dtype, error in ((np.float32, 1e-6), (np.float16, 2e-3)):
        assert A(x.astype(dtype)).dtype == dtype
        np.testing.assert_allclose(A(x.astype(dtype)), y, rtol=error, atol=error)
    assert A((10 * x).astype(int)).dtype == np.float32
    assert A(x.tolist()).shape == y.shape
    np.testing.assert_array_equal(A(np.asfortranarray(x)), y)
    wide = np.zeros((9, 24, 28))
    wide[:, ::2, ::2] = x
    np.testing.assert_array_equal(A(wide[:, ::2, ::2]), y)
    np.testing.assert_array_equal(A(x[::-1].copy()[::-1]), y)
    frozen = x.copy()
    frozen.flags.writeable = False
    np.testing.assert_array_equal(A(frozen), y)


def test_out_and_add(A, x):
    y = A(x)
    for dtype in (np.float64, np.float32):
        out = np.full(A.range_shape, 7, dtype)
        assert A(x, out=out) is out
        np.testing.assert_allclose(out, y, rtol=1e-6)
        A(x, out=out, add=True)
        np.testing.assert_allclose(out, 2 * y, rtol=1e-6)
    back = np.zeros((12, 9, 14), np.float32).swapaxes(0, 1)
    A.T(y, out=back)
    np.testing.assert_allclose(back, A.T(y), rtol=1e-6)
    assert A.T(y, out=back, add=True) is back
    np.testing.assert_allclose(back, 2 * A.T(y), rtol=1e-6)


def test_batches(A, x):
    batch = np.stack([x, 2 * x, -x, x]).reshape(2, 2, *x.shape)
    y = A(batch)
    assert y.shape == (2, 2, *A.range_shape)
    np.testing.assert_array_equal(y[1, 0], A(-x))
    assert A.T(y).shape == batch.shape


def test_some_views(A, x):
    y = A(x)
    for views in (slice(None, None, 3), slice(2, 6), slice(None, None, -1), slice(-2, None)):
        some = A[views]
        np.testing.assert_array_equal(some(x), y[views])
        assert some.range_shape == y[views].shape and len(some.geometry) == len(y[views])
    np.testing.assert_array_equal(A[4](x), y[4:5])
    np.testing.assert_array_equal(A[[5, 1]](x), y[[5, 1]])
    parts = sum(A[i::3].T(y[i::3]) for i in range(3))
    np.testing.assert_allclose(parts, A.T(y), rtol=1e-12)
    np.testing.assert_array_equal(A.T[::3].T(x), y[::3])


def test_astra_order(A, x):
    a = bl.operator(GRID, CONE, order="astra", device="cpu")
    assert a.range_shape == (8, 7, 11)
    np.testing.assert_array_equal(a(x), A(x).swapaxes(0, 1))
    np.testing.assert_array_equal(a.T(a(x)), A.T(A(x)))


def test_sums_and_norm(A):
    np.testing.assert_allclose(A.row_sums, A(np.ones(GRID.shape)), rtol=1e-6)
    np.testing.assert_allclose(A.column_sums, A.T(np.ones(A.range_shape)), rtol=1e-6)
    small = bl.operator(bl.volume((3, 4, 5), 4.0), CONE, device="cpu")
    units = np.eye(60).reshape(60, *small.domain_shape)
    matrix = small(units).reshape(60, -1).T
    np.testing.assert_allclose(small.T(small(units)).reshape(60, 60), matrix.T @ matrix, atol=1e-12)
    assert small.norm(50) == pytest.approx(np.linalg.svd(matrix, compute_uv=False)[0], rel=1e-3)


def test_scipy(A, x):
    linalg = pytest.importorskip("scipy.sparse.linalg")
    a = bl.operator(bl.volume(5, 4.0), bl.circular(12, (8, 11), 3.0, 60.0, 110.0), device="cpu")
    truth = np.random.default_rng(2).random(a.domain_shape)
    found = linalg.lsqr(a.as_scipy(), a(truth).ravel(), iter_lim=150)[0].reshape(a.domain_shape)
    assert np.linalg.norm(a(found) - a(truth)) < 1e-4 * np.linalg.norm(a(truth))
    assert np.linalg.norm(found - truth) < 0.05 * np.linalg.norm(truth)


def test_opengl(A, x):
    try:
        gl = bl.operator(GRID, CONE, device="gl")
        y = gl(x)
    except bl.Failure as reason:
        pytest.skip(f"no OpenGL: {reason}")
    np.testing.assert_allclose(y, A(x), rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(gl.T(y.astype(np.float32)), A.T(y), rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(gl[::3](x), A[::3](x), rtol=1e-4, atol=1e-4)
    out = np.zeros((11, 8, 7), np.float32).T
    gl(x, out=out, add=True)
    np.testing.assert_allclose(out, y, rtol=1e-4, atol=1e-4)


class ThroughDlpack:
    """An array of another library: DLPack and no more."""

    def __init__(self, values):
        self.values = values

    def __dlpack__(self, **how):
        return self.values.__dlpack__(**how)

    def __dlpack_device__(self):
        return self.values.__dlpack_device__()


def test_dlpack(A, x):
    np.testing.assert_array_equal(A(ThroughDlpack(x)), A(x))


def test_cupy_arrays_and_two_operators_on_two_streams(x):
    cupy = pytest.importorskip("cupy")
    if "cuda" not in bl.devices() or cupy.cuda.runtime.getDeviceCount() == 0:
        pytest.skip("no CUDA")
    whole, some = (bl.operator(GRID, CONE, device="cuda")[rows] for rows in (slice(None), slice(None, None, 2)))
    expected, half = whole(x), some(x)
    on_card = cupy.asarray(x)
    y = whole(on_card)
    assert isinstance(y, cupy.ndarray) and y.dtype == np.float64
    np.testing.assert_allclose(y.get(), expected, rtol=1e-6)
    turned = cupy.asarray(x.transpose(2, 0, 1).copy()).transpose(1, 2, 0)  # strided
    np.testing.assert_array_equal(whole(turned).get(), y.get())
    out = cupy.ones_like(y)
    assert whole(on_card, out=out, add=True) is out
    np.testing.assert_allclose(out.get(), 1 + expected, rtol=1e-6)
    linear = whole.as_cupyx(np.float64)
    np.testing.assert_allclose(linear.rmatvec(y.ravel()).get(), whole.T(y).get().ravel(), rtol=1e-6)

    streams = [cupy.cuda.Stream(non_blocking=True) for _ in range(2)]
    cupy.cuda.Device().synchronize()
    found = []
    for i in range(1, 30):
        for A, stream in zip((whole, some), streams):
            with stream:
                scaled = on_card * 0
                for _ in range(20):
                    scaled = scaled * 0 + on_card * i  # takes a while; A must wait for it, on its stream
                found.append(A(scaled) / i)
    cupy.cuda.Device().synchronize()
    for k, views in enumerate(found):
        np.testing.assert_allclose(views.get(), half if k % 2 else expected, rtol=1e-6)


@pytest.fixture
def everywhere(device):
    """The operator on each device that is there."""
    return bl.operator(GRID, CONE, device=device)


@pytest.fixture
def strict():
    """The array API's own library: what is not in the standard fails."""
    return pytest.importorskip("array_api_strict")


def numbers(x):
    assert type(x).__module__.startswith("array_api_strict")
    return np.from_dlpack(x)


def test_array_api(everywhere, x, strict):
    A = everywhere
    y = A(strict.asarray(x))
    np.testing.assert_array_equal(numbers(y), A(x))
    np.testing.assert_array_equal(numbers(A.T(y)), A.T(A(x)))
    np.testing.assert_array_equal(numbers(A[::2](strict.asarray(x))), A[::2](x))
    assert A(strict.asarray(x, dtype=strict.float32)).dtype == strict.float32
    assert A(strict.ones(GRID.shape, dtype=strict.int64)).dtype == strict.float32
    batch = strict.stack([strict.asarray(x), strict.asarray(-x)])
    np.testing.assert_array_equal(numbers(A(batch))[1], A(-x))
    turned = strict.permute_dims(strict.asarray(x.transpose(2, 0, 1).copy()), (1, 2, 0))
    np.testing.assert_array_equal(numbers(A(turned)), A(x))
    elsewhere = strict.Device("device1")
    assert A(strict.asarray(x, device=elsewhere)).device == elsewhere
    with pytest.raises(bl.InputError, match="complex128"):
        A(strict.ones(GRID.shape, dtype=strict.complex128))


def test_array_api_out_and_add(everywhere, x, strict):
    A = everywhere
    out = strict.ones(A.range_shape, dtype=strict.float64)
    assert A(strict.asarray(x), out=out, add=True) is out
    np.testing.assert_array_equal(numbers(out), 1 + A(x))
    A(x, out=out)
    np.testing.assert_array_equal(numbers(out), A(x))
    with pytest.raises(bl.InputError, match="out"):
        A(strict.asarray(x), out=strict.ones(A.range_shape, dtype=strict.int64))


def test_methods_take_and_give_arrays_of_the_array_api(everywhere, x, strict):
    A = everywhere
    y = A(strict.asarray(x))
    for found in (bl.cgls(A, y, iterations=2), bl.sirt(A, y, iterations=2), bl.fdk(A, y, filter="hann"),
                  [step.volume for step in bl.iterate("cgls", A, y, iterations=2)][-1]):
        assert numbers(found).shape == A.domain_shape
    np.testing.assert_array_equal(numbers(bl.cgls(A, y, iterations=2)), bl.cgls(A, A(x), iterations=2))


def test_moved_views(everywhere, x):
    A = everywhere
    other = bl.circular(7, (8, 11), 2.0, 60.0, 110.0, start=13.0, offset_v=0.4, tilt=(1, 2, 3))
    B, y = A.moved(other), A(x)
    fresh = bl.operator(GRID, other, device=A.device.partition(",")[0])
    np.testing.assert_array_equal(B(x), fresh(x))
    np.testing.assert_array_equal(A(x), y)  # each call has its own views
    np.testing.assert_array_equal(B.T(y), fresh.T(y))
    np.testing.assert_array_equal(B[1:4](x), fresh[1:4](x))
    np.testing.assert_array_equal(B[[0, 3]](x), fresh(x)[[0, 3]])
    assert B.geometry == other and A.geometry == CONE
    for wrong in (bl.circular(8, (8, 11), 2.0, 60.0, 110.0), bl.circular(7, (8, 12), 2.0, 60.0, 110.0)):
        with pytest.raises(bl.InputError, match="7 views of 8 x 11"):
            A.moved(wrong)
    with pytest.raises(bl.InputError, match="geometry"):
        A[::2].moved(other)


def test_jax(A, x):
    jax = pytest.importorskip("jax")
    jax.config.update("jax_default_device", jax.devices("cpu")[0])
    for dtype, error in (("float32", 1e-6), ("bfloat16", 2e-2)):
        y = A(jax.numpy.asarray(x, dtype=dtype))
        assert isinstance(y, jax.Array) and y.dtype == dtype
        np.testing.assert_allclose(np.asarray(y, np.float32), A(x), rtol=error, atol=error)
    with pytest.raises(bl.InputError, match="out"):
        A(x, out=jax.numpy.zeros(A.range_shape))


def test_threads(A, x):
    y, found = A(x), {}

    def work(i):
        mine = A if i % 2 else bl.operator(GRID, CONE, device="cpu")
        found[i] = [mine((i + 1) * x) for _ in range(3)]

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    for i in range(4):
        for result in found[i]:
            np.testing.assert_allclose(result, (i + 1) * y, rtol=1e-12)


def test_other_threads_run_during_a_call():
    a = bl.operator(bl.volume(64), bl.circular(180, (96, 96), 1.5, 300, 500), device="cpu")
    x, out, ticks, ended = np.ones(a.domain_shape), np.empty(a.range_shape), [], threading.Event()

    def tick():
        while not ended.wait(0.001):
            ticks.append(len(ticks))

    other = threading.Thread(target=tick)
    other.start()
    before = len(ticks)
    a(x, out=out)
    after = len(ticks)
    ended.set()
    other.join()
    assert after - before > 10


def test_an_operator_that_no_device_has_goes_away_quietly(x):
    a = bl.operator(GRID, CONE, model="branchless_dd", device="cpu")
    with pytest.raises(bl.Unsupported, match="branchless_dd"):
        a(x)
    with pytest.raises(bl.Unsupported, match="branchless_dd"):
        a.variant
    del a


def run(code, **more):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, **more)


def test_import_takes_no_device_and_numpy_alone():
    code = """
import sys, backlit as bl
g = bl.circular(4, (5, 6), 1.0, 50, 90)
A = bl.operator(bl.volume(5), g, device="gl")   # no device before the first call
for heavy in ("torch", "scipy", "matplotlib", "cupy"):
    assert heavy not in sys.modules, heavy
import os
maps = open("/proc/self/maps").read()
assert "libcuda.so" not in maps and "swrast" not in maps and "nvidia" not in maps.replace("/nvidia/cu", "")
print("fine")
"""
    result = run(code)
    assert result.stdout == "fine\n", result.stderr


def test_operators_go_to_other_processes(A, x, tmp_path):
    for a in (A, A[::2], A.T, A[1:4].T, A.moved(bl.circular(7, (8, 11), 2.0, 60.0, 110.0, tilt=(1, 2, 3)))):
        again = pickle.loads(pickle.dumps(a))
        array = np.random.default_rng(3).random(a.domain_shape)
        assert again.range_shape == a.range_shape and again.geometry == a.geometry and repr(again) == repr(a)
        np.testing.assert_array_equal(again(array), a(array))
        assert copy.deepcopy(a) is a and copy.copy(a) is a
    for g in (CONE, bl.parallel(7, (8, 11), 1.5, tilt=(1, 2, 3)), bl.circular(7, (8, 11), 2.0, 60.0, 110.0, curved=True),
              CONE[[3, 1]], GRID):
        assert pickle.loads(pickle.dumps(g)) == g and copy.deepcopy(g) == g and repr(pickle.loads(pickle.dumps(g))) == repr(g)
    (tmp_path / "a").write_bytes(pickle.dumps((A, x)))
    result = run(f"""
import pickle
A, x = pickle.load(open({str(tmp_path / 'a')!r}, "rb"))
print(float(A(x).sum()))
""")
    assert float(result.stdout) == pytest.approx(A(x).sum()), result.stderr
    with pytest.raises(bl.InputError, match="PET"):
        pickle.dumps(bl.operator(GRID, bl.listmode([[0, -90, 1]], [[0, 90, 1]])))


def test_processes_may_fork():
    code = """
import os, numpy as np, backlit as bl
A = bl.operator(bl.volume(5), bl.parallel(4, (5, 6)), device="cpu")
child = os.fork()
y = A(np.ones((5, 5, 5)))
if child:
    assert os.waitpid(child, 0)[1] == 0
    print("fine", y.shape)
os._exit(0) if not child else None
"""
    result = run(code)
    assert result.stdout.startswith("fine"), result.stderr


def test_processes_may_fork_after_calls():
    code = """
import multiprocessing, numpy as np, backlit as bl
A = bl.operator(bl.volume(24), bl.parallel(40, (24, 24)), device="cpu")
x = np.ones(A.domain_shape)
y = A(x)  # with all threads of the CPU
def work(i):
    return np.array_equal(A(x), y) and bl.sirt(A, y, iterations=1, device="cpu").shape == x.shape
with multiprocessing.get_context("fork").Pool(2) as pool:
    print(pool.map_async(work, range(4)).get(timeout=60), np.array_equal(A(x), y))
"""
    result = run(code)
    assert result.stdout == "[True, True, True, True] True\n", result.stderr


def test_a_device_that_was_in_use_before_a_fork_is_refused():
    code = """
import os, numpy as np, backlit as bl
A = bl.operator(bl.volume(8), bl.parallel(4, (8, 8)), device="gl")
x = np.ones(A.domain_shape, np.float32)
try:
    A(x)
except bl.Failure:
    print("no OpenGL", flush=True)
    os._exit(0)
if not os.fork():
    try:
        A(x)
    except bl.Failure as reason:
        print(reason, flush=True)
    os._exit(0)
os.wait()
os._exit(0)
"""
    result = run(code)
    if result.stdout == "no OpenGL\n":
        pytest.skip("no OpenGL")
    assert "gl was in use before this process was forked" in result.stdout, result.stderr


def test_methods_and_pictures_refuse_opengl_after_a_fork():
    code = """
import os, numpy as np, backlit as bl
scan = bl.scan(bl.parallel(4, (8, 8)), np.ones((4, 8, 8), np.float32))
try:
    run = bl.iterate("sirt", scan, device="gl", iterations=3)
    next(run)
    camera = bl.Renderer(np.ones((8, 8, 8)), device="gl")
except bl.Failure:
    print("no OpenGL", flush=True)
    os._exit(0)
if not os.fork():
    for call in (lambda: bl.sirt(scan, iterations=1, device="gl"), lambda: next(run), lambda: camera("mip", size=8),
                 lambda: bl.Renderer(scan), lambda: bl.slice_of(scan, device="gl")):
        try:
            call()
            print("went on", flush=True)
        except bl.Failure as reason:
            print(reason, flush=True)
    print(bl.sirt(scan, iterations=1).shape, flush=True)  # auto: another device
    os._exit(0)
os.wait()
next(run)
print("parent goes on", flush=True)
os._exit(0)
"""
    lines = run(code).stdout.splitlines()
    if lines == ["no OpenGL"]:
        pytest.skip("no OpenGL")
    assert len(lines) == 7 and all("gl was in use before this process was forked" in line for line in lines[:5]), lines
    assert lines[5:] == ["(8, 8, 8)", "parent goes on"]


def peak_of(call):
    """Bytes by which memory of this process grew at most during a call."""
    status = pathlib.Path("/proc/self/status")
    read = lambda key: 1024 * int(status.read_text().split(key + ":")[1].split()[0])  # noqa: E731
    try:
        pathlib.Path("/proc/self/clear_refs").write_text("5")  # the peak begins here
    except OSError as reason:
        pytest.skip(f"peaks of memory are not told: {reason}")
    before = read("VmRSS")
    call()
    return read("VmHWM") - before


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_call_allocates_nothing(dtype):
    """Also not for a moment: the peak would show it."""
    A = bl.operator(bl.volume((64, 256, 256)), bl.circular(1, (2, 2), 40.0, 600.0, 900.0), device="cpu")
    x, back = np.ones(A.domain_shape, dtype), np.ones(A.domain_shape, dtype)
    y = np.ones(A.range_shape, dtype)
    A(x, out=y), A.T(y, out=back)  # makes the plan
    assert peak_of(lambda: A(x, out=y)) < x.nbytes / 8
    assert peak_of(lambda: A.T(y, out=back)) < x.nbytes / 8
    assert peak_of(lambda: A.T(y)) > x.nbytes / 2  # the result, so that this test can fail


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_stops_between_parts(interrupted):
    code = """
import numpy as np, backlit as bl
A = bl.operator(bl.volume(96), bl.circular(4000, (128, 128), 1.0, 300, 500), device="cpu")
try:
    print("begin", flush=True)
    A(np.ones((96, 96, 96)))
except KeyboardInterrupt:
    print("stopped")
"""
    assert interrupted(code) == ["stopped"]


@pytest.mark.parametrize("wrong, names", [
    (lambda a, x: a(x[1:]), "volume: has shape"),
    (lambda a, x: a.T(x), "projections: has shape"),
    (lambda a, x: a(x.astype(complex)), "complex"),
    (lambda a, x: a(bl.scan(CONE, a(x))), "scan: circular"),
    (lambda a, x: a("x"), "'x' is no array"),
    (lambda a, x: a.norm(0), "iterations"),
    (lambda a, x: bl.operator(CONE, GRID), "geometry: is a volume"),
    (lambda a, x: a(x, add=True), "add"),
    (lambda a, x: a(x, out=np.zeros((7, 8, 12))), "out"),
    (lambda a, x: a(x, out=[1.0]), "out"),
    (lambda a, x: a(np.stack([x, x]), out=np.zeros((3, 7, 8, 11))), "batch"),
    (lambda a, x: a[7:], "views"),
    (lambda a, x: bl.operator(GRID, CONE, model="magic"), "magic"),
    (lambda a, x: bl.operator(GRID, CONE, precision="best"), "best"),
    (lambda a, x: bl.operator(GRID, CONE, device="tpu"), "tpu"),
    (lambda a, x: bl.operator(GRID, CONE, order="other"), "order"),
    (lambda a, x: bl.operator(GRID), "geometry"),
    (lambda a, x: bl.operator(GRID, CONE, device="cpu:1")(x), "one device"),
    (lambda a, x: bl.operator(GRID, CONE, device="gl:1,1")(x), "named twice"),
    (lambda a, x: bl.operator(GRID, CONE, device="cuda:0;1"), "cuda:0,1"),
])
def test_bad_input_is_named(A, x, wrong, names):
    with pytest.raises(bl.InputError, match=names):
        wrong(A, x)


def test_emission_is_seen_through_what_attenuates():
    volume = bl.volume((8, 32, 32), voxel=2.0)
    views = bl.parallel(views=12, detector=(8, 40), pixel=2.0)
    mu = np.full(volume.shape, 0.01, np.float32)
    plain, dim = (bl.operator(volume, views, model="emission", attenuation=a, device="cpu") for a in (None, mu))
    assert dim.adjoint_error() < 1e-6 and dim.matched
    point = np.zeros(volume.shape)
    point[4, 16, 16] = 1  # behind 32 mm of it
    assert dim(point).sum() == pytest.approx(plain(point).sum() * np.exp(-0.01 * 32), rel=0.05)
    np.testing.assert_allclose(dim[::3](point), dim(point)[::3], rtol=1e-6)
    blurred = bl.operator(volume, views, model="emission", attenuation=mu, scatter=4.0, scatter_kernel="none",
                          device="cpu")
    assert blurred(point).max() < dim(point).max()
    for wrong, names in [(dict(model="emission", magic=3), "magic"), (dict(attenuation=mu), "attenuation"),
                         (dict(model="emission", attenuation=mu[1:]), "attenuation"),
                         (dict(model="emission", packing="orbit"), "packing")]:
        with pytest.raises(bl.InputError, match=names):
            bl.operator(volume, views, **wrong)
