"""The generator gives valid programs, the same for a seed, and varied enough.

  run_generator.py [--seeds A..B]

Every program must parse and verify; over all of them each form of op must occur,
and the same seed must give the same bytes in another process.
"""

import argparse
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "judges"))

import generate
import judges

FORMS = [
    "memref.alloc(", "memref.alloca()", "memref.get_global", "memref.cast",
    "memref.subview", "memref.expand_shape", "memref.collapse_shape",
    "memref.view", "memref.reinterpret_cast", "memref.realloc",
    "bufferization.clone", "bufferization.manual_deallocation",
    "arith.select", "cf.br", "cf.cond_br", "func.call", "scf.if", "scf.for",
    "scf.while", "scf.index_switch", "scf.execute_region", "scf.forall",
    "scf.parallel", "memref.alloca_scope", "memref<*xf32>", "linalg.fill",
    "memref.copy", "memref.load", "memref.store", "func.func private",
    "memref.generic_atomic_rmw",
]


def check_seed(seed):
    failures = []
    for kind in ("any", "acyclic-run"):
        text = generate.generate(seed, kind)
        result = judges.run([judges.tool("mlir-opt"), "-", "-o", "/dev/null"],
                            text)
        if result.status != 0:
            failures.append(f"seed {seed} {kind}: {result.err[:400]}")
    return generate.generate(seed), failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", default="0..60")
    first, last = map(int, parser.parse_args().seeds.split(".."))
    missing, failures = set(FORMS), []
    for text, found in judges.in_parallel(check_seed, range(first, last)):
        failures += found
        missing = {form for form in missing if form not in text}
    again = subprocess.run([sys.executable, generate.__file__, "--seed",
                            str(first)], capture_output=True, text=True)
    if again.stdout != generate.generate(first):
        failures.append("another process gives another program")
    if missing:
        failures.append(f"never generated: {sorted(missing)}")
    print(f"{last - first} seeds")
    print("\n".join(failures))
    sys.exit(1 if failures else 0)


main()
