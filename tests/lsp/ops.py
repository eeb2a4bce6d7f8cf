#!/usr/bin/env python3
"""A hover on an op's name says what the pass makes of that very op.

  ops.py SERVER
"""
import sys

from client import Client

SERVER = [sys.argv[1], "--companion", "--crash-dir=off"]

PROGRAM = """\
func.func @f(%m: memref<4xf32>, %c: i1, %i: index, %x: f32) {
  %a = memref.alloc() : memref<4xf32>
  %r = scf.for %k = %i to %i step %i iter_args(%p = %m) -> (memref<4xf32>) {
    scf.yield %a : memref<4xf32>
  }
  memref.store %x, %r[%i] : memref<4xf32>
  scf.if %c {
    memref.store %x, %m[%i] : memref<4xf32>
  }
  cf.cond_br %c, ^b(%a, %m : memref<4xf32>, memref<4xf32>), ^e
^b(%y: memref<4xf32>, %z: memref<4xf32>):
  cf.br ^e
^e:
  return
}
func.func @refused(%m: memref<4xf32>, %i: index) {
  gpu.barrier
  %s = arith.index_cast %i : index to i32
  cf.switch %s : i32, [ default: ^a(%m : memref<4xf32>), 1: ^a(%m : memref<4xf32>) ]
^a(%p: memref<4xf32>):
  return
}
func.func @spoiled(%m: memref<4xf32>) {
  %r = affine.for %k = 0 to 4 iter_args(%a = %m) -> (memref<4xf32>) {
    affine.yield %a : memref<4xf32>
  }
  return
}
gpu.module @g {
  gpu.func @k() {
    %a = memref.alloc() : memref<4xf32>
    gpu.return
  }
}
"""

UNKNOWN = """\
func.func @f(%m: memref<4xf32>) {
  %v = "my.op"(%m) : (memref<4xf32>) -> memref<4xf32>
  return
}
"""

ABOUT = "the ownership pass and "
# (line, op) -> what is said; nothing where the pass neither changes the op nor
# frees what it makes.
SAID = {
    (1, "memref.alloc"): "result #0 is owned",
    (2, "scf.for"): "1 ownership indicator is appended to the arguments of its "
                    "blocks, 1 ownership indicator is appended to its operands "
                    "and 1 ownership indicator is appended to its results",
    (3, "scf.yield"): "1 ownership indicator is appended to its operands",
    (5, "memref.store"): None,
    (6, "scf.if"): None,
    (9, "cf.cond_br"): "2 ownership indicators are appended to its successor "
                       "operands",
    (11, "cf.br"): None,
    (13, "return"): None,
    (17, "arith.index_cast"): None,
    (29, "gpu.func"): "the pass works on func.func only",
    (30, "memref.alloc"): None,
}


def hover(client, uri, text, line, words):
    found = client.result("textDocument/hover", {
        "textDocument": {"uri": uri}, "position": {
            "line": line,
            "character": text.split("\n")[line].index(words) + 1}})
    return found["contents"]["value"] if found else ""


def check(faults, what, isGood, shown):
    if not isGood:
        faults.append(f"{what}: {shown!r}")


def main():
    faults = []
    client = Client(SERVER, {"textDocument": {"hover": {
        "contentFormat": ["plaintext"]}}})
    uri = "file:///ops.mlir"
    client.open(uri, PROGRAM)
    for (line, op), said in SAID.items():
        shown = hover(client, uri, PROGRAM, line, op)
        told = [one for one in shown.split("\n") if one.startswith(ABOUT)]
        wanted = [] if said is None else [said]
        check(faults, f"{line} {op}", len(told) == len(wanted) and
              all(said in one for one in told), shown)
    # The first op that is refused is told of by the refusal, with what is
    # missing; the others by themselves.
    barrier = hover(client, uri, PROGRAM, 16, "gpu.barrier")
    # Nobody but MLIR can say what effects it has: no advice on its definition.
    check(faults, "barrier", "ops with unknown memory side effects" in barrier
          and "before the pass that makes 'gpu.barrier'" in barrier
          and "MemoryEffectOpInterface" not in barrier and
          barrier.count("upstream's error:") == 1, barrier)
    switch = hover(client, uri, PROGRAM, 18, "cf.switch")
    check(faults, "switch", "rejects a function with this cf.switch" in switch
          and "Terminators with more than one successor" in switch and
          "lift-cf-to-scf" in switch, switch)
    loop = hover(client, uri, PROGRAM, 23, "affine.for")
    check(faults, "affine.for", "that makes the op invalid" in loop, loop)
    # An edit in front of it moves it, and nothing else.
    moved = "// one\n" + PROGRAM
    client.change(uri, 2, [{"text": moved}])
    shown = hover(client, uri, moved, 3, "scf.for")
    check(faults, "moved", SAID[2, "scf.for"] in shown, shown)
    # What is looked past is told, under the setting.
    uri = "file:///unknown.mlir"
    client.tell("workspace/didChangeConfiguration", {"settings": {
        "memrefLens": {"pipeline": {"unregistered": "assume-reads"}}}})
    client.open(uri, UNKNOWN)
    shown = hover(client, uri, UNKNOWN, 1, "my.op")
    check(faults, "assumed", "'my.op' is not registered: assumed to read" in
          shown, shown)
    client.tell("workspace/didChangeConfiguration", {"settings": {
        "memrefLens": {"pipeline": {"allowUnregisteredDialect": True}}}})
    shown = hover(client, uri, UNKNOWN, 1, "my.op")
    check(faults, "refused", "assumed" not in shown and
          "--unregistered=assume-pure" in shown, shown)
    client.close()
    for fault in faults:
        print(fault)
    print(f"{len(SAID) + 6} hovers, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
