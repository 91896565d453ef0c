"""Algorithms by numbers: FP, BP, FBP, FDK, SIRT, SART, CGLS, EM, with _CUDA and 3D_CUDA behind them or not."""

import numpy as np

from backlit._core import InputError

from . import _objects

_idle = {"DetectorSuperSampling", "PixelSuperSampling", "VoxelSuperSampling", "GPUSuperSampling"}  # no effect
_filters = {"ram-lak", "shepp-logan", "cosine", "hamming", "hann", "none"}


class Algorithm:
    known = {"GPUindex"} | _idle

    def __init__(self, config, method):
        self.method = method
        option = {**config.get("option", {}), **config.get("options", {})}
        allowed = self.known | self.options.get(method, set())
        unknown = sorted(set(option) - allowed)
        if unknown:
            raise InputError(f"astra: {config['type']} has no option {', '.join(unknown)}; "
                             f"it has {', '.join(sorted(allowed))}")
        if "GPUindex" in option:
            from .astra import set_gpu_index

            set_gpu_index(option["GPUindex"])
        self.option = option
        self.views = _objects.data.find(config["ProjectionDataId"])
        self.volume = _objects.data.find(config["VolumeDataId" if method == "FP" else "ReconstructionDataId"])
        if method not in ("FP", "BP") and not all(isinstance(d.values, np.ndarray) for d in (self.views, self.volume)):
            raise InputError(f"astra: {config['type']} takes arrays of the host; link NumPy arrays, or call backlit's own "
                             "methods, which take arrays of a device")
        if "ProjectorId" in config:
            self.projector = _objects.projectors.find(config["ProjectorId"])
        else:
            kind = "cuda" if _objects.is_flat(self.volume.geometry) else "cuda3d"
            self.projector = _objects.Projector(kind, self.views.geometry, self.volume.geometry)
        self.state = None
        self.residual = None

    _constraints = {"MinConstraint", "MaxConstraint", "ReconstructionMaskId"}
    options = {"SIRT": _constraints | {"Relaxation"}, "SART": _constraints | {"Relaxation", "ProjectionOrder"},
               "EM": _constraints, "CGLS": {"ReconstructionMaskId"},
               "FBP": {"FilterType", "FilterD", "ShortScan", "PixelFilter"}, "FDK": {"FilterType", "FilterD", "ShortScan"}}

    def run(self, iterations):
        getattr(self, "_" + self.method.lower())(int(iterations))

    # Methods without iterations.

    def _fp(self, _):
        self.projector.apply(False, self.volume.values, self.views.values)

    def _bp(self, _):
        self.projector.apply(True, self.views.values, self.volume.values)

    def _fbp(self, _):
        name = str(self.option.get("FilterType", "ram-lak")).lower()
        if name not in _filters:
            raise InputError(f"astra: filter '{name}' is not there; choose one of {', '.join(sorted(_filters))}")
        cutoff = float(self.option.get("FilterD", 1.0))
        redundancy = "parker" if self.option.get("ShortScan") else "auto"
        if name == "none":
            return self._bp(_)
        self.volume.values[...] = self.projector.filtered(self.views.values, filter=name, cutoff=cutoff,
                                                          redundancy=redundancy)

    _fdk = _fbp

    # Iterative methods; they continue from the present volume.

    def _sums(self):
        if self.state is None:
            ones = np.ones(self.volume.values.shape, np.float32) * self._mask()
            rows = self.projector.forward(ones)
            columns = self.projector.back(np.ones(self.views.values.shape, np.float32))
            self.state = [np.divide(1, s, out=np.zeros_like(s), where=s > 1e-6 * s.max()) for s in (rows, columns)]
        return self.state

    def _mask(self):
        if "ReconstructionMaskId" not in self.option:
            return np.float32(1)
        return (_objects.data.find(self.option["ReconstructionMaskId"]).values != 0).astype(np.float32)

    def _constrain(self, x):
        if "MinConstraint" in self.option:
            np.maximum(x, np.float32(self.option["MinConstraint"]), out=x)
        if "MaxConstraint" in self.option:
            np.minimum(x, np.float32(self.option["MaxConstraint"]), out=x)
        x *= self._mask()

    def _difference(self):
        d = self.views.values - self.projector.forward(self.volume.values)
        self.residual = float(np.linalg.norm(d))
        return d

    def _sirt(self, iterations):
        rows, columns = self._sums()
        relaxation = np.float32(self.option.get("Relaxation", 1.0))
        x = self.volume.values
        for _ in range(iterations):
            x += relaxation * columns * self.projector.back(rows * self._difference())
            self._constrain(x)

    def _sart(self, iterations):
        """One view an iteration, as ASTRA counts."""
        rows, _ = self._sums()
        x, relaxation = self.volume.values, np.float32(self.option.get("Relaxation", 1.0))
        views = _objects.views_of(self.views.geometry)
        axis = 0 if self.projector.flat else 1
        if self.option.get("ProjectionOrder", "sequential") not in ("sequential", "random"):
            raise InputError("astra: ProjectionOrder is sequential or random")
        random = np.random.default_rng(1) if self.option.get("ProjectionOrder") == "random" else None
        self.next = getattr(self, "next", 0)
        for _ in range(iterations):
            if self.next % views == 0:
                self.order = random.permutation(views) if random else np.arange(views)
            view = int(self.order[self.next % views])
            self.next += 1
            one = self.projector.operator[view]
            at = (slice(view, view + 1),) if axis == 0 else (slice(None), slice(view, view + 1))
            inner = self.projector._ours(x, True)
            d = self.projector._ours(self.views.values[at], False) - one(inner)
            seen = one.T(np.ones_like(d))
            weights = np.divide(1, seen, out=np.zeros_like(seen), where=seen > 1e-6 * seen.max())
            inner += relaxation * weights * one.T(self.projector._ours(rows[at], False) * d)
            self._constrain(x)

    def _em(self, iterations):
        _, columns = self._sums()
        x = self.volume.values
        if not x.any():
            x[...] = self._mask()
        for _ in range(iterations):
            p = self.projector.forward(x)
            x *= columns * self.projector.back(np.divide(self.views.values, p, out=np.zeros_like(p), where=p > 1e-9))
            self._constrain(x)

    def _cgls(self, iterations):
        x, mask = self.volume.values, self._mask()
        if self.state is None:
            r = self._difference()
            z = self.projector.back(r) * mask
            self.state = [r, z.copy(), float(np.vdot(z, z))]
        r, p, gamma = self.state
        for _ in range(iterations):
            w = self.projector.forward(p)
            square = float(np.vdot(w, w))
            if square == 0 or gamma == 0:
                break
            alpha = np.float32(gamma / square)
            x += alpha * p
            r -= alpha * w
            z = self.projector.back(r) * mask
            new = float(np.vdot(z, z))
            p = z + np.float32(new / gamma) * p
            gamma = new
        self.residual = float(np.linalg.norm(r))
        self.state = [r, p, gamma]


def create(config):
    """A number for an algorithm: {"type", "ProjectorId", "ProjectionDataId", "ReconstructionDataId", "option"}."""
    method = config["type"].removesuffix("_CUDA").removesuffix("3D")
    if method not in ("FP", "BP", "FBP", "FDK", "SIRT", "SART", "CGLS", "EM"):
        raise InputError(f"astra: algorithm '{config['type']}' is not there; choose FP, BP, FBP, FDK, SIRT, SART, CGLS or "
                         "EM, with _CUDA or 3D_CUDA")
    return _objects.algorithms.add(Algorithm(config, method))


def run(i, iterations=1):
    """Runs it; iterations go on from where the last call ended."""
    _objects.algorithms.find(i).run(iterations)


def get_res_norm(i):
    """|b - A x| of the volume as it is."""
    one = _objects.algorithms.find(i)
    one._difference()
    return one.residual


def delete(ids):
    _objects.algorithms.delete(ids)


def clear():
    _objects.algorithms.clear()


def info():
    """Prints what there is."""
    for number, one in _objects.algorithms.items():
        print(f"{number}\t{one.method}")
