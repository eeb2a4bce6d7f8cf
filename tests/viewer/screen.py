"""A display without a screen, its pixels, and PNG files: for the viewer's tests.

Nothing but Xvfb and xdotool is needed: pixels are read from Xvfb's own file.
"""
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib


def requireTools(*tools):
    """Leaves out the test where a tool is missing; with CI=true that fails."""
    missing = [tool for tool in tools if not shutil.which(tool)]
    if not missing:
        return
    print(f"SKIP: not installed: {', '.join(missing)} (scripts/setup does that)")
    sys.exit(1 if os.environ.get("CI") == "true" else 77)


class Pixels:
    """RGB, three bytes a pixel, rows from the top."""

    def __init__(self, width, height, data):
        self.width, self.height, self.data = width, height, data

    def at(self, x, y):
        begin = 3 * (y * self.width + x)
        return tuple(self.data[begin:begin + 3])


def readPng(path):
    """8-bit RGB as the viewer writes it: one IDAT, rows without a filter."""
    data = pathlib.Path(path).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", f"{path} is no PNG"
    at, body = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        part = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height = struct.unpack(">II", part[:8])
        if kind == b"IDAT":
            body += part
        at += size + 12
    raw, row = zlib.decompress(body), 3 * width + 1
    assert len(raw) == row * height, f"{path} ends early"
    return Pixels(width, height, b"".join(
        raw[y * row + 1:(y + 1) * row] for y in range(height)))


def writePng(path, pixels):
    row = 3 * pixels.width
    raw = b"".join(b"\0" + pixels.data[y * row:(y + 1) * row]
                   for y in range(pixels.height))
    out = b"\x89PNG\r\n\x1a\n"
    for kind, part in (
            (b"IHDR", struct.pack(">IIBBBBB", pixels.width, pixels.height,
                                  8, 2, 0, 0, 0)),
            (b"IDAT", zlib.compress(raw, 9)), (b"IEND", b"")):
        out += struct.pack(">I", len(part)) + kind + part
        out += struct.pack(">I", zlib.crc32(kind + part))
    pathlib.Path(path).write_bytes(out)


class Display:
    """An X server of its own; `with Display() as display`."""

    def __init__(self, width=1280, height=720, arguments=()):
        self.width, self.height = width, height
        self.arguments = arguments

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        readEnd, writeEnd = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writeEnd), "-screen", "0",
             f"{self.width}x{self.height}x24", "-fbdir", self.folder.name,
             # Else it starts anew when the last window closes, and a client that
             # comes meanwhile is turned away.
             "-nolisten", "tcp", "-noreset", *self.arguments],
            pass_fds=[writeEnd], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writeEnd)
        with os.fdopen(readEnd) as number:
            self.name = ":" + number.readline().strip()
        assert self.name != ":", "Xvfb did not start"
        self.environment = dict(
            os.environ, DISPLAY=self.name, LIBGL_ALWAYS_SOFTWARE="1",
            XDG_CONFIG_HOME=os.path.join(self.folder.name, "config"))
        return self

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait()
        self.folder.cleanup()

    def pixels(self):
        data = (pathlib.Path(self.folder.name) / "Xvfb_screen0").read_bytes()
        head = struct.unpack(">25I", data[:100])
        size, width, height = head[0], head[4], head[5]
        bytesPerLine, colors = head[12], head[19]
        begin = size + colors * 12
        rows = []
        for y in range(height):
            line = data[begin + y * bytesPerLine:begin + y * bytesPerLine
                        + 4 * width]
            # Blue, green, red, unused.
            pixels = bytearray(3 * width)
            pixels[0::3], pixels[1::3] = line[2::4], line[1::4]
            pixels[2::3] = line[0::4]
            rows.append(bytes(pixels))
        return Pixels(width, height, b"".join(rows))

    def xdotool(self, *words):
        done = subprocess.run(["xdotool", *map(str, words)],
                              env=self.environment, capture_output=True,
                              text=True, timeout=60, stdin=subprocess.DEVNULL)
        assert done.returncode == 0, f"xdotool {words}: {done.stderr}"
        return done.stdout


def waitFor(what, condition, seconds=60):
    """Polls; a slow machine waits longer, a right answer not at all."""
    end = time.monotonic() + seconds
    while True:
        answer = condition()
        if answer:
            return answer
        assert time.monotonic() < end, f"waited {seconds} s for: {what}"
        time.sleep(0.05)
