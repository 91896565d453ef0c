#!/usr/bin/env python3
"""Draws a trace that `backlit recon --trace` or `backlit bench --trace` wrote as an SVG: a row a stage, time in ms.

Usage: draw_trace.py TRACE.json PICTURE.svg [TITLE]
"""
import json
import math
import sys

COLOURS = {"read": "#8a8a8a", "upload": "#3b76af", "filter": "#519e3e", "backproject": "#c53a32", "download": "#8d69b8",
           "upload volume": "#84584e"}
LEFT, ROW, WIDTH, TOP = 110, 34, 860, 40


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    with open(sys.argv[1]) as file:
        events = json.load(file)["traceEvents"]
    lanes = [e["args"]["name"] for e in events if e["ph"] == "M"]
    spans = [e for e in events if e["ph"] == "X"]
    end = max(e["ts"] + e["dur"] for e in spans) / 1000
    step = 10 ** math.floor(math.log10(end / 4))
    step *= 5 if end / step > 25 else 2 if end / step > 10 else 1
    scale = WIDTH / end
    height = TOP + ROW * len(lanes) + 40
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 20}" height="{height}" '
           'font-family="sans-serif" font-size="13">',
           f'<rect width="100%" height="100%" fill="white"/>']
    if len(sys.argv) == 4:
        out.append(f'<text x="{LEFT}" y="20" font-size="14">{sys.argv[3]}</text>')
    bottom = TOP + ROW * len(lanes)
    tick = 0
    while tick <= end:
        x = LEFT + tick * scale
        out.append(f'<line x1="{x:.1f}" y1="{TOP - 6}" x2="{x:.1f}" y2="{bottom}" stroke="#ddd"/>')
        out.append(f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{tick:g}</text>')
        tick += step
    out.append(f'<text x="{LEFT + WIDTH}" y="{bottom + 34}" text-anchor="end">ms</text>')
    for i, lane in enumerate(lanes):
        y = TOP + ROW * i
        out.append(f'<text x="{LEFT - 8}" y="{y + 18}" text-anchor="end">{lane}</text>')
        for e in spans:
            if e["cat"] == lane:
                x, w = LEFT + e["ts"] / 1000 * scale, max(0.5, e["dur"] / 1000 * scale)
                out.append(f'<rect x="{x:.2f}" y="{y}" width="{w:.2f}" height="{ROW - 8}" fill="{COLOURS.get(lane, "#888")}" '
                           f'stroke="white" stroke-width="0.7"><title>{e["name"]}: {e["dur"] / 1000:.2f} ms</title></rect>')
    out.append("</svg>")
    with open(sys.argv[2], "w") as file:
        file.write("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
