#!/usr/bin/env python3
"""Measures `backlit-view --serve`: the time to the first picture, the delay from an input to its picture, and pictures a
second while slices move. Stands for a browser on the same machine; it confirms pictures and decodes none.

Usage: serve_rates.py FILE [--viewer build/backlit-view] [--command TEXT]... [--press KEY] [--seconds 10]
                      [--size 1920x1080] [--round-trip ms]
FILE is what backlit-view opens (demo:head, a scan). A command is one of the viewer's scripts, such as "set precision half",
given before anything is measured. --press F5 starts a reconstruction every 20 ms during the last part. --round-trip 50
delays all bytes by 25 ms each way, as a line of that length would.
"""

import argparse
import base64
import json
import math
import os
import pathlib
import queue
import select
import socket
import statistics
import struct
import subprocess
import tempfile
import threading
import time
import urllib.parse


def long_line(wire, delay):
    """A socket whose bytes reach `wire`, and come from there, `delay` seconds later."""
    near, far = socket.socketpair()

    def carry(source, target):
        late = queue.Queue()

        def deliver():
            while True:
                due, data = late.get()
                time.sleep(max(0, due - time.perf_counter()))
                try:
                    target.sendall(data)
                except OSError:
                    return

        threading.Thread(target=deliver, daemon=True).start()
        while data := source.recv(1 << 16):
            late.put((time.perf_counter() + delay, data))

    for ends in ((far, wire), (wire, far)):
        threading.Thread(target=carry, args=ends, daemon=True).start()
    return near


class Page:
    """A WebSocket to the viewer (RFC 6455, as far as it is needed here)."""

    def __init__(self, url, round_trip):
        at = urllib.parse.urlsplit(url)
        self.wire = socket.create_connection((at.hostname, at.port))
        self.wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if round_trip > 0:
            self.wire = long_line(self.wire, round_trip / 2)
        key = base64.b64encode(os.urandom(16)).decode()
        self.wire.sendall((f"GET /?{at.query} HTTP/1.1\r\nHost: {at.netloc}\r\nOrigin: http://{at.netloc}\r\n"
                           "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                           f"Sec-WebSocket-Protocol: backlit\r\nSec-WebSocket-Key: {key}\r\n\r\n").encode())
        self.held = b""
        while b"\r\n\r\n" not in self.held:
            self.held += self.wire.recv(4096)
        head, self.held = self.held.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise SystemExit(f"serve_rates: the viewer refused the connection: {head.decode().splitlines()[0]}")
        self.pictures = self.bytes = 0
        self.asks_for_text = False

    def send(self, **message):
        self.send_frame(1, json.dumps(message).encode())

    def send_frame(self, opcode, data):
        mask = os.urandom(4)
        length = bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0xFE]) + struct.pack(">H", len(data))
        self.wire.sendall(bytes([0x80 | opcode]) + length + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    def key(self, name, ctrl=False):
        for down in (True, False):
            self.send(kind="key", key=name, down=down, ctrl=ctrl and down, shift=False)

    def message(self):
        """The next whole message that has arrived: (opcode, payload), or None."""
        payload, at = b"", 0
        while True:
            if len(self.held) < at + 2:
                return None
            final, opcode, length, head = self.held[at] & 0x80, self.held[at] & 15, self.held[at + 1] & 127, 2
            if length >= 126:
                head = 4 if length == 126 else 10
                if len(self.held) < at + head:
                    return None
                length = int.from_bytes(self.held[at + 2:at + head], "big")
            if len(self.held) < at + head + length:
                return None
            part = self.held[at + head:at + head + length]
            if opcode == 9:  # a ping, between messages or within one: without an answer the viewer closes the connection
                self.send_frame(10, part)
                self.held = self.held[:at] + self.held[at + head + length:]
                continue
            payload += part
            kind = opcode or kind
            at += head + length
            if final:
                self.held = self.held[at:]
                return kind, payload

    def picture(self, seconds):
        """Waits for a picture and confirms it. Its time of arrival, or None if `seconds` pass."""
        end = time.perf_counter() + seconds
        while True:
            while (message := self.message()) is not None:
                kind, payload = message
                if kind == 8:
                    raise SystemExit("serve_rates: the viewer closed the connection")
                if kind == 1 and (told := json.loads(payload))["kind"] == "typing":
                    self.asks_for_text = told["wanted"]
                if kind == 2:
                    now = time.perf_counter()
                    self.pictures += 1
                    self.bytes += len(payload)
                    self.send(kind="shown", number=struct.unpack("<I", payload[:4])[0])
                    return now
            left = end - time.perf_counter()
            if left <= 0 or not select.select([self.wire], [], [], left)[0]:
                return None
            self.held += self.wire.recv(1 << 20)

    def rest(self, quiet=1.5, most=300):
        """Until no picture has come for `quiet` seconds."""
        end = time.perf_counter() + most
        while self.picture(quiet) is not None:
            if time.perf_counter() > end:
                raise SystemExit("serve_rates: the viewer does not come to rest")


def delays(page, at, count):
    """Seconds from a wheel step over a slice to its picture, with nothing else under way."""
    taken = []
    for n in range(count):
        page.rest(quiet=0.6)
        sent = time.perf_counter()
        page.send(kind="wheel", across=0, along=1 if n % 2 else -1, x=at[0], y=at[1], ctrl=False, shift=False)
        if (shown := page.picture(5)) is not None:
            taken.append(shown - sent)
    if not taken:
        raise SystemExit("serve_rates: a wheel step changes no picture")
    return taken


def drag(page, middle, radius, seconds, press):
    """Drags the crosshair in circles, 125 moves a second. Pictures a second and bytes a second."""
    def spot(angle):
        return {"x": round(middle[0] + radius * math.cos(angle)), "y": round(middle[1] + radius * math.sin(angle)),
                "ctrl": False, "shift": False}

    page.send(kind="button", button=0, down=True, **spot(0))
    begun, moved, pressed = time.perf_counter(), 0, 0
    before = page.pictures, page.bytes
    while (now := time.perf_counter() - begun) < seconds:
        if now > moved / 125:
            page.send(kind="move", **spot(2 * now))
            moved = math.ceil(now * 125)
        if press and now > pressed / 50:
            page.key(press)
            pressed = math.ceil(now * 50)
        page.picture(0.004)
    page.send(kind="button", button=0, down=False, **spot(2 * now))
    return [(after - first) / now for after, first in zip((page.pictures, page.bytes), before)]


def measure(viewer, begun, options):
    url = viewer.stdout.readline().strip()
    if not url:
        raise SystemExit("serve_rates: backlit-view ended: " + viewer.communicate()[1])
    opened = time.perf_counter()
    page = Page(url, options.round_trip / 1000)
    width, height = map(int, options.size.split("x"))
    page.send(kind="resize", width=width, height=height, scale=1)
    first = page.picture(60)
    if first is None:
        raise SystemExit("serve_rates: no picture in a minute")
    print(f"address after {opened - begun:.2f} s; first picture {first - opened:.2f} s after the page is opened")
    page.rest()
    page.key("F3")  # slices, the axial one large
    for command in options.command:
        page.rest(quiet=0.5)
        page.key("P", ctrl=True)
        page.rest(quiet=0.5)
        page.send(kind="text", text=command)
        page.key("Enter")
        page.rest(quiet=0.5)
        if page.asks_for_text:  # the field is still open
            raise SystemExit(f"serve_rates: the viewer does not know the command '{command}'")
    page.rest()
    middle = 0.4 * width, 0.5 * height
    taken = sorted(1000 * t for t in delays(page, middle, 20))
    print(f"input to picture: median {statistics.median(taken):.1f} ms, 95 % {taken[int(0.95 * len(taken))]:.1f} ms")
    rate, volume = drag(page, middle, 0.1 * height, options.seconds, "")
    print(f"while slices move: {rate:.1f} pictures/s, {volume / 1e6:.2f} MB/s")
    if options.press:
        page.rest()
        rate, volume = drag(page, middle, 0.1 * height, options.seconds, options.press)
        print(f"the same with {options.press}: {rate:.1f} pictures/s, {volume / 1e6:.2f} MB/s")
    page.rest()
    before = page.pictures
    page.picture(5)
    print(f"pictures in 5 s at rest: {page.pictures - before}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--viewer", default=pathlib.Path(__file__).parents[1] / "build/backlit-view", type=pathlib.Path)
    parser.add_argument("--command", action="append", default=[])
    parser.add_argument("--press", default="")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--round-trip", type=float, default=0, metavar="ms")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        viewer = subprocess.Popen([options.viewer.resolve(), "--serve", "0", options.file], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True, env=dict(os.environ, XDG_CONFIG_HOME=folder))
        try:
            measure(viewer, begun, options)
        except ConnectionError as broken:
            raise SystemExit(f"serve_rates: the connection broke: {broken}; the viewer says: {viewer.stderr.readline()}")
        finally:
            viewer.terminate()
            viewer.wait()


if __name__ == "__main__":
    main()
