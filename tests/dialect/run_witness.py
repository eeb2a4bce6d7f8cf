"""What the sources of memory hold apart is apart when the program runs.

  run_witness.py OPT LIBWITNESS LIBFENCE [--seeds A..B]

Random programs tell, for each memref and each call of its function, which buffer
it was (Witness.cpp); under the fence no address is used twice. A claim that is
wrong must be noticed: so one false claim is made on purpose for each program.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "judges"), str(HERE.parent / "random")]

import generate
import judges
import run_execute
import sample

RESULT = re.compile(r"witness: (\d+) calls, (\d+) pairs held, (\d+) broken")


class Programs:
    def __init__(self, arguments, folder):
        self.opt, self.witness = arguments.opt, arguments.witness
        self.fence, self.folder = arguments.fence, pathlib.Path(folder)

    def lowered(self, name, text):
        """Path of the program that tells, and of the claims about it."""
        source = self.folder / f"{name}.mlir"
        claims = self.folder / f"{name}.claims"
        source.write_text(text)
        made = judges.run([self.opt, f"--lens-instrument=claims={claims}",
                           source])
        if made.status != 0:
            return f"instrumenting fails: {made.err[:500]}", None
        source.write_text(made.out)
        freed = run_execute.deallocate(source, stock=False)
        if run_execute.MARK in freed.out:
            return run_execute.REFUSED, None
        final = run_execute.lowered(freed.out)
        if freed.status != 0 or final.status != 0:
            return f"lowering fails: {freed.err[:300]}{final.err[:300]}", None
        path = self.folder / f"{name}.llvm.mlir"
        path.write_text(final.out)
        return path, claims

    def run(self, path, claims):
        """(status, calls, held, broken, what was said)"""
        command = [*run_execute.runner(), f"--shared-libs={self.witness}", path]
        done = subprocess.run(
            [str(part) for part in command], capture_output=True, text=True,
            timeout=300, stdin=subprocess.DEVNULL,
            env=os.environ | {"LD_PRELOAD": str(self.fence),
                              "LENS_CLAIMS": str(claims)})
        found = RESULT.search(done.stderr)
        return (done.returncode, *(map(int, found.groups()) if found
                                   else (0, 0, 0)), done.stderr[-800:])

    def check(self, seed):
        """(calls, held, failures, whether a false claim was noticed); no calls
        and no failures if it is refused."""
        name = f"random-{seed}"
        path, claims = self.lowered(name,
                                    generate.generate(seed, "acyclic-run"))
        if path == run_execute.REFUSED:
            return 0, 0, [], None
        if claims is None:
            return 0, 0, [f"seed {seed}: {path}"], None
        status, calls, held, broken, said = self.run(path, claims)
        failures = []
        if status != 0 or broken or not calls:
            failures.append(f"seed {seed}: status {status}: {said}")
        # Each value is its own buffer.
        false = self.folder / f"{name}.false"
        false.write_text("".join(f"{function} 0 0\n" for function in range(99)))
        status, _, _, broken, said = self.run(path, false)
        return calls, held, failures, status == 96 and broken > 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("opt")
    parser.add_argument("witness")
    parser.add_argument("fence")
    parser.add_argument("--seeds", help="A..B, without B")
    arguments = parser.parse_args()
    seeds = sample.seeds(arguments.seeds, always=4, more=8, full=12, long=300)
    calls = held = noticed = refused = 0
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        programs = Programs(arguments, folder)
        for seed, result in judges.in_parallel(
                lambda seed: (seed, programs.check(seed)), seeds):
            calls, held = calls + result[0], held + result[1]
            failures += result[2]
            noticed += bool(result[3])
            refused += not result[0] and not result[2]
    print(f"{len(seeds)} programs, {refused} of them refused, {calls} calls, "
          f"{held} pairs held apart, false claims noticed in {noticed}")
    # A program without memrefs in its functions has nothing to claim falsely.
    if refused * 10 > max(len(seeds), 20):
        failures.append("too many programs are refused")
    if not held or noticed < len(seeds) // 2:
        failures.append("too little was claimed, or noticed")
    print("\n".join(failures))
    sys.exit(1 if failures else 0)


main()
