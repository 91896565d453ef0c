"""Runs clang-tidy (.clang-tidy) on C++ files of a build folder: tidy.py BUILD FILE...  Ends with 1 if it finds anything."""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile


def commands(build, work):
    """A compile database for clang: no launcher, and precompiled headers, which are GCC's, as plain headers."""
    listed = subprocess.run(["ninja", "-C", build, "-t", "compdb"], capture_output=True, text=True, check=True).stdout
    headers = {}

    def plain(match):
        path = match[1]
        if path not in headers:
            headers[path] = work / f"pch_{len(headers)}.hxx"
            headers[path].write_text(pathlib.Path(path).read_text())
        return f"-include {headers[path]}"

    found = {}
    for entry in json.loads(listed):
        if entry["file"].endswith(".cpp") and " -c " in entry["command"]:
            command = re.sub(r"^.*?(?=\S*/c\+\+ )", "", entry["command"])
            command = re.sub(r"-include (\S+cmake_pch\.hxx)", plain, command).replace("-Winvalid-pch", "")
            found.setdefault(os.path.realpath(os.path.join(entry["directory"], entry["file"])),
                             {**entry, "command": command.replace("-fopenmp", "")})
    return found


def main(build, *files):
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        known = commands(build, work)
        wanted = [f for f in (os.path.realpath(f) for f in files) if f in known]
        (work / "compile_commands.json").write_text(json.dumps([known[f] for f in wanted]))

        def tidy(file):
            return subprocess.run(["clang-tidy", "-p", folder, "--quiet", file], capture_output=True, text=True)

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(tidy, wanted))
    for result in results:
        if result.returncode:
            print(result.stdout, *re.findall(r"^.*error:.*$", result.stderr, re.M), sep="\n")
    bad = sum(1 for result in results if result.returncode)
    print(f"tidy: {len(wanted)} files, {bad} with findings")
    return bad > 0


sys.exit(main(*sys.argv[1:]))
