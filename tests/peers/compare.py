"""Compares Backlit with other toolkits on the CPU. Usage: compare.py [--table] BACKLIT [CASE or TOOLKIT...]; without: all.

Prints a line a case and exits with 1 when one is beyond its bound; --table prints the table of docs/peers.md.
scripts/setup_peers.sh makes the environment.
"""

import argparse
import importlib
import sys
from pathlib import Path

import harness

TOOLKITS = {"rtk": "rtk_cases", "astra": "astra_cases", "skimage": "skimage_cases", "plastimatch": "plastimatch_cases",
            "formats": "formats_cases"}


def toolkit_of(name):
    return name.split("-")[0]


def chosen(words):
    """Names of cases. Only the toolkits that are asked for are imported."""
    for toolkit in dict.fromkeys(map(toolkit_of, words or TOOLKITS)):
        if toolkit not in TOOLKITS:
            sys.exit(f"compare.py: no toolkit '{toolkit}'; there are {', '.join(TOOLKITS)}")
        importlib.import_module(TOOLKITS[toolkit])
    for word in words:
        if word not in TOOLKITS and word not in harness.CASES:
            sys.exit(f"compare.py: no case '{word}'; there are {', '.join(harness.CASES)}")
    return [name for name in harness.CASES if not words or name in words or toolkit_of(name) in words]


def errors_text(result):
    return "" if result.ours is None else f"{result.ours:.4f}, {result.theirs:.4f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("program", metavar="BACKLIT")
    parser.add_argument("cases", metavar="CASE", nargs="*")
    options = parser.parse_args()
    harness.program = str(Path(options.program).resolve())
    failed = ran = 0
    rows, reasons = [], []
    for name in chosen(options.cases):
        case = harness.CASES[name]
        try:
            result = case.run()
        except harness.Skipped as reason:
            print(f"{name}: left out, {reason}", flush=True)
            continue
        except ModuleNotFoundError as missing:
            print(f"{name}: left out, the package {missing.name} is not installed (scripts/setup_peers.sh)", flush=True)
            continue
        ran += 1
        good = result.difference <= case.bound
        failed += not good
        if options.table:
            if case.why and case.why not in reasons:
                reasons.append(case.why)
            note = f" ({reasons.index(case.why) + 1})" if case.why else ""
            rows.append(f"| {case.title}{note} | {result.difference:.1e} | {errors_text(result)} |")
            continue
        against = f"; against the object {errors_text(result)}" if errors_text(result) else ""
        print(f"{name}: relative L2 {result.difference:.2e}, bound {case.bound:.0e}{against}"
              f"{'' if good else ': TOO FAR'}", flush=True)
    if options.table:
        print("| Case | Difference | Error of Backlit, of the peer, against the object |\n| --- | --- | --- |")
        print("\n".join(rows))
        print("\n" + "\n".join(f"({i}) {why}" for i, why in enumerate(reasons, 1)))
    if ran == 0:
        print("SKIPPED: nothing that these cases need is there")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
