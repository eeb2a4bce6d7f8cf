#!/usr/bin/env python3
"""Holds the C++ of the repository to clang-format 22, the pinned version.

  check_format.py ROOT [FILE...] [--fix] [--clang-format PATH]
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

VERSION = "22"
FOLDERS = ["core", "cli", "lsp", "passes", "viewer", "tests"]


def isOurs(path):
    return path.suffix in {".h", ".cpp"} and path.is_file()


def fitBanners(path):
    """Makes `//===- x ---===//` lines 80 columns wide; clang-format would wrap
    the longer ones."""
    lines = path.read_text().split("\n")
    for number, line in enumerate(lines):
        match = re.fullmatch(r"(//===-+ .*?) ?-*===//", line)
        if not match or len(line) == 80 or len(match[1]) > 74:
            continue
        dashes = 80 - len(match[1]) - len(" ===//")
        lines[number] = f"{match[1]} {'-' * dashes}===//"
    text = "\n".join(lines)
    if text != path.read_text():
        path.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--fix", action="store_true")
    parser.add_argument("--clang-format", default=f"clang-format-{VERSION}")
    options = parser.parse_args()

    tool = shutil.which(options.clang_format)
    if not tool:
        print(f"no {options.clang_format} (scripts/setup installs it)")
        # ctest's SKIP_RETURN_CODE; a gate must not skip.
        return 1 if os.environ.get("CI") == "true" else 77
    version = subprocess.run([tool, "--version"], capture_output=True,
                             text=True, check=True).stdout
    if f"version {VERSION}." not in version:
        print(f"{tool} is not version {VERSION}: {version.strip()}")
        return 1

    files = options.files or sorted(str(path) for folder in FOLDERS
                   for path in (options.root / folder).rglob("*")
                   if isOurs(path))
    if not files:
        print(f"no C++ files under {options.root}")
        return 1
    if options.fix:
        for name in files:
            fitBanners(pathlib.Path(name))
        return subprocess.run([tool, "-i", *files], check=False).returncode
    run = subprocess.run([tool, "--dry-run", "-Werror", *files], check=False,
                         capture_output=True, text=True)
    faults = [line for line in run.stderr.splitlines() if ": error: " in line]
    for name in sorted({fault.split(":")[0] for fault in faults}):
        count = sum(fault.startswith(name + ":") for fault in faults)
        print(f"{name}: {count} places")
    print(f"clang-format {VERSION}: {len(files)} files, {len(faults)} places")
    if run.returncode:
        print("mend it with: tests/format/check_format.py . --fix")
    return run.returncode


if __name__ == "__main__":
    sys.exit(main())
