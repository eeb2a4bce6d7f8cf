#!/usr/bin/env python3
"""Holds that `-o` replaces regular files only: pipes, devices and links stay.

  check_output.py MEMREF_LENS SAMPLE
"""
import os
import pathlib
import stat
import subprocess
import sys
import tempfile


def main():
    tool, sample = sys.argv[1:]
    expected = subprocess.run([tool, "trace", sample], capture_output=True,
                              check=True, timeout=60).stdout
    assert expected, "no trace on standard output"

    def write(path):
        subprocess.run([tool, "trace", sample, "-o", str(path)], check=True,
                       timeout=60)

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write(folder / "new")
        assert (folder / "new").read_bytes() == expected
        (folder / "old").write_text("x" * 100000)
        write(folder / "old")
        assert (folder / "old").read_bytes() == expected

        (folder / "link").symlink_to("target")
        write(folder / "link")
        assert (folder / "link").is_symlink(), "the link was replaced"
        assert (folder / "target").read_bytes() == expected

        os.mkfifo(folder / "pipe")
        # Stands for a device: /dev/null itself must not be put at risk.
        reader = subprocess.Popen(["cat", folder / "pipe"],
                                  stdout=subprocess.PIPE)
        write(folder / "pipe")
        assert stat.S_ISFIFO(os.lstat(folder / "pipe").st_mode), \
            "the pipe was replaced by a file"
        assert reader.communicate(timeout=60)[0] == expected

        left = sorted(path.name for path in folder.iterdir())
        assert left == ["link", "new", "old", "pipe", "target"], left

        failed = subprocess.run([tool, "trace", sample, "-o",
                                 str(folder / "none" / "new")],
                                capture_output=True, text=True, timeout=60)
        assert failed.returncode == 3 and "none/new" in failed.stderr, failed
    print("-o: 6 kinds of target as expected")


if __name__ == "__main__":
    main()
