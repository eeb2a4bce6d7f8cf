#!/usr/bin/env python3
"""What the server shows, against the comments of fixtures; and our requests."""
import collections
import json
import pathlib
import re
import sys
import time
import urllib.parse

from client import ROOT, Client, at, labels, whole

SERVER = [sys.argv[1], "--crash-dir=off"]
FIXTURES = pathlib.Path(sys.argv[2]).resolve()


def expectations(text):
    """(line, column, kind, words) for each comment; line is the code's above."""
    code = 0
    for number, line in enumerate(text.split("\n")):
        match = re.match(r"\s*//\s*(\^?)\s*([a-z-]+): (.*)", line)
        if not match:
            if not line.lstrip().startswith("//"):
                code = number
            continue
        yield code, line.find("^") if match[1] else None, match[2], match[3]


def unmarked(markdown):
    """The words of a hover, without code spans, links and escapes."""
    text = re.sub(r"\[([^\]]*)\]\(<[^>]*>\)", r"\1", markdown.replace("`", ""))
    return re.sub(r"\\([^\w\s])", r"\1", text)


def checkFixture(path):
    text = path.read_text()
    uri = path.as_uri()
    client = Client(SERVER, options={"inlayHints": {"maxLength": 0}})
    client.open(uri, text)
    hints = labels(client.result("textDocument/inlayHint", whole(uri)))
    diagnostics = client.diagnostics(uri, 1, lambda d: d, 20)
    lenses = client.result("textDocument/codeLens",
                           {"textDocument": {"uri": uri}})
    wanted, count = [], 0
    for line, column, kind, words in expectations(text):
        where = f"{path.name}:{line + 1}: {kind}: {words}"
        count += 1
        if kind == "hint":
            wanted.append((line, words))
        elif kind == "hover":
            found = client.result("textDocument/hover", at(uri, line, column))
            assert found and words in unmarked(found["contents"]["value"]), \
                (where, found)
        elif kind in ("error", "warning"):
            severity = {"error": 1, "warning": 2}[kind]
            assert any(one["range"]["start"]["line"] == line and
                       one["severity"] == severity and words in one["message"]
                       for one in diagnostics), (where, diagnostics)
        elif kind == "related":
            assert any(words in note["message"] for one in diagnostics
                       if one["range"]["start"]["line"] == line
                       for note in one["relatedInformation"]), where
        elif kind == "lens":
            assert any(one["range"]["start"]["line"] == line and
                       one["command"]["title"] == words
                       for one in lenses), (where, lenses)
        elif kind == "action":
            applyAction(client, uri, text, line, words)
        else:
            count -= 1
    assert hints == sorted(wanted), (sorted(set(hints) ^ set(wanted)))
    client.close()
    return count


def applied(text, edits):
    lines = text.split("\n")
    for edit in edits:
        start, end = edit["range"]["start"], edit["range"]["end"]
        before = lines[:start["line"]] + [lines[start["line"]][
            :start["character"]]]
        after = [lines[end["line"]][end["character"]:]] + lines[
            end["line"] + 1:]
        return "\n".join(before) + edit["newText"] + "\n".join(after)


def errorsIn(diagnostics):
    """What does not parse, rather than what the pipeline refuses."""
    return [one["message"] for one in diagnostics
            if one["severity"] == 1 and "code" not in one]


def applyAction(client, uri, text, line, title):
    """The action is offered, and its result is a file that parses."""
    place = {"line": line, "character": 0}
    actions = client.result("textDocument/codeAction", {
        "textDocument": {"uri": uri}, "range": {"start": place, "end": place},
        "context": {"diagnostics": []}})
    found = [one for one in actions if one["title"] == title]
    assert found, (title, actions)
    changed = applied(text, found[0]["edit"]["changes"][uri])
    assert changed != text
    other = uri + ".changed.mlir"
    client.open(other, changed)
    diagnostics = client.diagnostics(other, 1, lambda _: True, 20)
    before = client.diagnostics(uri, 1, lambda _: True, 20)
    assert errorsIn(diagnostics) == errorsIn(before), (diagnostics, changed)
    client.tell("textDocument/didClose", {"textDocument": {"uri": other}})
    return changed


def settled(client, uri, version):
    """The diagnostics of a version once both children are done with it."""
    upstream = client.result("textDocument/documentSymbol",
                             {"textDocument": {"uri": uri}})
    assert upstream is not None
    end = time.monotonic() + 20
    while time.monotonic() < end:
        status = client.result("memrefLens/status", {"analysis": True})
        if any(one["uri"] == uri and one["version"] == version and
               one["reported"] for one in status["analysisDocuments"]):
            break
    client.result("memrefLens/status", {})
    found = [note["params"]["diagnostics"] for note in client.notifications
             if note["method"] == "textDocument/publishDiagnostics" and
             note["params"]["uri"] == uri and
             note["params"]["version"] == version]
    return found[-1]


def diagnosticsOf(client, uri, text):
    """By rule, in a file that has `text`."""
    client.open(uri, text)
    found = settled(client, uri, 1)
    client.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
    return collections.Counter(one.get("code", one["message"]) for one in found)


def checkActionsHarmless():
    """No action makes a finding: of any function of the samples."""
    client = Client(SERVER)
    count = 0
    for path in sorted((ROOT / "samples").glob("*.mlir")):
        text = path.read_text()
        uri = path.as_uri()
        client.open(uri, text)
        before = None
        for number, line in enumerate(text.split("\n")):
            if not re.match(r"func\.func (?:private |public )?@(\w+)", line):
                continue
            place = {"line": number, "character": 0}
            actions = client.result("textDocument/codeAction", {
                "textDocument": {"uri": uri},
                "range": {"start": place, "end": place},
                "context": {"diagnostics": []}})
            for title in [one["title"] for one in actions]:
                changed = applyAction(client, uri, text, number, title)
                before = before or diagnosticsOf(client, "file:///as-is.mlir",
                                                 text)
                after = diagnosticsOf(client, "file:///changed.mlir", changed)
                more = after - before
                assert not more, (path, title, more)
                count += 1
    assert count >= 3, count
    print(f"{count} actions taken, none makes a finding")
    client.close()


def checkManualDealloc():
    """Either remedy ends the refusal, and touches what it says only."""
    path = FIXTURES / "manual-dealloc.mlir"
    text = path.read_text()
    uri = path.as_uri()
    line = next(number for number, one in enumerate(text.split("\n"))
                if one.startswith("func.func"))
    client = Client(SERVER)
    client.open(uri, text)
    without = applyAction(
        client, uri, text, line,
        "Remove the deallocs of @byHand, so that the pipeline places them")
    assert "memref.dealloc %" not in without and "größe" in without, without
    marked = applyAction(client, uri, text, line,
                         "Mark the deallocs of @byHand and their allocations "
                         "as manual")
    assert marked.count("bufferization.manual_deallocation") == 4, marked
    assert "{alignment = 64 : i64, bufferization.manual_deallocation}" in marked
    for version, changed in ((2, without), (3, marked)):
        client.tell("textDocument/didChange", {
            "textDocument": {"uri": uri, "version": version},
            "contentChanges": [{"text": changed}]})
        assert not [one for one in settled(client, uri, version)
                    if one["severity"] <= 2], changed
    client.close()


def checkConfiguration():
    """A client that keeps its settings is asked for them; on-save waits."""
    path = FIXTURES / "hints.mlir"
    uri = path.as_uri()
    client = Client(SERVER, {"workspace": {"configuration": True}})
    client.tell("workspace/didChangeConfiguration", {"settings": None})
    client.result("memrefLens/status", {})
    asked = next(one for one in client.notifications
                 if one["method"] == "workspace/configuration")
    assert asked["params"]["items"] == [{"section": "memrefLens"}], asked
    client.message({"jsonrpc": "2.0", "id": asked["id"], "result": [
        {"analyse": "save", "diagnostics": {"clones": "information"}}]})
    client.open(uri, path.read_text())
    before = client.diagnostics(uri, 1, lambda _: True, 20)
    assert not any(one["source"] == "memref-lens" for one in before), before
    client.result("textDocument/codeLens", {"textDocument": {"uri": uri}})
    status = client.result("memrefLens/status", {"analysis": True})
    assert not status["analysisDocuments"][0]["reported"], status
    client.tell("textDocument/didSave", {"textDocument": {"uri": uri}})
    after = client.diagnostics(uri, 1, lambda found: any(
        one["source"] == "memref-lens" for one in found), 20)
    clones = [one for one in after if one.get("code") == "clone"]
    assert clones and all(one["severity"] == 3 for one in clones), after
    client.close()


def checkPartialResults():
    """Lenses come a few functions at a time where a token asks for that; a
    cancelled request ends; a limit of the configuration holds."""
    text = "".join(
        f"func.func @f{number}(%out: memref<8xf32>) {{\n"
        f"  %a = memref.alloc() : memref<8xf32>\n"
        f"  memref.copy %a, %out : memref<8xf32> to memref<8xf32>\n"
        f"  return\n}}\n" for number in range(300))
    client = Client(SERVER, options={"batchSize": 16})
    client.open("file:///many.mlir", text)
    document = {"textDocument": {"uri": "file:///many.mlir"}}
    assert client.result("textDocument/codeLens",
                         {**document, "partialResultToken": "lens"}) == []
    parts = [one["params"]["value"] for one in client.notifications
             if one["method"] == "$/progress"]
    whole = client.result("textDocument/codeLens", document)
    assert len(parts) > 5 and sum(parts, []) == whole and len(whole) == 300
    number = client.send("textDocument/codeLens", document)
    client.tell("$/cancelRequest", {"id": number})
    assert client.answer(number)["error"]["code"] == -32800
    client.close()


ALIASES = """func.func @f(%p: memref<4xf32>, %q: memref<4xf32>, %c: i1, %i: index) -> f32 {
  %a = memref.alloc() : memref<4xf32>
  %v = memref.load %p[%i] : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  memref.store %v, %q[%i] : memref<4xf32>
  cf.cond_br %c, ^one, ^two
^one:
  cf.br ^end(%p : memref<4xf32>)
^two:
  cf.br ^end(%a : memref<4xf32>)
^end(%e: memref<4xf32>):
  %r = memref.load %e[%i] : memref<4xf32>
  return %r : f32
}
"""


def hoverText(client, uri, text, line, words):
    found = client.result("textDocument/hover", {
        "textDocument": {"uri": uri}, "position": {
            "line": line, "character": text.split("\n")[line].index(words)}})
    return unmarked(found["contents"]["value"]) if found else ""


HOVERED = """func.func @f(%given: memref<4xf32>, %c: i1) -> memref<4xf32> {
  cf.cond_br %c, ^fresh, ^reuse
^fresh:
  %k = arith.constant {note = "größe 𝄞"} 1 : index  %a = memref.alloc() : memref<4xf32>
  cf.br ^join(%a : memref<4xf32>)
^reuse:
  cf.br ^join(%given : memref<4xf32>)
^join(%data: memref<4xf32>):
  return %data : memref<4xf32>
}
func.func @g(%out: memref<4xf32>, %lo: index, %hi: index, %s: index) {
  %b = memref.alloc() : memref<4xf32>
  memref.copy %b, %out : memref<4xf32> to memref<4xf32>
  scf.for %i = %lo to %hi step %s {
    %t = memref.alloc() : memref<4xf32>
    memref.copy %t, %out : memref<4xf32> to memref<4xf32>
  }
  return
}
"""
RULE = "\n\n---\n\n"


def characterOf(text, line, words, encoding):
    before = text.split("\n")[line].split(words)[0]
    unit = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]
    codec = encoding if encoding == "utf-8" else encoding + "-le"
    return len(before.encode(codec)) // unit


def checkHoverParts():
    """Who owns it comes first, in five lines at most; what MLIR says comes last;
    the evidence is between them, or behind a link."""
    uri = "file:///hovered.mlir"
    for command in (False, True):
        client = Client(SERVER, options={"hover": {"evidenceCommand": command}})
        client.open(uri, HOVERED)

        def hover(line, words):
            place = {"line": line,
                     "character": characterOf(HOVERED, line, words, "utf-16")}
            return place, client.result("textDocument/hover", {
                "textDocument": {"uri": uri}, "position": place})[
                    "contents"]["value"]

        place, shown = hover(7, "%data")
        parts = shown.split(RULE)
        assert "Operation:" not in "".join(parts[:-1]), shown
        assert "Block" in parts[-1], shown
        head = parts[0].split("\n")
        assert len(head) <= 5 and head[0].startswith("`%data` ("), head
        assert "as itself if `%own_data`" in head[0], head
        assert head[1].startswith("`%own_data` is a block argument of `^join`: "
                                  "false via"), head
        assert f"true via `^fresh` ([5:3](<{uri}#L5,3>))" in head[1], head
        assert head[2].startswith("cause: `%data` of `^join`") or \
            head[2].startswith("cause: `@f` returns"), head
        assert "costs 1 clone" in head[2], head
        evidence = [line for line in head if line.startswith("[evidence: ")]
        assert len(evidence) == command, head
        if command:
            link = re.search(r"\(command:memrefLens\.showEvidence\?([^)]*)\)",
                             evidence[0])[1]
            arguments = json.loads(urllib.parse.unquote(link))
            assert arguments == [uri, place["line"], place["character"]], link
            told = client.result("memrefLens/explain", {
                "textDocument": {"uri": arguments[0]}, "position": {
                    "line": arguments[1], "character": arguments[2]}})
            facts = [fact for one in told["explanations"]
                     for fact in one["evidence"]]
            assert facts, told
        else:
            assert any(re.match(r"- (  )?\[\d+:\d+\]\(<", line)
                       for line in parts[1].split("\n")), parts
        # The end of a block is linked, at its terminator or its brace.
        _, shown = hover(11, "%b")
        assert f"deallocated [at the end of `^bb0`](<{uri}#L18,3>)" in \
            shown.split("\n")[0], shown
        _, shown = hover(14, "%t")
        assert f"](<{uri}#L17,3>)" in shown.split("\n")[0], shown
        client.close()


def checkHoverColumns():
    """Sentences count columns in bytes, as MLIR does, and links as the client
    does."""
    uri = "file:///hovered.mlir"
    line = 3
    column = len(HOVERED.split("\n")[line].split("%a")[0].encode()) + 1
    seen = set()
    for encoding in ("utf-8", "utf-16", "utf-32"):
        client = Client(SERVER + ["--companion"],
                        {"general": {"positionEncodings": [encoding]}})
        client.open(uri, HOVERED)
        character = characterOf(HOVERED, line, "%a", encoding)
        shown = client.result("textDocument/hover", {
            "textDocument": {"uri": uri},
            "position": {"line": line, "character": character}})
        value = shown["contents"]["value"]
        assert shown["range"]["start"]["character"] == character, shown
        places = re.findall(rf"\[{line + 1}:{column}\]\(<[^>]*#L(\d+),(\d+)>\)",
                            value)
        assert places and set(places) == {
            (str(line + 1), str(character + 1))}, (encoding, character, value)
        seen.add(character)
        # The same from elsewhere: evidence of a block argument.
        other = client.result("textDocument/hover", {
            "textDocument": {"uri": uri}, "position": {
                "line": 7, "character": HOVERED.split("\n")[7].index("%data")}})
        assert f"#L5,3>" in other["contents"]["value"], other
        client.close()
    assert len(seen) == 3, seen


def checkAliases():
    """What a memref may be and an access may touch; distinct by an action."""
    uri = "file:///aliases.mlir"
    client = Client(SERVER)
    client.open(uri, ALIASES)
    memref = hoverText(client, uri, ALIASES, 1, "%a")
    assert "may alias %e" in memref, memref
    assert "does not alias %p and %q" in memref, memref
    load = hoverText(client, uri, ALIASES, 2, "memref.load")
    assert "may touch what is touched by memref.store of %q" in load, load
    assert "cannot touch what is touched by memref.store of %a" in load, load
    # Where nothing uses what is stated, stating it is a finding: no action.
    place = {"line": 0, "character": 0}
    assert client.result("textDocument/codeAction", {
        "textDocument": {"uri": uri}, "range": {"start": place, "end": place},
        "context": {"diagnostics": []}}) == []
    # Under another pipeline, and under one that there is not.
    client.tell("workspace/didChangeConfiguration", {"settings": {
        "memrefLens": {"pipeline": {"passes": "classic"}}}})
    classic = hoverText(client, uri, ALIASES, 10, "%e")
    assert "%e may be %a: cf.br (10:3) passes it to" in classic, classic
    client.tell("workspace/didChangeConfiguration", {"settings": {
        "memrefLens": {"pipeline": {"passes": "clasic"}}}})
    client.change(uri, 2, [{"text": ALIASES + "\n"}])
    told = [one["message"] for one in settled(client, uri, 2)]
    assert any("no pipeline is called 'clasic'" in one for one in told), told
    # One that nests too deep is not handed to MLIR's parser.
    for number, key in enumerate(("pre", "passes"), 3):
        deep = "builtin.module(" * 20000 + "canonicalize" + ")" * 20000
        client.tell("workspace/didChangeConfiguration", {"settings": {
            "memrefLens": {"pipeline": {"pre": "", "passes": "", key: deep}}}})
        client.change(uri, number, [{"text": ALIASES + "\n" * number}])
        told = [one["message"] for one in settled(client, uri, number)]
        assert any("levels deep, more than the limit of 100" in one for one in told), told
    assert client.result("memrefLens/status", {})["analysis"]["crashes"] == 0
    client.close()


def checkSettings():
    client = Client(SERVER, options={"inlayHints": {"results": False}})
    path = FIXTURES / "hints.mlir"
    uri = path.as_uri()
    client.open(uri, path.read_text())

    def texts():
        return [text for _, text in labels(client.result(
            "textDocument/inlayHint", whole(uri)))]

    assert "owned" not in texts() and "retains %copy" in texts()
    client.tell("workspace/didChangeConfiguration", {"settings": {
        "memrefLens": {"inlayHints": {"terminators": False, "maxLength": 6}}}})
    assert "retains %copy" not in texts() and "owned" in texts()
    assert "…" in "".join(texts())
    client.tell("workspace/didChangeConfiguration", {"settings": {
        "memrefLens": {"inlayHints": {"enabled": False}, "diagnostics": {
            "rejections": "off", "clones": "off"}}}})
    assert texts() == []
    client.tell("workspace/didChangeConfiguration", {"settings": {
        "memrefLens": {"inlayHints": {"entryArguments": True}}}})
    assert texts().count("borrowed") == 2
    ranged = client.result("textDocument/inlayHint", {
        "textDocument": {"uri": uri},
        "range": {"start": {"line": 8, "character": 0},
                  "end": {"line": 12, "character": 0}}})
    assert {hint["position"]["line"] for hint in ranged} <= set(range(8, 13))
    part = ranged[0]["label"][0]
    assert part["location"]["uri"] == uri and part["tooltip"], part
    resolved = client.result("inlayHint/resolve", ranged[0])
    assert resolved["tooltip"] and resolved["label"] == ranged[0]["label"]
    client.close()


TENSORS = """func.func @f(%t: tensor<1024xf32>, %a: tensor<1024xf32>, %x: f32, %i: index)
    -> (tensor<1024xf32>, f32, tensor<1024xf32>) {
  %new = tensor.insert %x into %t[%i] : tensor<1024xf32>
  %old = tensor.extract %t[%i] : tensor<1024xf32>
  %e = tensor.empty() : tensor<1024xf32>
  %r = linalg.exp ins(%new : tensor<1024xf32>) outs(%e : tensor<1024xf32>)
      -> tensor<1024xf32>
  %b = tensor.insert %x into %a[%i] : tensor<1024xf32>
  return %r, %old, %b : tensor<1024xf32>, f32, tensor<1024xf32>
}
"""


def checkTensors():
    """What bufferization does, behind the tensors; nothing without it."""
    client = Client(SERVER, options={"pipeline": {"bufferize": True}})
    uri = "file:///tensors.mlir"
    client.open(uri, TENSORS)

    def told():
        return labels(client.result("textDocument/inlayHint", whole(uri)))

    wanted = [(0, "read"), (0, "read and written"), (2, "copy 4 KiB"),
              (4, "new buffer 4 KiB"), (8, "deallocates %new_buf · retains %e_buf, %owned_a_buf"),
              (8, "fresh"), (8, "is %a")]
    assert told() == wanted, told()
    client.tell("workspace/didChangeConfiguration", {"settings": {"memrefLens": {
        "pipeline": {"bufferize": True}, "inlayHints": {"inPlace": True}}}})
    assert told() == sorted(wanted + [(5, "in place"), (7, "in place")]), told()
    client.tell("workspace/didChangeConfiguration", {"settings": {"memrefLens": {
        "pipeline": {"bufferize": True}, "inlayHints": {"tensors": False}}}})
    assert [line for line, _ in told()] == [8], told()
    # One life: the tensor, the buffer that was made for it, and its end.
    line = TENSORS.split("\n")[4]
    hover = unmarked(client.result("textDocument/hover", at(uri, 4, line.index("%e")))[
        "contents"]["value"])
    for words in ("%e gets a new buffer, 4 KiB", "the caller owns it"):
        assert words in hover, hover
    hover = unmarked(client.result("textDocument/hover", at(uri, 2, 2))["contents"][
        "value"])
    for words in ("%t is copied here, 4 KiB", "deallocated at"):
        assert words in hover, hover
    # Between the steps of bufferization the program is a stage of its own.
    asked = {"textDocument": {"uri": uri}, "function": "f"}
    stages = client.result("memrefLens/stages", asked)["stages"]
    first = {"number": -2, "name": "tensor-copies", "changed": True}
    assert stages[0] == first and stages[1]["number"] == 0, stages
    for stage in (-2, "tensor-copies"):
        text = client.result("memrefLens/stageText", asked | {"stage": stage})
        assert "%copy_t = bufferization.alloc_tensor() copy(%t)" in text["text"], text
        assert "memref" not in text["text"] and text["name"] == "tensor-copies", text
    graph = client.result("memrefLens/cfg", asked | {"stage": -2})["svg"]
    assert "alloc_tensor" in graph and "memref.alloc" not in graph, graph[:2000]
    client.close()


def copyLine(path):
    return path.read_text().split("\n").index(
        "  %copy = memref.alloc() : memref<16xf32>")


def checkModes():
    path = FIXTURES / "hints.mlir"
    uri = path.as_uri()
    line = copyLine(path)
    plain = Client(SERVER + ["--analysis=off"])
    plain.open(uri, path.read_text())
    value = plain.result("textDocument/hover", at(uri, line, 3))["contents"]
    assert "owned" not in value["value"] and "memref.alloc" in value["value"]
    assert "inlayHintProvider" not in plain.capabilities
    assert "error" in plain.ask("textDocument/inlayHint", whole(uri))
    plain.close()
    ours = Client(SERVER + ["--companion"])
    ours.open(uri, path.read_text())
    value = ours.result("textDocument/hover", at(uri, line, 3))["contents"]
    assert "Operation:" not in value["value"], value
    assert "definitionProvider" not in ours.capabilities
    assert "error" in ours.ask("textDocument/definition", at(uri, line, 3))
    codes = {one["code"] for one in ours.diagnostics(uri, 1, lambda d: d, 20)}
    assert {"clone", "branch-loop"} <= codes, codes
    ours.close()
    text = Client(SERVER, {"textDocument": {"hover": {
        "contentFormat": ["plaintext"]}}})
    text.open(uri, path.read_text())
    found = text.result("textDocument/hover", at(uri, line, 3))["contents"]
    assert found["kind"] == "plaintext" and "`" not in found["value"] and \
        "](" not in found["value"] and "\\" not in found["value"], found
    text.close()


def checkRequests():
    """Each request of PROTOCOL.md answers, and names its version."""
    document = (ROOT / "lsp" / "PROTOCOL.md").read_text()
    methods = set(re.findall(r"^## `(memrefLens/\w+)`", document, re.M))
    client = Client(SERVER)
    path = FIXTURES / "hints.mlir"
    uri = path.as_uri()
    client.open(uri, path.read_text(), version=7)
    here = {"textDocument": {"uri": uri}, "function": "diamond"}
    line = copyLine(path)
    place = at(uri, line, 3)
    wanted = {
        "memrefLens/trace": (here, lambda r: r["trace"]["functions"]),
        "memrefLens/stages": (here, lambda r: len(r["stages"]) == 9),
        "memrefLens/stageText": (
            {**here, "stage": "final"}, lambda r: "memref.dealloc" in r["text"]),
        "memrefLens/cfg": (
            {**here, "format": "svg"}, lambda r: r["svg"].startswith("<svg")),
        "memrefLens/eventsAt": (place, lambda r: r["about"] == "%copy" and any(
            one["kind"] == "ownership" for one in r["events"])),
        "memrefLens/events": (here, lambda r: any(
            "block" in one and one["kind"] == "dealloc"
            for one in r["events"])),
        "memrefLens/explain": (place, lambda r: any(
            "is owned" in one["sentence"] for one in r["explanations"])),
        "memrefLens/memory": (here, lambda r: r["memory"]["functions"][0][
            "peakBytes"] == max(
                r["memory"]["functions"][0]["liveOnAnyPath"]) > 0),
        "memrefLens/causes": (here, lambda r: r["state"] == "off"),
        "memrefLens/eventPlace": ({**here, "event": 0}, lambda r: "kind" in r),
        "memrefLens/status": ({}, lambda r: r["upstream"]["running"]),
    }
    assert methods == wanted.keys(), methods ^ wanted.keys()
    for method, (params, holds) in wanted.items():
        result = client.result(method, params)
        assert holds(result), (method, str(result)[:500])
        assert result.get("version", 7) == 7, method
    data = client.result("memrefLens/cfg", {**here, "format": "data"})
    assert len(data["picture"]["nodes"]) >= 4
    event = client.result("memrefLens/eventsAt", place)["events"][0]
    back = client.result("memrefLens/eventPlace",
                         {**here, "event": event["event"]})
    assert back["sentence"] == event["sentence"]
    assert "error" in client.ask("memrefLens/cfg", {
        "textDocument": {"uri": uri}, "function": "none"})
    found = client.result("textDocument/documentHighlight", place)
    names = {one["range"]["start"]["line"] for one in found}
    assert line in names and len(names) >= 4, found
    client.close()


total = sum(checkFixture(path) for path in sorted(FIXTURES.glob("*.mlir")))
print(f"{total} expectations hold")
for check in [checkSettings, checkTensors, checkModes, checkRequests, checkConfiguration,
              checkManualDealloc, checkPartialResults, checkActionsHarmless,
              checkAliases, checkHoverParts, checkHoverColumns]:
    check()
    print(f"{check.__name__}: ok")
