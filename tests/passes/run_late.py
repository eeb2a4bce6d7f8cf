#!/usr/bin/env python3
"""A dealloc moves up to the last use, and never past one.

  run_late.py PLUGIN FENCE

Each program of late/, and those of tests/placement/faults for MLIR's own
`optimize-allocation-liveness`, is run as it is and after our pass, under the fence
(tests/random): no use after free, no second free, nothing left. After MLIR's pass it
does what the program's first lines say, so that the hazard is known to be one.
"""

import os
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "judges"), str(HERE.parent / "random")]

import judges
from run_execute import LOWER, runner

PLUGIN, FENCE = sys.argv[1:]
OURS = "lens-optimize-allocation-liveness"
UPSTREAM = "func.func(optimize-allocation-liveness)"


def opt(text, passes):
    return judges.run([judges.tool("mlir-opt"), "-",
                       f"--load-pass-plugin={PLUGIN}",
                       f"--pass-pipeline=builtin.module({passes})"], text)


def behaviour(text, fence=FENCE):
    low = judges.run([judges.tool("mlir-opt"), "-",
                      f"--pass-pipeline={LOWER}"], text)
    if low.status != 0:
        return f"cannot be lowered: {low.err[:500]}"
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(low.out)
        file.flush()
        done = judges.run([*runner(), file.name], preload=fence)
    said = re.search(r"fence: .*", done.err)
    if done.status == 0:
        return "clean" if not said or said[0].endswith(", 0 left") else said[0]
    return said[0] if said else "dies"


def check(file, facts):
    """What is wrong."""
    text = file.read_text()
    plain = opt(text, "").out
    moved, after = opt(text, OURS), opt(text, UPSTREAM)
    if moved.status != 0 or after.status != 0 or not plain:
        return [f"a pass fails: {moved.err}{after.err}"]
    wrong = []
    for what, program in (("as it is", plain), ("after our pass", moved.out)):
        for fence in (FENCE, None):
            found = behaviour(program, fence)
            if found != "clean":
                wrong.append(f"{what}: {found}")
    if (moved.out != plain) != (facts["ours"] == "moves"):
        wrong.append(f"ours: {facts['ours']} it does not")
    # Addresses come again without the fence only.
    fence = None if facts["upstream"] == "dies" else FENCE
    found = behaviour(after.out, fence)
    if found != facts["upstream"]:
        wrong.append(f"after MLIR's pass: {found}, and not {facts['upstream']}")
    return wrong


def main():
    programs = [(file, dict(re.findall(r"(?m)^// (\w+): (.*)$",
                                       file.read_text())))
                for file in sorted((HERE / "late").glob("*.mlir"))]
    faults = HERE.parent / "placement/faults"
    for name in ("used-after-free-by-address", "used-after-free-through-memory"):
        programs.append((faults / f"{name}.mlir",
                         {"ours": "stays", "upstream": "fence: use after free"}))
    # It needs threads to run; that the dealloc stays says enough.
    waits = (faults / "freed-before-await.mlir").read_text()
    wrong = int(opt(waits, OURS).out != opt(waits, "").out)
    if wrong:
        print("freed-before-await.mlir: moved before the wait")
    for file, facts in programs:
        found = check(file, facts)
        print(f"{file.name}: {'; '.join(found) or 'as it says'}")
        wrong += bool(found)
    sys.exit(1 if wrong else 0)


main()
