"""The logger sees what upstream decides: on programs small enough to be worked
out by hand, the log must hold exactly the decisions below, and preloading it
must not change what the pass makes.

  run_logger.py LIBLOGGER
"""

import json
import os
import pathlib
import sys
import tempfile

import judges

PROGRAM = """\
func.func @merge(%c: i1, %x: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %s = arith.select %c, %a, %x : memref<4xf32>
  cf.br ^next(%a : memref<4xf32>)
^next(%b: memref<4xf32>):
  memref.copy %b, %s : memref<4xf32> to memref<4xf32>
  return %b : memref<4xf32>
}
"""

ENTRY, NEXT = "1:1:func.func/0.0", "1:1:func.func/0.1"
ALLOC, SELECT = "2:8:memref.alloc#0", "3:8:arith.select#0"
DEALLOC = "4:3:bufferization.dealloc"

# kind, block, value, state after it ("-": a reset). The select stays unknown
# until the branch retains it; the copy for the caller (scf.if) is owned.
EXPECTED = [
    ("update", ENTRY, f"{ENTRY}/arg1", "false"),
    ("update", ENTRY, ALLOC, "true"),
    ("update", ENTRY, SELECT, "true"),
    ("update", ENTRY, SELECT, "unknown"),
    ("reset", ENTRY, ALLOC, "-"),
    ("reset", ENTRY, SELECT, "-"),
    ("update", ENTRY, ALLOC, f"{DEALLOC}#0"),
    ("update", ENTRY, SELECT, f"{DEALLOC}#1"),
    ("update", NEXT, SELECT, f"{DEALLOC}#1"),
    ("update", NEXT, f"{NEXT}/arg0", f"{NEXT}/arg1"),
    ("unique", NEXT, f"{NEXT}/arg0", f"{NEXT}/arg1"),
    ("update", NEXT, "5:7:scf.if#0", "true"),
    ("return", NEXT, "5:7:scf.if#0", "7:3:bufferization.dealloc#0"),
]


def decisions(logger, text):
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder) / "log"
        command = [judges.tool("mlir-opt"),
                   "--ownership-based-buffer-deallocation"]
        logged = judges.run(command, text, preload=logger,
                            MEMREF_LENS_JUDGE_LOG=str(log))
        stock = judges.run(command, text)
        if (logged.status, logged.out) != (stock.status, stock.out):
            sys.exit("FAIL: the pass behaves otherwise under the logger")
        entries = map(json.loads, log.read_text().splitlines())
        return [(e["kind"], e["block"], e["value"], e.get("after", "-"))
                for e in entries]


def main():
    logger = sys.argv[1]
    found = decisions(logger, PROGRAM)
    print("\n".join(map(str, found)))
    if found != EXPECTED:
        sys.exit("FAIL: expected\n" + "\n".join(map(str, EXPECTED)))


main()
