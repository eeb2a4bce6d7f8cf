"""Programs on which MLIR 22.1.8 reads freed memory, made while a test runs.

  programs, died = stale.programs(folder, seeds, kind)    # [(seed, path)], number

The result of a region op that is live out of its block is such a read: what
`mlir-opt` does then is chance, and of some programs it dies. These are counted; their
text is in no file of the project. `uaf-region-result-live-out.mlir` of the corpus is
one on which it always ends with 0.
"""

import json
import pathlib
import sys

import judges

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "random"))

import generate

FILE = "uaf-region-result-live-out.mlir"


def reads_freed(path, *options):
    """Whether memref-lens says so of a function of the program."""
    trace = judges.run([judges.lens(), "trace", path, *options])
    return any(function.get("upstreamReadsFreedMemory")
               for function in json.loads(trace.out)["functions"])


def programs(folder, seeds, kind="any"):
    """Those of the seeds on which it does, and how many of them kill mlir-opt."""
    def ask(seed):
        path = pathlib.Path(folder) / f"{kind}-{seed}.mlir"
        path.write_text(generate.generate(seed, kind))
        if not reads_freed(path):
            path.unlink()
            return seed, None, False
        stock = judges.run([judges.tool("mlir-opt"), path, "-o", "/dev/null",
                            "--buffer-deallocation-pipeline"])
        return seed, path, stock.crashed
    asked = list(judges.in_parallel(ask, seeds))
    found = [(seed, path) for seed, path, _ in asked if path]
    died = sum(dies for _, _, dies in asked)
    print(f"upstream reads freed memory on {len(found)} of {len(asked)} random "
          f"programs, and dies of {died}", flush=True)
    return found, died
