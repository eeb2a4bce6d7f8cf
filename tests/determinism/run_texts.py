#!/usr/bin/env python3
"""Holds the texts that a thread makes beside the stages to those made between them.

usage: run_texts.py MEMREF_LENS SAMPLES

With -j2 copies of a large module are printed by a thread named `texts`, with -j1
none is; the traces must be equal. Taken are a part of the corpus' large programs,
and generated ones: large from the start, with a function that a stage rejects (from
there on no copies are made), in several parts, and with stages that change nothing.
"""
import contextlib
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "support"))
import sample  # noqa: E402

CORPUS = pathlib.Path(os.environ.get("MEMREF_LENS_CORPUS",
                                     ROOT.parent / "shared" / "corpus"))
DYNAMIC = ["--private-function-dynamic-ownership"]
# Of a small one the main thread makes the texts.
LARGE_BYTES = 20_000


def large(name, ops):
    """A function that all stages change, with names that they take."""
    body = "".join(f"""
  %a{n} = memref.alloc(%n) : memref<?xf32>
  %own_a{n} = arith.addi %n, %n : index
  %r{n}:2 = scf.if %c -> (memref<?xf32>, index) {{
    %b = memref.alloc(%own_a{n}) : memref<?xf32>
    scf.yield %b, %own_a{n} : memref<?xf32>, index
  }} else {{
    scf.yield %a{n}, %n : memref<?xf32>, index
  }}
  "test.use"(%r{n}#0, %r{n}#1) : (memref<?xf32>, index) -> ()"""
                   for n in range(ops // 7))
    return (f"func.func @{name}(%n: index, %c: i1) {{{body}\n"
            "  return\n}\n")


def quiet(ops):
    """One on which no stage finds anything to do."""
    body = "".join(f'  "test.use"(%m, %n) {{k = {n}}} : (memref<4xf32>, index) '
                   "-> ()\n" for n in range(ops))
    return f"func.func @quiet(%m: memref<4xf32>, %n: index) {{\n{body}  return\n}}\n"


def generated(samples, folder):
    rejected = (samples / "one-rejected-of-three.mlir").read_text()
    programs = {
        "large": large("f", 700),
        "rejected": large("f", 700) + rejected,
        "parts": "// -----\n".join([large("f", 700), rejected + large("g", 300),
                                    "func.func @small() { return }\n",
                                    large("h", 400)]),
        "quiet": quiet(400),
    }
    for name, text in programs.items():
        path = folder / f"{name}.mlir"
        path.write_text(text)
        yield path


def threadsBelow(process):
    """Names of the threads of a process and of those that it began."""
    names, waiting = set(), [process]
    while waiting:
        tasks = f"/proc/{waiting.pop()}/task"
        # Any of them may have ended meanwhile.
        with contextlib.suppress(OSError):
            for task in os.listdir(tasks):
                with contextlib.suppress(OSError):
                    place = pathlib.Path(tasks, task)
                    names.add((place / "comm").read_text().strip())
                    waiting += (place / "children").read_text().split()
    return names


def trace(lens, path, options, folder):
    """What it gave, and the names of threads that were seen."""
    out, problems = folder / "out", folder / "problems"
    seen = set()
    with open(out, "wb") as output, open(problems, "wb") as errors:
        run = subprocess.Popen([lens, "trace", "--allow-unregistered-dialect",
                                *options, path], stdout=output, stderr=errors)
        while run.poll() is None:
            seen |= threadsBelow(run.pid)
            time.sleep(0.001)
    return run.returncode, out.read_bytes(), problems.read_bytes(), seen


def main():
    lens, samples = sys.argv[1], pathlib.Path(sys.argv[2])
    real = sorted(path for path in (CORPUS / "real").glob("*.mlir")
                  if path.stat().st_size > LARGE_BYTES)
    faults = beside = programs = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        made = list(generated(samples, folder))
        for path in made + sample.part(real, 4):
            for more in ([], DYNAMIC) if path in made else ([],):
                one, other = (trace(lens, path, [f"-j{jobs}", *more], folder)
                              for jobs in (1, 2))
                programs += 1
                if one[:3] != other[:3]:
                    faults += 1
                    print(f"{path.name} {' '.join(more)}: differs")
                if "texts" in one[3]:
                    faults += 1
                    print(f"{path.name}: -j1 has a thread that prints")
                beside += "texts" in other[3]
    print(f"{programs} programs, a thread that prints seen in {beside}, "
          f"{faults} faults")
    return 1 if faults or beside == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
