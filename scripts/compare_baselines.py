#!/usr/bin/env python3
"""Compares two files of scripts/baseline.sh: speeds that differ by more than 3 %, errors that differ by more than 1 %.

Usage: scripts/compare_baselines.py BEFORE AFTER
"""
import json
import sys


NEW_NAMES = {"slice_interpolated": "joseph", "box_line_integrated": "siddon", "splat": "blob"}


def rows_of(path):
    """{(backend, arguments, variant, n): row}, n counting rows of one variant; no rows where a case failed."""
    found = {}
    for line in open(path):
        case = json.loads(line)
        for row in case["rows"]["rows"] if case["rows"] else []:
            for old, new in NEW_NAMES.items():
                row["variant"] = row["variant"].replace(old, new)
            key = case["backend"], case["arguments"], row["operation"], row["variant"]
            n = sum(1 for other in found if other[:4] == key)
            found[(*key, n)] = row
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
