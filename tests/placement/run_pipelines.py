"""`compare --pipelines` counts what is in the programs that mlir-opt makes.

  run_pipelines.py LENS OPT [FILE...]

Each of a part of the samples goes through the same passes by mlir-opt (OPT is the one with our
classic pass, held to mlir-opt 16 elsewhere), and the numbers are counted anew in
its text. Then wrong usage, refusals, and numbers known by hand.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))

import corpus
import sample

ROOT = HERE.parents[1]
SECONDS = 300
UNREGISTERED = "--allow-unregistered-dialect"
OWNERSHIP = "buffer-deallocation-pipeline"
CLASSIC = "func.func(lens-classic),canonicalize"
PASSES = {
    "classic": CLASSIC,
    "hoist+classic": "func.func(buffer-hoisting)," + CLASSIC,
    "ownership": OWNERSHIP,
    "dynamic": OWNERSHIP + "{private-function-dynamic-ownership=1}",
    "ownership+hoist": "func.func(buffer-hoisting)," + OWNERSHIP,
    "stack+loop-hoist+ownership":
        "func.func(promote-buffers-to-stack),func.func(buffer-loop-hoisting),"
        + OWNERSHIP,
    "out-params+ownership": "buffer-results-to-out-params," + OWNERSHIP,
    "drop-results+ownership": "drop-equivalent-buffer-results," + OWNERSHIP,
    "liveness+ownership":
        OWNERSHIP + ",func.func(optimize-allocation-liveness)",
}
ELEMENT_BITS = {"index": 64, "f64": 64, "f32": 32, "f16": 16, "bf16": 16}
FUNCTION = re.compile(r'^  func\.func (?:private |public )?@("[^"]*"|[\w$.-]+)')


def run(*command, text=None):
    return subprocess.run([str(part) for part in command], input=text,
                          capture_output=True, text=True, timeout=SECONDS)


def bytes_of(type):
    """None where the size is not known, or not to this test."""
    match = re.match(
        r"memref<((?:\d+x)*)(complex<)?(index|bf16|f\d+|i\d+)\b", type)
    if not match:
        return None
    bits = ELEMENT_BITS.get(match[3]) or int(match[3][1:])
    size = (bits + 7) // 8 * (2 if match[2] else 1)
    for extent in match[1].split("x")[:-1]:
        size *= int(extent)
    return size


class Counter:
    """Counts in one function's lines, which mlir-opt indents by nesting."""

    def __init__(self):
        self.counts = dict.fromkeys(
            ["heap", "stack", "frees", "conditionalFrees", "copies",
             "copiedBytes", "copiesOfUnknownSize", "checks", "helperCalls"], 0)
        self.pointers = set()
        self.branches = []  # (indentation, values defined inside)

    def add(self, line):
        indent = len(line) - len(line.lstrip())
        words = line.strip()
        while self.branches and indent <= self.branches[-1][0] and \
                not words.startswith("}"):
            self.branches.pop()
        if self.branches and indent == self.branches[-1][0] and \
                words.startswith("}") and "else" not in words:
            self.branches.pop()
        for name in re.findall(r"%[\w$.-]+(?=[^=]*=)", words.split(" = ")[0] +
                               " =") if " = " in words else []:
            for _, inside in self.branches:
                inside.add(name)
        self.count(words)
        if re.search(r"(^|= )scf\.if ", words):
            self.branches.append((indent, set()))

    def count(self, words):
        counts = self.counts
        right = words.split(" = ", 1)[-1]
        op = right.split("(")[0].split(" ")[0]
        if op == "memref.alloc":
            counts["heap"] += 1
        elif op == "memref.alloca":
            counts["stack"] += 1
        elif op == "memref.dealloc":
            counts["frees"] += 1
            value = words.split()[1].split("#")[0]
            counts["conditionalFrees"] += bool(
                self.branches and value not in self.branches[-1][1])
        elif op in ("bufferization.clone", "memref.copy"):
            counts["copies"] += 1
            size = bytes_of(words.split(" : ")[1].split(" to ")[0])
            key = "copiesOfUnknownSize" if size is None else "copiedBytes"
            counts[key] += 1 if size is None else size
        elif op == "memref.extract_aligned_pointer_as_index":
            self.pointers.add(words.split(" = ")[0])
        elif op == "arith.cmpi":
            operands = re.findall(r"%[\w$.-]+", right)
            counts["checks"] += all(o in self.pointers for o in operands)
        elif re.match(r"(func\.)?call @dealloc_helper", right):
            counts["helperCalls"] += 1


def count_text(text):
    """{function: counts}"""
    functions, current = {}, None
    for line in text.splitlines():
        match = FUNCTION.match(line)
        if match:
            current = functions.setdefault(match[1].strip('"'), Counter())
        if current:
            current.add(line)
        if line == "  }":
            current = None
    return {name: one.counts for name, one in functions.items()}


class Test:
    def __init__(self, lens, opt):
        self.lens, self.opt, self.failures = lens, opt, []
        self.compared = 0

    def expect(self, condition, message):
        if not condition:
            self.failures.append(message)

    def rows(self, file):
        done = run(self.lens, "compare", "--format", "json", "--pipelines",
                   ",".join(PASSES), UNREGISTERED, file)
        if done.returncode != 0:
            self.failures.append(f"{file}: {done.returncode} {done.stderr}")
            return []
        return json.loads(done.stdout)["files"][0]["rows"]

    def check_file(self, file):
        text = pathlib.Path(file).read_text()
        # Chunks are for mlir-opt to split; the test dialect is not in `lens`, and
        # the samples' own one not in OPT.
        if "// -----" in text or re.search(r"\b(test|sample)\.", text):
            return
        if run(self.opt, UNREGISTERED, file).returncode != 0:
            self.expect(run(self.lens, "compare", "--pipelines=classic",
                            UNREGISTERED, file).returncode == 3,
                        f"{file}: not valid, and not refused")
            return
        rows = self.rows(file)
        for name, passes in PASSES.items():
            mine = {row["function"]: row for row in rows
                    if row["pipeline"] == name}
            done = run(self.opt, f"--pass-pipeline=builtin.module({passes})",
                       UNREGISTERED, file)
            if done.returncode != 0:
                self.expect(any("problem" in row for row in mine.values()),
                            f"{file} {name}: mlir-opt fails, nobody is refused")
                continue
            theirs = count_text(done.stdout)
            for function, row in mine.items():
                if "problem" in row:
                    # mlir-opt takes the whole module, or nothing of it.
                    self.failures.append(f"{file} {name} @{function}: refused: "
                                         f"{row['problem']}, not by mlir-opt")
                    continue
                counts = {key: row["counts"][key] for key in theirs[function]}
                self.compared += 1
                self.expect(counts == theirs[function],
                            f"{file} {name} @{function}:\n  ours {counts}\n"
                            f"  mlir-opt {theirs[function]}")

    def check_by_hand(self):
        rows = {row["pipeline"]: row["counts"]
                for row in self.rows(ROOT / "samples/diamond.mlir")}
        known = {"classic": (2, 128, 0, 64), "hoist+classic": (1, 64, 0, 64),
                 "ownership": (1, 64, 3, 64), "ownership+hoist": (1, 64, 3, 64)}
        for name, numbers in known.items():
            found = tuple(rows[name][key] for key in
                          ("copies", "copiedBytes", "indicators", "peakBytes"))
            self.expect(found == numbers, f"diamond {name}: {found}")
        # Hoisting adds a free to the path that had no use for the buffer.
        rows = {row["pipeline"]: row["counts"] for row in
                self.rows(HERE / "faults/allocated-unused.mlir")
                if row["function"] == "f"}
        for name, number in ("ownership", 1), ("ownership+hoist", 2):
            found = (rows[name]["frees"], rows[name]["conditionalFrees"])
            self.expect(found == (number, number), f"unused {name}: {found}")
        # The classic pass leaves the results of calls to nobody.
        calls = [row for row in self.rows(ROOT / "samples/call-private.mlir")
                 if row["function"] == "callPrivate"]
        faults = {row["pipeline"]: row["counts"]["faults"] for row in calls}
        self.expect(faults["ownership"] == 0 and faults["classic"] > 0,
                    f"call-private: {faults}")

    def check_usage(self):
        sample = ROOT / "samples/diamond.mlir"
        for names, word in [("nonsense", "no pipeline is called 'nonsense'"),
                            ("hoist", "deallocates nothing"), ("", "takes names"),
                            ("classic+ownership", "two ways")]:
            done = run(self.lens, "compare", f"--pipelines={names}", sample)
            self.expect(done.returncode == 2 and word in done.stderr,
                        f"--pipelines={names}: {done.stderr}")
        done = run(self.lens, "compare", "--pipelines=classic", "/no/such.mlir")
        self.expect(done.returncode == 3, f"missing file: {done.returncode}")
        done = run(self.lens, "compare", "--pipelines=classic,ownership",
                   ROOT / "samples/reject-loop.mlir")
        self.expect(done.returncode == 0 and done.stdout.count("rejected:") == 2,
                    f"refused: {done.stdout}")
        with tempfile.NamedTemporaryFile("w", suffix=".mlir") as broken:
            broken.write("func.func @f( {\n")
            broken.flush()
            done = run(self.lens, "compare", "--pipelines=classic", broken.name)
            self.expect(done.returncode == 3 and "error" in done.stderr,
                        f"broken file: {done.returncode} {done.stderr}")

    def check_formats(self):
        hostile = 'func.func @"a|b<script>`"(%m: memref<2xf32>) -> ' \
                  'memref<2xf32> {\n  return %m : memref<2xf32>\n}\n'
        for format in ("text", "md", "json"):
            done = run(self.lens, "compare", "--pipelines=classic,ownership",
                       "--format", format, "-", text=hostile)
            self.expect(done.returncode == 0, f"{format}: {done.stderr}")
            if format == "md":
                self.expect("<script>" not in done.stdout.replace("\\<", "")
                            and "a\\|b" in done.stdout, f"md: {done.stdout}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lens")
    parser.add_argument("opt")
    parser.add_argument("files", nargs="*")
    arguments = parser.parse_args()
    test = Test(arguments.lens, arguments.opt)
    files = arguments.files or sample.part(
        sorted((ROOT / "samples").glob("*.mlir")), 3)
    if not arguments.files:
        test.check_by_hand()
        test.check_usage()
        test.check_formats()
    if sample.LONG and not arguments.files:
        files += [file for file in corpus.corpus_files(["/real/"])
                  if file.stat().st_size < 60_000]
    for file in files:
        test.check_file(file)
    print(f"{test.compared} functions under a pipeline compared")
    print("\n".join(test.failures))
    sys.exit(1 if test.failures or not test.compared else 0)


main()
