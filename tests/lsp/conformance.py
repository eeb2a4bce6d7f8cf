#!/usr/bin/env python3
"""All that mlir-lsp-server answers is answered the same, on the same sessions.

Both servers get the same documents and the same questions at every word; what
ours adds (ownership in hovers, actions, diagnostics) is taken off first.
"""
import os
import re
import shutil
import sys

from client import ROOT, Client, corpus, skip

UPSTREAM = shutil.which("mlir-lsp-server-22") or shutil.which("mlir-lsp-server")
LONG = os.environ.get("MEMREF_LENS_LONG") == "1"
# Dialects of this project, and those of MLIR's tests, which no installed header
# gives.
OURS = {"lens", "sample"}
UPSTREAMS = {"test", "test_dyn"}
HIERARCHY = {"textDocument": {"documentSymbol": {
    "hierarchicalDocumentSymbolSupport": True}}}

if not UPSTREAM:
    skip("mlir-lsp-server-22 is not installed")


def withoutOurs(method, result):
    if method == "textDocument/hover" and result:
        value = result["contents"]["value"].split("\n\n---\n\n")[-1]
        if value.startswith(("Operation:", "Block", "Attribute", "Type",
                             "Location", "Argument")) or "\n" in value:
            return {**result, "contents": {**result["contents"],
                                           "value": value.rstrip("\n")}}
    if method == "textDocument/codeAction" and result:
        result = [one for one in result if "memrefLens" not in
                  (one.get("data") or {})]
    return result


def places(text):
    for number, line in enumerate(text.split("\n")):
        for match in re.finditer(r"[%^@#!]?[\w.$-]+", line):
            yield number, match.start()


def questions(text, uri):
    here = {"textDocument": {"uri": uri}}
    yield "textDocument/documentSymbol", here
    for line, column in places(text):
        position = {"line": line, "character": column}
        yield "textDocument/hover", {**here, "position": position}
        yield "textDocument/definition", {**here, "position": position}
        yield "textDocument/references", {
            **here, "position": position,
            "context": {"includeDeclaration": True}}
    for line, column in list(places(text))[::9]:
        position = {"line": line, "character": column}
        yield "textDocument/completion", {
            **here, "position": position, "context": {"triggerKind": 1}}
        yield "textDocument/codeAction", {
            **here, "range": {"start": position, "end": position},
            "context": {"diagnostics": []}}
    yield "mlir/convertToBytecode", {"uri": uri}
    yield "textDocument/noSuchMethod", here


def bare(answer):
    return {key: answer[key] for key in ("result", "error") if key in answer}


def nameOf(item):
    return item.get("label", "").lstrip("!#")


def completions(result, own):
    """Upstream lists values in the order of its hash table. Each side has some
    dialects of its own."""
    items = [item for item in (result or {}).get("items", [])
             if nameOf(item) not in own]
    return sorted(items, key=lambda item: sorted(map(str, item.items())))


def ownDialects(result, own):
    return {nameOf(item) for item in (result or {}).get("items", [])
            if nameOf(item) in own}


def equalCompletions(ours, theirs):
    """But for the dialects that only one of the two has; where dialects are
    listed, all of them are."""
    mine, others = ownDialects(ours, OURS), ownDialects(theirs, UPSTREAMS)
    return mine in (set(), OURS) and bool(mine) == bool(others) and \
        completions(ours, OURS) == completions(theirs, UPSTREAMS)


def equal(method, ours, theirs):
    ours = withoutOurs(method, ours.get("result")) if "result" in ours else ours
    theirs = withoutOurs(method, theirs.get("result")) \
        if "result" in theirs else theirs
    if method == "textDocument/hover" and theirs is None:
        return True
    if method == "textDocument/completion":
        return equalCompletions(ours, theirs)
    return ours == theirs


def compare(ours, theirs, name, text, version):
    uri = "file:///session/" + name
    for server in (ours, theirs):
        server.open(uri, text, version)
    count = 0
    batch = list(questions(text, uri))
    for begin in range(0, len(batch), 100):
        part = batch[begin:begin + 100]
        asked = [(method, params, ours.send(method, params),
                  theirs.send(method, params)) for method, params in part]
        for method, params, one, other in asked:
            mine, upstreams = bare(ours.answer(one)), bare(theirs.answer(other))
            assert equal(method, mine, upstreams), \
                f"{name}: {method} {params}\nours: {mine}\ntheirs: {upstreams}"
            count += 1
    wanted = theirs.diagnostics(uri, version, lambda _: True)
    ours.diagnostics(uri, version, lambda found: all(
        one in found for one in wanted) and sum(
            one.get("source") != "memref-lens" for one in found) == len(wanted))
    for server in (ours, theirs):
        server.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
    return count


def usesOurs(text):
    """Upstream's server cannot read a program with a dialect of this project."""
    return re.search(r"\b(%s)\.\w" % "|".join(sorted(OURS)), text)


def inputs():
    for path in sorted((ROOT / "samples").glob("*.mlir")):
        if (LONG or path.stat().st_size < 3000) and \
                not usesOurs(path.read_text()):
            yield path
    folder = corpus()
    if folder:
        for path in sorted((folder / "defects").glob("*.mlir")):
            if path.stat().st_size < (20000 if LONG else 2500):
                yield path


def errorsIn(server, uri, text):
    server.open(uri, text, 1)
    found = server.diagnostics(uri, 1, lambda _: True)
    server.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
    return [one for one in found if one.get("source") != "memref-lens"]


def checkDialects(ours, theirs):
    """Each has the other's dialects but for those above, and says so."""
    listed = []
    for server in (ours, theirs):
        error, = errorsIn(server, "file:///session/dialects.mlir",
                          "no_such_dialect.op\n")
        assert "Dialect `no_such_dialect' not found" in error["message"], error
        names = re.search(r"Available dialects: (.*?) ;", str(error))
        listed.append(set(names[1].split(", ")))
    assert listed[0] - listed[1] == OURS, listed[0] - listed[1]
    assert listed[1] - listed[0] == UPSTREAMS, listed[1] - listed[0]
    count = 0
    for path in sorted((ROOT / "samples").glob("*.mlir")):
        text = path.read_text()
        if usesOurs(text):
            count += 1
            uri = "file:///session/" + path.name
            mine = errorsIn(ours, uri, text)
            assert not mine, (path, mine)
            error, = errorsIn(theirs, uri, text)
            assert "not found for custom op" in error["message"], error
    assert count >= 2, count


def checkBytecode(ours, theirs):
    text = "func.func @f(%a: memref<4xf32>) {\n  return\n}\n"
    uri = "file:///session/bytecode.mlir"
    answers = []
    for server in (ours, theirs):
        server.open(uri, text)
        answers.append(server.ask("mlir/convertToBytecode", {"uri": uri}))
    assert bare(answers[0]) == bare(answers[1]), answers
    assert "output" in answers[0]["result"]
    for params in ({"uri": uri}, {"uri": "file:///none.mlirbc"}):
        one = bare(ours.ask("mlir/convertFromBytecode", params))
        other = bare(theirs.ask("mlir/convertFromBytecode", params))
        assert one == other, (one, other)


def checkCapabilities():
    """Ours are told before MLIR's server is there, and are what it tells."""
    actions = {"codeActionLiteralSupport": {"codeActionKind": {
        "valueSet": ["quickfix"]}}}
    for client in ({}, {"textDocument": 3}, HIERARCHY,
                   {"textDocument": {"codeAction": actions}},
                   {"textDocument": {"codeAction": {
                       "codeActionLiteralSupport": True}}},
                   {"textDocument": {"documentSymbol": {
                       "hierarchicalDocumentSymbolSupport": 1}}}):
        found = []
        for command in ([sys.argv[1], "--crash-dir=off", "--analysis=off"],
                        [UPSTREAM]):
            server = Client(command, client)
            found.append({key: value
                          for key, value in server.capabilities.items()
                          if key not in ("textDocumentSync",
                                         "positionEncoding")})
            server.kill()
        assert found[0] == found[1], (client, found)


def main():
    checkCapabilities()
    ours = Client([sys.argv[1], "--crash-dir=off"], HIERARCHY)
    theirs = Client([UPSTREAM], HIERARCHY)
    lacking = {key: value for key, value in theirs.capabilities.items()
               if key != "textDocumentSync" and
               ours.capabilities.get(key) != value}
    assert not lacking, lacking
    checkBytecode(ours, theirs)
    checkDialects(ours, theirs)
    count = files = 0
    for path in inputs():
        files += 1
        count += compare(ours, theirs, path.name, path.read_text(), 1)
    broken = "func.func @f( {\n  %0 = memref.alloc() : memref<4xf32>\n"
    count += compare(ours, theirs, "broken.mlir", broken, 3)
    assert count > 1000 and files > 20, (count, files)
    print(f"{files} files, {count} answers are the same")
    ours.close()
    theirs.close()


main()
