"""A network that learns to repair reconstructions from few views, through the projector: torch_training.py [--size 32]

The loss is in the measurements, so gradients pass through the projector and its adjoint.
"""

import argparse

import backlit as bl
import numpy as np

try:
    import torch
except ImportError:
    print("torch is not installed: pip install torch")
    raise SystemExit(0)

arguments = argparse.ArgumentParser(description=__doc__)
arguments.add_argument("--size", type=int, default=32, help="voxels along an axis")
arguments.add_argument("--steps", type=int, default=40)
options = arguments.parse_args()
n = options.size
device = "cuda" if torch.cuda.is_available() and "cuda" in bl.devices() else "cpu"

grid = bl.volume((n // 2, n, n), voxel=200 / n)
A = bl.operator(grid, bl.circular(12, (n // 2, n), 400 / n, 600, 1000))
f = bl.torch.operator(A)
print(f)

truth = torch.as_tensor(np.asarray(bl.phantom("shepp-logan-3d", grid)), device=device)[None, None] * 50
y = f(truth)                         # (batch, channel, view, row, column)
start = f.T(y / A.norm() ** 2 * 5)   # (batch, channel, z, y, x)

torch.manual_seed(1)
net = torch.nn.Sequential(
    torch.nn.Conv3d(1, 8, 3, padding=1), torch.nn.ReLU(),
    torch.nn.Conv3d(8, 8, 3, padding=1), torch.nn.ReLU(),
    torch.nn.Conv3d(8, 1, 3, padding=1)).to(device)
adam = torch.optim.Adam(net.parameters(), 3e-3)
first = None
for step in range(options.steps):
    adam.zero_grad()
    loss = ((f(start + net(start)) - y) ** 2).mean() / (y**2).mean()
    loss.backward()
    adam.step()
    first = first or loss.item()
    if step % 10 == 0:
        print(f"step {step:3}: loss {loss.item():.4f}")
print(f"loss {first:.4f} -> {loss.item():.4f} on {A.device}")
