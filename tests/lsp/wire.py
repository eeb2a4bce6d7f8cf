#!/usr/bin/env python3
"""Frames and messages as LSP 3.17 has them, and everything that is none."""
import json
import sys

from client import Client, Gone

SERVER = [sys.argv[1], "--crash-dir=off"]
PARSE, REQUEST, UNINITIALIZED = -32700, -32600, -32002


def code(answer):
    return answer.get("error", {}).get("code")


def checkBeforeInitialize():
    client = Client(SERVER, start=False)
    assert code(client.ask("textDocument/hover", {})) == UNINITIALIZED
    assert code(client.ask("shutdown", None)) == UNINITIALIZED
    client.tell("exit", None)
    assert client.process.wait(10) == 1, "exit without shutdown"


def checkLifeCycle():
    client = Client(SERVER)
    assert code(client.ask("initialize", {"capabilities": {}})) == REQUEST
    assert client.capabilities["textDocumentSync"]["change"] == 2
    assert code(client.ask("no/such", {})) == -32601
    assert client.ask("shutdown", None)["result"] is None
    assert code(client.ask("textDocument/hover", {})) == REQUEST
    client.tell("exit", None)
    assert client.process.wait(10) == 0


def checkMalformed():
    client = Client(SERVER)

    def check(data, wanted):
        client.raw(data)
        got = client.answer(None, 20)
        assert code(got) == wanted, (data[:60], got)
        answer = client.result("memrefLens/status", {}, 20)
        assert answer["upstream"]["running"], data[:60]

    def framed(body):
        return b"Content-Length: %d\r\n\r\n" % len(body) + body

    check(framed(b"{"), PARSE)
    check(framed(b"[" * 100000), PARSE)
    check(framed(b'{"a":' * 100000 + b"1" + b"}" * 100000), PARSE)
    check(framed(b"\xff\xfe{}"), PARSE)
    check(framed(b"[]"), REQUEST)
    check(framed(b"7"), REQUEST)
    check(framed(b'{"jsonrpc":"2.0"}'), REQUEST)
    check(framed(b'{"jsonrpc":"2.0","id":{},"method":"a"}'), REQUEST)
    check(b"Content-Length: 99999999999999\r\n\r\n{}", PARSE)
    check(b"Content-Length: 99999999999999999999999999\r\n\r\n{}", PARSE)
    # What comes after a length past the limit is read at once.
    check(b"Content-Length: 2147483648\r\n\r\n{}", PARSE)
    check(b"Content-Length: 300000000\r\n\r\n{}", PARSE)
    check(b"Content-Length: -5\r\n\r\n{}", PARSE)
    check(b"Content-Length: x\r\n\r\n{}", PARSE)
    check(b"nonsense without an end " * 1000, PARSE)
    # A body shorter than it says swallows the next header; then all is well.
    client.raw(b"Content-Length: 3\r\n\r\n{}")
    client.raw(framed(b"{}"))
    client.ask("memrefLens/status", {}, 20)
    # Other headers, and pieces of any size.
    client.last += 1
    body = json.dumps({"jsonrpc": "2.0", "id": client.last,
                       "method": "memrefLens/status", "params": {}}).encode()
    data = b"content-type: x; charset=utf-8\r\n" + framed(body)
    for i in range(len(data)):
        client.raw(data[i:i + 1])
    assert client.answer(client.last, 20)["result"]
    # Parameters of any shape.
    for params in [None, 5, [], "x", {"textDocument": 3},
                   {"textDocument": {"uri": 7}, "position": "here"},
                   {"textDocument": {"uri": "file:///a"}, "position": {
                       "line": -5, "character": 10 ** 30}}]:
        for method in ["textDocument/hover", "textDocument/inlayHint",
                       "textDocument/codeAction", "memrefLens/cfg",
                       "codeAction/resolve", "inlayHint/resolve"]:
            client.ask(method, params, 20)
        for method in ["textDocument/didOpen", "textDocument/didChange",
                       "textDocument/didClose", "$/cancelRequest",
                       "workspace/didChangeConfiguration", "none/such"]:
            client.tell(method, params)
    status = client.result("memrefLens/status", {}, 20)
    assert status["analysis"]["crashes"] == 0, status
    assert client.close() == 0


def checkEndOfInput():
    client = Client(SERVER)
    client.process.stdin.close()
    assert client.process.wait(10) == 1


def checkCancel():
    client = Client(SERVER)
    text = "".join(
        f"func.func @f{i}(%a: memref<4xf32>) {{\n"
        "  %0 = memref.alloc() : memref<4xf32>\n  return\n}\n"
        for i in range(400))
    client.open("file:///c.mlir", text)
    ids = [client.send("textDocument/codeLens",
                       {"textDocument": {"uri": "file:///c.mlir"}})
           for _ in range(3)]
    client.tell("$/cancelRequest", {"id": ids[1]})
    assert code(client.answer(ids[1], 20)) == -32800
    for id in (ids[0], ids[2]):
        assert len(client.answer(id, 60)["result"]) == 400
    client.close()


for check in [checkBeforeInitialize, checkLifeCycle, checkMalformed,
              checkEndOfInput, checkCancel]:
    try:
        check()
    except Gone as gone:
        raise SystemExit(f"{check.__name__}: {gone}")
    print(f"{check.__name__}: ok")
