#!/usr/bin/env python3
"""A real drag in a real browser: opens `backlit-view --serve` in headless Chromium, drags in the axial slice by mouse
and by finger, zooms by two fingers, copies and pastes, and looks whether the picture follows each time.

Usage: browser_drag.py BACKLIT_VIEW [FOLDER]      pictures before and after go to FOLDER
Needs chromium and chromedriver (Debian: chromium-driver); says SKIPPED: without them.
"""

import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request

PATIENCE = 240  # seconds: a slow machine is no fault
CONTROL, ENTER, F9 = "\ue009", "\ue007", "\ue039"


class Driver:
    """WebDriver, as far as it is needed here."""

    def __init__(self, program, folder):
        self.process = subprocess.Popen([program, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for line in self.process.stdout:
            if "successfully on port " in line:
                self.base = "http://127.0.0.1:" + line.rsplit("on port ", 1)[1].strip().rstrip(".")
                break
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1100,800",
                     "--disable-dev-shm-usage", f"--user-data-dir={folder}"]
        capabilities = {"alwaysMatch": {"goog:chromeOptions": {"args": arguments}}}
        self.session = ""
        self.session = "/session/" + self.call("POST", "/session", {"capabilities": capabilities})["sessionId"]

    def call(self, method, path, body=None):
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.base + self.session + path, data, method=method,
                                         headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)["value"]

    def run(self, script):
        return self.call("POST", "/execute/sync", {"script": script, "args": []})

    def screenshot(self):
        return base64.b64decode(self.call("GET", "/screenshot"))

    def drag(self, start, end):
        def move(x, y):
            return {"type": "pointerMove", "duration": 100, "origin": "viewport", "x": x, "y": y}
        steps = [(start[0] + (end[0] - start[0]) * i // 5, start[1] + (end[1] - start[1]) * i // 5) for i in range(1, 6)]
        moves = [move(*start), {"type": "pointerDown", "button": 0}, *[move(*s) for s in steps],
                 {"type": "pointerUp", "button": 0}]
        self.call("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": moves}]})

    def fingers(self, *paths):
        """Each finger goes along its places, all at the same time."""
        def finger(number, path):
            def move(place):
                return {"type": "pointerMove", "duration": 100, "origin": "viewport", "x": place[0], "y": place[1]}
            return {"type": "pointer", "id": f"finger {number}", "parameters": {"pointerType": "touch"},
                    "actions": [move(path[0]), {"type": "pointerDown", "button": 0}, *map(move, path[1:]),
                                {"type": "pointerUp", "button": 0}]}
        self.call("POST", "/actions", {"actions": [finger(n, path) for n, path in enumerate(paths)]})

    def key(self, code, ctrl=False):
        steps = [{"type": "keyDown", "value": code}, {"type": "keyUp", "value": code}]
        if ctrl:
            steps = [{"type": "keyDown", "value": CONTROL}, *steps, {"type": "keyUp", "value": CONTROL}]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": steps}]})

    def close(self):
        try:
            self.call("DELETE", "")
        finally:
            self.process.terminate()
            self.process.wait()


def wait_for(what, condition):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.2)
    sys.exit(f"browser_drag: {what} did not come true")


def settle(driver):
    """Until nothing has come for two seconds."""
    def still():
        before = driver.run("return backlit.frames")
        time.sleep(2)
        return driver.run("return backlit.frames") == before
    wait_for("a page at rest", still)


# Of the page's own canvas: how bright a part of it is, and how much it differs from what was kept.
KEEP = """
  const v = document.getElementById('view'), w = v.width, h = v.height;
  const d = v.getContext('2d').getImageData(0.55 * w, 0.16 * h, 0.38 * w, 0.28 * h).data;
  let mean = 0, differs = 0;
  for (let i = 0; i < d.length; i += 4) {
    mean += d[i];
    if (window.kept && window.kept.length === d.length) differs += Math.abs(d[i] - window.kept[i]);
  }
  window.kept = d;
  return {mean: 4 * mean / d.length, differs: 4 * differs / d.length, width: w, height: h};
"""


def check(driver, url, pictures):
    driver.call("POST", "/url", {"url": url})
    begun = time.monotonic()
    wait_for("a first frame", lambda: driver.run("return backlit.frames > 0"))
    print(f"first picture after {time.monotonic() - begun:.2f} s")
    wait_for("a volume", lambda: driver.run(KEEP)["mean"] > 5)
    driver.key(F9)  # the panels go
    settle(driver)
    if not driver.run("return backlit.lossless > 0"):
        sys.exit("browser_drag: at rest no frame came without loss")
    before = driver.run(KEEP)
    if (before["width"], before["height"]) != tuple(driver.run("return [innerWidth, innerHeight]")):
        sys.exit(f"browser_drag: the frame is {before['width']} x {before['height']} and not as large as the page")
    (pictures / "browser-before.png").write_bytes(driver.screenshot())
    # Up in the axial slice, upper left: the coronal one, upper right, must become another.
    width, height = before["width"], before["height"]
    middle, up = (width // 4, int(0.32 * height)), (width // 4, int(0.2 * height))
    driver.drag(middle, up)
    other_picture(driver, "the drag has moved no slice")
    (pictures / "browser-after.png").write_bytes(driver.screenshot())
    driver.fingers([up, middle])
    other_picture(driver, "a finger has moved no slice")
    apart = [[(middle[0] + side * d, middle[1]) for d in (30, 45, 60, 75, 90)] for side in (-1, 1)]
    driver.fingers(*apart)
    other_picture(driver, "two fingers have not zoomed")
    (pictures / "browser-zoomed.png").write_bytes(driver.screenshot())
    # From the browser's clipboard into a field of the viewer, and from there back.
    driver.run("addEventListener('paste', e => { window.pasted = e.clipboardData.getData('text/plain'); }, true)")
    for _ in range(2):
        driver.key("x")  # pages may copy only soon after a key: the crosshair goes and comes back
    if not driver.run("""const t = document.getElementById('text'); t.value = 'toggle panels on'; t.select();
                         const done = document.execCommand('copy'); t.value = ''; return done"""):
        sys.exit("browser_drag: the browser copies nothing")
    driver.key("p", ctrl=True)
    driver.key("v", ctrl=True)
    wait_for("a paste", lambda: driver.run("return window.pasted") == "toggle panels on")
    driver.key(ENTER)
    other_picture(driver, "the command that was pasted did nothing")
    driver.key("p", ctrl=True)
    for letter in "mip":
        driver.key(letter)
    driver.key("a", ctrl=True)
    driver.key("c", ctrl=True)

    def copied():
        driver.key("v", ctrl=True)
        return driver.run("return window.pasted") == "mip"
    wait_for("what was copied in the viewer", copied)


def other_picture(driver, complaint):
    settle(driver)
    differs = driver.run(KEEP)["differs"]
    print(f"the coronal slice differs by {differs:.1f} of 255 on average")
    if differs < 1:
        sys.exit("browser_drag: " + complaint)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    driver_program = shutil.which("chromedriver")
    if not driver_program or not shutil.which("chromium"):
        print("SKIPPED: chromium or chromedriver is missing (Debian: chromium-driver)")
        return
    with tempfile.TemporaryDirectory() as folder:
        pictures = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else folder)
        environment = dict(os.environ, XDG_CONFIG_HOME=folder)
        viewer = subprocess.Popen([sys.argv[1], "--serve", "0", "demo:spheres"], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True, env=environment, cwd=folder)
        url = viewer.stdout.readline().strip()
        if not url:
            complaint = viewer.communicate()[1]
            if "built without" in complaint:
                print("SKIPPED: " + complaint)
                return
            sys.exit("browser_drag: " + complaint)
        driver = None
        try:
            driver = Driver(driver_program, folder + "/profile")
            check(driver, url, pictures)
        finally:
            if driver:
                driver.close()
            viewer.terminate()
            viewer.wait()


if __name__ == "__main__":
    main()
