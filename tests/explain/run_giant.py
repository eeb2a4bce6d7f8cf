"""A step of training, thousands of memrefs behind one dealloc_helper call: what they
share is said once, each is named, and each can still be asked for.

  run_giant.py LENS [--allocations N]
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from benchmarks import programs  # noqa: E402

SECONDS = 600
ALLOCATION = re.compile(r"^  (%\w+) = memref\.alloc\(\)")


def run(*command):
    done = subprocess.run([str(part) for part in command], text=True,
                          capture_output=True, timeout=SECONDS)
    if done.returncode:
        sys.exit(f"{command}: {done.returncode} {done.stderr}")
    return done.stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lens")
    parser.add_argument("--allocations", type=int, default=1360)
    options = parser.parse_args()
    text = programs.trainingReturned(options.allocations)
    failures = []

    def expect(condition, message):
        if not condition:
            failures.append(message)

    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "step.mlir"
        trace = pathlib.Path(folder) / "step.json"
        file.write_text(text)
        run(options.lens, "trace", "-o", trace, file)
        told = run(options.lens, "explain", trace)
        lines = told.splitlines()
        expect(told == run(options.lens, "explain", file),
               "a saved trace is explained in other words")
        expect(len(lines) < options.allocations,
               f"{len(lines)} lines for {options.allocations} allocations")
        shared = [line for line in lines if "tells more of each" in line]
        expect(len(shared) == 1, f"shared: {shared}")
        for at, line in enumerate(text.splitlines(), start=1):
            if name := ALLOCATION.match(line):
                expect(told.count(f"{name[1]} ({at}:3") == 1,
                       f"{name[1]} of line {at} is not named once")
        # One of the list, by its position.
        at = next(number for number, line in enumerate(text.splitlines(), 1)
                  if line.startswith("  %b7 ="))
        one = run(options.lens, "explain", f"{file}:{at}:3")
        expect("is deallocated unless dealloc_helper finds it to be"
               in one, one)
        retained = sum("is retained" in line for line in one.splitlines())
        expect(0 < retained <= 12, f"{retained} retained memrefs are listed")
        # A single path, so that it is tried to its end.
        heap = json.loads(trace.read_text())["functions"][1]["heap"]
        kinds = {gap.get("kind") for gap in heap["gaps"]}
        expect("notAllPaths" not in kinds, f"gaps: {kinds}")
    print(f"{options.allocations} allocations: {len(lines)} lines")
    print("\n".join(failures[:20]))
    sys.exit(1 if failures else 0)


main()
