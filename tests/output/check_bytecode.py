#!/usr/bin/env python3
"""Holds that bytecode is read as text is, and that damaged bytecode ends with
an exit status of the list: no crash, no hang, also where MLIR's reader hangs.

  check_bytecode.py MEMREF_LENS SAMPLE
"""
import pathlib
import random
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "judges"))

import judges

DAMAGED = 24
CORPUS_FILES = 4
# Seeds whose byte makes the reader hang; where the sample changes, others do.
KNOWN = (411, 293, 805, 1183)
SEARCHED = 3000


def as_bytecode(source, path):
    made = judges.run([judges.tool("mlir-opt"), source, "--emit-bytecode",
                       "-o", path])
    assert made.status == 0, made.err


def check_stages(tool, source, path, stages):
    for stage in stages:
        ours = [judges.run([tool, "ir", file, "--stage", str(stage)])
                for file in (source, path)]
        assert ours[0].status == ours[1].status == 0, (source, ours[1].err)
        assert ours[0].out and ours[0].out == ours[1].out, (source, stage)


def check_corpus(tool, path):
    """Real programs, a few of those that are small and accepted."""
    expected = judges.verdicts()
    folder = judges.corpus()
    files = [file for file in judges.corpus_files(["/real/"])
             if 4_000 < file.stat().st_size < 40_000 and
             set().union(*expected[str(file.relative_to(folder))].values()) ==
             {"identical"} and "// -----" not in file.read_text()]
    chosen = files[::len(files) // CORPUS_FILES][:CORPUS_FILES]
    assert len(chosen) == CORPUS_FILES, files
    for file in chosen:
        as_bytecode(file, path)
        check_stages(tool, file, path, (0, 3, 8))


def damaged(good, seed):
    rng, bad = random.Random(seed), bytearray(good)
    place = rng.randrange(4, len(bad))
    bad[place] = rng.randrange(256)
    return bytes(bad)


def check_hang(tool, good, path):
    """One byte that keeps MLIR's reader busy for ever."""
    for seed in (*KNOWN, *range(SEARCHED)):
        path.write_bytes(damaged(good, seed))
        if judges.run([judges.tool("mlir-opt"), path], seconds=5).status is None:
            break
    else:
        raise AssertionError("no byte makes MLIR's reader hang")
    for command in ("trace", "explain", "compare"):
        result = judges.run([tool, command, path], seconds=60)
        assert result.status == 3, (seed, command, result.status, result.err)
        assert "error: cannot read" in result.err, (seed, command, result.err)
    return seed


def check_damaged(tool, good, path):
    rng, refused = random.Random(1), 0
    for number in range(DAMAGED):
        bad = bytearray(good)
        for _ in range(1 + number % 4):
            bad[rng.randrange(4, len(bad))] = rng.randrange(256)
        path.write_bytes(bad)
        result = judges.run([tool, "trace", path], seconds=60)
        assert result.status in (0, 3), (number, result.status, result.err)
        assert result.status == 0 or "error: " in result.err, number
        refused += result.status == 3
    path.write_bytes(good[:len(good) // 2])
    result = judges.run([tool, "trace", path], seconds=60)
    assert result.status == 3 and "error: " in result.err, result.err
    assert refused > DAMAGED // 4, f"only {refused} refused"
    return refused


def main():
    tool, sample = sys.argv[1:]
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name) / "program.mlirbc"
        as_bytecode(sample, path)
        check_stages(tool, sample, path, range(9))
        for command in ("trace", "explain", "compare"):
            result = judges.run([tool, command, path])
            assert result.status == 0 and result.out, (command, result.err)
        good = path.read_bytes()
        check_corpus(tool, path)
        refused = check_damaged(tool, good, path)
        seed = check_hang(tool, good, path)
    print(f"bytecode: as text; {refused} of {DAMAGED} damaged ones refused; "
          f"seed {seed} ends in time")


if __name__ == "__main__":
    main()
