#!/usr/bin/env python3
"""Compares two files of scripts/baseline.sh: speeds that differ by more than 3 %, errors that differ by more than 1 %.

Usage: scripts/compare_baselines.py BEFORE AFTER
"""
import json
import sys


def rows_of(path):
    """{(backend, arguments, n): row} in the order of the file; None where a case failed."""
    found = {}
    for line in open(path):
        case = json.loads(line)
        rows = case["rows"]["rows"] if case["rows"] else []
        for n, row in enumerate(rows):
            found[case["backend"], case["arguments"], n] = row
    return found


def label(row):
    return " ".join(str(row.get(k, "")) for k in ("case", "operation", "variant"))


before, after = rows_of(sys.argv[1]), rows_of(sys.argv[2])
for key in before.keys() - after.keys():
    print("missing:", *key, label(before[key]))
same = 0
for key, old in before.items():
    new = after.get(key)
    if not new:
        continue
    speed = new["median_s"] / old["median_s"]
    worse = []
    if not 1 / 1.03 < speed < 1.03:
        worse.append(f"time x {speed:.3f} ({old['median_s'] * 1e3:.3g} -> {new['median_s'] * 1e3:.3g} ms)")
    for error in ("rmse", "relative"):
        a, b = old.get(error), new.get(error)
        if (a is None) != (b is None) or (a and abs(b / a - 1) > 0.01):
            worse.append(f"{error} {a} -> {b}")
    same += not worse
    if worse:
        print(label(old), "| " + label(new) if label(new) != label(old) else "", ":", "; ".join(worse))
print(f"{same} of {len(before)} rows are as before")
