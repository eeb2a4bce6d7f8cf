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
    upstream = opt(path, "buffer-deallocation-pipeline" + option, *own)
    pipeline = "lens-buffer-deallocation-pipeline" + option
    ours = opt(path, pipeline, *own)
    if hasDied(ours):
        # Other stages are upstream's here as there.
        seen["die in both"] += hasDied(upstream)
        return "" if hasDied(upstream) else "ours dies"
    alone = opt(path, pipeline, *own, "--mlir-disable-threading")
    if (alone.returncode, alone.stdout) != (ours.returncode, ours.stdout):
        return "another result without threads"
    if not hasDied(upstream) and upstream.returncode == ours.returncode:
        if ours.returncode:
            seen["rejected by both"] += 1
            same = errors(upstream) == errors(ours)
            # Functions are taken in turn; the first error ends the pass.
            return "" if same else f"{errors(upstream)} is {errors(ours)}"
        if upstream.stdout == ours.stdout:
            seen["equal"] += 1
            return ""
    flags = ["--private-function-dynamic-ownership"] if option else []
    if hasDied(upstream) or readsFreed(path, words, flags):
        mine = run(LENS, "ir", "--stage=final", *words, *flags, path)
        if ours.returncode == 0 and mine.stdout != ours.stdout:
            return "upstream reads freed memory, and ours is not that of ir"
        seen["upstream dies" if hasDied(upstream) else
             "upstream reads freed memory"] += 1
        return ""
    return (f"upstream ends with {upstream.returncode}, ours with "
            f"{ours.returncode}" if upstream.returncode != ours.returncode
            else "another program")


def optionsOf(path):
    found = re.search(r"^// options: (.*)$", path.read_text(errors="replace"),
                      re.M)
    return [word for word in (found[1].split() if found else [])
            if word in KNOWN]


def randomPrograms(folder):
    for seed in sample.seeds(None, 10, 60, 500, 2000):
        path = Path(folder) / f"random-{seed}.mlir"
        done = run(sys.executable, GENERATOR, "--seed", seed)
        path.write_bytes(done.stdout)
        yield path


def compareAll(folder, seen):
    paths = [Path(name) for name in FILES] or [
        *sorted(Path(SAMPLES).glob("*.mlir")),
        *sample.part([path for path in corpus.corpus_files()
                      if path.stat().st_size < 2_000_000], 6),
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
        plain = self.file("plain.mlir", KERNELS % "")
        stated = self.file("stated.mlir", KERNELS %
                           " attributes {memref_lens.fresh_results}")
        calls = (lambda done: done.stdout.count(b"call @dealloc_helper"))
        upstream = opt(plain, "lens-buffer-deallocation-pipeline")
        self.expect("results of external functions are compared",
                    calls(upstream) == 1, upstream)
        for name, path, option in (
                ("an option", plain, "{assume-fresh-results=k*}"),
                ("with its sign", plain, "{assume-fresh-results=@k,@l}"),
                ("an attribute", stated, "")):
            fresh = opt(path, "lens-buffer-deallocation-pipeline" + option)
            self.expect(f"not where {name} states that they are fresh",
                        fresh.returncode == 0 and calls(fresh) == 0 and
                        fresh.stdout.count(b"memref.dealloc") == 3, fresh)
        for option, known in (("refine=nothing", b"distinct-objects"),
                              ("late-free=first", b"last-use")):
            told = opt(plain, f"lens-buffer-deallocation-pipeline{{{option}}}")
            self.expect(f"{option} is told", told.returncode != 0 and
                        known in told.stderr, told)
        late = "lens-buffer-deallocation-pipeline{late-free=last-use"
        at = (lambda done: [word.decode() for word in re.findall(
            rb"memref\.alloc|call @k|memref\.copy|memref\.dealloc(?!_)",
            done.stdout)])
        kept = opt(stated, late + "}")
        self.expect("what a function may keep is deallocated at the end",
                    at(kept)[-3:] == ["memref.dealloc"] * 3, kept)
        early = opt(plain, late + " assume-fresh-results=k assume-no-capture=@k}")
        free = ["memref.dealloc"]
        self.expect("and else after its last use", at(early) == [
            "memref.alloc", "call @k", *free, "call @k", *free, "memref.copy",
            *free], early)
        remarked = opt(plain, "lens-buffer-deallocation-pipeline{remarks}")
        self.expect("remarks say what costs, and why",
                    b"remark: `dealloc_helper` call: the dealloc compares 3 "
                    b"memrefs with each other: a result of @k, which may alias "
                    b"what the call is passed" in remarked.stderr and
                    remarked.stdout == upstream.stdout, remarked)
        cloned = opt(Path(SAMPLES) / "diamond.mlir",
                     "lens-buffer-deallocation-pipeline{remarks}")
        self.expect("of clones, checks and conditions, too", re.search(
            rb"remark: (clone of|run-time alias check|conditional dealloc)",
            cloned.stderr), cloned)
        nested = opt(plain, "func.func(lens-ownership-based-buffer-deallocation,"
                     "lens-buffer-deallocation-simplification)")
        same = opt(plain, "func.func(ownership-based-buffer-deallocation,"
                   "buffer-deallocation-simplification)")
        self.expect("below an anchor", nested.returncode == 0 and
                    nested.stdout == same.stdout, nested)
        numbers = opt(plain, "lens-buffer-deallocation-pipeline",
                      "--mlir-pass-statistics",
                      "--mlir-pass-statistics-display=list")
        # Debian's LLVM keeps none, of any pass.
        self.expect("statistics, where LLVM keeps any",
                    b"(S)" not in numbers.stderr or re.search(
                        rb"\(S\)\s+1 dealloc-helper-calls", numbers.stderr),
                    numbers)
        printed = opt(plain, "lens-buffer-deallocation-pipeline",
                      "--mlir-print-ir-after-all")
        self.expect("IR after each pass", re.search(
            rb"IR Dump After .*lens-ownership-based-buffer-deallocation",
            printed.stderr), printed.stderr[:3000])
        rejected = opt(Path(SAMPLES) / "reject-loop.mlir",
                       "lens-buffer-deallocation-pipeline")
        self.expect("what helps is a note of the error",
                    rejected.returncode == 1 and
                    b"note: memref-lens: " in rejected.stderr, rejected.stderr)
        crash = self.folder / "repro.mlir"
        opt(Path(SAMPLES) / "reject-loop.mlir",
            "lens-buffer-deallocation-pipeline",
            f"--mlir-pass-pipeline-crash-reproducer={crash}")
        again = run(OPT, f"--load-pass-plugin={PLUGIN}", "--run-reproducer",
                    crash)
        self.expect("a reproducer reproduces", again.returncode == 1 and
                    errors(again), again)
        linked = run("ldd", PLUGIN).stdout
        self.expect("no Graphviz and no archive library is linked",
                    b"MLIR" in linked and not re.search(
                        rb"gvc|cgraph|archive", linked), linked)


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
