"""Lets PyPI's torch for CUDA run on the CPU without NVIDIA's libraries: torch_stand_ins.py, in torch's environment.

torch is linked to them and looks for each of their functions when it is imported, yet calls none where there is no
card. For each an empty library with the same names is written beside torch's own. cuFFT is the CUDA toolkit's where that
is installed: Backlit's extension takes it by the same name.
"""

import collections
import importlib.util
import pathlib
import re
import shutil
import subprocess


def printed(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def wanted(torch):
    """{library that is not there: {version or "": names that torch takes from it}}"""
    there = {file.name for file in [*(torch / "lib").glob("*.so*"), *torch.parent.glob("nvidia/**/*.so*")]}
    there.add("libcuda.so.1")  # the driver's; torch asks whether it is there
    found = collections.defaultdict(lambda: collections.defaultdict(set))
    for file in (torch / "lib").glob("lib*.so"):
        needed = re.findall(r"NEEDED.*\[(lib(?:cu|nv|nccl).*)\]", printed("readelf", "-d", file))
        versions = {}  # version of a name: its library
        for part in printed("readelf", "-W", "--version-info", file).split("File: ")[1:]:
            versions.update(dict.fromkeys(re.findall(r"Name: (\S+)", part), part.split()[0]))
        for library in set(needed) - there:
            found[library]  # an empty one does
        for name, version in re.findall(r" U (\w+)(?:@(\S+))?$", printed("nm", "-D", "--undefined-only", file), re.M):
            if not version:
                for library in found:
                    if name.lower().startswith(library[3:].partition(".")[0].lower()):
                        found[library][""].add(name)
            elif versions.get(version) in found:
                found[versions[version]][version].add(name)
    return found


def write(library, versions):
    code = "\n".join(f"int {name}(void) {{ return 0; }}" for names in versions.values() for name in sorted(names))
    script = "".join(f"{v} {{ {' '.join(f'{n};' for n in sorted(names))} }};\n" for v, names in versions.items() if v)
    versioned = library.with_suffix(".map")
    versioned.write_text(script)
    subprocess.run(["gcc", "-w", "-shared", "-fPIC", "-fno-builtin", "-x", "c", "-", f"-Wl,-soname,{library.name}", "-o", library,
                    *([f"-Wl,--version-script={versioned}"] if script else [])], input=code, text=True, check=True)
    versioned.unlink()


def main():
    torch = pathlib.Path(importlib.util.find_spec("torch").origin).parent
    nvcc = shutil.which("nvcc")
    for name, versions in wanted(torch).items():
        cufft = pathlib.Path(nvcc).resolve().parents[1] / "lib64" / name if nvcc and name.startswith("libcufft.") else None
        if cufft and cufft.exists():
            (torch / "lib" / name).symlink_to(cufft)
        else:
            write(torch / "lib" / name, versions)


main()
