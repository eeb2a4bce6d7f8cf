#!/usr/bin/env python3
"""Functions analysed one by one give what the whole file gives.

Hints, lenses and hovers of each file, cut at its functions and not, are equal.
"""
import re
import shutil
import subprocess
import sys

from client import ROOT, Client, at, corpus, numberless, skip, whole

sys.path.insert(0, str(ROOT / "tests" / "support"))
import sample  # noqa: E402

SERVER = [sys.argv[1], "--companion", "--crash-dir=off"]


def answers(client, uri, text):
    here = {"textDocument": {"uri": uri}}
    # By line: which functions are analysed first changes no answer.
    hints = client.result("textDocument/inlayHint", whole(uri))
    found = {"hints": sorted(map(str, hints)),
             "lenses": sorted(map(str, client.result("textDocument/codeLens",
                                                     here)))}
    for number, line in enumerate(text.split("\n")):
        for match in list(re.finditer(r"[%^@][\w$.-]+", line))[:6]:
            hover = client.result("textDocument/hover",
                                  at(uri, number, match.start() + 1))
            found[number, match.start()] = hover
    return found


def withLocations(files):
    """The files as `mlir-opt` prints them: with aliases of locations after the
    module, which each line names."""
    tool = shutil.which("mlir-opt-22") or shutil.which("mlir-opt")
    if not tool:
        skip("no mlir-opt: nothing prints locations")
    for path in files:
        done = subprocess.run([tool, "--mlir-print-debuginfo", path],
                              capture_output=True, text=True)
        if done.returncode == 0 and "#loc" in done.stdout:
            yield path.name, f"file:///printed/{path.name}", done.stdout


def main():
    folder = corpus()
    if not folder:
        skip("no corpus: MEMREF_LENS_CORPUS is not set")
    samples = sorted((ROOT / "samples").glob("*.mlir"))
    files = samples + sorted((folder / "defects").glob("*.mlir"))
    limit = 100000 if sample.LONG else 8000
    clients = [Client(SERVER, options={"wholeChunks": wholeChunks})
               for wholeChunks in (False, True)]
    count = split = 0
    texts = [(path.name, path.as_uri(), path.read_text())
             for path in sample.part(files, 3) if path.stat().st_size <= limit and
             "exponential" not in path.name and path.name != "diamonds24.mlir"]
    printed = list(withLocations(sample.part(samples, 2)))
    assert len(printed) > 10, len(printed)
    for name, uri, text in texts + printed:
        both = []
        for client in clients:
            client.open(uri, text)
            both.append(answers(client, uri, text))
        status = clients[0].result("memrefLens/status", {"analysis": True})
        split += any(one["uri"] == uri and one["units"] > 1
                     for one in status["analysisDocuments"])
        one, other = both
        assert one.keys() == other.keys()
        if not other["hints"] and not other["lenses"]:
            assert (name, uri, text) not in printed, name
            continue  # The file as a whole does not parse.
        for key in one:
            assert numberless(one[key]) == numberless(other[key]), \
                f"{name} {key}\nsplit: {one[key]}\nwhole: {other[key]}"
            count += 1
    assert count > (1000 if sample.FULL else 120), count
    assert split > (10 if sample.FULL else 1), split
    print(f"{count} answers are the same, {split} files with several functions")
    for client in clients:
        client.close()


main()
