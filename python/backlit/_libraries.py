"""Loads the engine, and says what to install where a library of the system is missing."""

_remedies = {
    "libcudart": "pip install 'nvidia-cuda-runtime>=13,<14'",
    "libcufft": "pip install 'nvidia-cufft>=12,<13'",
    "libEGL": "on Debian: apt install libegl1",
    "libGL.": "on Debian: apt install libgl1",
    "libGLdispatch": "on Debian: apt install libgl1",
    "libOpenGL": "on Debian: apt install libopengl0",
    "libglib": "on Debian: apt install libglib2.0-0",
    "libgobject": "on Debian: apt install libglib2.0-0",
}


def remedy(message):
    """What to do about a loader's message, or None."""
    return next((text for library, text in _remedies.items() if message.startswith(library)), None)


try:
    from . import _core  # noqa: F401
except ImportError as error:
    if advice := remedy(str(error)):
        raise ImportError(f"{error}; {advice}") from None
    raise
