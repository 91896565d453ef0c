"""Runs clang-tidy (.clang-tidy) on C++ files of a build folder: tidy.py BUILD [--since COMMIT] FILE...

--since: only lines that have changed since that commit. Ends with 1 if it finds anything.
"""

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


def changed(file, since):
    """A line filter of clang-tidy: what git says has changed in the file."""
    diff = subprocess.run(["git", "diff", "-U0", since, "--", file], capture_output=True, text=True, check=True).stdout
    parts = re.findall(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", diff, re.M)
    lines = [[int(first), int(first) + int(count or 1) - 1] for first, count in parts if count != "0"]
    return [f"--line-filter={json.dumps([{'name': file, 'lines': lines or [[1, 1]]}])}"]


def main(build, *files):
    since = None
    if files[:1] == ("--since",):
        _, since, *files = files
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        known = commands(build, work)
        wanted = [f for f in (os.path.realpath(f) for f in files) if f in known]
        (work / "compile_commands.json").write_text(json.dumps([known[f] for f in wanted]))

        def tidy(file):
            which = changed(file, since) if since else []
            return subprocess.run(["clang-tidy", "-p", folder, "--quiet", *which, file], capture_output=True, text=True)

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(tidy, wanted))
    unread = [f for f, result in zip(wanted, results) if "[clang-diagnostic-error" in result.stdout]  # clang 14 is older
    found = [result for f, result in zip(wanted, results) if result.returncode and f not in unread]
    print(*(result.stdout for result in found), sep="\n")
    print(*(f"tidy: clang cannot read {os.path.relpath(f)}" for f in unread), sep="\n")
    print(f"tidy: {len(wanted) - len(unread)} files, {len(found)} with findings")
    return bool(found) or (wanted and len(unread) == len(wanted))


sys.exit(main(*sys.argv[1:]))
