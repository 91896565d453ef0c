"""python -m backlit script.py ...: runs a script; with BACKLIT_ASTRA=1 its `import astra` gets backlit.compat.astra."""

import os
import runpy
import sys


def main():
    if len(sys.argv) < 2:
        import backlit

        print(f"Backlit {backlit.__version__}; devices: {', '.join(backlit.devices())}")
        print("python -m backlit SCRIPT.py ...   runs a script; BACKLIT_ASTRA=1 gives it Backlit where it imports astra")
        return
    if os.environ.get("BACKLIT_ASTRA", "0") not in ("", "0"):
        from backlit.compat import install_astra

        install_astra()
    del sys.argv[0]
    if not os.path.isfile(sys.argv[0]):
        print(f"{sys.argv[0]}: there is no such script; python -m backlit SCRIPT.py ...", file=sys.stderr)
        sys.exit(2)
    sys.path[0] = os.path.dirname(os.path.abspath(sys.argv[0]))
    runpy.run_path(sys.argv[0], run_name="__main__")


main()
