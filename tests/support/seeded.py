#!/usr/bin/env python3
"""Sources of the product with faults in them, which the tests have to notice.

  seeded.py PATCH COPY FILE...            copies the files to COPY, with the patch
  seeded.py PATCH COPY FILE... --update   makes the patch anew from the copies

A patch asks `isSeeded("name")` (Seeded.h) where it breaks a rule; nothing of that is
in the product. Where the product changed too much for the patch to apply, edit what
is in COPY and run the second form.
"""
import difflib
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def namesIn(patch):
    """The faults of a patch."""
    found = re.findall(r'(?m)^\+.*?isSeeded\("(\w+)"\)',
                       pathlib.Path(patch).read_text())
    return list(dict.fromkeys(found))


def apply(patch, copy, files):
    shutil.rmtree(copy, ignore_errors=True)
    for name in files:
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, copy / name)
    done = subprocess.run(["patch", "-p1", "--batch", "--no-backup-if-mismatch",
                           "-i", str(patch)], cwd=copy, capture_output=True,
                          text=True)
    if done.returncode:
        words = " ".join([__file__, str(patch), str(copy), *files])
        sys.exit(f"{done.stdout}{done.stderr}{patch} does not apply: edit the "
                 f"files in {copy}, then run {words} --update")


def update(patch, copy, files):
    lines = []
    for name in files:
        lines += difflib.unified_diff(
            (ROOT / name).read_text().splitlines(keepends=True),
            (copy / name).read_text().splitlines(keepends=True),
            f"a/{name}", f"b/{name}")
    patch.write_text("".join(lines))


def main():
    words = [word for word in sys.argv[1:] if word != "--update"]
    patch, copy = (pathlib.Path(word).resolve() for word in words[:2])
    (update if "--update" in sys.argv else apply)(patch, copy, words[2:])


if __name__ == "__main__":
    main()
