#!/usr/bin/env python3
"""Holds our simplification stage against mlir-opt's, byte for byte.

run.py --tool SIMPLIFY_TOOL --origin-check ORIGIN_CHECK [--long] [--random A..B]

Inputs: chunks of programs of a part of the corpus, as the four stages before
leave them; chunks that hold bufferization.dealloc as they are; straight-line
programs of many allocations (3200 with --long); and random programs (generate.py). Where the answers differ, valgrind says whether mlir-opt
read freed memory: then it is no judge. Nothing else may differ.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import generate

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import sample  # noqa: E402

STAGES = ("builtin.module(expand-realloc{emit-deallocs=false},canonicalize,"
          "ownership-based-buffer-deallocation%s,canonicalize)")
# What straight.py of the corpus can generate.
GROWING = "plain fill ret1 retall arg chain select ext dyn".split()
# How many inputs the corpus gives, and how many of them must come out equal:
# the others are those that mlir-opt rejects, or dies on, before or in the stage.
CORPUS_INPUTS = 722
CORPUS_IDENTICAL = 561

Case = collections.namedtuple("Case", "name text stages")


def chunks(path):
    """The parts of a file between `// -----` lines."""
    text = path.read_text(errors="surrogateescape")
    return re.split(r"(?m)^[ \t]*// -----.*\n", text)


def corpus_cases(corpus):
    for path in sample.part(sorted(corpus.rglob("*.mlir")), 8):
        for number, text in enumerate(chunks(path)):
            name = f"{path.relative_to(corpus)}#{number}"
            if "bufferization.dealloc" in text:
                yield Case(name, text, None)
            yield Case(name + " staged", text, STAGES % "")
            if "private" in text:
                yield Case(name + " staged, dynamic", text, STAGES %
                           "{private-function-dynamic-ownership=true}")


def growing_cases(corpus, size):
    for variant in GROWING:
        made = subprocess.run(
            [sys.executable, corpus / "gen" / "straight.py", str(size), variant],
            capture_output=True, check=True, text=True)
        yield Case(f"straight {size} {variant}", made.stdout, STAGES % "")


def random_cases(seeds):
    for seed in seeds:
        folds = seed % 4 == 3
        yield Case(f"random {seed}{' --folds' if folds else ''}",
                   generate.module(seed, folds), None)


class Runner:
    def __init__(self, options, folder):
        self.options = options
        self.folder = folder

    def call(self, command):
        return subprocess.run(command, capture_output=True, timeout=600)

    def mlir_opt(self, path, *arguments):
        return self.call([self.options.mlir_opt, "--allow-unregistered-dialect",
                          str(path), *arguments])

    def check(self, number, case):
        """Returns a verdict and, for a failure, what to show."""
        path = self.folder / f"{number}.mlir"
        path.write_text(case.text, errors="surrogateescape")
        if case.stages:
            before = self.mlir_opt(path, f"--pass-pipeline={case.stages}")
            if before.returncode != 0:
                path.unlink()
                return "not accepted before the stage", ""
            path.write_bytes(before.stdout)
        verdict = self.compare(path)
        if not verdict[0].startswith("DIFFERENT"):
            path.unlink()
        return verdict

    def compare(self, path):
        stage = "--buffer-deallocation-simplification"
        theirs = self.mlir_opt(path, stage)
        if theirs.returncode == 1:
            return "does not parse", ""
        ours = self.call([self.options.tool, "--facts", str(path)])
        if ours.returncode != 0:
            return "DIFFERENT: ours failed", ours.stderr.decode()[-500:]
        pairwise = self.call([self.options.tool, "--pairwise", str(path)])
        if pairwise.stdout != ours.stdout:
            return "DIFFERENT: from asking every pair", str(path)
        if theirs.returncode != 0:
            return self.clean_where_upstream_is_not(path, "upstream crashed")
        if ours.stdout != theirs.stdout:
            if self.reads_freed_memory(path, stage):
                return self.clean_where_upstream_is_not(
                    path, "upstream reads freed memory")
            return "DIFFERENT", str(path)
        origins = self.call([self.options.origin_check, str(path)])
        if origins.returncode == 1:
            return "DIFFERENT: alias answers", origins.stdout.decode()[:500]
        return "identical", ""

    def clean_where_upstream_is_not(self, path, verdict):
        ran = self.call(["valgrind", "-q", "--error-exitcode=99",
                         self.options.tool, "--facts", str(path)])
        if ran.returncode != 0:
            return "DIFFERENT: ours reads bad memory", ran.stderr.decode()[-500:]
        return verdict, ""

    def reads_freed_memory(self, path, stage):
        found = self.call(["valgrind", "-q", "--error-exitcode=99",
                           self.options.mlir_opt, str(path),
                           "--allow-unregistered-dialect", stage])
        return (found.returncode != 0 and
                b"Invalid read" in found.stderr and
                re.search(rb"inside a block of size [\d,]+ free'd", found.stderr))


def missing(options):
    if not shutil.which(options.mlir_opt):
        return f"{options.mlir_opt} is not installed"
    if not shutil.which("valgrind"):
        return "valgrind is not installed"
    if not options.corpus.is_dir():
        return f"no corpus at {options.corpus} (set MEMREF_LENS_CORPUS)"
    return None


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    parser.add_argument("--origin-check", required=True)
    parser.add_argument("--mlir-opt", default="mlir-opt-22")
    parser.add_argument("--corpus", type=pathlib.Path, default=os.environ.get(
        "MEMREF_LENS_CORPUS", root.parent / "shared" / "corpus"))
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--random", help="seeds A..B, without B")
    parser.add_argument("--only", default="", help="part of the case's name")
    options = parser.parse_args()

    lack = missing(options)
    if lack:
        print(lack)
        return 1 if os.environ.get("CI") == "true" else 77

    corpus = [*corpus_cases(options.corpus),
              *growing_cases(options.corpus, 3200 if options.long else 100)]
    seeds = sample.seeds(options.random, always=20, more=20, full=100, long=100)
    cases = [case for case in corpus + [*random_cases(seeds)]
             if options.only in case.name]
    verdicts = collections.Counter()
    corpus_identical = 0
    failures = []
    folder = pathlib.Path(tempfile.mkdtemp(prefix="simplify-"))
    runner = Runner(options, folder)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(runner.check, range(len(cases)), cases)
        for case, (verdict, detail) in zip(cases, results):
            verdicts[verdict] += 1
            if verdict == "identical" and not case.name.startswith("random"):
                corpus_identical += 1
            if verdict.startswith("DIFFERENT"):
                failures.append(f"{case.name}: {verdict} {detail}")

    for verdict, count in verdicts.most_common():
        print(f"{count:6} {verdict}")
    if failures:
        print("\n".join(failures))
        return 1
    shutil.rmtree(folder)
    found = (len(corpus), corpus_identical)
    print(f"corpus: {found[0]} inputs, {found[1]} identical")
    if sample.FULL and not options.only and \
            found != (CORPUS_INPUTS, CORPUS_IDENTICAL):
        print(f"expected {CORPUS_INPUTS} inputs, {CORPUS_IDENTICAL} identical")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
