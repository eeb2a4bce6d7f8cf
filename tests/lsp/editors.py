#!/usr/bin/env python3
"""Real clients: Neovim's built-in LSP, and Emacs with Eglot.

  editors.py SERVER FIXTURES
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from client import skip

HERE = pathlib.Path(__file__).resolve().parent / "clients"
FIXTURE = pathlib.Path(sys.argv[2]).resolve() / "hints.mlir"


def commandOf(editor, file):
    if editor == "nvim":
        return ["nvim", "--headless", "-u", "NONE", "-n", str(file),
                "-c", f"luafile {HERE / 'neovim.lua'}"]
    return ["emacs", "--batch", "--eval",
            "(package-initialize)", "-l", str(HERE / "emacs.el")]


def check(editor):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "a.mlir"
        shutil.copy(FIXTURE, file)
        environment = dict(os.environ, SERVER=os.path.abspath(sys.argv[1]),
                           FILE=str(file), HOME=folder)
        done = subprocess.run(commandOf(editor, file), env=environment,
                              stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=120, cwd=folder)
    shown = done.stdout + done.stderr
    assert done.returncode == 0, (editor, shown)
    for words in ["@loop is rejected: its control flow has a loop",
                  "%chosen is cloned to %owned_chosen",
                  'Operation: "memref.alloc"',
                  "%copy is owned: memref.alloc allocates it"]:
        # A terminal's or Markdown's escapes are no concern of this test.
        assert words in re.sub(r"[\\`]", "", shown), (editor, words, shown)
    print(f"{editor}: diagnostics and hover shown")


missing = [editor for editor in ("nvim", "emacs") if not shutil.which(editor)]
for editor in ("nvim", "emacs"):
    if editor not in missing:
        check(editor)
if missing:
    skip(f"not installed: {', '.join(missing)}")
