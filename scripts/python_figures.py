"""Measures the figures of docs/benchmarks/python.md: what a call from Python costs beside the engine. Needs torch.

Usage: python scripts/python_figures.py [--bench build/backlit] [--device cuda] [--size 512]

With --bench the engine without Python is timed before and after the module, in the same run. The last lines say which of
them keep their limits.
"""

import argparse
import json
import statistics
import subprocess
import time

import backlit as bl
import torch

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("--bench", help="the program backlit: its kernel times are printed beside")
arguments.add_argument("--device", default="cuda", help="of torch's tensors")
arguments.add_argument("--size", type=int, default=512, help="512: the case cone512; others: headN of `backlit bench`")
arguments.add_argument("--repeats", type=int, default=9)
arguments.add_argument("--precisions", default="exact,fast,half")
arguments.add_argument("--seconds", type=float, default=0.5, help="of each warm-up")
options = arguments.parse_args()
cuda = options.device.startswith("cuda")
precisions = options.precisions.split(",")


def wait():
    if cuda:
        torch.cuda.synchronize()


figures = []  # (what, value, limit)


def milliseconds(call, seconds=options.seconds):
    """The median of a call, measured by the device's clock where it has one, after a warm-up."""
    end = time.perf_counter() + seconds
    call()
    while time.perf_counter() < end:
        call()
        wait()
    taken = []
    for _ in range(options.repeats):
        if cuda:
            begin, done = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            call()
            done.record()
            done.synchronize()
            taken.append(begin.elapsed_time(done))
        else:
            begin = time.perf_counter()
            call()
            taken.append(1e3 * (time.perf_counter() - begin))
    return statistics.median(taken)


def host_microseconds(call, calls=300):
    """The median time until a call returns; the device is given time to follow."""
    taken = []
    for i in range(calls):
        if i % 20 == 0:
            wait()
        begin = time.perf_counter()
        call()
        taken.append(1e6 * (time.perf_counter() - begin))
    return statistics.median(taken)


def bench(operation, precision):
    """(ms, variant) of the engine without Python; nan where it does not tell."""
    if not options.bench:
        return float("nan"), ""
    case = "cone512" if options.size == 512 else f"head{options.size}"
    command = [options.bench, "bench", case, "--backend", "cuda" if cuda else "cpu", "--operation", operation, "--model",
               "joseph", "--precision", precision, "--packing", "auto", "--repeats", str(options.repeats), "--json"]
    try:
        told = subprocess.run(command, capture_output=True, text=True, timeout=300)
        reason = told.stderr.strip()
        rows = json.loads(told.stdout)["rows"] if told.returncode == 0 else []
    except (OSError, subprocess.TimeoutExpired, ValueError, KeyError) as error:
        rows, reason = [], str(error)
    if not rows:
        print(f"bench {operation}, {precision}: {reason or 'no rows'}")
        return float("nan"), ""
    best = min(rows, key=lambda r: r["median_s"])
    return 1e3 * best["median_s"], best["variant"]


def row(*cells):
    print("| " + " | ".join(c if isinstance(c, str) else f"{c:.4g}" for c in cells) + " |", flush=True)


def setup(n, views, precision, rows=None):
    grid = bl.volume(n, voxel=256 / n)
    cone = bl.circular(views, (rows or n, rows or n), 512 / (rows or n), 1000, 1500)
    return bl.operator(grid, cone, precision=precision, device=options.device)


def operator_calls():
    n = options.size
    print(f"\nA call, {n}^3 voxels, 360 views of {n} x {n}, ms")
    row("", *precisions)
    table = {}
    for precision in precisions:
        A = setup(n, 360, precision)
        f = bl.torch.operator(A)
        x = torch.rand(A.domain_shape, device=options.device)
        y = A(x)
        before = {operation: bench(operation, precision) for operation in ("projection", "transpose")}
        print(f"{precision}: {A.variant}", *(f"bench {o}: {v}" for o, (_, v) in before.items() if v), sep="; ")
        with torch.no_grad():
            for name, call in (("A(x, out=y)", lambda: A(x, out=y)), ("A(x)", lambda: A(x)), ("module", lambda: f(x)),
                               ("A.T(y, out=x)", lambda: A.T(y, out=x)), ("A.T(y)", lambda: A.T(y)),
                               ("adjoint module", lambda: f.T(y))):
                table.setdefault(name, []).append(milliseconds(call))
        copies(A, x, y)
        del A, f, x, y
        for operation, (first, _) in before.items():  # the card may have become warmer, and slower, in between
            second = bench(operation, precision)[0] if first == first else first
            table.setdefault(f"bench, {operation}", []).append((first + second) / 2)
            if first == first:
                print(f"{precision}: bench {operation} {first:.4g} ms before, {second:.4g} ms after")
    for name in ("bench, projection", "A(x, out=y)", "A(x)", "module", "bench, transpose", "A.T(y, out=x)", "A.T(y)",
                 "adjoint module"):
        row(name, *table[name])
    for name, of in (("A(x, out=y)", "bench, projection"), ("A(x)", "bench, projection"),
                     ("A.T(y, out=x)", "bench, transpose"), ("A.T(y)", "bench, transpose")):
        over = [100 * (a / b - 1) for a, b in zip(table[name], table[of])]
        row(f"{name}, % over bench", *over)
        figures.extend((f"{name}, {precision}, % over bench", value, 3) for precision, value in zip(precisions, over))


def copies(A, x, y):
    """Bytes that a call copies between host and device."""
    if not cuda:
        return
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
        A(x, out=y)
        A.T(y, out=x)
        wait()
    names = {e.name: 0 for e in profile.events()}
    for e in profile.events():
        names[e.name] += 1
    figures.append((f"{A._facts['words']}, copies between host and device of a call",
                    sum(n for k, n in names.items() if "HtoD" in k or "DtoH" in k), 0))
    print(f"{A._facts['words']}: kernels {sum(n for k, n in names.items() if not k.startswith('Mem'))}, copies: "
          f"{ {k: n for k, n in names.items() if k.startswith('Mem')} or 'none'}")


def host_calls():
    print("\nTime of the host for a call, 8^3 voxels, 2 views of 8 x 8, microseconds")
    row("", *precisions, "x + 1 in torch")
    table = {}
    for precision in precisions:
        A = setup(8, 2, precision)
        f = bl.torch.operator(A)
        x = torch.rand(A.domain_shape, device=options.device)
        y, leaf = A(x), x.clone().requires_grad_()
        A.T(y)
        for name, call in (("A(x, out=y)", lambda: A(x, out=y)), ("A(x)", lambda: A(x)),
                           ("A.T(y, out=x)", lambda: A.T(y, out=x)), ("A.T(y)", lambda: A.T(y)), ("module", lambda: f(x)),
                           ("module, with gradients", lambda: f(leaf))):
            table.setdefault(name, []).append(host_microseconds(call))
            figures.append((f"{name}, {precision}, us of the host", table[name][-1], 50))
    torchs = host_microseconds(lambda: x + 1)
    for i, (name, values) in enumerate(table.items()):
        row(name, *values, torchs if i == 0 else "")


class ThroughHost(torch.autograd.Function):
    """The way of toolkits without device arrays."""

    @staticmethod
    def forward(ctx, x, a):
        ctx.a = a
        return torch.stack([torch.as_tensor(a(v)) for v in x.detach().cpu().numpy()[:, 0]])[:, None].to(x)

    @staticmethod
    def backward(ctx, gradient):
        return ThroughHost.apply(gradient, ctx.a.T), None


def training():
    n = options.size // 4
    A = setup(n, 90, "fast")
    torch.manual_seed(1)
    layers = []
    for i in range(5):
        layers += [torch.nn.Conv3d(1 if i == 0 else 8, 1 if i == 4 else 8, 3, padding=1), torch.nn.ReLU()]
    net = torch.nn.Sequential(*layers[:-1]).to(options.device)
    x = torch.rand(2, 1, *A.domain_shape, device=options.device)
    inside, y = bl.torch.operator(A), A(x)
    adam = torch.optim.Adam(net.parameters(), 1e-4)

    def step(last, truth):
        adam.zero_grad()
        ((last(net(x)) - truth) ** 2).mean().backward()
        adam.step()

    print(f"\nA training step, five 3-D convolutions, batch of 2, {n}^3 voxels, 90 views, ms")
    row("operator inside", milliseconds(lambda: step(inside, y)))
    row("operator through the host", milliseconds(lambda: step(lambda v: ThroughHost.apply(v, A), y)))
    row("without the operator", milliseconds(lambda: step(lambda v: v, x)))


def adjoint():
    A = setup(options.size // 4, 90, "exact")
    generator = torch.Generator(options.device).manual_seed(1)
    x, y = (torch.rand(s, device=options.device, generator=generator) for s in (A.domain_shape, A.range_shape))
    forward, back = A(x).double(), A.T(y).double()
    error = abs((forward * y).sum() - (x * back).sum()) / (forward.norm() * y.double().norm())
    figures.append(("adjoint, exact", float(error), 1e-6))
    print(f"\nadjoint, exact: |<A x, y> - <x, A' y>| / (|A x| |y|) = {float(error):.2g}")


print(f"Backlit {bl.__version__}, torch {torch.__version__}, "
      f"{torch.cuda.get_device_name() if cuda else 'the host'}; medians of {options.repeats}")
adjoint()
host_calls()
training()
operator_calls()
print("\nFigures and their limits:")
for what, value, limit in figures:
    verdict = "not measured" if value != value else "met" if value <= limit else "MISSED"
    print(f"{verdict}: {what}: {value:.3g}, at most {limit:g}")
