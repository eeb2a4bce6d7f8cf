#!/usr/bin/env python3
"""docs/plugins.md, done as its reader does it: its files are written to an empty
folder, its commands are run there, and what they print is held to the page.

A file is the block below a heading that is its name in backquotes. In a block of
commands, `...` stands for any number of lines.
"""
import argparse
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(\S+)\n(.*?)^```$", re.M | re.S)


def files(page):
    for name, rest in re.findall(r"^### `(\S+)`\n(.*?)(?=^##|\Z)", page,
                                 re.M | re.S):
        yield name, BLOCK.search(rest)[2]


def commands(page):
    """(command, what it prints) in order."""
    for kind, text in BLOCK.findall(page):
        if kind == "console":
            yield from re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.M)


def as_pattern(printed):
    return "".join("(?:.*\n)*?" if line == "..." else re.escape(line) + "\n"
                   for line in printed.splitlines())


def check_command(command, printed, folder, environment):
    done = subprocess.run(shlex.split(command), cwd=folder, env=environment,
                          text=True, stdin=subprocess.DEVNULL, timeout=600,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    # The page shows one that fails, and says with which status.
    status = 2 if printed.startswith("memref-lens: error:") else 0
    assert done.returncode == status, (command, done.returncode, done.stdout)
    assert re.fullmatch(as_pattern(printed), done.stdout), \
        f"$ {command}\nthe page says:\n{printed}\nit printed:\n{done.stdout}"


def check_settings(page):
    """The settings of the page are those of the extension."""
    package = json.loads((ROOT / "vscode-extension/package.json").read_text())
    configuration = package["contributes"]["configuration"]
    parts = configuration if isinstance(configuration, list) \
        else [configuration]
    known = {name for part in parts for name in part["properties"]}
    blocks = [json.loads(text) for kind, text in BLOCK.findall(page)
              if kind == "json"]
    assert blocks and all(set(block) <= known for block in blocks), blocks


def main():
    parser = argparse.ArgumentParser()
    for name in ["bin", "work", "cxx", "launcher", "mlir-dir", "mlir-opt"]:
        parser.add_argument("--" + name, default="")
    asked = parser.parse_args()
    work = pathlib.Path(asked.work)
    shutil.rmtree(work, ignore_errors=True)
    tools, folder = work / "tools", work / "pool"
    tools.mkdir(parents=True)
    folder.mkdir()
    (tools / "mlir-opt-22").symlink_to(asked.mlir_opt)
    path = [asked.bin, str(tools), os.environ["PATH"]]
    environment = dict(os.environ, PATH=":".join(path), CXX=asked.cxx,
                       CMAKE_CXX_COMPILER_LAUNCHER=asked.launcher,
                       MLIR_DIR=asked.mlir_dir)
    if not asked.launcher:
        del environment["CMAKE_CXX_COMPILER_LAUNCHER"]

    page = (ROOT / "docs" / "plugins.md").read_text()
    written = dict(files(page))
    assert len(written) == 4, list(written)
    for name, text in written.items():
        (folder / name).write_text(text)
    check_settings(page)
    run = list(commands(page))
    assert len(run) >= 8, run
    for command, printed in run:
        check_command(command, printed, folder, environment)
        print("ok:", command, flush=True)


if __name__ == "__main__":
    main()
