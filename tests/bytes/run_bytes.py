"""`memref-lens ir --stage N` prints, byte for byte, what mlir-opt-22 prints.

For each corpus file and each of the stages 0 to 8: mlir-opt runs the first N
passes of the pipeline. Files that it refuses or dies on at a stage are compared
up to that stage. MEMREF_LENS_LONG=1: every file; else every twelfth.

  MEMREF_LENS=... run_bytes.py [NAME...]
"""

import os
import pathlib
import sys

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / name)
                for name in ("judges", "random")]

import judges
from run_random import STAGES

COMMON = ["--split-input-file", "--allow-unregistered-dialect"]


def stages_equal(path):
    """(stages compared, None or the first stage that differs)."""
    for stage in range(len(STAGES) + 1):
        pipeline = f"builtin.module({','.join(STAGES[:stage])})"
        theirs = judges.run([judges.tool("mlir-opt"), path, *COMMON,
                             f"--pass-pipeline={pipeline}"], seconds=60)
        if theirs.status != 0:
            return stage, None
        ours = judges.run([judges.lens(), "ir", path, *COMMON,
                           "--stage", str(stage)], seconds=60)
        if ours.status != 0 or ours.out != theirs.out:
            return stage, f"stage {stage} differs (status {ours.status})"
    return len(STAGES) + 1, None


def main():
    names = sys.argv[1:]
    judges.lens()
    files = [f for f in judges.corpus_files(names)
             if "uaf-region" not in f.name and "stale" not in f.name
             and "classic" not in f.parts]  # Upstream is no reference there.
    if os.environ.get("MEMREF_LENS_LONG") != "1" and not names:
        files = files[::12]
    whole = stages = failed = 0
    for path, (count, wrong) in zip(
            files, judges.in_parallel(stages_equal, files)):
        stages += count
        whole += count == len(STAGES) + 1
        if wrong:
            failed += 1
            print(f"FAIL: {path}: {wrong}", flush=True)
    print(f"{len(files)} files, {whole} through every stage, {stages} stages "
          f"compared, {failed} files differ")
    if not names and whole < len(files) // 3:
        print("FAIL: too few files reach the last stage")
        failed += 1
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
