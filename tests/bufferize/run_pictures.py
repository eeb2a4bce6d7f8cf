#!/usr/bin/env python3
"""The picture of tensors against mlir-opt and the trace.

run_pictures.py [FILE...]

For each function of the programs on tensors: each operand is drawn once, in place or not
as `test-analysis-only` of mlir-opt says; each copy that the trace has for an operand is a
dashed edge with its bytes; tensors of one equivalence class are in one column and have
one colour; a reason is an arrow, and what it is about has a ring. Nothing overlaps or is
cut, both themes have the same places, and a saved trace has the same picture.

A part of the programs is drawn; MEMREF_LENS_FULL=1 takes all.
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import corpus  # noqa: E402
import sample  # noqa: E402

LENS = os.environ["MEMREF_LENS"]
OPTIONS = "allow-return-allocs-from-loops"
SVG = "{http://www.w3.org/2000/svg}"
MARK = re.compile(r"__inplace_operands_attr__ = \[([^\]]*)\]")
FOLDED = "ops are drawn"
LOOP = """func.func @f(%t: tensor<1024xf32>) -> tensor<1024xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1024 = arith.constant 1024 : index
  %r = scf.for %i = %c0 to %c1024 step %c1 iter_args(%a = %t) -> tensor<1024xf32> {
    %x = tensor.extract %t[%i] : tensor<1024xf32>
    %y = arith.addf %x, %x : f32
    %n = tensor.insert %y into %a[%i] : tensor<1024xf32>
    scf.yield %n : tensor<1024xf32>
  }
  return %r : tensor<1024xf32>
}
"""
COPY = "%t is copied here, 4 KiB: tensor.extract (6:10) reads %t in a later iteration"


def run(*words):
    return subprocess.run(list(map(str, words)), text=True, capture_output=True,
                          timeout=600)


def upstream(path):
    """How many ops have which placements of their tensor operands."""
    done = run(corpus.tool("mlir-opt"), path, "--split-input-file",
               "-one-shot-bufferize=bufferize-function-boundaries "
               f"{OPTIONS} test-analysis-only")
    marks = (tuple(word for word in re.findall(r'"(\w+)"', mark)
                   if word != "none") for mark in MARK.findall(done.stdout))
    return collections.Counter(filter(None, marks)) if done.returncode == 0 \
        else None


def of_class(root, name):
    return [group for group in root.iter(SVG + "g") if group.get("class") == name]


def text_of(group):
    return [text.text for text in group.iter(SVG + "text")]


def bytes_text(count):
    """As `bytesText` writes it."""
    for unit, size in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if count >= size:
            whole = f"{count // size} {unit}"
            return whole if count % size == 0 else f"{count / size:.1f} {unit}"
    return f"{count} B"


# --- Places

def box_of(text):
    size = float(text.get("font-size", 11))
    left, base = float(text.get("x")), float(text.get("y"))
    return (left, base - 0.72 * size, left + 0.602 * size * len(text.text),
            base + 0.18 * size)


def rect_of(rect):
    left, top = float(rect.get("x")), float(rect.get("y"))
    return (left, top, left + float(rect.get("width")),
            top + float(rect.get("height")))


def overlap(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def crowded(root):
    """What lies on something else, or reaches over the edge."""
    texts = [(box_of(text), text.text) for text in root.iter(SVG + "text")]
    chips = []
    for chip in of_class(root, "tensor-chip"):
        rects = [rect for rect in chip.iter(SVG + "rect")
                 if rect.get("class") != "ring"]
        chips.append((rect_of(rects[0]), text_of(chip)[0]))
    wide, high = float(root.get("width")), float(root.get("height"))
    for box, words in texts:
        if box[0] < 0 or box[1] < 0 or box[2] > wide + 1 or box[3] > high:
            yield f"'{words}' is cut"
    for things in (texts, chips):
        order = sorted(things, key=lambda thing: thing[0][1])
        for at, (box, words) in enumerate(order):
            for other, others in order[at + 1:]:
                if other[1] >= box[3]:
                    break
                if overlap(box, other):
                    yield f"'{words}' lies on '{others}'"
    for box, words in chips:
        for other, others in texts:
            if others != words and overlap(box, other):
                yield f"chip {words} lies on '{others}'"


# --- What is drawn

class Picture:
    def __init__(self, text):
        self.root = ElementTree.fromstring(text)
        self.uses = of_class(self.root, "tensor-use")
        self.chips = {int(chip.get("data-value")): chip
                      for chip in of_class(self.root, "tensor-chip")}
        self.isFolded = any(FOLDED in (text.text or "")
                            for text in self.root.iter(SVG + "text"))

    def placements(self):
        ops = collections.defaultdict(dict)
        for use in self.uses:
            operands = ops[int(use.get("data-op"))]
            number = int(use.get("data-operand"))
            assert number not in operands, "an operand is drawn twice"
            operands[number] = use.get("data-placement")
        return collections.Counter(
            tuple(operands[number] for number in sorted(operands))
            for operands in ops.values())


def functionOf(trace, op):
    return trace["blocks"][trace["ops"][op]["block"]].get("function", -1)


def of_copies(trace, run_, function, picture):
    """Copies that were made for an operand are dashed edges with their bytes."""
    wanted = collections.Counter()
    taken = set()
    for cost in run_.get("costs", []):
        if not cost.get("isCopy") or cost.get("isOntoItself") or \
                cost.get("now", -1) < 0 or \
                functionOf(trace, cost["op"]) != function:
            continue
        operands = {(use["op"], use.get("operand", 0)) for use in run_["operands"]
                    if use["op"] == cost["op"] and
                    (use.get("operand", 0) == cost["operand"]
                     if cost.get("operand", -1) >= 0
                     else use["value"] == cost.get("value"))} - taken
        if operands:
            taken.add(min(operands))
            size = cost.get("bytes", -1)
            wanted["copy" if size < 0 else "copy " + bytes_text(size)] += 1
    copies = [use for use in picture.uses if use.get("data-link") == "copy"]
    drawn = collections.Counter(text_of(use)[0] for use in copies)
    if drawn != wanted:
        yield f"copies {dict(drawn)}, not {dict(wanted)}"
    for use in copies:
        if not any(path.get("stroke-dasharray") for path in use.iter(SVG + "path")):
            yield f"copy of %{use.get('data-value')} is not dashed"


def of_buffers(run_, picture):
    """One column and one colour a class."""
    looks = collections.defaultdict(set)
    for buffer in run_.get("buffers", []):
        chip = picture.chips.get(buffer["value"])
        if chip is None:
            continue
        rect = [rect for rect in chip.iter(SVG + "rect")
                if rect.get("class") != "ring"][0]
        box = rect_of(rect)
        looks[buffer["same"]].add((chip.get("data-buffers"), rect.get("fill"),
                                   round((box[0] + box[2]) / 2 / 4)))
    for first, look in looks.items():
        if len({(numbers, fill) for numbers, fill, _ in look}) > 1:
            yield f"the buffer of value {first} has several colours: {look}"
        middles = [middle for _, _, middle in look]
        if max(middles) - min(middles) > 1:
            yield f"the buffer of value {first} has several columns: {look}"


def of_reasons(trace, run_, function, picture):
    """Each reason is an arrow, and its definition has a ring."""
    arrows = collections.Counter(
        int(group.get("data-op")) for group in of_class(picture.root,
                                                        "tensor-reason"))
    ringed = {value for value, chip in picture.chips.items()
              if any(rect.get("class") == "ring" for rect in
                     chip.iter(SVG + "rect"))}
    for use in run_.get("operands", []):
        if functionOf(trace, use["op"]) != function or \
                use["placement"] != "outOfPlace" or not use.get("reasons"):
            continue
        reason = use["reasons"][0]
        if reason.get("kind", "readAfterWrite") not in (
                "readAfterWrite", "notWritable", "parallel"):
            continue
        if reason["definition"] not in ringed:
            yield f"no ring around value {reason['definition']}"
        if not arrows[use["op"]]:
            yield f"no arrow for op {use['op']}"


def picturesOf(path, *words):
    """{file name: picture} or None where nothing is drawn."""
    with tempfile.TemporaryDirectory() as folder:
        done = run(LENS, "export", *words, path, "--view=tensors", "--format=svg",
                   "-o", f"{folder}/out/")
        if done.returncode != 0:
            return None, done.stderr
        return {file.name: file.read_text() for file in
                sorted(pathlib.Path(folder, "out").glob("*.svg"))}, done.stderr


def places(text):
    return re.sub(r'"#[0-9a-f]{6}"', '""', text)


def faults_of(path):
    """What is wrong, and how many functions were looked at."""
    wanted = upstream(path)
    with tempfile.TemporaryDirectory() as folder:
        saved = pathlib.Path(folder, "trace.json")
        traced = run(LENS, "trace", f"--bufferize={OPTIONS}", path, "-o", saved)
        if wanted is None or traced.returncode != 0:
            return [], 0
        trace = json.loads(saved.read_text())
        drawn, said = picturesOf(path, f"--bufferize={OPTIONS}")
        dark, _ = picturesOf(path, f"--bufferize={OPTIONS}", "--theme=dark")
        again, _ = picturesOf(saved)
    runs = [run_ for run_ in trace.get("bufferizations", [])
            if run_.get("operands")]
    if drawn is None:
        return ([] if not runs and "no tensors to draw" in said
                else [f"nothing is drawn: {said}"]), 0
    faults = []
    if again != drawn:
        faults.append("a saved trace has another picture")
    if dark is None or {name: places(text) for name, text in dark.items()} != \
            {name: places(text) for name, text in drawn.items()}:
        faults.append("the dark picture has other places")
    if len(runs) == 1:
        faults += of_run(trace, runs[0], drawn, wanted)
    return faults, len(drawn)


def of_run(trace, run_, drawn, wanted):
    with_tensors = {functionOf(trace, use["op"]) for use in run_["operands"]}
    names = collections.Counter(function["name"]
                                for function in trace["functions"])
    placed, folded = collections.Counter(), False
    for function in sorted(with_tensors):
        name = trace["functions"][function]["name"]
        if names[name] > 1 or f"{name}.svg" not in drawn:
            folded = True
            continue
        picture = Picture(drawn[f"{name}.svg"])
        yield from (f"@{name}: {fault}" for fault in crowded(picture.root))
        yield from of_buffers(run_, picture)
        folded |= picture.isFolded
        if picture.isFolded:
            continue
        placed += picture.placements()
        for fault in (*of_copies(trace, run_, function, picture),
                      *of_reasons(trace, run_, function, picture)):
            yield f"@{name}: {fault}"
    if not folded and placed != wanted:
        yield f"placements {dict(placed)}, of mlir-opt {dict(wanted)}"


# --- Single pictures

def of_loop(folder):
    path = pathlib.Path(folder, "loop.mlir")
    path.write_text(LOOP)
    drawn, said = picturesOf(path, "--bufferize")
    if not drawn:
        yield f"no picture of a loop: {said}"
        return
    picture = Picture(drawn["f.svg"])
    words = text_of(picture.root)
    for wanted in ("scf.for x 1,024", "copy 4 KiB", COPY, "alloc of %r_buf",
                   "reason: write to read"):
        if wanted not in words:
            yield f"'{wanted}' is not in the picture: {words}"
    frames = of_class(picture.root, "tensor-frame")
    if len(frames) != 1:
        yield f"{len(frames)} frames, not 1"
    rows = {row.get("data-place"): row for row in
            of_class(picture.root, "tensor-row")}
    if "6:10" not in rows:
        yield f"no row of 6:10: {sorted(filter(None, rows))}"
    done = run(LENS, "export", path, "--bufferize", "--view=tensors", "-o",
               f"{folder}/loop.png")
    png = pathlib.Path(folder, "loop.png")
    if done.returncode != 0 or not png.read_bytes().startswith(b"\x89PNG"):
        yield f"no bitmap: {done.stderr}"
    done = run(LENS, "export", "--bufferize", path, "-o", f"{folder}/r.html")
    report = pathlib.Path(folder, "r.html").read_text()
    if done.returncode != 0 or '"tensors":"\\u003csvg' not in report or \
            "var(--buffer-0-line)" not in report:
        yield "no picture in the report"


TIES = """
func.func private @g(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: i1)
    -> (tensor<4xf32>, tensor<4xf32>) {
  %s = arith.select %c, %a, %b : tensor<4xf32>
  return %s, %a : tensor<4xf32>, tensor<4xf32>
}
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>, %c: i1, %i: index) -> (f32, f32) {
  %r:2 = call @g(%x, %y, %c)
      : (tensor<4xf32>, tensor<4xf32>, i1) -> (tensor<4xf32>, tensor<4xf32>)
  %p = tensor.extract %r#0[%i] : tensor<4xf32>
  %q = tensor.extract %r#1[%i] : tensor<4xf32>
  return %p, %q : f32, f32
}
"""


def of_ties(folder):
    """The second result of a call is its first argument, the first may be either."""
    path = pathlib.Path(folder, "ties.mlir")
    path.write_text(TIES)
    drawn, said = picturesOf(path, "--bufferize")
    if not drawn:
        yield f"no picture of a call: {said}"
        return
    uses = Picture(drawn["f.svg"]).uses
    first = min(int(use.get("data-op")) for use in uses)
    links = {use.get("data-operand"): use.get("data-link") for use in uses
             if int(use.get("data-op")) == first}
    if links != {"0": "in-place", "1": "may-be"}:
        yield f"a call's arguments become {links}"


def of_memrefs(folder):
    path = pathlib.Path(folder, "memref.mlir")
    path.write_text("func.func @f(%m: memref<4xf32>) {\n  return\n}\n")
    drawn, said = picturesOf(path)
    if drawn is not None or "one-shot-bufferize did not run" not in said:
        yield f"a picture of tensors without tensors: {said}"


def of_large():
    """A network of 1,300 operands is folded, and has all of its copies."""
    path = next(corpus.tensors().rglob("*resnet-50*.mlir"), None)
    if not path:
        return
    began = time.monotonic()
    drawn, said = picturesOf(path, "--bufferize")
    if not drawn:
        yield f"{path.name}: {said}"
        return
    picture = Picture(max(drawn.values(), key=len))
    copies = [use for use in picture.uses if use.get("data-link") == "copy"]
    if len(copies) != 18 or not picture.isFolded:
        yield f"{path.name}: {len(copies)} copies, not 18, of a folded picture"
    if float(picture.root.get("height")) > 6000:
        yield f"{path.name}: {picture.root.get('height')} high"
    if time.monotonic() - began > 60:
        yield f"{path.name}: {time.monotonic() - began:.0f} s"


def main():
    with tempfile.TemporaryDirectory() as folder:
        faults = [*of_loop(folder), *of_ties(folder), *of_memrefs(folder)]
    if len(sys.argv) == 1:
        faults += of_large()
    files = [pathlib.Path(name) for name in sys.argv[1:]] or sample.part(
        [path for path in sorted(corpus.tensors().rglob("*.mlir"))
         if path.stat().st_size < 200_000], 4)
    pictures = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for path, (wrong, count) in zip(files, pool.map(faults_of, files)):
            pictures += count
            faults += [f"{path.name}: {fault}" for fault in wrong]
    print("\n".join(faults[:60]))
    print(f"{pictures} pictures of {len(files)} files, {len(faults)} faults")
    return 1 if faults or pictures < min(len(files), 5) else 0


if __name__ == "__main__":
    sys.exit(main())
