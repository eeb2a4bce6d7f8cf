#!/usr/bin/env python3
"""Our passes in the stock mlir-opt, beside upstream's.

  run_passes.py PLUGIN MEMREF_LENS SAMPLES GENERATOR [FILE...]

Over samples, corpus and random programs: `lens-buffer-deallocation-pipeline` prints
what `buffer-deallocation-pipeline` prints, byte by byte, and rejects what it rejects,
with the same errors at the same places. Where upstream dies, or reads freed memory, it
prints what `memref-lens ir` prints, which other tests judge. With and without threads.
"""

import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import corpus  # noqa: E402
import sample  # noqa: E402

PLUGIN, LENS, SAMPLES, GENERATOR, *FILES = sys.argv[1:]
OPT = corpus.tool("mlir-opt")
OWNERSHIP = "ownership-based-buffer-deallocation"
OURS = "lens-" + OWNERSHIP
SIMPLIFICATION = "buffer-deallocation-simplification"
PIPELINE = "buffer-deallocation-pipeline"
LENS_PIPELINE = "lens-" + PIPELINE
#: Of mlir-opt, among the options that a sample names for memref-lens.
KNOWN = ("--allow-unregistered-dialect",)


def run(*words):
    try:
        return subprocess.run(list(map(str, words)), capture_output=True,
                              timeout=300, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return None


def opt(path, pipeline, *words):
    split = ["--split-input-file"] if b"// -----" in path.read_bytes() else []
    return run(OPT, f"--load-pass-plugin={PLUGIN}", *split, *words,
               f"--pass-pipeline=builtin.module({pipeline})", path)


def errors(done):
    """Without the notes, of which we have more."""
    return re.findall(r"^\S+:\d+:\d+: error: .*$", done.stderr.decode(
        "utf-8", "replace"), re.M)


def isSame(upstream, ours):
    """What is printed, and what is said. Functions are taken in turn; the first
    error ends the pass."""
    return ((upstream.returncode, upstream.stdout, errors(upstream)) ==
            (ours.returncode, ours.stdout, errors(ours)))


def hasDied(done):
    return done is None or done.returncode < 0 or done.returncode > 100


def readsFreed(path, words, flags):
    done = run(LENS, "trace", *words, *flags, path)
    if done.returncode not in (0, 1):
        return False
    functions = json.loads(done.stdout).get("functions", [])
    return any(one.get("upstreamReadsFreedMemory") for one in functions)


def fault(path, words, option, seen):
    """What is wrong; nothing where all is well."""
    own = [word for word in words if word in KNOWN]
    upstream = opt(path, PIPELINE + option, *own)
    pipeline = LENS_PIPELINE + option
    ours = opt(path, pipeline, *own)
    if hasDied(ours):
        # Other stages are upstream's here as there.
        seen["die in both"] += hasDied(upstream)
        return "" if hasDied(upstream) else "ours dies"
    alone = opt(path, pipeline, *own, "--mlir-disable-threading")
    if (alone.returncode, alone.stdout) != (ours.returncode, ours.stdout):
        return "another result without threads"
    if not hasDied(upstream) and isSame(upstream, ours):
        seen["rejected by both, with the same errors" if ours.returncode
             else "equal"] += 1
        return ""
    flags = ["--private-function-dynamic-ownership"] if option else []
    if hasDied(upstream) or readsFreed(path, words, flags):
        mine = run(LENS, "ir", "--stage=final", *words, *flags, path)
        if ours.returncode == 0 and mine.stdout != ours.stdout:
            return "upstream reads freed memory, and ours is not that of ir"
        seen["upstream dies" if hasDied(upstream) else
             "upstream reads freed memory"] += 1
        return ""
    if upstream.returncode != ours.returncode:
        return (f"upstream ends with {upstream.returncode}, ours with "
                f"{ours.returncode}")
    return (f"{errors(upstream)} is {errors(ours)}"
            if errors(upstream) != errors(ours) else "another program")


def optionsOf(path):
    found = re.search(r"^// options: (.*)$", path.read_text(errors="replace"),
                      re.M)
    return [word for word in (found[1].split() if found else [])
            if word in KNOWN]


def randomPrograms(folder):
    for seed in sample.seeds(None, 10, 40, 500, 2000):
        path = Path(folder) / f"random-{seed}.mlir"
        done = run(sys.executable, GENERATOR, "--seed", seed)
        path.write_bytes(done.stdout)
        yield path


def compareAll(folder, seen):
    paths = [Path(name) for name in FILES] or [
        *sorted(Path(SAMPLES).glob("*.mlir")),
        *sample.part([path for path in corpus.corpus_files()
                      if path.stat().st_size < 2_000_000], 9),
        *randomPrograms(folder)]
    wrong = 0
    runs = [(path, option) for path in paths for option in
            ("", "{private-function-dynamic-ownership=1}")]
    with ThreadPoolExecutor(2) as pool:
        faults = pool.map(lambda one: fault(one[0], optionsOf(one[0]), one[1],
                                            seen), runs)
        for (path, option), found in zip(runs, faults):
            wrong += bool(found)
            if found:
                print(f"{path.name} {option}: {found}")
    print(f"{len(paths)} files, each with two options: "
          + ", ".join(f"{count} {what}" for what, count in seen.most_common()))
    return wrong


KERNELS = """func.func private @k(memref<64xf32>) -> memref<64xf32>%s
func.func @f(%%a: memref<64xf32>) {
  %%0 = memref.alloc() : memref<64xf32>
  %%1 = call @k(%%0) : (memref<64xf32>) -> memref<64xf32>
  %%2 = call @k(%%1) : (memref<64xf32>) -> memref<64xf32>
  memref.copy %%2, %%a : memref<64xf32> to memref<64xf32>
  return
}
"""


class Checks:
    """What a user of the plugin asks of it, one by one."""

    def __init__(self, folder):
        self.folder, self.failed = Path(folder), 0

    def expect(self, what, holds, shown=""):
        print(("ok   " if holds else "FAIL ") + what)
        if not holds:
            print(shown)
            self.failed += 1

    def file(self, name, text):
        (self.folder / name).write_text(text)
        return self.folder / name

    def all(self):
        self.plain = self.file("plain.mlir", KERNELS % "")
        self.stated = self.file("stated.mlir", KERNELS %
                                " attributes {memref_lens.fresh_results}")
        self.upstream = opt(self.plain, LENS_PIPELINE)
        for check in (self.freshResults, self.wrongOptions, self.lateFree,
                      self.remarks, self.nesting, self.asAPass,
                      self.rejection, self.reproducer, self.linked, self.ir):
            check()

    def freshResults(self):
        calls = (lambda done: done.stdout.count(b"call @dealloc_helper"))
        self.expect("results of external functions are compared",
                    calls(self.upstream) == 1, self.upstream)
        for name, path, option in (
                ("an option", self.plain, "{assume-fresh-results=k*}"),
                ("with its sign", self.plain, "{assume-fresh-results=@k,@l}"),
                ("an attribute", self.stated, "")):
            fresh = opt(path, LENS_PIPELINE + option)
            self.expect(f"not where {name} states that they are fresh",
                        fresh.returncode == 0 and calls(fresh) == 0 and
                        fresh.stdout.count(b"memref.dealloc") == 3, fresh)

    def wrongOptions(self):
        for option, known in (("refine=nothing", b"distinct-objects"),
                              ("late-free=first", b"last-use")):
            told = opt(self.plain, f"{LENS_PIPELINE}{{{option}}}")
            self.expect(f"{option} is told", told.returncode != 0 and
                        known in told.stderr, told)

    def lateFree(self):
        late = LENS_PIPELINE + "{late-free=last-use"
        at = (lambda done: [word.decode() for word in re.findall(
            rb"memref\.alloc|call @k|memref\.copy|memref\.dealloc(?!_)",
            done.stdout)])
        kept = opt(self.stated, late + "}")
        self.expect("what a function may keep is deallocated at the end",
                    at(kept)[-3:] == ["memref.dealloc"] * 3, kept)
        early = opt(self.plain,
                    late + " assume-fresh-results=k assume-no-capture=@k}")
        free = ["memref.dealloc"]
        self.expect("and else after its last use", at(early) == [
            "memref.alloc", "call @k", *free, "call @k", *free, "memref.copy",
            *free], early)

    def remarks(self):
        remarked = opt(self.plain, LENS_PIPELINE + "{remarks}")
        self.expect("remarks say what costs, and why",
                    b"remark: `dealloc_helper` call: the dealloc compares 3 "
                    b"memrefs with each other: a result of @k, which may alias "
                    b"what the call is passed" in remarked.stderr and
                    remarked.stdout == self.upstream.stdout, remarked)
        # Debian's LLVM keeps no statistics.
        self.expect("and how much of it there is", all(
            line in remarked.stderr for line in (
                b"plain.mlir:2:1: remark: @f: the ownership pass made "
                b"1 dealloc\n",
                b"plain.mlir:2:1: remark: @f: 1 dealloc is left; "
                b"1 `dealloc_helper` call\n")), remarked.stderr)
        cloned = opt(Path(SAMPLES) / "diamond.mlir",
                     LENS_PIPELINE + "{remarks}")
        self.expect("of clones, checks and conditions, too", re.search(
            rb"remark: (clone of|run-time alias check|conditional dealloc)",
            cloned.stderr), cloned)
        for sample in sorted(Path(SAMPLES).glob("*.mlir"))[::4]:
            self.countsOf(sample)

    def countsOf(self, path):
        """As an LLVM that keeps statistics would count: from the IR."""
        told = opt(path, f"func.func({OURS},lens-{SIMPLIFICATION}{{remarks}})")
        if told.returncode:
            return
        counts = re.findall(rb"remark: @\S+: (\d+) deallocs? (?:is|are) left",
                            told.stderr)
        lines = [line for line in told.stdout.splitlines()
                 if b"bufferization.dealloc" in line]
        self.expect(f"counts of {path.name}",
                    sum(map(int, counts)) == len(lines), told)

    def nesting(self):
        """In any nesting, as upstream's: functions are then taken side by
        side."""
        many = self.file("many.mlir", "".join(
            line.replace("@f", f"@f{number}")
            for number in range(20)
            for line in re.sub(r"(?m)^func.func private.*\n", "",
                               KERNELS % "").splitlines(True)) +
            "func.func private @k(memref<64xf32>) -> memref<64xf32>\n")
        inner = self.file("inner.mlir", "module {\nmodule @inner {\n" +
                          KERNELS % "" + "}\n}\n")
        for name, path, nest in (
                ("a function", self.plain, "func.func(%s)"),
                ("functions, side by side", many, "func.func(%s)"),
                ("any op", many, "any(%s)"),
                ("a nested module", inner, "builtin.module(%s)"),
                ("its functions", inner, "builtin.module(func.func(%s))")):
            ours = opt(path, nest % f"{OURS},lens-{SIMPLIFICATION}")
            same = opt(path, nest % f"{OWNERSHIP},{SIMPLIFICATION}")
            self.expect(f"on {name}", same.returncode == 0 and
                        b"bufferization.dealloc" in same.stdout and
                        (ours.returncode, ours.stdout) == (0, same.stdout),
                        (ours, same))
        whole = opt(inner, f"builtin.module({LENS_PIPELINE})")
        same = opt(inner, f"builtin.module({PIPELINE})")
        self.expect("the pipeline, too", whole.returncode == 0 and
                    b"dealloc_helper" in whole.stdout and
                    whole.stdout == same.stdout, (whole, same))

    def asAPass(self):
        numbers = opt(self.plain, LENS_PIPELINE, "--mlir-pass-statistics",
                      "--mlir-pass-statistics-display=list")
        self.expect("statistics, where LLVM keeps any",
                    b"(S)" not in numbers.stderr or re.search(
                        rb"\(S\)\s+1 dealloc-helper-calls", numbers.stderr),
                    numbers)
        printed = opt(self.plain, LENS_PIPELINE, "--mlir-print-ir-after-all")
        dumped = re.findall(rb"IR Dump After \S+ \(([\w-]+)", printed.stderr)
        self.expect("IR after each pass", dumped == [
            b"expand-realloc", b"canonicalize", OURS.encode(), b"canonicalize",
            b"lens-" + SIMPLIFICATION.encode(),
            b"bufferization-lower-deallocations", b"cse", b"canonicalize"],
            (dumped, printed.stderr[:3000]))
        for verified in ("--verify-each=1", "--verify-each=0"):
            done = opt(self.plain, LENS_PIPELINE, verified)
            self.expect(verified, done.returncode == 0 and
                        done.stdout == self.upstream.stdout, done)
        timed = opt(self.plain, LENS_PIPELINE, "--mlir-timing")
        self.expect("a time for each pass", timed.returncode == 0 and
                    timed.stdout == self.upstream.stdout and
                    b"OwnershipPass" in timed.stderr, timed.stderr)

    def rejection(self):
        path = Path(SAMPLES) / "reject-loop.mlir"
        rejected = opt(path, LENS_PIPELINE)
        self.expect("what helps is a note of the error",
                    rejected.returncode == 1 and
                    b"note: memref-lens: " in rejected.stderr, rejected.stderr)
        upstream = opt(path, PIPELINE)
        self.expect("the error itself is upstream's",
                    errors(upstream) and errors(rejected) == errors(upstream),
                    (errors(upstream), errors(rejected)))

    def reproducer(self):
        crash = self.folder / "repro.mlir"
        opt(Path(SAMPLES) / "reject-loop.mlir", LENS_PIPELINE,
            f"--mlir-pass-pipeline-crash-reproducer={crash}")
        again = run(OPT, f"--load-pass-plugin={PLUGIN}", "--run-reproducer",
                    crash)
        self.expect("a reproducer reproduces", again.returncode == 1 and
                    errors(again), again)
        opt(Path(SAMPLES) / "reject-loop.mlir", LENS_PIPELINE +
            "{private-function-dynamic-ownership=1 remarks}",
            f"--mlir-pass-pipeline-crash-reproducer={crash}",
            "--mlir-pass-pipeline-local-reproducer",
            "--mlir-disable-threading")
        text = crash.read_text()
        self.expect("a local one names the pass alone, with its options",
                    OURS in text and "remarks=true" in text and
                    "private-function-dynamic-ownership=true" in text and
                    "cse" not in text, text)

    def ir(self):
        """`memref-lens ir` has the same passes, and records where it must."""
        mixed = self.file("mixed.mlir", KERNELS % "" + (
            Path(SAMPLES) / "reject-loop.mlir").read_text())
        told = run(LENS, "ir", "--stage=final", mixed)
        self.expect("ir treats what stands beside a rejected function",
                    b"call @dealloc_helper" in told.stdout and
                    b"ownership-based-buffer-deallocation" in told.stdout, told)
        for path in sorted(Path(SAMPLES).glob("*.mlir"))[2::6]:
            ours = opt(path, LENS_PIPELINE, *optionsOf(path))
            told = run(LENS, "ir", "--stage=final", path)
            if ours.returncode == 0:
                self.expect(f"ir of {path.name}", told.stdout == ours.stdout,
                            (told, ours))

    def linked(self):
        """MLIR, zstd, which LLVM's library needs, too, and what each C++ program
        needs; nothing else."""
        linked = run("readelf", "-d", PLUGIN).stdout.decode()
        needed = set(re.findall(r"\(NEEDED\).*\[(.*?)\]", linked))
        other = {name for name in needed if not re.match(
            r"lib(MLIR|LLVM|zstd|stdc\+\+|m|gcc_s|c)\.so|ld-linux", name)}
        self.expect("no library is linked but MLIR's", not other and
                    any("MLIR" in name for name in needed), needed)


def main():
    seen = Counter()
    with tempfile.TemporaryDirectory() as folder:
        checks = Checks(folder)
        if not FILES:
            checks.all()
        wrong = compareAll(folder, seen)
    if not FILES and seen["equal"] < 100:
        print("too few to tell anything")
        return True
    return wrong + checks.failed > 0


sys.exit(main())
