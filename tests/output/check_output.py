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
        onInputs(tool, pathlib.Path(sample), folder)
    print("-o: 6 kinds of target as expected, and no input was written to")


def onInputs(tool, sample, folder):
    """An input is not written to, by whatever name; a folder that could not be filled
    is not there."""
    work = folder / "inputs"
    work.mkdir()
    text = sample.read_bytes()
    (work / "a.mlir").write_bytes(text)
    (work / "b.svg").write_bytes(text)
    (work / "soft.mlir").symlink_to("a.mlir")
    os.link(work / "a.mlir", work / "hard.mlir")
    names = ["a.mlir", "./a.mlir", "../inputs/a.mlir", "soft.mlir", "hard.mlir"]
    commands = [["trace", "a.mlir"], ["ir", "--stage=final", "a.mlir"],
                ["explain", "a.mlir"], ["check", "--no-try", "a.mlir"],
                ["explain", "a.mlir:14", "--reduce"], ["export", "a.mlir", "--format",
                                                       "svg"],
                ["memory", "a.mlir"], ["run", "a.mlir"],
                ["compare", "--before", "b.svg", "--after", "a.mlir"],
                ["bundle", "a.mlir"], ["diff", "b.svg", "a.mlir"]]
    for command in commands:
        for name in names:
            done = subprocess.run([tool, *command, "-o", name], cwd=work,
                                  capture_output=True, text=True, timeout=60)
            assert done.returncode == 3 and f"cannot write '{name}': it is the input" \
                in done.stderr, (command, name, done)
    done = subprocess.run([tool, "export", "b.svg", "-o", "b.svg"], cwd=work,
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 3 and "it is the input" in done.stderr, done
    for file in work.iterdir():
        assert file.read_bytes() == text, file
    # The second file of the folder cannot be written.
    (work / "two.mlir").write_bytes(
        b"func.func @a() {\n  return\n}\nfunc.func @b() {\n  return\n}\n")
    (work / "there").mkdir()
    (work / "there" / "b.dot").mkdir()
    for target in ("new/deep/", "there/"):
        if target == "new/deep/":
            done = subprocess.run([tool, "export", "two.mlir", "--function", "none",
                                   "--format=dot", "-o", target], cwd=work,
                                  capture_output=True, text=True, timeout=60)
        else:
            done = subprocess.run([tool, "export", "two.mlir", "--format=dot", "-o",
                                   target], cwd=work, capture_output=True, text=True,
                                  timeout=60)
        assert done.returncode in (2, 3), done
    assert not (work / "new").exists()
    assert [path.name for path in (work / "there").iterdir()] == ["b.dot"]


if __name__ == "__main__":
    main()
