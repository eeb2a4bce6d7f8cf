#!/usr/bin/env python3
"""A file that is exchanged for something else while it is read.

Grown, cut short, taken away, replaced, made a folder or a pipe, again and again,
while our programs open it. Each ends, and says what it could not read; what it
writes is whole.
"""
import os
import pathlib
import random
import shutil
import subprocess
import threading
import time

from harm import LONG, ROOT, SAMPLES, Bench, binary, viewerAndDisplay

lens = binary("MEMREF_LENS")
bench = Bench()
chance = random.Random(7)
TEXT = (SAMPLES / "diamond.mlir").read_text()
FUNCTION = ("func.func @f{0}(%m: memref<4xf32>) {{\n  %a = memref.alloc() : "
            "memref<4xf32>\n  memref.copy %m, %a : memref<4xf32> to "
            "memref<4xf32>\n  return\n}}\n")
LARGE = "".join(FUNCTION.format(number) for number in range(400))


class Changer(threading.Thread):
    """Does to the path what a person or a build does, without rest."""

    def __init__(self, path, contents, withPipes):
        super().__init__(daemon=True)
        self.path, self.contents = pathlib.Path(path), contents
        self.isOver, self.turns = False, 0
        self.kinds = [self.write, self.cut, self.grow, self.takeAway,
                      self.replace, self.makeFolder]
        if withPipes:
            self.kinds.append(self.makePipe)

    def clear(self):
        if self.path.is_dir():
            self.path.rmdir()
        else:
            self.path.unlink(missing_ok=True)

    def write(self):
        self.clear()
        self.path.write_bytes(self.contents)

    def cut(self):
        self.write()
        os.truncate(self.path, chance.randrange(len(self.contents)))

    def grow(self):
        self.write()
        with open(self.path, "ab") as file:
            file.write(b"// more\n" * 2000)

    def takeAway(self):
        self.clear()

    def replace(self):
        other = self.path.with_suffix(".other")
        other.write_bytes(self.contents)
        if self.path.is_dir():
            self.path.rmdir()
        other.rename(self.path)

    def makeFolder(self):
        self.clear()
        self.path.mkdir()

    def makePipe(self):
        self.clear()
        os.mkfifo(self.path)

    def run(self):
        while not self.isOver:
            chance.choice(self.kinds)()
            self.turns += 1
            time.sleep(chance.uniform(0, 0.004))

    def end(self):
        self.isOver = True
        self.join()


def commands():
    """A pipe is read as one by the command line, so it is given none."""
    path = bench.base / "moving.mlir"
    path.write_text(LARGE)
    changer = Changer(path, LARGE.encode(), withPipes=False)
    changer.start()
    seen = set()
    for turn in range(120 if LONG else 24):
        bench.clear()
        command = chance.choice([["trace"], ["explain"], ["check", "--no-try"],
                                 ["ir", "--stage", "final"]])
        result = bench.run([lens, *command, path, "-o", "out"], seconds=120)
        seen.add(result.status)
        what = f"{command[0]} of a moving file"
        bench.expect(f"{what}: ends", result.status in (0, 1, 3) and
                     not result.orphans and not result.left, result)
        bench.expect(f"{what}: told", result.status != 3 or
                     "error: " in result.err, result)
    changer.end()
    bench.expect("some were read, some not", len(seen) > 1, seen)


def savedTraces():
    """A trace that is cut short or exchanged is told to be none."""
    path = bench.base / "moving.json"
    made = bench.run([lens, "trace", SAMPLES / "diamond.mlir"])
    path.write_bytes(made.out)
    changer = Changer(path, made.out, withPipes=False)
    changer.start()
    for turn in range(60 if LONG else 12):
        result = bench.run([lens, "explain", path], seconds=120)
        bench.expect("explain of a moving trace", result.status in (0, 3) and
                     (result.status == 0 or "error: " in result.err), result)
    changer.end()


def attached():
    """The program says which file it is from: that may be anything."""
    tool = os.environ.get("ATTACH_OPT")
    if not tool:
        return
    pipe = bench.base / "pipe.mlir"
    os.mkfifo(pipe)
    for name in (pipe, "/dev/zero", bench.base, "/dev/stdin", "/nowhere/x"):
        bench.clear()
        program = bench.base / "located.mlir"
        program.write_text(f'module {{\nfunc.func @f() {{ return }}\n}} '
                           f'loc("{name}":1:1)\n')
        result = bench.run([tool, program, "--canonicalize",
                            "--memref-lens-trace=."], seconds=120)
        bench.expect(f"attached, at {name}", result.status == 0 and
                     list(bench.work.glob("*.trace.json")), result)


def viewer():
    if not (found := viewerAndDisplay()):
        return
    program, display = found
    with display:
        for name, contents in (("moving.mlir", LARGE.encode()),
                               ("moving.trace.json", bench.run(
                                   [lens, "trace", SAMPLES / "diamond.mlir"]
                               ).out)):
            path = bench.base / name
            shutil.rmtree(path, ignore_errors=True)
            path.unlink(missing_ok=True)
            path.write_bytes(contents)
            changer = Changer(path, contents, withPipes=name.endswith("json"))
            changer.start()
            for turn in range(40 if LONG else 8):
                result = bench.run([program, path, "--screenshot", "out.png"],
                                   seconds=120,
                                   DISPLAY=display.environment["DISPLAY"])
                bench.expect(f"viewer, {name}: ends", result.status in (0, 1)
                             and not result.orphans and not result.left, result)
                bench.expect(f"viewer, {name}: told", result.status == 0 or
                             result.err.startswith("memref-lens-viewer: "),
                             result)
            changer.end()
        pipe = bench.base / "pipe.mlir"
        pipe.unlink(missing_ok=True)
        os.mkfifo(pipe)
        result = bench.run([program, pipe, "--screenshot", "out.png"],
                           seconds=120, DISPLAY=display.environment["DISPLAY"])
        bench.expect("viewer: a pipe is no file", result.status == 1 and
                     "cannot read" in result.err, result)


commands()
savedTraces()
attached()
viewer()
bench.end()
