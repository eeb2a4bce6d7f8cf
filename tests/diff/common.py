"""What the scripts of tests/diff share: the program, a folder, and complaints."""

import collections
import json
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "judges"))

import judges  # puts the folder of `sample` on the path
import sample

LONG = sample.LONG
ROOT = judges.ROOT


class Checks:
    """Collects what is wrong; counts what was looked at."""

    def __init__(self, folder):
        self.folder, self.failures, self.count = pathlib.Path(folder), [], 0

    def expect(self, what, holds, detail=""):
        self.count += 1
        if not holds:
            self.failures.append(f"{what}: {str(detail)[:600]}")

    def file(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(text, bytes):
            path.write_bytes(text)
        else:
            path.write_text(text)
        return path


def lens(*arguments, **how):
    return judges.run([judges.lens(), *arguments], seconds=600, **how)


def difference(*arguments):
    """The comparison as JSON; None where there is none."""
    result = lens("diff", "--format=json", "--allow-unregistered-dialect",
                  *arguments)
    return json.loads(result.out) if result.status in (0, 1) else None


def counts(found):
    """{kind: {change: number}} over all functions."""
    total = collections.defaultdict(dict)
    for function in found["functions"]:
        for kind, changes in function["counts"].items():
            for change, number in changes.items():
                own = total[kind]
                own[change] = own.get(change, 0) + number
    return total


def renamed(text):
    """Other names for all values and blocks, other lines and columns."""
    text = re.sub(r"([%^])([\w$.\-]+)", r"\1q_\2", text)
    lines = text.splitlines(keepends=True)
    return "// A line more.\n\n" + "".join("  " + line for line in lines)


def programs(step):
    """A part of the samples, and of the corpus one in `step`."""
    samples = sorted((ROOT / "samples").glob("*.mlir"))
    files = [path for path in judges.corpus_files()
             if path.stat().st_size < (200_000 if LONG else 20_000)]
    return sample.part(samples, 3) + sample.part(files, step, isWhole=LONG)


def main(make, *names):
    with tempfile.TemporaryDirectory() as folder:
        checks = make(folder)
        for name in names:
            getattr(checks, name)()
    print("\n".join(checks.failures))
    print(f"{checks.count} checks, {len(checks.failures)} faults")
    sys.exit(1 if checks.failures else 0)
