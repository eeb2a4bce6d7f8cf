"""The command `check`: exit status, formats, baseline, budget, rules, many files.
"""

import json
import os
import pathlib
import re
import sys
import tempfile

import run_rules  # puts the judges' folder on the path
import judges

DOUBLE = """func.func @f(%c: i1, %v: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  scf.if %c {
    memref.dealloc %a : memref<4xf32>
  }
  memref.dealloc %a : memref<4xf32>
  return
}
"""
DYNAMIC = """func.func private @use(memref<?xf32>, memref<8xf32>)
func.func @d(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc() : memref<8xf32>
  call @use(%a, %b) : (memref<?xf32>, memref<8xf32>) -> ()
  return
}
"""
SIZED = """func.func private @use(memref<?xf32>)
func.func private @use8(memref<8xf32>)
func.func @sized() {
  %c8 = arith.constant 8 : index
  %a = memref.alloc(%c8) : memref<?xf32>
  call @use(%a) : (memref<?xf32>) -> ()
  %b = memref.alloc() : memref<8xf32>
  call @use8(%b) : (memref<8xf32>) -> ()
  return
}
"""
CLONE = """func.func @g(%m: memref<1024xf32>) -> memref<1024xf32> {
  return %m : memref<1024xf32>
}
func.func @caller(%m: memref<1024xf32>) {
  %r = call @g(%m) : (memref<1024xf32>) -> memref<1024xf32>
  return
}
"""
# Has an op of which canonicalize dies (tests/deadly).
PLUGIN = os.environ.get("MEMREF_LENS_DEADLY", "libdeadly.so")
# Two functions of one name: one that clones, one of which canonicalize dies.
NAMESAKES = """module @a {
  func.func @f(%m: memref<1024xf32>) -> memref<1024xf32> {
    return %m : memref<1024xf32>
  }
}
module @b {
  func.func @f() {
    deadly.op() {at = "canonicalize", by = "abort"} : () -> ()
    return
  }
}
"""
# Lifted, it is accepted, and returns what it frees.
UNSOUND = """func.func private @flag() -> i1
func.func private @use(memref<4xf32>)
func.func @f() -> tensor<4xf32> {
  cf.br ^loop
^loop:
  %n = call @flag() : () -> i1
  cf.cond_br %n, ^loop, ^done
^done:
  %a = memref.alloc() : memref<4xf32>
  call @use(%a) : (memref<4xf32>) -> ()
  %t = bufferization.to_tensor %a : memref<4xf32> to tensor<4xf32>
  return %t : tensor<4xf32>
}
"""
# What is returned is the address of a buffer that is gone.
ADDRESS = """func.func private @addr(%v: f32) -> index {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%c0] : memref<4xf32>
  %i = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  return %i : index
}
func.func @f(%v: f32) -> f32 {
  %i = call @addr(%v) : (f32) -> index
  %p = arith.index_cast %i : index to i64
  %q = llvm.inttoptr %p : i64 to !llvm.ptr
  %y = llvm.load %q : !llvm.ptr -> f32
  return %y : f32
}
"""
CLEAN = """func.func @h(%m: memref<4xf32>, %i: index, %v: f32) {
  memref.store %v, %m[%i] : memref<4xf32>
  return
}
"""


def late(count):
    """So many buffers that are freed late, and one that is not."""
    body = "".join(f"  %a{i} = memref.alloc() : memref<4xf32>\n"
                   f"  call @use(%a{i}) : (memref<4xf32>) -> ()\n"
                   for i in range(count + 1))
    return ("func.func private @use(memref<4xf32>)\n"
            f"func.func @late() {{\n{body}  return\n}}\n")


class Tests:

    def __init__(self, folder):
        self.folder = folder
        self.failures = []

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def run(self, *arguments):
        return judges.run([judges.lens(), "check", *arguments], seconds=120)

    def expect(self, what, holds, detail=""):
        if not holds:
            self.failures.append(f"{what}: {str(detail)[:400]}")

    def status(self):
        double = self.file("double.mlir", DOUBLE)
        clone, clean = self.file("clone.mlir", CLONE), self.file("clean.mlir",
                                                                 CLEAN)
        broken = self.file("broken.mlir", "func.func @f( {\n")
        # Each part of a file counts, with each kind of line end.
        partly = [self.file(f"partly{number}.mlir", CLEAN.replace("\n", end) +
                            f"// -----{end}func.func @f( {{{end}")
                  for number, end in enumerate(("\n", "\r\n", "\r"))]
        for arguments, status in (
                ([clean], 0), ([double], 1), ([clone], 0),
                (["--fail-on", "warning", clone], 1),
                (["--fail-on=none", double], 0), ([broken], 3),
                *(([one], 3) for one in partly),
                ([self.folder / "missing.mlir"], 3), ([], 2),
                (["--format", "xml", clean], 2), (["--rules", "no", clean], 2),
                (["-j", "0", clean], 2),
                (["--rules", "-double-free,-refused", double], 0),
                (["--rules", "cost", "--fail-on", "warning", clone], 1)):
            result = self.run(*arguments)
            self.expect(f"exit status of {arguments}",
                        result.status == status, (result.status, result.err))
            self.expect(f"{arguments}: only the old name is deprecated",
                        ("deprecated" in result.err) ==
                        any("refused" in str(one) for one in arguments),
                        result.err)

    def text(self):
        result = self.run(self.file("double.mlir", DOUBLE))
        for line in (r"double.mlir:7:3: error: %a is deallocated again .*\[double-free",
                     r"  path  4:3 +%c is true", r"  path  5:5 +%a is deallocated"):
            self.expect(f"text has {line}", re.search(line, result.out),
                        result.out)

    def sarif(self):
        result = self.run("--format", "sarif", self.file("double.mlir", DOUBLE))
        run = json.loads(result.out)["runs"][0]
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        found = {entry["ruleId"]: entry for entry in run["results"]}
        self.expect("SARIF has the finding", "double-free" in found, found)
        entry = found["double-free"]
        self.expect("rule index", rules[entry["ruleIndex"]] == "double-free")
        self.expect("fingerprint", entry["partialFingerprints"])
        region = entry["locations"][0]["physicalLocation"]["region"]
        self.expect("place", region["startLine"] == 7, region)
        steps = entry["codeFlows"][0]["threadFlows"][0]["locations"]
        lines = [step["location"]["physicalLocation"]["region"]["startLine"]
                 for step in steps]
        self.expect("path", lines == [2, 4, 5, 7], lines)
        for rule in run["tool"]["driver"]["rules"]:
            self.expect(f"{rule['id']} has help", rule["help"]["text"])

    def github(self):
        result = self.run("--format", "github", self.file("100%.mlir", DOUBLE))
        self.expect("annotation", re.search(
            r"^::error file=\S*100%25.mlir,line=7,col=3,title=double-free::%25a "
            r"is deallocated again", result.out, re.M), result.out)

    def baseline(self):
        path = self.file("change.mlir", DOUBLE)
        old = self.folder / "old.json"
        self.run("--format", "json", "-o", old, path)
        path.write_text("// A new line.\n\n" + DOUBLE)
        result = self.run("--baseline", old, path)
        self.expect("moved lines change nothing", result.status == 0 and
                    "no new findings" in result.out and
                    "fixed" not in result.out, result.out)
        path.write_text(DOUBLE + CLONE)
        result = self.run("--baseline", old, "--fail-on", "warning", path)
        self.expect("a new finding is one", result.status == 1 and
                    "1 new finding, " in result.out and
                    "double-free" not in result.out, result.out)
        path.write_text(CLEAN)
        result = self.run("--baseline", old, path)
        self.expect("fixed ones are told", result.status == 0 and
                    re.search("no new findings, [1-9]", result.out), result.out)
        report = json.loads(old.read_text())
        for finding in report["files"][0]["findings"]:
            finding["message"] = "said in other words"
        old.write_text(json.dumps(report))
        path.write_text(DOUBLE)
        result = self.run("--baseline", old, path)
        self.expect("words are not what a finding is known by",
                    "no new findings" in result.out and
                    "fixed" not in result.out, result.out)
        for finding in report["files"][0]["findings"]:
            finding["fingerprint"] = finding.pop("oldFingerprint")
            del finding["subject"], finding["remedyPasses"]
        old.write_text(json.dumps(report))
        result = self.run("--baseline", old, path)
        self.expect("an older version's baseline is read",
                    "no new findings" in result.out and
                    "fixed" not in result.out, result.out)
        result = self.run("--baseline", path, path)
        self.expect("no report is no baseline", result.status == 3, result.err)

    def budget(self):
        path = self.file("clone.mlir", CLONE)
        for budget, status in (("* clones=0\n", 1), ("@g clones=1 checks=0\n", 0),
                               ("file clones=0 # none\n", 1), ("@g\n", 3),
                               ("@other clones=0\n", 0), ("@g copies=1\n", 3)):
            result = self.run("--budget", self.file("budget", budget), path)
            self.expect(f"budget {budget!r}", result.status == status,
                        (result.status, result.out, result.err))
            self.expect(f"budget {budget!r} has a finding",
                        ("[over-budget]" in result.out) == (status == 1))

        dynamic = self.file("dynamic.mlir", DYNAMIC)
        result = self.run("--budget", self.file("budget", "@d peak=16\n"),
                          dynamic)
        self.expect("what a peak leaves out", "@d has a peak of at least "
                    "32 B at 4:8, 16 B over the budget of 16 B"
                    in result.out, result.out)

    def folded(self):
        """One entry for a cause, with the places behind it; --all lists each."""
        path = self.file("late.mlir", late(9))
        told = re.compile(r"^\S+: note: .* \[late-free\]$", re.M)
        place = re.compile(r"^  at    \d+:\d+ +%\S+ .* is deallocated ", re.M)
        short = self.run(path)
        self.expect("one entry", len(told.findall(short.out)) == 1, short.out)
        self.expect("its cause", re.search(
            r"note: .*9 buffers of @late.* \[late-free\]", short.out), short.out)
        self.expect("five places", len(place.findall(short.out)) == 5, short.out)
        self.expect("how many more", "  and   4 more places\n" in short.out,
                    short.out)
        self.expect("all are counted", ": 9 notes" in short.out,
                    short.out)
        for option in "--all", "--verbose":
            long = self.run(option, path)
            self.expect(f"{option}: all notes", len(told.findall(long.out)) == 9
                        and not place.search(long.out), long.out)
            self.expect(f"{option}: nothing more", "more place" not in long.out
                        and "--all" not in long.out, long.out)

    def madeAnew(self):
        """An allocation of which canonicalize knows the size is told as written."""
        result = self.run("--no-try", self.file("sized.mlir", SIZED))
        self.expect("the name and place in the file", re.search(
            r"sized.mlir:5:8: note: %a \(32 B\) is deallocated 3 ops after its last "
            r"use, behind the allocation of %b \[late-free\]", result.out),
            result.out)

    def remedies(self):
        """Tried, told, bounded, left out."""
        path = self.file("clone.mlir", CLONE)
        told = "  fix   buffer-results-to-out-params{modify-public-functions=1} "
        left = "more remedies not tested"
        for options, wanted in (([], {told}), (["-v"], {told}),
                                (["--no-try"], set()),
                                (["--try-ops", "1"], {left}),
                                (["--try-ops=0"], {told})):
            result = self.run(*options, path)
            found = {text for text in (told, left) if text in result.out}
            self.expect(f"remedies with {options}", found == wanted, result.out)
        report = json.loads(self.run("--format", "json", path).out)["files"][0]
        entry = next(entry for entry in report["findings"][0]["tried"]
                     if entry["helps"])
        self.expect("a gain, as JSON", "clones 1 -> 0" in entry["outcome"] and
                    "buffer-deallocation-pipeline" in entry["pipeline"], entry)
        result = self.run("-v", self.file("unsound.mlir", UNSOUND))
        self.expect("what is unsound is no remedy", re.search(
            r"  no fix  lift-cf-to-scf .*: @f is unsound then", result.out) and
                    "  fix   lift" not in result.out, result.out)
        self.expect("advice tried in vain says so", re.search(
            r"  help  run lift-cf-to-scf .*; tested here, does not help: @f is unsound",
            result.out), result.out)
        for format in ("github", "sarif"):
            result = self.run("--format", format, path)
            self.expect(f"a gain in {format}", "fix: buffer-results" in
                        result.out and "no fix" not in result.out, result.out)

    def left(self):
        """Faults that are none stop the search, which is said of them."""
        buffers = "".join(f"  %a{n} = memref.alloc() : memref<4xf32>\n"
                          for n in range(1200))
        path = self.file("left.mlir", "func.func @f(%c: i1) {\n"
                         "  %x = memref.alloc() : memref<4xf32>\n"
                         "  memref.dealloc %x : memref<4xf32>\n" + buffers +
                         "  cf.cond_br %c, ^a, ^b\n^a:\n  return\n^b:\n"
                         "  return\n}\n")
        result = self.run("-v", "--no-try", path)
        said = "1200 faults, 1200 of them buffers left to the pipeline"
        self.expect("what stopped it", said in result.out and
                    "@f: no fault; all 2 paths tried" in result.out, result.out)

    def addresses(self):
        """Where an address leaves what can be followed, nobody says that all is
        well."""
        result = self.run("--no-try", self.file("address.mlir", ADDRESS))
        self.expect("it is said", "all paths of 2 functions tried, buffers of 2 not "
                    "followed to their last use" in result.out and
                    "@addr: no fault; its one path tried; not followed after the "
                    "dealloc: %a by way of memref.extract_aligned_pointer_as_index"
                    in result.out, result.out)

    def passes(self):
        """What a remedy names is data, beside its words."""
        named = set()
        for path in sorted((judges.ROOT / "samples").glob("reject-*.mlir")):
            report = json.loads(self.run("--format", "json", "--fail-on", "none",
                                         "--no-try", path).out)
            for finding in report["files"][0]["findings"]:
                for words, passes in zip(finding["remedies"],
                                         finding["remedyPasses"], strict=True):
                    named.update(passes)
                    for one in ("lift-cf-to-scf", "canonicalize",
                                "expand-realloc"):
                        self.expect(f"{path.name}: {words}",
                                    (one in words) == (one in passes), passes)
        self.expect("passes are named", "lift-cf-to-scf" in named, named)

    def namesakes(self):
        """Each has its own verdict, measure and name."""
        first, second = NAMESAKES.split("module @b")
        for name, text in (("ab", NAMESAKES),
                           ("ba", f"module @b{second}{first}")):
            path = self.file(f"{name}.mlir", text)
            file = json.loads(self.run(
                "--format", "json", "--fail-on", "none",
                f"--load-dialect-plugin={PLUGIN}", path).out)["files"][0]
            rules = {(finding["function"], finding["rule"])
                     for finding in file["findings"]}
            self.expect(f"{name}: the one that crashes a stage is set aside",
                        ("b::@f", "stage-crashed") in rules and
                        ("a::@f", "clone") in rules and len(rules) == 2, rules)
            costs = {entry["function"]: entry["clones"]
                     for entry in file["costs"]}
            self.expect(f"{name}: costs", costs.get("a::@f") == 1, costs)
            self.expect(f"{name}: paths",
                        [entry["function"] for entry in file["explorations"]] ==
                        ["a::@f"], file["explorations"])
            tried = [tried for finding in file["findings"]
                     for tried in finding["tried"]]
            self.expect(f"{name}: remedies are measured", tried, file)
            self.expect(f"{name}: no pass makes one of them private",
                        not any(one["commands"] for one in tried
                                if "private" in one["remedy"]), tried)
            only = judges.run([judges.lens(), "explain", "--function=a::@f",
                               f"--load-dialect-plugin={PLUGIN}", path]).out
            self.expect(f"{name}: --function takes what is printed",
                        "@a::@f" in only and "@b::@f" not in only, only)

    def many(self):
        files = [self.file(f"{n}.mlir", (DOUBLE, CLONE, CLEAN)[n % 3])
                 for n in range(7)]
        one = self.run("--format", "json", *files)
        two = self.run("--format", "json", "-j3", *files)
        self.expect("in parallel as one by one", one.out == two.out)
        self.expect("all files", len(json.loads(two.out)["files"]) == 7)


def main():
    with tempfile.TemporaryDirectory() as folder:
        tests = Tests(pathlib.Path(folder))
        for name in ("status", "text", "sarif", "github", "baseline", "budget",
                     "folded", "madeAnew", "remedies", "passes", "left",
                     "namesakes", "addresses", "many"):
            getattr(tests, name)()
    print("\n".join(tests.failures))
    sys.exit(1 if tests.failures else 0)


if __name__ == "__main__":
    main()
