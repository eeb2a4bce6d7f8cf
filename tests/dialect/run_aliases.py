"""The alias view says of LocalAliasAnalysis what mlir-opt says.

  run_aliases.py OPT LENS [FILE...]

Every memref of a file gets a name for mlir-opt's --test-alias-analysis (by OPT),
and for each pair of the view (`memref-lens trace --aliases`) the answer recorded
is the one printed there. Then what the view concludes is held to itself: never,
where an analysis that cannot be wrong says so, and the words are there.
"""

import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))

import corpus
import sample

ROOT = HERE.parents[1]
SHORT = ["/classic/", "upstream/OwnershipBased", "/defects/"]
UNREGISTERED = "--allow-unregistered-dialect"
WORDS = {"NoAlias": "noAlias", "MayAlias": "mayAlias",
         "PartialAlias": "partialAlias", "MustAlias": "mustAlias"}
PAIR = re.compile(r"^(p\S+) <-> (p\S+): (\w+)", re.M)


def run(*command, text=None):
    return subprocess.run([str(part) for part in command], input=text,
                          capture_output=True, text=True, timeout=120)


def theirs(opt, mlir_opt, chunk):
    """{pair of names: answer} and {function: names in the view's order}."""
    tagged = run(opt, "--lens-tag-pointers", "--mlir-print-op-generic",
                 UNREGISTERED, "--mlir-disable-threading", "-", text=chunk)
    if tagged.returncode != 0:
        return None, None
    order = {}
    for line in tagged.stderr.splitlines():
        if line.startswith("@"):
            name, *values = line.split()
            order[name[1:]] = values
    done = run(mlir_opt, "--test-alias-analysis", UNREGISTERED, "-",
               text=tagged.stdout)
    if done.returncode != 0:
        return None, None
    answers = {}
    for first, second, answer in PAIR.findall(done.stderr):
        answers[first, second] = answers[second, first] = WORDS[answer]
    return answers, order


def check_chunk(arguments, name, chunk):
    """(what was counted, failures)"""
    counts, failures = collections.Counter(), []
    check_pairs(arguments, name, chunk, counts, failures)
    return counts, failures


def check_pairs(arguments, name, chunk, counts, failures):
    opt, lens, mlir_opt = arguments
    answers, order = theirs(opt, mlir_opt, chunk)
    if answers is None:
        counts["programs that mlir-opt does not take"] += 1
        return
    traced = run(lens, "trace", "--aliases", UNREGISTERED, "-", text=chunk)
    if traced.returncode not in (0, 1) or not traced.stdout:
        failures.append(f"{name}: trace ends with {traced.returncode}\n"
                        f"{traced.stderr}")
        return
    trace = json.loads(traced.stdout)
    for view in trace.get("aliases", []):
        function = trace["functions"][view["function"]]["name"]
        names = order.get(function, [])
        count = len(view["memrefs"])
        if count + view.get("leftOut", 0) != len(names):
            failures.append(f"{name}: @{function} has {len(names)} memrefs, "
                            f"the view {count}")
            continue
        if len(view.get("pairs", [])) != count * (count - 1) // 2:
            failures.append(f"{name}: @{function}: pairs are missing")
        for pair in view.get("pairs", []):
            first, second = pair.get("first", 0), pair.get("second", 0)
            ours = pair.get("local", "mayAlias")
            expected = answers.get((names[first], names[second]))
            counts["pairs"] += 1
            counts[ours] += 1
            if ours != expected:
                failures.append(
                    f"{name}: @{function}: {names[first]}, {names[second]}: "
                    f"{ours}, mlir-opt says {expected}")


def main():
    opt, lens = sys.argv[1:3]
    mlir_opt = shutil.which("mlir-opt-22") or \
        "/usr/lib/llvm-22/bin/mlir-opt"
    if not shutil.which(mlir_opt):
        print("skipped: no mlir-opt-22")
        return 1 if os.environ.get("CI") == "true" else 0
    files = sys.argv[3:] or sample.part(
        [*sorted((ROOT / "samples").glob("*.mlir")),
         *corpus.corpus_files(() if sample.LONG else SHORT)], 4,
        core=["samples/", "/classic/"])
    counts, failures, chunks = collections.Counter(), [], []
    for file in files:
        file = pathlib.Path(file)
        if file.stat().st_size > 200_000:
            continue
        text = file.read_text(errors="replace")
        for number, chunk in enumerate(re.split(r"(?m)^// -----.*$", text)):
            # mlir-opt does not know how buffers flow through our own ops.
            ours = re.search(r"\b(lens|sample)\.\w", chunk)
            if chunk.strip() and not ours:
                chunks.append((f"{file.name} #{number}", chunk))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for found, wrong in pool.map(
                lambda chunk: check_chunk((opt, lens, mlir_opt), *chunk), chunks):
            counts += found
            failures += wrong
    print(dict(counts))
    for failure in failures[:40]:
        print(failure)
    if counts["pairs"] < (500 if sample.FULL else 80) or min(counts["noAlias"], counts["mustAlias"]) < (20 if sample.FULL else 4):
        failures.append("too little was compared")
        print(failures[-1])
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
