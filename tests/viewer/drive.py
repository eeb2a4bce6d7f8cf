#!/usr/bin/env python3
"""Drives the real viewer with real key and mouse events, on a display of its own.

  drive.py VIEWER SAMPLES

Opens, steps, selects, searches, switches the stage, exports, edits the file,
compares two runs, drops a file on the window, walks the path of a finding, opens
another file, and leaves; after each act the window's title and pixels must say
that it was done.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

from screen import Display, requireTools, waitFor, writePng

requireTools("Xvfb", "xdotool")
viewer, samples = sys.argv[1], pathlib.Path(sys.argv[2])
# A picture after each act, to be looked at.
keep = os.environ.get("MEMREF_LENS_KEEP_PICTURES")


class Drive:
    def __init__(self, display, folder):
        self.display, self.folder = display, folder
        self.acts = 0

    def start(self, *words):
        self.child = subprocess.Popen(
            [viewer, *map(str, words)], cwd=self.folder,
            env=self.display.environment, stdin=subprocess.DEVNULL)
        search = ["search", "--name", "memref-lens"]
        self.window = waitFor("a window", lambda: self.windows(search))[0]
        # Not before the window can be seen.
        waitFor("the focus", lambda: subprocess.run(
            ["xdotool", "windowfocus", self.window], capture_output=True,
            env=self.display.environment).returncode == 0)

    def windows(self, search):
        done = subprocess.run(["xdotool", *search],
                              env=self.display.environment,
                              capture_output=True, text=True)
        assert self.child.poll() is None, "the viewer ended"
        return done.stdout.split()

    def title(self):
        assert self.child.poll() is None, "the viewer ended"
        return self.display.xdotool("getwindowname", self.window).strip()

    def titled(self, pattern):
        """Waits for a title that fits; the match."""
        seen = []

        def fits():
            seen.append(self.title())
            return re.search(pattern, seen[-1])
        try:
            return waitFor(pattern, fits, 30)
        except AssertionError as late:
            raise AssertionError(f"{late}; the title is {seen[-1]!r}") from None

    def decision(self):
        return int(self.titled(r"decision (\d+)")[1])

    def key(self, *keys):
        for key in keys:
            self.display.xdotool("key", key)

    def type(self, text):
        self.display.xdotool("type", "--delay", "30", text)

    def click(self, x, y):
        self.display.xdotool("mousemove", x, y)
        self.display.xdotool("click", 1)

    def changes(self, what, act):
        """The act must change the screen."""
        before = self.display.pixels().data
        act()
        waitFor(f"{what} to change the screen",
                lambda: self.display.pixels().data != before, 30)

    def did(self, what):
        self.acts += 1
        print(f"{self.acts:2} {what}: {self.title()}", flush=True)
        if keep:
            writePng(pathlib.Path(keep) / f"{self.acts:02}.png",
                     self.display.pixels())


def step(drive):
    drive.titled(r"^edited\.mlir: @diamond, stage 3, decision \d+ - memref-lens")
    drive.did("opened")
    # At the last of the ownership pass: the others are steps back.
    last = drive.decision()
    drive.key("Left", "Left")
    drive.titled(rf"decision {last - 2}\b")
    first = last - 2
    drive.key("Right")
    drive.titled(rf"decision {first + 1}\b")
    drive.key("Right", "Left")
    drive.titled(rf"decision {first + 1}\b")
    drive.key("alt+Left", "alt+Left", "alt+Left")
    drive.titled(rf"decision {first}\b")
    drive.key("alt+Right")
    drive.titled(rf"decision {first + 1}\b")
    drive.did("stepped, back and forward")


def select(drive):
    # %fresh or another name of the source: column by column on one line.
    for x in range(60, 290, 12):
        drive.click(x, 300)
        if "%" in drive.title():
            break
    drive.titled(r"%\w+")
    drive.did("selected in the source")
    drive.key("ctrl+p")
    drive.type("%input in")
    drive.key("Return")
    drive.titled(r"%input - ")
    drive.did("searched")


def look(drive):
    drive.key("Down")
    drive.titled("stage 4")
    drive.key("Up", "Up")
    drive.titled("stage 2")
    drive.changes("G", lambda: drive.key("g"))
    drive.did("switched the stage")
    drive.changes("the wheel", lambda: (
        drive.display.xdotool("mousemove", 640, 300),
        drive.display.xdotool("click", 4)))
    drive.changes("dragging", lambda: drive.display.xdotool(
        "mousedown", 1, "mousemove", 700, 340, "sleep", "0.3", "mouseup", 1))
    drive.changes("F1", lambda: drive.key("F1"))
    drive.did("zoomed, dragged, asked for the keys")
    drive.key("F1")
    drive.changes("T", lambda: drive.key("t"))
    drive.key("t")
    drive.did("light and dark")


def export(drive):
    drive.key("g")
    for words, file, mark in (("svg", "diamond.svg", b"<svg"),
                              ("dot", "diamond.dot", b"digraph"),
                              ("html", "diamond.html", b"<html"),
                              ("the trace", "diamond.trace.json",
                               b"schemaVersion"),
                              ("png", "diamond.png", b"PNG")):
        drive.key("ctrl+shift+p")
        drive.type("export " + words)
        drive.key("Return")
        drive.key("Return")
        path = drive.folder / file
        waitFor(file, path.exists)
        assert mark in path.read_bytes()[:40000], file
    drive.did("exported five formats")


def edit(drive, file):
    text = file.read_text()
    name = re.search(r"%(\w+) = memref.alloc", text)[1]
    drive.key("ctrl+p")
    drive.type(f"%{name} in")
    drive.key("Return")
    drive.titled(rf"%{name} - ")
    drive.changes("the edit", lambda: file.write_text(
        "func.func @before() {\n  return\n}\n" + text))
    drive.titled(rf"@diamond.*%{name} - ")
    drive.did("edited: the selection stays")
    drive.changes("the broken text", lambda: file.write_text("func.func @"))
    drive.titled(r"^edited\.mlir - ")
    drive.did("broken: the text with its problem")
    file.write_text(text)
    drive.titled(rf"@diamond.*%{name} - ")
    drive.did("mended: the selection is back")


def compare(drive):
    drive.changes("what if", lambda: drive.key("ctrl+shift+i"))
    drive.changes("the second run", lambda: drive.key("ctrl+Return"))
    time.sleep(1)  # For the picture only.
    drive.did("ran with other options beside")
    drive.changes("closing it", lambda: (
        drive.key("ctrl+shift+p"), drive.type("close the second"),
        drive.key("Return")))


def find(drive):
    """A file that frees twice: its path is walked with F8."""
    file = drive.folder / "twice.mlir"
    file.write_text("""func.func @twice(%c: i1) {
  %a = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.dealloc %a {bufferization.manual_deallocation} : memref<4xf32>
  cf.br ^bb2
^bb2:
  memref.dealloc %a {bufferization.manual_deallocation} : memref<4xf32>
  return
}
""")
    drop(drive, file)
    drive.titled(r"^twice\.mlir: @twice")
    drive.did("dropped a file on the window")
    drive.changes("the findings", lambda: drive.key("ctrl+7"))

    def isThere():
        drive.key("F8")
        return "^bb" in drive.title()
    waitFor("the first step", isThere)
    seen = [re.search(r"\^bb\d", drive.title())[0]]
    for _ in range(8):
        before = drive.title()
        drive.key("F8")
        time.sleep(0.3)  # The same block twice gives the same title.
        if drive.title() != before:
            seen.append(re.search(r"\^bb\d", drive.title())[0])
    walk = ["^bb0", "^bb1", "^bb2"]
    assert any(seen[i:i + 3] == walk for i in range(len(seen))), seen
    drive.did("walked the path of a finding")
    drive.key("ctrl+w")
    drive.titled(r"^edited\.mlir")


def drop(drive, *files):
    done = subprocess.run(
        [sys.executable, pathlib.Path(__file__).parent / "xdnd.py",
         drive.display.name, drive.window, *map(str, files)],
        capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def leave(drive):
    drive.key("ctrl+o")
    drive.type(str(samples / "loop-fresh.mlir"))
    drive.key("Return")
    drive.titled(r"^loop-fresh\.mlir: @")
    drive.did("a second file")
    drive.key("ctrl+Tab")
    drive.titled(r"^edited\.mlir")
    drive.key("ctrl+w")
    drive.titled(r"^loop-fresh\.mlir")
    drive.did("closed the first")
    drive.key("ctrl+q")
    assert drive.child.wait(30) == 0, "exit status"
    settings = pathlib.Path(drive.display.environment["XDG_CONFIG_HOME"],
                            "memref-lens", "viewer.json").read_text()
    assert "edited.mlir" in settings and "loop-fresh.mlir" in settings


def main():
    with Display() as display, tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "edited.mlir"
        shutil.copy(samples / "diamond.mlir", file)
        drive = Drive(display, pathlib.Path(folder))
        try:
            drive.start(file, "--size", "1280x720")
            step(drive)
            select(drive)
            look(drive)
            export(drive)
            edit(drive, file)
            compare(drive)
            find(drive)
            leave(drive)
        finally:
            if drive.child.poll() is None:
                drive.child.kill()
                drive.child.wait()
    print("all acts were answered")


main()
