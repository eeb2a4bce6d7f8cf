#!/usr/bin/env python3
"""Documents: edits in every encoding, schemes, line ends, broken files.

Whatever the edits, both sides hold the same text in the end.
"""
import json
import sys

from client import Client, at, fingerprint, labels, whole

SERVER = [sys.argv[1], "--crash-dir=off"]
GOOD = """func.func @good(%a: memref<4xf32>) {
  %0 = memref.alloc() : memref<4xf32>
  memref.copy %a, %0 : memref<4xf32> to memref<4xf32>
  return
}
"""


def position(line, character):
    return {"line": line, "character": character}


def edit(first, last, text):
    return {"range": {"start": position(*first), "end": position(*last)},
            "text": text}


def bytesOnBothSides(client, uri):
    status = client.result("memrefLens/status", {})
    return [one for one in status["documents"] if one["uri"] == uri][0]


def checkEncodings():
    """A name behind characters of several bytes is found, and told."""
    text = ("func.func @f(%a: memref<4xf32>) {\n"
            '  %0 = memref.alloc() {s = "é😀漢"} : memref<4xf32>\n'
            '  memref.copy %a, %0 {s = "é😀漢"} : memref<4xf32> to'
            " memref<4xf32>\n  return\n}\n")
    widths = {"utf-8": lambda s: len(s.encode()),
              "utf-16": lambda s: len(s.encode("utf-16-le")) // 2,
              "utf-32": len}
    for name, width in widths.items():
        client = Client(SERVER, {"general": {"positionEncodings": [name]}})
        assert client.capabilities["positionEncoding"] == name
        uri = "file:///encoding.mlir"
        client.open(uri, text)
        line = text.split("\n")[1]
        # The text behind the string is replaced by positions of the client.
        client.change(uri, 2, [edit(
            (1, width(line[:line.index(" : mem")])), (1, width(line)),
            " : memref<8xf32>"), edit(
            (1, width(line[:line.index(" : mem")])),
            (1, width(line)), " : memref<4xf32>")])
        assert bytesOnBothSides(client, uri)["hash"] == fingerprint(text), name
        hints = client.result("textDocument/inlayHint", whole(uri))
        assert (1, "owned") in labels(hints), hints
        found = client.result("textDocument/references", at(
            uri, 1, 3, context={"includeDeclaration": True}))
        assert len(found) == 2, found
        client.close()


def checkLong():
    """A text of megabytes is taken another way than others, and is the same."""
    for end in ["\n", "\r\n", "\r"]:
        odd = 'é😀漢 "q" \\ \t \x01 \x7f \u2028 / \\u00e9 plain text of a comment'
        lines = [f"// {odd[i % len(odd):]}" for i in range(4000)]
        text = end.join(lines) + "\n" + GOOD
        last = len(lines) + GOOD.count("\n")
        for isAscii in [True, False]:
            for language in ["mlir", "memref-lens: long string 0"]:
                client = Client(SERVER)
                uri = "file:///long.mlir"
                body = json.dumps(
                    {"jsonrpc": "2.0", "method": "textDocument/didOpen",
                     "params": {"textDocument": {
                         "uri": uri, "languageId": language, "version": 1,
                         "text": text}}}, ensure_ascii=isAscii).encode()
                client.raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)
                both = bytesOnBothSides(client, uri)
                assert both["hash"] == fingerprint(text), (end, isAscii)
                # Lines are counted as the client does.
                client.change(uri, 2, [edit((last, 0), (last, 0), "// end\n")])
                both = bytesOnBothSides(client, uri)
                assert both["hash"] == fingerprint(text + "// end\n"), end
                hints = client.result("textDocument/inlayHint", whole(uri))
                assert labels(hints) == [(last - 4, "owned"), (
                    last - 2, "deallocates %0")] or end == "\r", hints
                client.close()


def checkSchemes():
    """Documents of any scheme, without being told of other URIs."""
    client = Client(SERVER)
    for uri in ["untitled:Untitled-1", "vscode-remote://ssh+host/a/b.mlir",
                "git:/a.mlir?x=1", "file:///a%20b.mlir", "made-up:x"]:
        client.open(uri, GOOD)
        hover = client.result("textDocument/hover", at(uri, 1, 3))
        assert 'Operation: "memref.alloc"' in hover["contents"]["value"], uri
        found = client.result("textDocument/definition", at(uri, 2, 20))
        assert [one["uri"] for one in found] == [uri], found
        client.change(uri, 2, [{"text": "broken"}])
        client.diagnostics(uri, 2, lambda d: len(d) == 1, 10)
    assert all("memref-lens/" not in str(note)
               for note in client.notifications)
    client.close()


def checkLineEnds():
    for end in ["\n", "\r\n"]:
        client = Client(SERVER)
        uri = "file:///ends.mlir"
        client.open(uri, GOOD.replace("\n", end))
        client.change(uri, 2, [edit((2, 0), (2, 0), "  // é" + end),
                               edit((3, 2), (3, 2), "")])
        hints = client.result("textDocument/inlayHint", whole(uri))
        assert labels(hints) == [(1, "owned"), (4, "deallocates %0")], hints
        both = bytesOnBothSides(client, uri)
        assert both["bytes"] == len(GOOD.replace("\n", end).encode()) + \
            len(("  // é" + end).encode())
        client.close()


def checkBroken():
    """One broken function takes no answers from the others, and is told once."""
    client = Client(SERVER)
    uri = "file:///broken.mlir"
    other = GOOD.replace("@good", "@other")
    client.open(uri, GOOD + other)
    client.diagnostics(uri, 1, lambda d: not d, 10)
    client.change(uri, 2, [edit((1, 2), (1, 2), "%%% ")])
    found = client.diagnostics(uri, 2, lambda d: d, 10)
    client.result("textDocument/inlayHint", whole(uri))
    hover = client.result("textDocument/hover", at(uri, 6, 3))
    assert "owned" in hover["contents"]["value"], hover
    assert "another part of the file does not" in hover["contents"]["value"]
    hints = labels(client.result("textDocument/inlayHint", whole(uri)))
    assert hints == [(6, "owned"), (8, "deallocates %0")], hints
    newest = [note["params"]["diagnostics"] for note in client.notifications
              if note["method"] == "textDocument/publishDiagnostics"][-1]
    assert len(found) == 1 and newest == found, newest
    # A function cut short in the middle.
    client.change(uri, 3, [{"text": GOOD[:60] + "\n" + other}])
    hints = labels(client.result("textDocument/inlayHint", whole(uri)))
    assert [text for _, text in hints] == ["owned", "deallocates %0"], hints
    client.close()


def checkLines():
    """Sentences name the lines as they are after edits above."""
    client = Client(SERVER)
    uri = "file:///lines.mlir"
    client.open(uri, "// x\n" + GOOD)
    client.result("textDocument/hover", at(uri, 2, 3))
    client.change(uri, 2, [edit((0, 0), (0, 0), "// y\n" * 10)])
    value = client.result("textDocument/hover",
                          at(uri, 12, 3))["contents"]["value"]
    assert "([13:3](<file:///lines.mlir#L13,3>))" in value, value
    client.change(uri, 3, [edit((0, 0), (9, 0), "")])
    value = client.result("textDocument/hover",
                          at(uri, 3, 3))["contents"]["value"]
    assert "([4:3](" in value, value
    client.close()


def checkCallee():
    """A function whose callee changes is analysed again."""
    client = Client(SERVER)
    uri = "file:///callee.mlir"
    client.open(uri, "func.func private @make() -> memref<4xf32>\n"
                "func.func @caller() {\n"
                "  %0 = call @make() : () -> memref<4xf32>\n  return\n}\n")
    hints = labels(client.result("textDocument/inlayHint", whole(uri)))
    assert hints == [(2, "owned"), (3, "deallocates %0")], hints
    client.change(uri, 2, [edit((0, 36), (0, 37), "8")])
    hints = labels(client.result("textDocument/inlayHint", whole(uri)))
    assert hints == [], hints
    client.close()


for check in [checkEncodings, checkLong, checkSchemes, checkLineEnds, checkBroken,
              checkLines, checkCallee]:
    check()
    print(f"{check.__name__}: ok")
