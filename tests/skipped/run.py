#!/usr/bin/env python3
"""--skip-simplification-over: what is left out, that it is said, and that the
rest is as it is without.

usage: run.py --memref-lens PROGRAM
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] /
                       "support"))
from stages import textAfter  # noqa: E402

# @large holds a dealloc that the simplification takes apart, and dead code.
PROGRAM = """
func.func @large(%a: memref<4xf32>, %f: f32, %i: index) {
  %dead = arith.constant 7 : index
  %0 = memref.alloc() : memref<4xf32>
STORES
  memref.copy %0, %a : memref<4xf32> to memref<4xf32>
  return
}
func.func @small(%f: f32, %i: index) -> f32 {
  %dead = arith.constant 7 : index
  %0 = memref.alloc() : memref<4xf32>
  memref.store %f, %0[%i] : memref<4xf32>
  %1 = memref.load %0[%i] : memref<4xf32>
  return %1 : f32
}
""".replace("STORES", 20 * "  memref.store %f, %0[%i] : memref<4xf32>\n")
SIMPLIFYING = ("canonicalize", "cse", "buffer-deallocation-simplification")


class Checks:
    def __init__(self, binary):
        self.binary, self.wrong = binary, 0

    def expect(self, what, is_so, shown=""):
        if not is_so:
            self.wrong += 1
            print(f"WRONG: {what}\n{shown}")

    def run(self, *words):
        return subprocess.run([self.binary, *words], capture_output=True,
                              stdin=subprocess.DEVNULL, text=True, timeout=120,
                              check=False)

    def trace(self, path, *words):
        run = self.run("trace", *words, path)
        self.expect("trace ends well", run.returncode == 0, run.stderr)
        return json.loads(run.stdout)


def functions(text):
    """Text of each function by its name."""
    found, name = {}, None
    for line in text.splitlines():
        if "func.func " in line:
            name = line.split("@")[1].split("(")[0]
            found[name] = ""
        if name:
            found[name] += line + "\n"
        if line == "  }":
            name = None
    return found


def check(checks, path):
    plain = checks.trace(path)
    limit = ("--skip-simplification-over", "15")
    some = checks.trace(path, *limit)
    stages = [chunk["stages"] for chunk in (plain["chunks"][0],
                                            some["chunks"][0])]
    names = [stage["name"] for stage in stages[0]]
    before = functions(textAfter(stages[1], 0))
    for number, name in enumerate(names):
        with_all, without = (functions(textAfter(of, number)) for of in stages)
        checks.expect(f"@small is the same after {name}",
                      with_all["small"] == without["small"])
        if name in SIMPLIFYING:
            checks.expect(f"{name} leaves @large alone",
                          without["large"] == before["large"],
                          without["large"])
        before = without
    last = len(names) - 1
    checks.expect("MLIR drops dead code that stays",
                  "constant 7" in functions(textAfter(stages[1], last))["large"]
                  and "constant 7" not in
                  functions(textAfter(stages[0], last))["large"])
    said = [one for one in some["problems"]
            if "skip-simplification-over" in one["message"]]
    checks.expect("it is said once, as a warning", len(said) == 1 and
                  said[0]["severity"] == "warning", said)
    checks.expect("what is said names function, stages and counts", said and
                  all(word in said[0]["message"]
                      for word in ("@large", "15 of", *SIMPLIFYING)), said)
    checks.expect("the trace says what was asked for",
                  some["options"]["skipSimplificationOver"] == 15)
    high = checks.trace(path, "--skip-simplification-over=100000")
    del high["options"]["skipSimplificationOver"]
    high["options"] = high["options"] or plain.get("options", {})
    checks.expect("a limit that nothing reaches changes nothing",
                  {**high, "options": 0} == {**plain, "options": 0})
    for words in (("trace", "--skip-simplification-over", "0", path),
                  ("trace", "--skip-simplification-over=many", path),
                  ("check", "--skip-simplification-over=5", path)):
        run = checks.run(*words)
        checks.expect(f"{words} is wrong usage", run.returncode == 2 and
                      "skip-simplification-over" in run.stderr, run.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memref-lens", required=True)
    checks = Checks(parser.parse_args().memref_lens)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "program.mlir"
        path.write_text(PROGRAM)
        check(checks, str(path))
    print(f"{checks.wrong} wrong")
    return 1 if checks.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
