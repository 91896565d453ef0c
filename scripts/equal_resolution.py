#!/usr/bin/env python3
"""Noise at equal resolution: Hann-windowed FDK against reconstructions that penalise.

Usage: equal_resolution.py TRUTH.mha SLICE NAME...

Of each NAME, clean-NAME.mha and noisy-NAME.mha are reconstructions of the same views without and with noise, in the
folder at work. Resolution is the Gaussian blur (sigma, mm) of the phantom that is nearest to the clean one; noise is the
standard deviation, in HU, of noisy minus clean where the phantom is even; the error is that of noisy in HU, within the
phantom; structural similarity (Wang et al. 2004, even windows of 7 x 7) is that of noisy in the box about the phantom.
Names that begin with "fdk" are the curve that the others are held against, at their resolution.
Needs NumPy and SciPy.
"""
import sys

import numpy as np
from scipy import ndimage, optimize

WATER = 0.02  # 1/mm


def load(path):
    with open(path, "rb") as file:
        data = file.read()
    head, values = data.split(b"ElementDataFile = LOCAL\n", 1)
    fields = dict(line.split(b" = ", 1) for line in head.splitlines() if b" = " in line)
    nx, ny, nz = (int(n) for n in fields[b"DimSize"].split())
    spacing = float(fields[b"ElementSpacing"].split()[0])
    return np.frombuffer(values, "<f4").reshape(nz, ny, nx), spacing


def similarity(a, b, window=7):
    """The mean over windows that lie wholly inside, with b's range of values, as `backlit compare` has it, in 2-D."""
    count, span = window * window, b.max() - b.min()
    c1, c2 = (0.01 * span) ** 2, (0.03 * span) ** 2

    def mean(x):
        return ndimage.uniform_filter(x, window)
    ma, mb = mean(a), mean(b)
    sample = count / (count - 1)
    va, vb, both = (sample * (mean(x * y) - mx * my) for x, y, mx, my in ((a, a, ma, ma), (b, b, mb, mb), (a, b, ma, mb)))
    found = (2 * ma * mb + c1) * (2 * both + c2) / ((ma * ma + mb * mb + c1) * (va + vb + c2))
    edge = window // 2
    return found[edge:-edge, edge:-edge].mean()


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    truth, mm = load(sys.argv[1])
    k = int(sys.argv[2])
    truth = truth[k].astype(float)
    body = ndimage.binary_closing(truth > 0.1 * truth.max(), iterations=5) | (truth > 0)
    ys, xs = np.nonzero(body)
    box = (slice(ys.min() - 8, ys.max() + 9), slice(xs.min() - 8, xs.max() + 9))
    even = ndimage.maximum_filter(truth, 9) - ndimage.minimum_filter(truth, 9) < 1e-6
    even &= truth > 0.5 * WATER

    def blur_of(image):
        def distance(s):
            return np.square(ndimage.gaussian_filter(truth, s / mm)[box] - image[box]).sum()
        return optimize.minimize_scalar(distance, bounds=(0.05, 6), method="bounded").x

    rows = []
    for name in sys.argv[3:]:
        clean = load(f"clean-{name}.mha")[0][k].astype(float)
        noisy = load(f"noisy-{name}.mha")[0][k].astype(float)
        noise = (noisy - clean)[even].std() / WATER * 1000
        error = np.sqrt(np.square(noisy - truth)[body].mean()) / WATER * 1000
        rows.append((name, blur_of(clean), noise, error, similarity(noisy[box], truth[box])))
    curve = sorted(r[1:] for r in rows if r[0].startswith("fdk"))
    blurs = [c[0] for c in curve]
    print("name  sigma mm  noise HU  error HU  SSIM | FDK at that sigma: noise HU, error HU, SSIM")
    for name, blur, noise, error, ssim in rows:
        text = f"{name}  {blur:.3f}  {noise:.1f}  {error:.1f}  {ssim:.3f}"
        if not name.startswith("fdk"):
            inside = blurs[0] <= blur <= blurs[-1]
            at = [np.interp(blur, blurs, np.log([c[i] for c in curve])) for i in (1, 2)]
            like = np.interp(blur, blurs, [c[3] for c in curve])
            text += f" | {np.exp(at[0]):.1f}, {np.exp(at[1]):.1f}, {like:.3f}{'' if inside else ' (beyond the curve)'}"
        print(text)


if __name__ == "__main__":
    main()
