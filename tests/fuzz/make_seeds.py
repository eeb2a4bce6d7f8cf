#!/usr/bin/env python3
"""Makes the seeds of the fuzz targets anew: tests/fuzz/seeds/TARGET/*.

  make_seeds.py MEMREF_LENS

Small, since a fuzzer changes small inputs fastest: tiny programs and samples,
their traces, and bundles, messages, edits and settings written here.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SAMPLES = HERE.parent.parent / "samples"
LENS = str(pathlib.Path(sys.argv[1]).resolve())

PROGRAMS = {
    "tiny": """func.func @f() {
  %a = memref.alloc() : memref<f32>
  call @g(%a) : (memref<f32>) -> ()
  return
}
func.func private @g(memref<f32>)
""",
    "branch": """func.func @f(%c: i1, %m: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^bb1(%a : memref<4xf32>), ^bb2
^bb1(%x: memref<4xf32>):
  return %x : memref<4xf32>
^bb2:
  return %m : memref<4xf32>
}
""",
    "if": """func.func private @g(memref<4xf32>)
func.func @f(%c: i1) {
  %r:2 = scf.if %c -> (memref<4xf32>, i1) {
    %a = memref.alloc() : memref<4xf32>
    scf.yield %a, %c : memref<4xf32>, i1
  } else {
    %b = memref.alloc() : memref<4xf32>
    scf.yield %b, %c : memref<4xf32>, i1
  }
  call @g(%r#0) : (memref<4xf32>) -> ()
  return
}
""",
    "refused": """func.func @f(%m: memref<?xf32>) {
  memref.dealloc %m : memref<?xf32>
  return
}
// -----
func.func @g() {
  return %missing
}
""",
    "realloc": """!t = memref<?xf32>
func.func @f(%n: index) -> !t {
  %a = memref.alloc(%n) : !t
  %b = memref.realloc %a(%n) : !t to !t
  return %b : !t
}
""",
}
TENSORS = """func.func @f(%t: tensor<4xf32>, %v: f32, %i: index, %c: i1) -> (tensor<4xf32>, f32) {
  %z = arith.constant dense<0.0> : tensor<4xf32>
  %s = arith.select %c, %z, %t : tensor<4xf32>
  %r = scf.for %k = %i to %i step %i iter_args(%a = %s) -> tensor<4xf32> {
    %n = tensor.insert %v into %a[%k] : tensor<4xf32>
    scf.yield %n : tensor<4xf32>
  }
  %x = tensor.extract %t[%i] : tensor<4xf32>
  return %r, %x : tensor<4xf32>, f32
}
"""
SOURCES = ["diamond", "several-chunks", "call-private", "select-of-select",
           "views-and-casts", "while", "gpu-func-not-processed",
           "manual-deallocation"]
TEXTS = {
    "caf\u00e9": "// caf\u00e9 \U0001F600\r\nfunc.func @\"a b\"() { return }\r\n",
    "aliases": "#m = affine_map<(d0) -> (d0 * 2)>\n!t = memref<4xf32>\n"
               "module attributes {a = \"}\"} {\n"
               "func.func @f(%a: !t) attributes {x = #m} {\n  return\n}\n"
               "memref.global \"private\" @g : !t\nfunc.func private @h(!t)\n}\n",
    "generic": "\"func.func\"() <{function_type = () -> (), sym_name = \"f\"}> ({\n"
               "  %0:3 = \"a.b\"() {c = [1, {d}]} : () -> (i1, i1, i1)\n"
               "  \"func.return\"() : () -> () loc(\"x\":1:2)\n}) : () -> ()\n",
}


def run(*args):
    made = subprocess.run([LENS, *args], capture_output=True,
                          stdin=subprocess.DEVNULL)
    return made.stdout


def write(target, name, data):
    (HERE / "seeds" / target / name).write_bytes(data)


def small(data):
    """The trace with one event of each kind and no text of a stage but one."""
    trace = json.loads(data)
    kinds, kept = set(), []
    for event in trace.get("events", []):
        if event["kind"] not in kinds:
            kinds.add(event["kind"])
            kept.append(event | {"id": len(kept)})
    trace["events"] = kept
    for chunk in trace["chunks"]:
        for stage in chunk.get("stages", [])[1:]:
            stage.pop("text", None)
            stage.pop("changed", None)
    lines = []
    for key, value in trace.items():
        if isinstance(value, list):
            value = "[" + ",".join("\n" + json.dumps(
                one, separators=(",", ":")) for one in value) + "]"
        else:
            value = json.dumps(value, separators=(",", ":"))
        lines.append(f'"{key}":{value}')
    return ("{" + ",\n".join(lines) + "}\n").encode()


def traces(folder):
    path = folder / "f.mlir"
    for name, text in PROGRAMS.items():
        path.write_text(text)
        write("trace", name, small(run("trace", path.name)))
    path.write_text(PROGRAMS["branch"])
    write("trace", "aliases", small(run("trace", "--aliases", path.name)))
    for pipeline in ("classic", "hoist+classic", "loop-hoist+ownership+liveness"):
        write("trace", pipeline.replace("+", "-"),
              small(run("trace", f"--pipeline={pipeline}", path.name)))
    path.write_text(TENSORS)
    # Whole: what events refer to is there.
    write("trace", "tensors", run("trace", "--bufferize", path.name))
    path.write_text(PROGRAMS["refused"])
    run("bundle", path.name, "-o", "f.tar.gz")
    write("bundle", "refused", (folder / "f.tar.gz").read_bytes())


def frames():
    good = b"Content-Length: 17\r\n\r\n{\"id\":1,\"a\":[2]}\n"
    write("frames", "good", b"\x00\x02\x03\x05" + good + good)
    write("frames", "limits", b"\x01\x00Content-Length: 99\r\n\r\n" + good)
    write("frames", "lost", b"\x03\x01\x07junk\r\ncontent-length: x\n\n" + good)
    write("frames", "message", b"\x08\x00" + good[22:])


def edits():
    for number, text in enumerate(
            [b"a\r\nb\rc\n", "x\u00e9\U0001F600y\n\u4e2d".encode(), b"\xc3("]):
        write("edits", f"text{number}", bytes([number, 2 - number, len(text)])
              + text + b"\x00\x01\x00\x02\x02\r\n\x01\x00\x02\x00\x01\xf0")


def settings():
    write("settings", "settings",
          b'\x00{"theme":"light","width":900,"height":1e3,"recent":["/a"],'
          b'"arrangement":{"left":0.3,"why":2}}')
    write("settings", "bookmarks",
          b'\x01{"bookmarks":[{"function":"f","stage":"input","note":"n",'
          b'"kind":"value","name":"a"}]}')


def pipeline():
    for number in range(6):
        write("pipeline", f"steps{number}", bytes(
            (number * 37 + at * (number * 2 + 7)) * 73 % 256
            for at in range(60 + 40 * number)))


def main():
    shutil.rmtree(HERE / "seeds", ignore_errors=True)
    for target in ("frames", "edits", "units", "source", "trace", "pipeline",
                   "bundle", "settings"):
        (HERE / "seeds" / target).mkdir(parents=True)
    programs = PROGRAMS | TEXTS | {
        name: (SAMPLES / f"{name}.mlir").read_text() for name in SOURCES}
    for name, text in programs.items():
        if name != "caf\u00e9":
            write("source", name, text.encode())
        write("units", name if name.isascii() else "accents",
              b"\x08" + text.encode())
    with tempfile.TemporaryDirectory() as folder:

        os.chdir(folder)
        traces(pathlib.Path(folder))
    frames()
    edits()
    settings()
    pipeline()


main()
