"""attach: a trace from inside of a tool, and nothing else of the tool changes.

  run_attach.py OPT LENS [FILE...]

OPT is mlir-opt with --memref-lens-trace. Each program goes through six pipelines
with and without it: status, output and messages must be the same, byte for byte.
The trace must be that of `memref-lens trace` with the same pipeline, and each of
its stages that we trace must say that it is identical with the tool's, unless
upstream reads freed memory there. In short form a part of the corpus.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))

import corpus

STOCK = "buffer-deallocation-pipeline"
PIPELINES = {
    "stock": STOCK,
    "between": "expand-realloc{emit-deallocs=false},canonicalize,sccp,"
               "ownership-based-buffer-deallocation,symbol-dce,canonicalize,"
               "loop-invariant-code-motion,buffer-deallocation-simplification,"
               "bufferization-lower-deallocations,cse,"
               "canonicalize{max-iterations=3}",
    "nested": "func.func(buffer-hoisting,canonicalize,"
              "ownership-based-buffer-deallocation,canonicalize,"
              "buffer-deallocation-simplification),"
              "bufferization-lower-deallocations,func.func(cse),canonicalize",
    "bufferize": "one-shot-bufferize{bufferize-function-boundaries=true}," + STOCK,
    "dynamic": STOCK + "{private-function-dynamic-ownership=true}",
    "twice": f"{STOCK},{STOCK}",
}
# In short form, one small file of so many.
SHORT = 12


def run(folder, *command):
    return subprocess.run([str(part) for part in command], cwd=folder,
                          stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=300)


def without_agreement(trace):
    for chunk in trace["chunks"]:
        for stage in chunk.get("stages", []):
            stage.pop("agreement", None)
            stage.pop("difference", None)
    return trace


class Checker:
    def __init__(self, arguments):
        self.arguments = arguments
        self.counts = collections.Counter()
        self.failures = []

    def check(self, name, text, shape):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "program.mlir").write_bytes(text)
            try:
                self.checkIn(folder, f"{name}, {shape}", shape)
            except subprocess.TimeoutExpired as late:
                self.failures.append(f"{name}, {shape}: {late}")

    def checkIn(self, folder, name, shape):
        pipeline = f"builtin.module({PIPELINES[shape]})"
        command = [self.arguments.opt, "program.mlir",
                   "--allow-unregistered-dialect",
                   f"--pass-pipeline={pipeline}"]
        try:
            plain = run(folder, *command)
        except subprocess.TimeoutExpired:
            # Upstream is exponential in back edges.
            self.counts["the tool takes too long"] += 1
            return
        traced = run(folder, *command, "--memref-lens-trace=traces")
        self.counts["runs"] += 1
        if plain.returncode < 0:
            self.counts["the tool dies"] += 1
        elif (plain.returncode, plain.stdout, plain.stderr) != (
                traced.returncode, traced.stdout, traced.stderr):
            self.failures.append(f"{name}: another output\n" +
                                 traced.stderr.decode(errors="replace")[:2000])
            return
        file = pathlib.Path(folder, "traces", "program.trace.json")
        if not file.exists():
            # Not parsed: no pass ran.
            self.counts["not parsed"] += 1
            if plain.returncode == 0 or plain.returncode < 0:
                self.failures.append(f"{name}: no trace")
            return
        self.compare(folder, name, pipeline, json.loads(file.read_bytes()),
                     plain.returncode)

    def compare(self, folder, name, pipeline, trace, status):
        stale = any(function.get("upstreamReadsFreedMemory")
                    for function in trace["functions"])
        for chunk in trace["chunks"]:
            for stage in chunk.get("stages", [])[1:]:
                said = stage.get("agreement", "notCompared")
                self.counts[said] += 1
                if said == "notCompared" or (said == "different" and not stale):
                    self.failures.append(f"{name}: stage {stage['number']} "
                                         f"{said}: {stage.get('difference')}")
        ours = run(folder, self.arguments.lens, "trace", "program.mlir",
                   "--allow-unregistered-dialect", f"--pipeline={pipeline}")
        if ours.returncode not in (0, 1) or stale:
            self.counts["not to be compared"] += 1
            return
        expected = json.loads(ours.stdout)
        expected["options"].pop("pipeline", None)
        trace["options"].pop("pipeline", None)
        if without_agreement(trace) == without_agreement(expected):
            self.counts["same trace"] += 1
        else:
            self.counts["other trace"] += 1
            self.failures.append(f"{name}: not the trace of the command line"
                                 f" (status {status})")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("opt")
    parser.add_argument("lens")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--shape", action="append")
    arguments = parser.parse_args()
    arguments.opt = pathlib.Path(arguments.opt).resolve()
    arguments.lens = pathlib.Path(arguments.lens).resolve()
    files = [pathlib.Path(file) for file in arguments.files]
    if not files:
        files = sorted((corpus.corpus() / "real").glob("*.mlir"))
        if not os.environ.get("MEMREF_LENS_LONG"):
            files = [file for file in files
                     if file.stat().st_size < 20000][::SHORT]
    checker = Checker(arguments)
    jobs = []
    for file in files:
        for number, chunk in enumerate(file.read_bytes().split(b"// -----")):
            jobs += [(f"{file.name}#{number}", chunk, shape)
                     for shape in arguments.shape or PIPELINES]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for _ in pool.map(lambda job: checker.check(*job), jobs):
            pass
    for failure in checker.failures:
        print(failure)
    print(", ".join(f"{what} {count}"
                    for what, count in sorted(checker.counts.items())))
    return 1 if checker.failures or not checker.counts["same trace"] else 0


if __name__ == "__main__":
    sys.exit(main())
