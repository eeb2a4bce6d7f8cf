"""`memref-lens diff` on edited programs, against a comparison by names.

Each program is edited once or a few times: a line less, a line twice, a buffer
more. The edits change no name, so the traces can also be compared by names
(by_names.py); both must count the same changes.
"""

import collections
import json
import random
import re

import common
from by_names import compare

# Ops on one line that use memrefs and give nothing.
USE = re.compile(r"^\s*(memref\.(store|copy)|(func\.)?call|linalg\.(fill|copy)|"
                 r"affine\.store|vector\.transfer_write|scf\.yield %|"
                 r"bufferization\.dealloc_tensor)\b.*$")
DYNAMIC = "--private-function-dynamic-ownership"


def edits(text, chance):
    """Names and texts of edited programs."""
    lines = text.splitlines(keepends=True)
    uses = [i for i, line in enumerate(lines)
            if USE.match(line) and not line.rstrip().endswith("{")]
    chance.shuffle(uses)
    few = uses[:20 if common.LONG else 3]
    for i in few:
        yield f"without line {i + 1}", "".join(lines[:i] + lines[i + 1:])
        yield f"line {i + 1} twice", "".join(lines[:i + 1] + lines[i:])
        more = ["%zz_new = memref.alloc() : memref<4xf32>\n",
                "memref.copy %zz_new, %zz_new : memref<4xf32> to "
                "memref<4xf32>\n"]
        yield f"a buffer at line {i + 1}", "".join(lines[:i] + more +
                                                   lines[i:])


def trace_of(path, *options):
    result = common.lens("trace", "--allow-unregistered-dialect", *options,
                         path)
    return json.loads(result.out) if result.status == 0 else None


class Edits(common.Checks):

    compared, changed = 0, collections.Counter()

    def run(self):
        def check(path):
            return list(self.check(path))

        for found in common.judges.in_parallel(check, common.programs(9)):
            for what, holds, detail in found:
                self.expect(what, holds, detail)
        print(f"{self.compared} functions compared; changes by kind: "
              f"{dict(self.changed)}")
        self.expect("enough functions", self.compared > (
            150 if common.sample.FULL else 50), self.compared)
        self.expect("enough kinds", len(self.changed) >= (
            8 if common.sample.FULL else 5), self.changed)

    def check(self, path):
        text = path.read_bytes().decode(errors="surrogateescape")
        chance = random.Random(path.name)
        options = [DYNAMIC] if chance.random() < 0.3 else []
        before = trace_of(path, *options)
        if before is None:
            return
        for number, (name, edited) in enumerate(edits(text, chance)):
            other = self.folder / f"{path.stem}-{number}.mlir"
            other.write_bytes(edited.encode(errors="surrogateescape"))
            after = trace_of(other, *options)
            found = common.difference(*options, path, other)
            if after is None or found is None:
                continue
            ours = {function["name"]: function["counts"]
                    for function in found["functions"]}
            for function, expected in compare(before, after).items():
                self.compared += 1
                for kind, changes in expected.items():
                    self.changed[kind] += sum(changes.values())
                yield (f"{path.name}, {name}, @{function}",
                       ours.get(function, {}) == expected,
                       (ours.get(function), expected))


if __name__ == "__main__":
    common.main(Edits, "run")
