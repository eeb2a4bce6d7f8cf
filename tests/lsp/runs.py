#!/usr/bin/env python3
"""Counts of a run, where the user names its record: in hints, hovers, diagnostics
and the graph.

  runs.py SERVER LENS

Every hint and hover says what the record says of the ops of its place, on samples and on
a program whose counts are known by hand. An edit takes the counts away and tells it, an undo
brings them back; a record of an earlier text, of another pipeline, or no record at all is told
and never shown, that of a file of another name not even told; a record that is written anew is read anew.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from client import ROOT, Client, at, whole

sys.path.insert(0, str(ROOT / "tests" / "support"))
from counted import LEAVES  # noqa: E402

SERVER, LENS = [sys.argv[1], "--companion", "--crash-dir=off"], sys.argv[2]

#: Nothing is deallocated by hand: for any pipeline.
MINE = """func.func @mine(%n: index, %x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 1.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %buffer = memref.alloc() : memref<8xf32>
    memref.store %v, %buffer[%c0] : memref<8xf32>
    memref.copy %buffer, %x : memref<8xf32> to memref<8xf32>
  }
  return
}
"""
#: One is behind what is no ASCII.
WIDE = "// Größe 🙂\n" + LEAVES.replace("memref.alloc() :",
                                     'memref.alloc() {"ö🙂"} :')


def run(path, kept, *options):
    subprocess.run([LENS, "run", path, "--format", "json", "-o", kept, *options],
                   stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
    return json.loads(kept.read_text())


def short(site):
    """Of an allocation how often, and what became of it."""
    if site["kind"] != "allocation" or not site["note"]:
        return site["note"]
    ends = [f"{word} {site[key]}x" for word, key in
            (("deallocated", "deallocated"), ("returned", "returned"), ("left", "left"))
            if site[key]]
    return ", ".join([f"{site['ran']}x", *ends])


def notes(record):
    """By line from 0."""
    found = collections.defaultdict(list)
    for site in record["sites"]:
        if site["line"] and site["note"] and \
                short(site) not in found[site["line"] - 1]:
            found[site["line"] - 1].append(short(site))
    return {line: texts for line, texts in found.items() if texts}


def runHints(client, uri):
    """Text of each line's, and where it stands."""
    found = {}
    for hint in client.result("textDocument/inlayHint", whole(uri)):
        if hint["data"]["text"].startswith("run: "):
            line = hint["position"]["line"]
            assert line not in found, hint
            found[line] = hint
    return found


def hover(client, uri, line, character):
    found = client.result("textDocument/hover", at(uri, line, character))
    return found["contents"]["value"] if found else ""


def told(client, uri, version, words):
    """A diagnostic with these words."""
    all_ = client.diagnostics(uri, version, lambda found: any(
        words in one["message"] for one in found))
    return [one for one in all_ if words in one["message"]]


def untold(client, uri, version):
    """All that is told of a version, once its paths were tried."""
    while True:
        status = client.result("memrefLens/status", {"analysis": True})
        if all(one["explored"] for one in status["analysisDocuments"]):
            break
    client.result("memrefLens/status", {"analysis": True})
    return [note["params"]["diagnostics"] for note in client.notifications
            if note["method"] == "textDocument/publishDiagnostics" and
            note["params"]["uri"] == uri and note["params"].get("version") == version][-1]


def configured(**options):
    return Client(SERVER, {"textDocument": {"hover": {"contentFormat": ["plaintext"]}}},
                  {"memrefLens": options})


def checkAll(folder, path, options):
    """Every line of a program."""
    kept = folder / "all.json"
    record = run(path, kept, *options)
    if record["end"] == "notRun":
        return 0
    text = path.read_text()
    lines = text.split("\n")
    client = configured(run=str(kept), inlayHints={"maxLength": 0})
    uri = path.as_uri()
    client.open(uri, text)
    found, wanted = runHints(client, uri), notes(record)
    assert {line: hint["data"]["text"] for line, hint in found.items()} == \
        {line: "run: " + " · ".join(texts) for line, texts in wanted.items()}, \
        (path.name, found, wanted)
    for line, hint in found.items():
        end = len(lines[line].rstrip("\r").encode("utf-16-le")) // 2
        assert hint["position"]["character"] == end, (path.name, hint)
        assert record["verdict"] in hint["label"][0]["tooltip"], hint
    # On the first letters of each allocation: its name.
    hovered = 0
    for site in record["sites"]:
        if site["kind"] != "allocation" or not site["line"] or not site["value"] \
                or not site["note"]:
            continue
        before = lines[site["line"] - 1].encode()[:site["column"] - 1].decode()
        said = hover(client, uri, site["line"] - 1,
                     len(before.encode("utf-16-le")) // 2 + 1)
        if not lines[site["line"] - 1][len(before):].startswith(site["value"]):
            continue
        assert "in one run: " + site["note"] in said, (path.name, site, said)
        hovered += 1
    assert client.close() == 0
    return len(found) + hovered


def counted(svg):
    """The counts on a picture, which are no sizes of a type."""
    return re.findall(r">([^<]*\b\d+x(?!\w)[^<]*)<", svg)


def checkGraph(client, uri, path, kept):
    """The graph of the stage that ran has the counts that `export` draws."""
    def graph(**more):
        return client.result("memrefLens/cfg", {
            "textDocument": {"uri": uri}, "function": "main", **more})["svg"]
    picture = kept.with_suffix(".svg")
    done = subprocess.run(
        [LENS, "export", path, "-o", picture, "--function", "main", "--with-run",
         kept], capture_output=True, timeout=120, text=True)
    assert done.returncode == 0, done.stderr
    wanted = counted(picture.read_text())
    found = counted(graph(stage=0))
    assert found and set(found) == set(wanted), (found, wanted)
    assert not counted(graph()) and not counted(graph(stage=8))


def checkKnown(folder):
    for name, text, first in (("known.mlir", LEAVES, 0), ("wide.mlir", WIDE, 1)):
        path, kept = folder / name, folder / "known.json"
        path.write_text(text)
        uri = path.as_uri()
        options = ["--stage", "0", "--entry", "@main", "--arg"]
        record = run(path, kept, *options, "n=10")
        client = configured(run=str(kept))
        client.open(uri, text)
        said = {line: hint["data"]["text"]
                for line, hint in runHints(client, uri).items()}
        assert said == {
            first + 4: "run: 10x, deallocated 7x, left 3x",
            first + 8: "run: %early true 3x, false 7x",
            first + 10: "run: %buffer deallocated 7x"}, said
        checkGraph(client, uri, path, kept)
        # Too long: all of it, and more, is in the tooltip.
        client.tell("workspace/didChangeConfiguration", {"settings": {"memrefLens": {
            "run": str(kept), "inlayHints": {"maxLength": 25}}}})
        label = runHints(client, uri)[first + 4]["label"][0]
        assert len(label["value"]) == 25 and label["value"].endswith("…") and \
            "%buffer allocated 10x, 32 B each, at most 4 at once, deallocated 7x " \
            f"at {first + 11}:3, left 3x" in label["tooltip"], label
        # On the definition, and on a use.
        for line, character in ((first + 4, 4), (first + 6, 23)):
            words = hover(client, uri, line, character)
            assert "in one run: %buffer allocated 10x, 32 B each" in words, words
        assert "in one run: %early true 3x, false 7x" in \
            hover(client, uri, first + 8, 4)
        leak = f"leak: %buffer ({first + 5}:3) is never deallocated, 3 times, " \
            "96 B in all"
        words = hover(client, uri, first + 15, 12)
        assert f"in one run: {record['verdict']}" in words and leak in words, words
        assert "in one run" not in hover(client, uri, first, 24)
        fault, = told(client, uri, 1, "in one run: " + leak)
        assert fault["range"] == {"start": {"line": first + 4, "character": 2},
                                  "end": {"line": first + 4, "character": 9}} and \
            fault["severity"] == 1, fault
        # An edit: of another text now.
        client.change(uri, 2, [{"range": {
            "start": {"line": first + 6, "character": 2},
            "end": {"line": first + 6, "character": 2}}, "text": " "}])
        assert not runHints(client, uri)
        assert "in one run" not in hover(client, uri, first + 4, 4)
        why, = told(client, uri, 2, "is a run of another program, or of an earlier text")
        assert str(kept) in why["message"] and why["severity"] == 3, why
        assert not [one for one in untold(client, uri, 2) if "in one run" in one["message"]]
        client.change(uri, 3, [{"text": text}])
        assert len(runHints(client, uri)) == 3
        # Run again meanwhile.
        run(path, kept, *options, "n=2")
        said = [hint["data"]["text"] for hint in runHints(client, uri).values()]
        assert said[0].startswith("run: 2x, left 2x"), said
        assert client.close() == 0


def checkRejected(folder):
    # A name that a URI escapes.
    path, kept = folder / "mine ö.mlir", folder / "mine.json"
    path.write_text(MINE)
    uri = path.as_uri()
    run(path, kept)
    broken, classic = folder / "broken.json", folder / "classic.json"
    broken.write_text("{}")
    run(path, classic, "--pipeline", "classic")
    other, elder = folder / "other.json", folder / "elder.json"
    run(ROOT / "samples/run/mlp.mlir", other)
    path.write_text(MINE + "\n")
    run(path, elder)
    cases = [
        ({"run": str(elder)}, "is a run of another program, or of an earlier text"),
        ({"run": str(broken)}, "is no record of 'memref-lens run --format json'"),
        ({"run": str(folder / "nothing.json")}, "no counts of a run"),
        ({"run": str(folder)}, "no counts of a run"),
        ({"run": str(classic)}, "is a run by another pipeline"),
        ({"run": str(kept), "pipeline": {"passes": "classic"}},
         "is a run by another pipeline"),
    ]
    for options, words in cases:
        client = configured(**options)
        client.open(uri, MINE)
        assert told(client, uri, 1, words), (options, words)
        assert not runHints(client, uri), options
        assert "in one run" not in hover(client, uri, 5, 6), options
        assert client.close() == 0
    # Of a file of another name: there is nothing to tell beside this one.
    client = configured(run=str(other))
    client.open(uri, MINE)
    assert not [one for one in untold(client, uri, 1) if " a run" in one["message"] or
                "one run" in one["message"]]
    assert not runHints(client, uri)
    assert "in one run" not in hover(client, uri, 5, 6)
    assert client.close() == 0
    client = configured(run=str(classic), pipeline={"passes": "classic"})
    client.open(uri, MINE)
    assert runHints(client, uri)
    # Switched off; then no record named.
    client.tell("workspace/didChangeConfiguration", {"settings": {"memrefLens": {
        "run": str(classic), "pipeline": {"passes": "classic"},
        "inlayHints": {"run": False}}}})
    assert not runHints(client, uri)
    assert "in one run" in hover(client, uri, 5, 6)
    client.tell("workspace/didChangeConfiguration",
                {"settings": {"memrefLens": {"run": ""}}})
    assert "in one run" not in hover(client, uri, 5, 6)
    assert not [one for one in untold(client, uri, 1) if " a run" in one["message"] or
                "one run" in one["message"]]
    assert client.close() == 0


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        checkKnown(folder)
        checkRejected(folder)
        told_ = sum(checkAll(folder, path, []) for path in
                    [*sorted((ROOT / "samples/run").glob("*.mlir")),
                     ROOT / "samples/diamond.mlir",
                     ROOT / "samples/conditional-clone.mlir"])
    print(f"{told_} hints and hovers of samples")
    assert told_ > 20, told_


main()
