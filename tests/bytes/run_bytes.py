"""`memref-lens ir --stage N` prints, byte for byte, what mlir-opt-22 prints.

Stages 0 to 2 of each file of a part of the corpus, and stages 3 to 8 of a copy without the
functions that are not `identical` by the verdict that `compare` is held to: a
stand-in takes the place of their bodies, for mlir-opt stops at them or is no
reference. On what is left mlir-opt must succeed, in the time given. Parts that
it cannot parse are cut out. What `compare` holds is what a pipeline that we run
makes; that this pipeline is mlir-opt's, and `ir` prints what it makes, is held here.
MEMREF_LENS_LONG=1: every file, and the numbers of all of these are asserted; else
one in ten of those below 100 kB.

  MEMREF_LENS=... run_bytes.py [NAME...]
"""

import collections
import pathlib
import re
import sys
import tempfile

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / name)
                for name in ("judges", "random", "support")]

import judges
import sample
import standins
from run_random import STAGES

COMMON = ["--split-input-file", "--allow-unregistered-dialect"]
# As MLIR prints it before each dump.
DUMP = re.compile(r"^// -----// IR Dump After [^\n]* //----- //\n", re.M)
IS_LONG = sample.LONG
SMALL = 100_000
SECONDS = 3000 if IS_LONG else 60
# What there is: files, parts that do not parse, functions left out by verdict,
# stages compared, and those before the third for which mlir-opt needs the copy.
WHOLE = {"files": 258, "unparsed": 14, "nothing to parse": 1,
         "rejected alike": 177, "upstream crashed": 4,
         "upstream reads freed memory": 1, "upstream order varies": 3,
         "stages": 2313, "stages of the copy": 3}


def mlir_opt(path, last, *options):
    passes = ",".join(STAGES[:last])
    return judges.run([judges.tool("mlir-opt"), path, *COMMON, *options,
                       f"--pass-pipeline=builtin.module({passes})"],
                      seconds=SECONDS)


def accepts(text, last):
    """Whether mlir-opt takes `text` through the first stages."""
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(text)
        file.flush()
        return mlir_opt(file.name, last).status == 0


def lens(path, stage):
    return judges.run([judges.lens(), "ir", path, *COMMON, "--stage",
                       str(stage)], seconds=SECONDS)


class File:
    """One corpus file and what was found out about it."""

    def __init__(self, path, expected, folder):
        self.path, self.expected, self.folder = path, expected, folder
        self.counts = collections.Counter(files=1)
        self.replaced = False
        self.wrong = []

    def write(self, name, text):
        path = pathlib.Path(self.folder) / name / self.path.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def without(self, part, names):
        """`part` without these functions; counts them by verdict."""
        both = {n for n in names if "identical" in self.expected[n]}
        # Another function of the name is identical. Is this it?
        if both and accepts(part, len(STAGES)):
            names = names - both
        part, replaced = standins.replace_bodies(part, names)
        self.replaced |= bool(replaced)
        for name in replaced:
            verdict = min(self.expected[name] - {"identical"})
            self.counts[verdict] += 1
        return part

    def prepare(self):
        """Writes both texts; false if there is nothing to compare."""
        parts = judges.chunks(self.path.read_text())
        if mlir_opt(self.path, 0).status != 0:
            parsed = [part for part in parts if accepts(part, 0)]
            self.counts["unparsed"] += len(parts) - len(parsed)
            parts = parsed
        if not parts:
            self.counts["nothing to parse"] += 1
            return False
        bad = {name for name, verdicts in self.expected.items()
               if verdicts != {"identical"}}
        self.early = self.write("early", "// -----\n".join(parts))
        self.late = self.write("late", "// -----\n".join(
            self.without(part, bad) for part in parts) if bad
            else self.early.read_text())
        return True

    def same(self, path, stage, theirs):
        ours = lens(path, stage)
        if ours.status != 0 or ours.out != theirs:
            self.wrong.append(f"stage {stage} differs (status {ours.status})")
        self.counts["stages"] += 1

    def check_early(self):
        for stage in range(3):
            theirs = mlir_opt(self.early, stage)
            source = self.early
            if theirs.status != 0 and self.replaced:
                self.counts["stages of the copy"] += 1
                theirs, source = mlir_opt(self.late, stage), self.late
            if theirs.status != 0:
                self.wrong.append(f"mlir-opt fails at stage {stage}")
                return
            self.same(source, stage, theirs.out)

    def check_late(self):
        """One run of mlir-opt: the last simplifications are slow."""
        theirs = mlir_opt(self.late, len(STAGES), "--mlir-print-ir-after-all",
                          "--mlir-disable-threading",
                          "--mlir-print-ir-module-scope")
        dumps = DUMP.split(theirs.err)[1:]
        if theirs.status != 0 or not dumps or len(dumps) % len(STAGES):
            self.wrong.append(f"mlir-opt fails: {theirs.status}, "
                              f"{len(dumps)} dumps, {theirs.err[:300]}")
            return
        for stage in range(3, len(STAGES)):
            # A dump ends with two line ends more than the module.
            chosen = [dump[:dump.rindex("}\n") + 2]
                      for dump in dumps[stage - 1::len(STAGES)]]
            self.same(self.late, stage, "\n// -----\n".join(chosen) + "\n")
        self.same(self.late, len(STAGES), theirs.out)


def check(path, expected):
    with tempfile.TemporaryDirectory() as folder:
        file = File(path, expected, folder)
        if file.prepare():
            file.check_early()
            file.check_late()
    return file


def expected_verdicts():
    """Of `compare`'s sets, and of the classic files."""
    return {**judges.verdicts(),
            **judges.verdicts(folder=pathlib.Path(__file__).resolve().parent)}


def main():
    names = sys.argv[1:]
    judges.lens()
    root, files = judges.corpus(), judges.corpus_files(names)
    if not IS_LONG and not names:
        files = sample.part([f for f in files if f.stat().st_size < SMALL], 10,
                            isWhole=False)
    expected = expected_verdicts()
    total, failed = collections.Counter(), 0
    for file in judges.in_parallel(
            lambda path: check(path, expected.get(
                str(path.relative_to(root)), {})), files):
        total += file.counts
        failed += bool(file.wrong)
        for wrong in file.wrong:
            print(f"FAIL: {file.path}: {wrong}", flush=True)
    print(f"{dict(total)}; {failed} files differ")
    if IS_LONG and not names and dict(total) != WHOLE:
        print(f"FAIL: not what the corpus holds: {WHOLE}")
        failed += 1
    if not names and total["stages"] < 100:
        print("FAIL: too few stages were compared")
        failed += 1
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
