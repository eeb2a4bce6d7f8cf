#!/usr/bin/env python3
"""Pictures of the viewer against those that were looked at and kept.

  goldens.py VIEWER SOURCES            fails where one differs
  goldens.py VIEWER SOURCES --update   keeps them anew: look at each

Then faults are put into a trace and into a picture, one at a time (a chip that
says another ownership, a label that is another one, a colour that is not the
meaning's): each must be noticed.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from compare import differences
from screen import Display, Pixels, readPng, requireTools, writePng

requireTools("Xvfb")
viewer, sources = sys.argv[1], pathlib.Path(sys.argv[2])
updates = "--update" in sys.argv
goldens = sources / "tests" / "viewer" / "golden"
samples = sources / "samples"
SIZE = ["--size", "1280x720"]

# Name -> sample and options.
PICTURES = {
    "decisions-dark": ["worked-example.mlir", "--event", "14"],
    "decisions-light": ["diamond.mlir", "--event", "9", "--theme", "light",
                        "--value", "data"],
    "stage": ["conditional-clone.mlir", "--stage", "8", "--stage-graph",
              "--panel", "lowering"],
    "lifetimes": ["loop-swapped.mlir", "--panel", "lifetimes", "--theme",
                  "light"],
    "memory": ["worked-example.mlir", "--panel", "memory"],
    "tensors": ["tensors/smooth.mlir", "--bufferize", "--panel", "tensors",
                "--value", "next_buf"],
    "rejected": ["reject-unknown-effects.mlir", "--panel", "problems"],
    "run": ["run/mlp.mlir", "--run"],
    "broken": ["reject-manual-misuse.mlir"],
    "what-if": ["call-private.mlir", "--panel", "what-if"],
    "small": ["diamond.mlir", "--size", "200x150"],
    "scaled": ["diamond.mlir", "--scale", "2", "--event", "9"],
}


class Camera:
    def __init__(self, display, folder):
        self.display, self.folder = display, pathlib.Path(folder)
        self.count = 0

    def shoot(self, file, *options):
        self.count += 1
        out = self.folder / f"{self.count}.png"
        size = [] if "--size" in options else SIZE
        done = subprocess.run(
            [viewer, str(file), *size, *options, "--screenshot", str(out)],
            env=self.display.environment, cwd=samples, capture_output=True,
            text=True, timeout=120, stdin=subprocess.DEVNULL)
        assert done.returncode == 0, f"{file}: {done.stderr}"
        return readPng(out)


def compareAll(camera):
    faults = []
    for name, (sample, *options) in PICTURES.items():
        pixels = camera.shoot(sample, *options)
        golden = goldens / f"{name}.png"
        if updates:
            golden.parent.mkdir(exist_ok=True)
            writePng(golden, pixels)
            continue
        found = differences(readPng(golden), pixels)
        if found:
            new = pathlib.Path(tempfile.gettempdir()) / f"viewer-{name}.png"
            writePng(new, pixels)
            faults.append(f"{name}: {len(found)} tiles differ, the first at "
                          f"{found[0][:2]}; see {new}")
    return faults


def traceOf(camera, sample):
    """As the viewer's own tool writes it."""
    tool = pathlib.Path(viewer).parent / "memref-lens"
    out = camera.folder / "trace.json"
    subprocess.run([tool, "trace", sample, "-o", out], cwd=samples, check=True,
                   stdin=subprocess.DEVNULL, timeout=60)
    return json.loads(out.read_text())


def seededTraces(trace):
    """(what, trace) with one fault each."""
    def copy():
        return json.loads(json.dumps(trace))
    wrong = copy()
    for event in wrong["events"]:
        if event["kind"] == "ownership":
            # Owned becomes unknown, or the other way round.
            isUnknown = event.get("after", {}).get("state") == "unknown"
            event["after"] = {"state": "unique" if isUnknown else "unknown"}
    yield "chips that say another ownership", wrong
    wrong = copy()
    letter = next(value for value in wrong["values"]
                  if value.get("isMemref") and len(value["name"]) > 3)
    letter["name"] = letter["name"][:-1] + "z"
    yield "one letter of one name", wrong
    wrong = copy()
    wrong["blocks"][-1 if len(wrong["blocks"]) < 3 else 2]["name"] = "^elsf"
    yield "the label of a block", wrong
    wrong = copy()
    wrong["events"] = [event for event in wrong["events"]
                       if event["kind"] != "dealloc"]
    for number, event in enumerate(wrong["events"]):
        event["id"] = number
    yield "deallocs that are missing", wrong


def isFreedColor(red, green, blue):
    return red > 120 and red > 2 * blue and green < 0.62 * red


def seededPixels(pixels):
    """The same picture with one chip's frame in the colour of another meaning:
    red for blue."""
    data = bytearray(pixels.data)
    places = [at for at in range(0, len(data), 3)
              if isFreedColor(*data[at:at + 3])]
    assert places, "nothing is drawn in the colour of what is freed"
    top, left = divmod(places[0] // 3, pixels.width)
    for at in places:
        y, x = divmod(at // 3, pixels.width)
        if top <= y < top + 20 and left - 40 <= x < left + 80:
            data[at:at + 3] = data[at:at + 3][::-1]
    return Pixels(pixels.width, pixels.height, bytes(data))


def unnoticed(camera):
    """Seeded faults that the comparison lets pass."""
    sample = "diamond.mlir"
    trace = traceOf(camera, sample)
    file = camera.folder / "diamond.mlir.json"

    def picture(changed):
        file.write_text(json.dumps(changed))
        return camera.shoot(file)
    right = picture(trace)
    assert not differences(right, picture(trace)), "two runs differ"
    missed, count = [], 1
    for what, wrong in seededTraces(trace):
        count += 1
        if not differences(right, picture(wrong)):
            missed.append(f"not noticed: {what}")
    if not differences(right, seededPixels(right)):
        missed.append("not noticed: a colour")
    print(f"{count} faults seeded, {count - len(missed)} noticed")
    return missed


def main():
    with Display(2600, 1500) as display, \
            tempfile.TemporaryDirectory() as folder:
        camera = Camera(display, folder)
        faults = compareAll(camera) + unnoticed(camera)
    print("\n".join(faults) or f"{len(PICTURES)} pictures are as they were")
    sys.exit(1 if faults else 0)


main()
