"""Arrays of other libraries: what the extension reads and writes in place, and how results of the same kind are made.

Nothing is imported here but NumPy: a library that has arrays is in sys.modules already.
"""

import sys

import numpy as np

from ._core import InputError, cuda_empty, value_types


class _NumPy:
    """Also for what NumPy makes arrays of: lists, objects with __array__."""

    def apply(self, core, transposed, x, out, rows, add, turned):
        core.apply(transposed, x, out, rows, add, turned, self.stream(x))

    def empty(self, shape, like):
        return np.empty(shape, like.dtype)

    def stream(self, x):
        return 0

    def result(self, y):
        return y

    def writes(self, given, values):
        """Whether what is written to `values`, made of `given`, is written to `given`."""
        return values is given


class _Torch(_NumPy):
    """Tensors are handed over in numbers: their DLPack, in Python, takes 10 microseconds."""

    def __init__(self):
        self.types = {}
        self.plain = set()  # Tensor and Parameter, not what derives from them
        self.gradients = None  # whether they are taken: torch's function

    def meet(self, torch):
        self.gradients = torch.is_grad_enabled
        self.plain.update((torch.Tensor, torch.nn.Parameter))
        if hasattr(torch.Tensor, "__dlpack_c_exchange_api__"):  # 2.10
            tensors.update(self.plain)

    def apply(self, core, transposed, x, out, rows, add, turned):
        if isinstance(out, sys.modules["torch"].Tensor):
            core.apply_at(transposed, self.memory(x), self.memory(out), rows, add, turned, self.stream(x))
        else:
            core.apply(transposed, x.detach(), out, rows, add, turned, self.stream(x))

    def memory(self, x):
        """As the extension's Memory."""
        kind = self.types.get(x.dtype)
        if kind is None:
            self.types.update((getattr(sys.modules["torch"], n), i) for i, n in enumerate(value_types))
            if x.dtype not in self.types:
                raise InputError(f"array: has values of type {x.dtype}; convert it to torch.float32")
            kind = self.types[x.dtype]
        if not (x.is_cuda or x.is_cpu) or x.is_neg() or x.layout is not sys.modules["torch"].strided:
            raise InputError(f"array: is a tensor on {x.device.type}, or of a lazy kind; give a plain one on cpu or cuda")
        return x.data_ptr(), kind, x.get_device() if x.is_cuda else -1, x.shape, x.stride()

    def takes_gradients(self, x):
        return x.requires_grad and self.gradients()

    def differentiable(self, a, x):
        from .torch import differentiable

        self.differentiable = differentiable
        return differentiable(a, x)

    def empty(self, shape, like):
        return like.new_empty(shape)

    def stream(self, x):
        return raw_stream(x.get_device()) if x.is_cuda else 0


def raw_stream(device):
    """torch's current stream on that CUDA device, as a number."""
    torch = sys.modules["torch"]
    quick = getattr(torch._C, "_cuda_getCurrentRawStream", None)
    return quick(device) if quick else torch.cuda.current_stream(device).cuda_stream


class _CuPy(_NumPy):
    def empty(self, shape, like):
        cupy = sys.modules["cupy"]
        with like.device:
            return cupy.empty(shape, like.dtype)

    def stream(self, x):
        return sys.modules["cupy"].cuda.get_current_stream(x.device.id).ptr


class _Others(_NumPy):
    """Arrays of the host that are not NumPy's. `writable`: `out` may be one, in place (JAX's may not)."""

    def __init__(self, x, writable):
        self.like, self.writable = x, writable

    def writes(self, given, values):
        return self.writable

    def result(self, y):
        if getattr(getattr(self.like, "dtype", None), "name", "") == "bfloat16":  # computed as float32, which NumPy has
            y = y.astype(self.like.dtype)
        return same_kind(y, self.like)


class _Cuda(_NumPy):
    """CUDA memory of other libraries (JAX). Results are new memory that the library takes over, when it is done."""

    def __init__(self, x):
        self.like, self.made = x, False

    def writes(self, given, values):
        return not hasattr(given, "block_until_ready")  # JAX's arrays never change

    def apply(self, core, transposed, x, out, rows, add, turned):
        if hasattr(x, "block_until_ready"):
            x.block_until_ready()
        super().apply(core, transposed, x, out, rows, add, turned)
        if self.made:
            core.finish()

    def empty(self, shape, like):
        name = getattr(like.dtype, "name", str(like.dtype)) if hasattr(like, "__array_namespace__") else ""
        if name not in value_types:
            raise InputError(f"array: a {type(like).__name__} lies on a CUDA device; pass out=, or a torch or CuPy array")
        self.made = True
        return cuda_empty(list(shape), value_types.index(name), like.__dlpack_device__()[1])

    def result(self, y):
        return self.like.__array_namespace__().from_dlpack(y)

    def stream(self, x):
        return raw_stream(x.__dlpack_device__()[1]) if "torch" in sys.modules else 0


tensors = set()  # types that the extension reads itself: torch's, once there is a tensor
_numpy, torch_, _cupy = _NumPy(), _Torch(), _CuPy()


def words(value):
    """What was given, in one short line for messages."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else text[:57] + "..."


def floating(x):
    """A NumPy array of floating-point numbers."""
    given, x = x, np.asarray(x)
    if x.dtype.kind == "f" and x.dtype.itemsize <= 8:
        return x
    if x.dtype.kind in "iub" or x.dtype.name == "bfloat16":
        return x.astype(np.float32)
    if x.dtype.kind in "OUS":
        raise InputError(f"array: {words(given)} is no array; give one of numbers, of NumPy, torch or another library")
    raise InputError(f"array: has values of type {x.dtype}; convert it to float32")


def number(value, what):
    """A float of an argument."""
    try:
        return float(value)
    except (TypeError, ValueError):
        raise InputError(f"{what}: {words(value)} is no number") from None


def kind_of(x):
    """(how to treat it, the array itself or what NumPy makes of it)"""
    library = type(x).__module__.partition(".")[0]
    if library == "numpy":
        return _numpy, floating(x)
    if library == "torch":
        if torch_.gradients is None:
            torch_.meet(sys.modules["torch"])
        if not x.is_floating_point():
            if x.is_complex():
                raise InputError(f"array: has values of type {x.dtype}; convert it to torch.float32")
            x = x.float()
        return torch_, x
    if library == "cupy":
        if x.dtype.kind not in "fiub":
            raise InputError(f"array: has values of type {x.dtype}; convert it to float32")
        return _cupy, x if x.dtype.kind == "f" else x.astype(np.float32)
    device = getattr(x, "__dlpack_device__", None)
    if device is None or hasattr(x, "__array_interface__"):
        return _numpy, floating(x)
    if device()[0] in (2, 13):
        return _Cuda(x), x
    if device()[0] not in (1, 3):
        raise InputError(f"array: a {type(x).__name__} of {library} lies on a device; pass a torch or CuPy array")
    try:
        values = np.from_dlpack(x)
        writable = values.flags.writeable
    except (TypeError, RuntimeError, BufferError):
        values, writable = np.asarray(x), False
    numbers = floating(values)
    return _Others(x, writable and numbers is values), numbers


def same_kind(values, like):
    """`values` (NumPy) as an array of the library and on the device of `like`."""
    library = type(like).__module__.partition(".")[0]
    if library == "torch":
        return sys.modules["torch"].as_tensor(values, device=like.device)
    if library == "cupy":
        with like.device:
            return sys.modules["cupy"].asarray(values)
    if library == "numpy" or not hasattr(like, "__array_namespace__"):
        return values
    namespace = like.__array_namespace__()
    try:
        return namespace.asarray(values, device=like.device)
    except (AttributeError, TypeError):  # of a standard before devices
        return namespace.asarray(values)


def host_float(x):
    """fp32 in host memory, C order; without a copy where it is so already."""
    library = type(x).__module__.partition(".")[0]
    if library == "torch":
        x = x.detach().cpu()
        x = (x.float() if x.dtype == sys.modules["torch"].bfloat16 else x).numpy()
    elif library == "cupy":
        x = x.get()
    return np.ascontiguousarray(np.asarray(x, dtype=np.float32))


def parse_device(device):
    """"cuda:1" -> ("cuda", [1]); "cuda:0,1" -> ("cuda", [0, 1]); the first: ("cuda", [])"""
    if hasattr(device, "type") and hasattr(device, "index"):  # torch.device
        device = device.type if device.index is None else f"{device.type}:{device.index}"
    name, _, index = str(device).partition(":")
    numbers = index.split(",") if index else []
    if not all(n.isascii() and n.isdigit() and len(n) < 7 for n in numbers):
        raise InputError(f"device: {words(device)} is not understood; give auto, cpu, gl, cuda, cuda:1, or cuda:0,1 for several")
    return name, [] if numbers in ([], ["0"]) else [int(n) for n in numbers]


def memory_bytes(memory):
    """0 for None; else a number of bytes."""
    if memory is None:
        return 0
    if not isinstance(memory, (int, float)) or memory <= 0:
        raise InputError(f"memory: {words(memory)} is no number of bytes; give 8e9, say")
    return int(memory)
