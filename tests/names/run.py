#!/usr/bin/env python3
"""Names of generated values in `ir --source-names`: by role, and nobody else's.

usage: run.py MEMREF-LENS

Over every sample and stage: mlir-opt reads the text (so no name stands twice),
no result is without a name, and the lowering's pointers and compares say which
buffer they are about.
"""
import concurrent.futures
import glob
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
REPO = os.path.dirname(os.path.dirname(HERE))
MLIR_OPT = "mlir-opt-22"
# What a definition of the op must be called.
ROLES = {"memref.extract_aligned_pointer_as_index": r"%ptr\w*",
         "memref.extract_strided_metadata":
             r"%base_\S*, %offset_\S*( ?, ?%(size|stride)\d_\S*)*"}
COMPARE = re.compile(r"^(%\S+) = arith\.cmpi \w+, %ptr")


def complaints(tool, sample, stage):
    label = f"{os.path.basename(sample)} stage {stage}"
    run = subprocess.run([tool, "ir", "--stage", str(stage), "--source-names",
                          sample], capture_output=True, text=True, timeout=60,
                         stdin=subprocess.DEVNULL, check=False)
    if run.returncode != 0:
        return [], 0
    wrong, named = [], 0
    with open(sample, encoding="utf-8") as handle:
        given = set(re.findall(r"%[\w$.-]+", handle.read()))
    for line in map(str.strip, run.stdout.splitlines()):
        found = re.match(r"^(%.*?) = ([\w.]+)", line)
        if re.search(r"%(_|unnamed)", line):
            wrong.append(f"{label}: no role: {line}")
        if found and found[2] in ROLES:
            named += 1
            if not re.fullmatch(ROLES[found[2]], found[1]):
                wrong.append(f"{label}: another role: {line}")
            if set(re.findall(r"%[\w$.-]+", found[1])) & given:
                wrong.append(f"{label}: the user's name: {line}")
        compare = COMPARE.match(line)
        # `own` where the compare took the place of an ownership i1.
        if compare and not re.match(r"%(same|apart|own)(_|$)", compare[1]):
            wrong.append(f"{label}: another role: {line}")
    # mlir-opt does not have this project's dialect.
    reader = [tool, "ir", "--stage=0", "-"] if "sample." in run.stdout else \
        [MLIR_OPT, "--split-input-file", "-o", os.devnull]
    read = subprocess.run(reader, input=run.stdout, text=True,
                          capture_output=True, timeout=60, check=False)
    if read.returncode != 0:
        wrong.append(f"{label}: mlir-opt does not read it: {read.stderr[:200]}")
    return wrong, named


def main():
    tool = sys.argv[1]
    if not shutil.which(MLIR_OPT):
        print(f"no {MLIR_OPT}")
        return 1 if os.environ.get("CI") else 77
    samples = sorted(glob.glob(os.path.join(REPO, "samples", "*.mlir")))
    jobs = [(sample, stage) for sample in samples for stage in range(3, 9)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda job: complaints(tool, *job), jobs))
    wrong = sum((lines for lines, _ in answers), [])
    named = sum(count for _, count in answers)
    print("\n".join(wrong))
    print(f"{len(samples)} samples, {named} roles, {len(wrong)} complaints")
    return 1 if wrong or named < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
