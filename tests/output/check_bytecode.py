#!/usr/bin/env python3
"""Holds that bytecode is read as text is, and that damaged bytecode ends with
an exit status of the list: no crash, no hang.

  check_bytecode.py MEMREF_LENS SAMPLE
"""
import pathlib
import random
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "judges"))

import judges

DAMAGED = 24


def main():
    tool, sample = sys.argv[1:]
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name) / "program.mlirbc"
        made = judges.run([judges.tool("mlir-opt"), sample, "--emit-bytecode",
                           "-o", path])
        assert made.status == 0, made.err
        for stage in range(9):
            ours = [judges.run([tool, "ir", file, "--stage", str(stage)])
                    for file in (sample, path)]
            assert ours[0].status == ours[1].status == 0, ours[1].err
            assert ours[0].out and ours[0].out == ours[1].out, stage
        for command in ("trace", "explain", "compare"):
            result = judges.run([tool, command, path])
            assert result.status == 0 and result.out, (command, result.err)

        good, rng = path.read_bytes(), random.Random(1)
        refused = 0
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
    print(f"bytecode: as text; {refused} of {DAMAGED} damaged ones refused")


if __name__ == "__main__":
    main()
