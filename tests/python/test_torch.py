"""The torch module. Skipped where torch is not installed; on CUDA where there is a card."""

import copy
import itertools

import backlit as bl
import numpy as np
import pytest

torch = pytest.importorskip("torch")

GRID = bl.volume((4, 6, 5), voxel=2.0)
CONE = bl.circular(5, (4, 7), 3.0, 60.0, 110.0)
devices = ["cpu"] + (["cuda"] if torch.cuda.is_available() and "cuda" in bl.devices() else [])


@pytest.fixture(scope="module")
def A():
    return bl.operator(GRID, CONE)


@pytest.fixture(scope="module")
def reference():
    return bl.operator(GRID, CONE, device="cpu")


def volume(*lead, device="cpu", dtype=torch.float64):
    generator = torch.Generator().manual_seed(1)
    return torch.rand(*lead, *GRID.shape, generator=generator, dtype=torch.float64).to(device=device, dtype=dtype)


@pytest.mark.parametrize("device", devices)
@pytest.mark.parametrize("dtype, error", [(torch.float32, 1e-5), (torch.float16, 5e-3), (torch.bfloat16, 5e-2),
                                          (torch.float64, 1e-5)])
def test_the_same_kind_comes_back(A, reference, device, dtype, error):
    x = volume(device=device, dtype=dtype)
    y = A(x)
    assert isinstance(y, torch.Tensor) and y.dtype == dtype and y.device == x.device and y.shape == A.range_shape
    expected = reference(x.double().cpu().numpy())
    np.testing.assert_allclose(y.double().cpu(), expected, rtol=error, atol=error * expected.max())
    back = A.T(y)
    assert back.dtype == dtype and back.shape == A.domain_shape


@pytest.mark.parametrize("device", devices)
def test_strides_out_and_add(A, reference, device):
    x = volume(device=device, dtype=torch.float32)
    y = A(x)
    np.testing.assert_allclose(A(x.permute(2, 0, 1).contiguous().permute(1, 2, 0)).cpu(), y.cpu(), rtol=1e-6)
    out = torch.full(A.range_shape, 5.0, device=device)
    assert A(x, out=out) is out
    A(x, out=out, add=True)
    np.testing.assert_allclose(out.cpu(), 2 * y.cpu(), rtol=1e-6)
    strided = torch.ones(7, 4, 5, device=device, dtype=torch.float16).permute(2, 1, 0)
    A(x, out=strided, add=True)
    np.testing.assert_allclose(strided.cpu(), 1 + y.cpu(), rtol=2e-3)
    np.testing.assert_allclose(A[::2](x).cpu(), y[::2].cpu(), rtol=1e-5)


@pytest.mark.parametrize("device", devices)
def test_lazy_tensors_are_refused(A, device):
    x = volume(device=device, dtype=torch.float32)
    A(x)  # from the second call on torch's tensors are read by the extension itself
    out = torch.zeros(A.range_shape, dtype=torch.complex64, device=device).conj()
    for given, to in ((x, out.imag), (x, out), (torch.complex(x, x).conj().imag, None), (torch.complex(x, x).conj(), None)):
        with pytest.raises(bl.InputError, match="array"):
            A(given, out=to)
    assert not out.any()


@pytest.mark.parametrize("device", devices)
def test_batches_and_channels(A, device):
    f = bl.torch.operator(A)
    x = volume(3, 2, device=device, dtype=torch.float32)
    y = f(x)
    assert y.shape == (3, 2, *A.range_shape)
    np.testing.assert_allclose(y[2, 1].cpu(), A(x[2, 1]).cpu(), rtol=1e-6)
    np.testing.assert_allclose(f.T(y)[1, 0].cpu(), A.T(y[1, 0]).cpu(), rtol=1e-6)


def test_gradients_are_right_twice():
    f = bl.torch.operator(bl.operator(GRID, CONE, device="cpu"))
    x = volume(2).requires_grad_()
    assert torch.autograd.gradcheck(f, (x,), fast_mode=True)
    assert torch.autograd.gradcheck(lambda v: f(v) ** 2, (x,), fast_mode=True)
    assert torch.autograd.gradgradcheck(lambda v: f(v) ** 3, (x,), fast_mode=True)
    assert torch.autograd.gradcheck(f.T, (f(x).detach().requires_grad_(),), fast_mode=True)


def test_an_operator_that_is_let_go_stays_for_its_gradient(reference):
    x = volume().requires_grad_()
    loss = (bl.torch.operator(reference[::2])(x) * 2).sum()
    others = [bl.torch.operator(reference[1::2]) for _ in range(20)]  # where the first one lay
    loss.backward()
    assert len(others) == 20
    np.testing.assert_allclose(x.grad, 2 * reference[::2].column_sums, rtol=1e-5)


def test_an_operator_itself_is_differentiable(reference):
    x = volume(2).requires_grad_()
    assert torch.autograd.gradcheck(reference, (x,), fast_mode=True)
    y = reference[1:3](x)
    assert torch.autograd.gradcheck(reference[1:3].T, (y.detach().requires_grad_(),), fast_mode=True)
    assert torch.autograd.gradgradcheck(lambda v: reference(v) ** 3, (x,), fast_mode=True)
    with torch.no_grad():
        assert not reference(x).requires_grad
    assert not reference(x.detach()).requires_grad
    out = torch.empty(2, *reference.range_shape, dtype=torch.float64)
    assert reference(x, out=out) is out and not out.requires_grad
    torch.testing.assert_close(out, reference(x).detach())


@pytest.mark.parametrize("device", devices)
def test_trains(A, device):
    torch.manual_seed(1)
    net = torch.nn.Sequential(torch.nn.Conv3d(1, 4, 3, padding=1), torch.nn.ReLU(),
                              torch.nn.Conv3d(4, 1, 3, padding=1), bl.torch.operator(A)).to(device)
    x = volume(1, 1, device=device, dtype=torch.float32)
    y = A(x[0, 0])[None, None]
    step = torch.optim.Adam(net.parameters(), 1e-2)
    losses = []
    for _ in range(30):
        step.zero_grad()
        loss = ((net(x) - y) ** 2).mean()
        loss.backward()
        step.step()
        losses.append(loss.item())
    assert losses[-1] < 0.2 * losses[0]
    assert "operator" in repr(net)


class Views(torch.utils.data.Dataset):
    """Projections that a worker of a loader computes."""

    def __init__(self, a):
        self.a = a

    def __len__(self):
        return 4

    def __getitem__(self, i):
        return self.a(torch.full(self.a.domain_shape, 1.0 + i))


@pytest.mark.parametrize("how, workers", [("fork", 2), ("spawn", 1)])
def test_workers_of_a_loader_project(how, workers):
    a = bl.operator(GRID, CONE, device="cpu")
    loader = torch.utils.data.DataLoader(Views(a), batch_size=2, num_workers=workers, multiprocessing_context=how)
    found, expected = torch.cat(list(loader)), torch.as_tensor(a.row_sums)
    torch.testing.assert_close(found, torch.stack([expected * (1 + i) for i in range(4)]), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("device", devices)
def test_networks_are_copied_and_saved(A, device, tmp_path):
    f = bl.torch.operator(A.T)
    net = torch.nn.Sequential(torch.nn.Conv3d(1, 1, 3, padding=1), bl.torch.operator(A), f).to(device)
    x = volume(1, 1, device=device, dtype=torch.float32)
    torch.save(net, tmp_path / "net.pt")
    for again in (copy.deepcopy(net), torch.load(tmp_path / "net.pt", weights_only=False)):
        torch.testing.assert_close(again(x), net(x))
        again(x).sum().backward()
        assert again[0].weight.grad.abs().sum() > 0 and net[0].weight.grad is None


def test_methods_take_and_give_tensors(A):
    y = A(volume(dtype=torch.float32))
    found = bl.cgls(bl.operator(GRID, CONE, device="cpu"), y, iterations=2)
    assert isinstance(found, torch.Tensor) and found.shape == A.domain_shape


def smooth(grid):
    """Derivatives of rough volumes depend on which side of a voxel's centre a ray passes."""
    z, y, x = (torch.linspace(low, high, n, dtype=torch.float64) for (low, high), n in zip(grid.extent, grid.shape))
    z, y, x = torch.meshgrid(z - 0.5, y + 1, x - 1.2, indexing="ij")
    return torch.exp(-(x**2 + y**2 + z**2) / 20) * (1 + 0.1 * x)


GRADIENT_GRID = bl.volume((9, 12, 10), voxel=(1.2, 1.0, 1.1), center=(0.3, -0.2, 0.1))


@pytest.mark.parametrize("geometry", [
    bl.circular(2, (4, 5), 3.4, 60.0, 110.0, start=10, tilt=(2, -3, 4), offset_u=0.7),
    bl.parallel(2, (4, 5), 2.7, start=10, tilt=(1, 2, 3), offset_v=0.2),
], ids=["cone", "parallel"])
def test_gradients_by_the_twelve_numbers_of_every_view(geometry):
    x = torch.stack([smooth(GRADIENT_GRID), smooth(GRADIENT_GRID).flip(0)]).requires_grad_()
    vectors = torch.tensor(geometry.vectors())
    if geometry.beam == "parallel":
        vectors[1, :3] *= 3  # a ray's length is of no account
    vectors.requires_grad_()

    def project(x, vectors):  # in double precision
        return bl.torch.project(x, vectors, (4, 5), volume=GRADIENT_GRID, beam=geometry.beam, device="cpu")

    assert project(x, vectors).shape == (2, 2, 4, 5)
    assert torch.autograd.gradcheck(project, (x.detach(), vectors), eps=1e-6, atol=1e-4, rtol=1e-4)
    assert torch.autograd.gradcheck(project, (x, vectors), eps=1e-6, atol=1e-4, fast_mode=True)
    project(x.detach().float(), vectors).sum().backward()
    single = vectors.grad.clone()
    vectors.grad = None
    project(x.detach(), vectors).sum().backward()
    torch.testing.assert_close(single, vectors.grad, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("beam", ["cone", "parallel"])
@pytest.mark.parametrize("device", devices)
def test_gradients_by_vectors_are_differences_in_double_precision(beam, device):
    geometry = {"cone": bl.circular(3, (4, 5), 3.4, 60.0, 110.0, start=10, tilt=(2, -3, 4), offset_u=0.7),
                "parallel": bl.parallel(3, (4, 5), 2.7, start=10, tilt=(1, 2, 3), offset_v=0.2)}[beam]
    x = torch.stack([smooth(GRADIENT_GRID), 0.5 * smooth(GRADIENT_GRID).flip(0)])
    weights = torch.rand(2, 3, 4, 5, generator=torch.Generator().manual_seed(2), dtype=torch.float64)
    vectors = torch.tensor(geometry.vectors())

    def loss(vectors, x=x):  # in double precision on the host
        y = bl.torch.project(x, vectors, (4, 5), volume=GRADIENT_GRID, beam=beam, device="auto" if x.is_cuda else "cpu")
        return (y * weights.to(y)).sum()

    moved = 1e-6 * torch.eye(36, dtype=torch.float64).reshape(36, 3, 12)
    differences = torch.stack([loss(vectors + m) - loss(vectors - m) for m in moved]).reshape(3, 12) / 2e-6
    for dtype in (torch.float64, torch.float32, torch.float16):
        leaf = vectors.detach().clone().to(device).requires_grad_()
        loss(leaf, x.to(device, dtype)).backward()
        assert leaf.grad.device == leaf.device
        error = (leaf.grad.cpu() - differences).norm() / differences.norm()
        assert error < (2e-3 if dtype == torch.float16 else 1e-4), dtype


def test_a_fan_is_not_drawn_out_of_its_plane():
    vectors = torch.tensor(bl.fan(5, 20, 1.0, 60.0, 90.0, start=7).vectors()).requires_grad_()
    bl.torch.project(smooth(bl.volume((1, 12, 12))), vectors, (1, 20)).sum().backward()
    found = vectors.grad.reshape(5, 4, 3)
    assert found[:, :3, 2].abs().max() < 1e-9 < found[:, :3, :2].abs().max()


def test_bad_vectors_are_named():
    x = torch.zeros(4, 4, 4)
    with pytest.raises(bl.InputError, match="views, 12"):
        bl.torch.project(x, torch.zeros(3, 6), (4, 4))
    with pytest.raises(bl.InputError, match="z, y, x"):
        bl.torch.project(torch.zeros(4), torch.zeros(3, 12), (4, 4))


@pytest.mark.skipif(not hasattr(torch, "vmap"), reason="this torch has no vmap")
@pytest.mark.skipif(not hasattr(torch.library, "custom_op"), reason="this torch has no custom_op")
def test_vmap(reference):
    f = bl.torch.operator(reference)
    x = volume(3)
    torch.testing.assert_close(torch.vmap(f)(x), f(x))
    v = volume().requires_grad_()
    y = f(v)
    rows = torch.rand(3, *y.shape, dtype=y.dtype)
    expected = f.T(rows)
    torch.testing.assert_close(torch.vmap(lambda w: torch.autograd.grad(y, v, w, retain_graph=True)[0])(rows), expected)
    torch.testing.assert_close(torch.autograd.grad(y, v, rows, is_grads_batched=True)[0], expected)


@pytest.mark.skipif(not hasattr(torch.library, "custom_op"), reason="this torch has no custom_op")
def test_the_operation_is_sound(reference):
    f = bl.torch.operator(reference)
    from backlit.torch import _custom, number_of

    x = volume(2).requires_grad_()
    torch.library.opcheck(_custom, (x, number_of(reference), False),
                          test_utils=("test_schema", "test_faketensor", "test_autograd_registration"))
    assert f(x).shape == (2, *reference.range_shape)


@pytest.mark.skipif(len(devices) == 1, reason="no CUDA")
def test_runs_in_order_with_the_callers_stream(A, reference):
    x = volume(device="cuda", dtype=torch.float32)
    expected = reference(x.cpu().numpy())
    streams = [torch.cuda.Stream() for _ in range(4)]
    results = []
    torch.cuda.synchronize()
    for i in range(40):
        with torch.cuda.stream(streams[i % 4]):
            scaled = torch.zeros_like(x)
            for _ in range(20):
                scaled = scaled * 0 + x * (i + 1)
            results.append(A(scaled) / (i + 1))
            del scaled
    torch.cuda.synchronize()
    for r in results:
        np.testing.assert_allclose(r.cpu(), expected, rtol=1e-4, atol=1e-4)


@pytest.mark.skipif(len(devices) == 1, reason="no CUDA")
def test_cuda_is_exact_beside_the_host(A):
    exact = bl.operator(GRID, CONE, device="cuda")
    x = volume(device="cuda", dtype=torch.float64)
    y = torch.rand(*exact.range_shape, dtype=torch.float64, device="cuda")
    forward, back = exact(x), exact.T(y)
    error = abs((forward * y).sum() - (x * back).sum()) / (forward.norm() * y.norm())
    assert error < 1e-6
    np.testing.assert_allclose(exact(x.cpu().numpy()), forward.cpu(), rtol=1e-6)


class OfAnotherLibrary:
    """A CUDA array with DLPack whose library is neither torch nor CuPy."""

    def __init__(self, tensor):
        self.tensor, self.dtype = tensor, np.dtype(str(tensor.dtype).rpartition(".")[2])

    @property
    def shape(self):
        return self.tensor.shape

    def __dlpack__(self, **how):
        return self.tensor.__dlpack__(**how)

    def __dlpack_device__(self):
        return self.tensor.__dlpack_device__()

    def __array_namespace__(self):
        return type("namespace", (), {"from_dlpack": staticmethod(lambda y: OfAnotherLibrary(torch.from_dlpack(y)))})


@pytest.mark.skipif(len(devices) == 1, reason="no CUDA")
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.float64])
def test_cuda_arrays_of_other_libraries(A, dtype):
    x = volume(device="cuda", dtype=dtype)
    y = A(OfAnotherLibrary(x))
    assert isinstance(y, OfAnotherLibrary) and y.tensor.dtype == dtype
    torch.testing.assert_close(y.tensor, A(x))
    torch.testing.assert_close(A.T(y).tensor, A.T(A(x)))


def test_bad_input_is_named(A):
    with pytest.raises(bl.InputError, match="shape"):
        bl.torch.operator(A)(torch.zeros(2, 3))
    with pytest.raises(bl.InputError, match="operator"):
        bl.torch.operator(copy)
    with pytest.raises(bl.InputError, match="complex64"):
        A(torch.zeros(GRID.shape, dtype=torch.complex64))
    with pytest.raises(bl.InputError, match="cpu"):
        if len(devices) == 1:
            raise bl.InputError("cpu")
        bl.operator(GRID, CONE, device="cpu")(volume(device="cuda"))


@pytest.mark.skipif(not hasattr(torch.library, "custom_op"), reason="this torch has no custom_op")
def test_compiled_and_transformed_it_gives_the_same(reference):
    f = bl.torch.operator(reference)
    x = volume(2)
    compiled = torch.compile(lambda v: (f(2 * v) ** 2).sum(), backend="aot_eager", fullgraph=True)
    gradients = []
    for loss in (compiled, lambda v: (f(2 * v) ** 2).sum()):
        leaf = x.clone().requires_grad_()
        loss(leaf).backward()
        gradients.append(leaf.grad)
    torch.testing.assert_close(*gradients)
    torch.testing.assert_close(torch.func.grad(lambda v: (f(2 * v) ** 2).sum())(x), gradients[0])


@pytest.mark.skipif(len(devices) == 1, reason="no CUDA")
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16])
def test_a_call_on_cuda_allocates_nothing_and_copies_nothing_from_or_to_the_host(dtype):
    """Neither torch's memory nor CUDA's, as torch counts it and as CUDA's own calls and copies tell."""
    A = bl.operator(bl.volume((20, 30, 40)), bl.circular(12, (30, 40), 4.0, 200.0, 300.0), device="cuda")
    x, back = (torch.ones(A.domain_shape, device="cuda", dtype=dtype) for _ in range(2))
    y = torch.ones(A.range_shape, device="cuda", dtype=dtype)

    def both():
        A(x, out=y)
        A.T(y, out=back)

    def calls_of(what):
        with torch.profiler.profile(activities=list(torch.profiler.supported_activities())) as profile:
            what()
            torch.cuda.synchronize()
        return [e.name for e in profile.events()
                if e.name.startswith(("cudaMalloc", "cudaHostAlloc", "Memcpy HtoD", "Memcpy DtoH"))]

    first = calls_of(both)  # makes the plan
    later = calls_of(both)
    torch.cuda.synchronize()
    counted, free = torch.cuda.memory_stats()["allocation.all.allocated"], torch.cuda.mem_get_info()[0]
    both()
    torch.cuda.synchronize()
    assert torch.cuda.memory_stats()["allocation.all.allocated"] == counted
    assert torch.cuda.mem_get_info()[0] == free
    A(x)
    assert torch.cuda.memory_stats()["allocation.all.allocated"] == counted + 1  # so that this can fail
    if not first:
        pytest.skip("torch's profiler does not show CUDA's allocations here; free memory and torch's counter stayed the same")
    assert not later


def ways(monkeypatch):
    """The numbers of tensors come by the extension's way, and by that of torch before 2.10."""
    yield
    monkeypatch.setattr("backlit._arrays.tensors", set())
    yield


@pytest.mark.parametrize("device", devices)
def test_both_ways_to_a_tensors_memory_agree(A, device, monkeypatch):
    found = []
    wide = torch.rand(3, 5, 12, 4, device=device).permute(0, 3, 2, 1)[:, :, ::2]  # a batch (4, 6, 5), any strides
    for _ in ways(monkeypatch):
        out = torch.ones(3, *A.range_shape, device=device, dtype=torch.float16)
        found.append([A(wide), A[::2](wide[0]), A(wide, out=out, add=True), A(wide.double()), A(wide.bfloat16()),
                      A.T(A(torch.nn.Parameter(wide)).detach()), A(torch.ones(A.domain_shape, device=device, dtype=torch.int32))])
        with pytest.raises(bl.InputError, match="lazy"):
            A(torch.complex(wide, wide).conj().imag)
        with pytest.raises(bl.InputError, match="shape"):
            A(wide[..., 1:])
        with pytest.raises(bl.InputError, match="out"):
            A(wide, out=torch.empty(2, *A.range_shape, device=device))
    for one, other in zip(*found):
        assert one.dtype == other.dtype and torch.equal(one, other)


def test_memory_of_any_order_on_cuda():
    if not torch.cuda.is_available() or "cuda" not in bl.devices():
        pytest.skip("no CUDA")
    A = bl.operator(bl.volume((9, 37, 70)), bl.circular(5, (33, 41), 2.0, 200.0, 300.0), device="cuda")
    x = torch.rand(A.domain_shape, device="cuda")
    y = A(x)
    for order in itertools.permutations(range(3)):
        back = tuple(np.argsort(order))
        for kind in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
            mine = x.to(kind).permute(order).contiguous().permute(back)
            plain = A(mine.contiguous().float())
            out = torch.ones_like(y, dtype=kind).permute(order).contiguous().permute(back)
            A(mine, out=out)
            torch.testing.assert_close(out, plain.to(kind), rtol=0, atol=0)
            A(mine, out=out, add=True)
            torch.testing.assert_close(out, (plain.to(kind).float() + plain).to(kind), rtol=0, atol=0)


def test_a_batch_is_what_its_volumes_are():
    if not torch.cuda.is_available() or "cuda" not in bl.devices():
        pytest.skip("no CUDA")
    for precision in ("exact", "half"):
        A = bl.operator(bl.volume((24, 32, 32)), bl.circular(16, (24, 36), 2.0, 200.0, 300.0), precision=precision)
        x = torch.rand(3, 3, *A.domain_shape, device="cuda")
        for _ in range(20):  # several volumes at a time, and work of torch before and after
            x = x * 1.01
            y = A(x)
            assert torch.equal(y.sum((0, 1)), torch.stack([A(v) for v in x.flatten(0, 1)]).unflatten(0, (3, 3)).sum((0, 1)))
        assert torch.equal(A.T(y)[2, 1], A.T(y[2, 1]))
