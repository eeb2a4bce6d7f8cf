#!/usr/bin/env python3
"""Every hint, and the hover of every memref where it is defined, over all samples
and the defect corpus, against what was read and found right.

  pages.py SERVER GOLDEN_FOLDER [--update]

A golden names a file, a line and what is shown there; nothing of the file.
"""
import difflib
import pathlib
import re
import sys

from client import ROOT, Client, at, corpus, labels, skip, whole

sys.path.insert(0, str(ROOT / "tests" / "support"))
import sample  # noqa: E402

SERVER = [sys.argv[1], "--crash-dir=off", "--companion"]
GOLDEN = pathlib.Path(sys.argv[2])
OPTIONS = {"inlayHints": {"maxLength": 0, "entryArguments": True}}


def hovers(client, uri, text):
    """(line, what is said first) of each memref that a line defines."""
    found = []
    for number, line in enumerate(text.split("\n")):
        if line.lstrip().startswith("//"):
            continue
        for match in re.finditer(r"(%[\w$.-]+)(?= = |: memref|, %[\w$.-]+ = )",
                                 line):
            answer = client.result("textDocument/hover",
                                   at(uri, number, match.start() + 1))
            if answer:
                said = answer["contents"]["value"].strip().split("\n")[0]
                found.append((number, f"{match[1]} | {said}"))
    return found


def page(path):
    text = path.read_text()
    client = Client(SERVER, {"textDocument": {"hover": {
        "contentFormat": ["plaintext"]}}}, options=OPTIONS)
    uri = path.as_uri()
    client.open(uri, text)
    shown = [(line, f"<{label}>") for line, label in labels(
        client.result("textDocument/inlayHint", whole(uri), 120))]
    shown += hovers(client, uri, text)
    client.close()
    return [f"{path.name}:{line + 1}: {words}" for line, words in sorted(shown)]


def compare(name, files):
    files = files if "--update" in sys.argv else sample.part(files, 3)
    names = {path.name for path in files}
    lines = [line for path in files for line in page(path)]
    golden = GOLDEN / name
    if "--update" in sys.argv:
        golden.parent.mkdir(exist_ok=True)
        golden.write_text("\n".join(lines) + "\n")
    wanted = [line for line in golden.read_text().split("\n")[:-1]
              if line.split(":")[0] in names]
    for line in difflib.unified_diff(wanted, lines, name, "shown", lineterm="",
                                     n=0):
        print(line)
    print(f"{name}: {len(files)} files, {len(lines)} hints and hovers")
    return lines == wanted and len(lines) > (100 if sample.FULL else 30)


good = compare("samples.txt", sorted((ROOT / "samples").glob("*.mlir")))
folder = corpus()
if folder is None:
    if not good:
        sys.exit(1)
    skip("the corpus is not here; the samples were checked")
defects = [path for path in sorted((folder / "defects").glob("*.mlir"))
           if path.stat().st_size < 50_000]
good &= compare("defects.txt", defects)
sys.exit(0 if good else 1)
