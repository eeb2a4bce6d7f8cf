"""The mender mends, and changes nothing else.

Each chunk of a part of the corpus files goes through mlir-opt with and without the
mender: the result must be the same. On random programs on which 22.1.8 reads freed
memory the mender must not crash, and must give what it gives when it computes
liveness for each question. Two of those run under valgrind.

  run_mender.py LIBMENDER [--pipeline] [NAME...]
"""

import argparse
import re
import sys
import tempfile

import judges  # puts the folder of `sample` on the path
import sample
import stale

PASS = "--ownership-based-buffer-deallocation"
# The pass on a program as the pipeline brings it there.
STAGES = ("--pass-pipeline=builtin.module(expand-realloc{emit-deallocs=false},"
          "canonicalize,ownership-based-buffer-deallocation)")
SECONDS = 60


def options(pipeline):
    name = "buffer-deallocation-pipeline" if pipeline else PASS[2:]
    return [[f"--{name}"],
            [f"--{name}=private-function-dynamic-ownership=true"]]


def normal(err):
    """Diagnostics without the crash reports' addresses and stack."""
    return re.sub(r"0x[0-9a-f]+", "0x", err).split("PLEASE submit")[0]


def check_chunk(mender, text, option, isStale):
    command = [judges.tool("mlir-opt"), "--allow-unregistered-dialect", *option]
    mended = judges.run(command, text, SECONDS, preload=mender)
    if mended.status is None:
        return "slow", ""
    if isStale:
        anew = judges.run(command, text, SECONDS, preload=mender,
                          MEMREF_LENS_MENDER="always")
        if mended.crashed:
            return "FAIL", "crashes under the mender"
        if (mended.status, mended.out) != (anew.status, anew.out):
            return "FAIL", "liveness after erasure differs from liveness anew"
        return "mended", ""
    stock = judges.run(command, text, SECONDS)
    if stock.status is None:
        return "slow", ""
    if stock.crashed and mended.crashed:
        return "crash elsewhere", ""
    if (stock.status, stock.out, normal(stock.err)) != (
            mended.status, mended.out, normal(mended.err)):
        return "FAIL", f"exit {stock.status} becomes {mended.status}, or output"
    return "equal", ""


def check_file(arguments, path, isStale):
    verdicts, messages = {}, []
    parts = judges.chunks(path.read_text(errors="replace"))
    for number, text in enumerate(parts):
        for option in options(arguments.pipeline):
            verdict, why = check_chunk(arguments.mender, text, option,
                                       isStale)
            verdicts[verdict] = verdicts.get(verdict, 0) + 1
            if verdict == "FAIL":
                messages.append(f"{path.name} chunk {number} {option[0]}: {why}")
    return verdicts, messages


def check_valgrind(mender, path):
    """Stock must be caught reading freed memory, the mender must be clean."""
    command = [judges.tool("valgrind"), "-q", "--error-exitcode=9",
               judges.tool("mlir-opt"), STAGES, path]
    mended = judges.run(command, seconds=600, preload=mender)
    stock = judges.run(command, seconds=600)
    if mended.status != 0:
        return [f"{path.name}: valgrind finds errors under the mender:\n"
                + mended.err[:2000]]
    if stock.status == 0:
        return [f"{path.name}: valgrind finds nothing in the stock pass"]
    return []


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mender")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--pipeline", action="store_true")
    arguments = parser.parse_args()
    files, total, failures = judges.corpus_files(arguments.names), {}, []
    if not arguments.names:
        if len(files) < 200:
            failures.append(f"only {len(files)} corpus files")
        files = sample.part(files, 16, {stale.FILE})
    files = [(path, path.name == stale.FILE) for path in files]
    with tempfile.TemporaryDirectory() as folder:
        if not arguments.names:
            seeds = sample.seeds(None, always=29, more=5, full=100, long=600)
            found, _ = stale.programs(folder, seeds)
            files += [(path, True) for _, path in found]
            if len(found) < 3:
                failures.append("too few programs on which it reads freed memory")
        for verdicts, messages in judges.in_parallel(
                lambda one: check_file(arguments, *one), files):
            failures += messages
            for verdict, count in verdicts.items():
                total[verdict] = total.get(verdict, 0) + count
        if not arguments.names:
            for path in [path for path, isStale in files if isStale][
                    :2 if sample.FULL else 1]:
                failures += check_valgrind(arguments.mender, path)
    print(f"{len(files)} files:", total)
    print("\n".join(failures))
    sys.exit(1 if failures else 0)


main()
