"""Mesa's software OpenGL and triton, which torch imports late, have an LLVM each: the process dies unless triton's is first."""

try:
    import triton._C.libtriton  # noqa: F401
except ImportError:
    pass
