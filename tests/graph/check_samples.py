#!/usr/bin/env python3
"""Draws each function of each sample twice: the DOT and SVG must be equal, `dot`
must accept the DOT, and the SVG must be XML without links.

  check_samples.py MEMREF-LENS DRAW-TRACE SAMPLES
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

# Exit status of memref-lens for what it cannot parse.
UNREADABLE = 3


def run(*command):
    return subprocess.run([str(part) for part in command], timeout=120,
                          stdin=subprocess.DEVNULL, capture_output=True)


def faultsOfSvg(path):
    root = ElementTree.parse(path).getroot()
    if root.get("role") != "img":
        yield "no role"
    for element in root.iter():
        tag = element.tag.split("}")[-1]
        if tag not in ("svg", "g", "title", "desc", "polygon", "path", "text",
                       "polyline", "ellipse"):
            yield f"an element <{tag}>"
        for name in element.attrib:
            if "href" in name or name.startswith("on"):
                yield f"an attribute {name}"


def faultsOfSample(sample, lens, drawTrace, folder, dot):
    trace = folder / "trace.json"
    if trace.exists():
        trace.unlink()
    # A sample that is rejected has a trace too; one that is no valid IR has not.
    done = run(lens, "trace", sample, "-o", trace)
    if done.returncode == UNREADABLE:
        return
    if not trace.exists():
        yield "no trace"
        return
    for name in ("a", "b"):
        done = run(drawTrace, trace, folder / name)
        if done.returncode:
            yield done.stderr.decode()
            return
    for first in sorted(folder.glob("a*")):
        second = folder / ("b" + first.name[1:])
        if first.read_bytes() != second.read_bytes():
            yield f"{first.name}: two runs differ"
        if first.suffix == ".svg":
            yield from faultsOfSvg(first)
        elif dot:
            done = run(dot, "-Tcanon", first)
            if done.returncode or done.stderr:
                yield f"dot: {done.stderr.decode()}"


def main(lens, drawTrace, samples):
    dot = shutil.which("dot")
    if not dot:
        print("no `dot`: the DOT is not judged")
        if os.environ.get("CI") == "true":
            return 1
    faults, count = 0, 0
    for sample in sorted(pathlib.Path(samples).glob("*.mlir")):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            for fault in faultsOfSample(sample, lens, drawTrace, folder, dot):
                print(f"{sample.name}: {fault}")
                faults += 1
            count += len(list(folder.glob("a*.svg")))
    print(f"{count} pictures, {faults} faults")
    return 1 if faults or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
