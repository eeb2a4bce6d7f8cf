"""The mender mends, and changes nothing else.

Each chunk of a part of the corpus files goes through mlir-opt with and without the
mender: the result must be the same, except on the inputs where 22.1.8 reads
freed memory; there the mender must not crash, and must give what it gives when
it computes liveness anew for each question. Two of those run under valgrind.

  run_mender.py LIBMENDER [--pipeline] [NAME...]
"""

import argparse
import re
import sys

import judges  # puts the folder of `sample` on the path
import sample

# Files with a chunk on which stock 22.1.8 reads freed memory (a result of a
# rebuilt op is live out of its block). What it then gives is chance.
STALE = {
    "crash-119863.mlir",
    "crash-pipeline-no-memref.mlir",
    "crash-stale-liveness-no-memref-result.mlir",
    "crash-stale-liveness-scf-if.mlir",
    "crash-two-region-results-live-out.mlir",
    "uaf-region-result-live-out.mlir",
}
VALGRIND = ["crash-119863.mlir", "uaf-region-result-live-out.mlir"]
PASS = "--ownership-based-buffer-deallocation"
SECONDS = 60


def options(pipeline):
    name = "buffer-deallocation-pipeline" if pipeline else PASS[2:]
    return [[f"--{name}"],
            [f"--{name}=private-function-dynamic-ownership=true"]]


def normal(err):
    """Diagnostics without the crash reports' addresses and stack."""
    return re.sub(r"0x[0-9a-f]+", "0x", err).split("PLEASE submit")[0]


def check_chunk(mender, text, option, stale):
    command = [judges.tool("mlir-opt"), "--allow-unregistered-dialect", *option]
    mended = judges.run(command, text, SECONDS, preload=mender)
    if mended.status is None:
        return "slow", ""
    if stale:
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


def check_file(arguments, path):
    verdicts, messages = {}, []
    parts = judges.chunks(path.read_text(errors="replace"))
    for number, text in enumerate(parts):
        for option in options(arguments.pipeline):
            verdict, why = check_chunk(arguments.mender, text, option,
                                       path.name in STALE)
            verdicts[verdict] = verdicts.get(verdict, 0) + 1
            if verdict == "FAIL":
                messages.append(f"{path.name} chunk {number} {option[0]}: {why}")
    return verdicts, messages


def check_valgrind(mender, path):
    """Stock must be caught reading freed memory, the mender must be clean."""
    command = [judges.tool("valgrind"), "-q", "--error-exitcode=9",
               judges.tool("mlir-opt"), PASS, path]
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
        files = sample.part(files, 16, STALE)
    for verdicts, messages in judges.in_parallel(
            lambda path: check_file(arguments, path), files):
        failures += messages
        for verdict, count in verdicts.items():
            total[verdict] = total.get(verdict, 0) + count
    if not arguments.names:
        for name in VALGRIND:
            for path in files:
                if path.name == name:
                    failures += check_valgrind(arguments.mender, path)
    print(f"{len(files)} files:", total)
    print("\n".join(failures))
    sys.exit(1 if failures else 0)


main()
