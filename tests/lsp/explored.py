#!/usr/bin/env python3
"""Paths are tried in the background: in nobody's way, and never for nothing.

Edits and requests while paths are tried; a child that dies or hangs over a
function's paths; findings that stay with functions that did not change; and
the actions that are bound to findings.
"""
import os
import random
import signal
import sys
import tempfile
import time

from client import FUNCTION, Client, at, whole
from findings import explored, told

SERVER = [sys.argv[1]]
LEAK = """func.func @leak{n}(%c: i1, %v: f32, %i: index) -> f32 {{
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  %r = memref.load %a[%i] : memref<4xf32>
  scf.if %c {{
    memref.dealloc %a : memref<4xf32>
  }}
  return %r : f32
}}
"""
CALL = """func.func @caller(%c: i1) {
  call @callee(%c) : (i1) -> ()
  return
}
func.func private @callee(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}
"""
# What is freed depends on each condition: no two paths meet again.
LONG = """func.func @long(%c: memref<64xi1>, %v: f32, %i: index) -> f32 {{
{allocs}{frees}  %r = memref.load %a0[%i] : memref<4xf32>
{rest}  return %r : f32
}}
"""
ALLOC = """  %a{n} = memref.alloc() : memref<4xf32>
  memref.store %v, %a{n}[%i] : memref<4xf32>
"""
FREE = """  %i{n} = arith.constant {n} : index
  %c{n} = memref.load %c[%i{n}] : memref<64xi1>
  scf.if %c{n} {{
    memref.dealloc %a{n} : memref<4xf32>
  }}
"""


ENDLESS = {"seconds": 3600, "steps": 10 ** 15}


def longText(buffers=2000, frees=40):
    return LONG.format(
        allocs="".join(ALLOC.format(n=n) for n in range(buffers)),
        frees="".join(FREE.format(n=n) for n in range(1, frees)),
        rest="".join(f"  memref.dealloc %a{n} : memref<4xf32>\n"
                     for n in range(frees, buffers)))


def codes(diagnostics):
    return sorted((one["range"]["start"]["line"], one["code"])
                  for one in diagnostics if "code" in one)


def insert(client, uri, version, line, text):
    place = {"line": line, "character": 0}
    client.change(uri, version, [{"range": {"start": place, "end": place},
                                  "text": text}])


def checkMoved():
    """A finding moves with its function, before any path is tried again."""
    client = Client(SERVER)
    uri = "file:///moved.mlir"
    client.open(uri, LEAK.format(n=0) + LEAK.format(n=1))
    explored(client)
    before = told(client, uri)
    assert [line for line, code in codes(before) if code == "leak"] == [1, 10]
    leak = next(one for one in before if one["code"] == "leak")
    assert "(as written)" in leak["message"] and \
        "in the program as written: 1 fault; all 2 paths tried" in \
        leak["message"], leak
    steps = [one["message"] for one in leak["relatedInformation"]]
    assert steps == ["1/3 %a is allocated", "2/3 %c is false",
                     "3/3 %a is never deallocated"], steps
    # One edit above all, one within the second.
    insert(client, uri, 2, 0, "// one\n// two\n")
    insert(client, uri, 3, 13, "  // three\n")
    status = explored(client)
    after = told(client, uri, 3)
    assert [line for line, code in codes(after) if code == "leak"] == [3, 12]
    place = [one["location"]["range"]["start"]["line"] for one in
             next(one for one in after if one["code"] == "leak")[
                 "relatedInformation"]]
    assert place == [3, 6, 9], place
    assert status["analysisDocuments"][0]["paths"] == 2, status
    client.close()


def checkCallee():
    """What a callee does is found again from its caller when it changes."""
    client = Client(SERVER)
    uri = "file:///callee.mlir"
    client.open(uri, CALL)
    explored(client)
    assert not [one for one in codes(told(client, uri))
                if one[1] == "double-free"]
    line = CALL.split("\n").index("  memref.dealloc %a : memref<4xf32>")
    insert(client, uri, 2, line, "  memref.dealloc %a : memref<4xf32>\n")
    explored(client)
    found = [one for one in told(client, uri, 2) if one["code"] == "double-free"]
    # Once, though both functions' paths go there.
    assert len(found) == 1 and found[0]["range"]["start"]["line"] == line + 1
    client.close()


def checkOptions():
    """Off is off; a bound is told; a rule has a page where there is one."""
    uri = "file:///options.mlir"
    for options, wanted in (({"enabled": False}, []),
                            ({"explore": False}, ["free-in-input"]),
                            ({"rules": ["unsound"]}, ["leak"]),
                            ({"rules": ["-leak"]}, ["free-in-input"]),
                            ({"rulePages": "https://example.org/rules"},
                             ["free-in-input", "leak"])):
        client = Client(SERVER, options={"findings": options})
        client.open(uri, LEAK.format(n=0))
        explored(client)
        found = told(client, uri)
        assert sorted(one.get("code") for one in found) == wanted, (
            options, found)
        pages = [one["codeDescription"]["href"] for one in found
                 if "codeDescription" in one]
        assert not ("rulePages" in options) or \
            "https://example.org/rules/leak.md" in pages, pages
        assert "rulePages" in options or not pages, pages
        client.close()


def untilExploring(client):
    """Waits until the analysis is at somebody's paths; its process."""
    end = time.monotonic() + 60
    while True:
        analysis = client.result("memrefLens/status", {})["analysis"]
        if analysis.get("at", {}).get("stage") == 1000:
            return analysis["processId"]
        assert time.monotonic() < end, analysis
        time.sleep(0.005)


def checkDeath(how, more):
    """The function whose paths it died over is named; the rest goes on."""
    with tempfile.TemporaryDirectory() as reports:
        client = Client(SERVER + [f"--crash-dir={reports}"] + more,
                        options={"findings": ENDLESS})
        uri = "file:///death.mlir"
        client.open(uri, LEAK.format(n=0) + "\n" + longText() + "\n" +
                    LEAK.format(n=1))
        client.result("textDocument/inlayHint", whole(uri))
        # Of the long one: the first is done with when it is tried alone.
        while True:
            process = untilExploring(client)
            time.sleep(0.05)
            if untilExploring(client) == process:
                break
        os.kill(process, how)
        explored(client, 60)
        found = told(client, uri)
        named = [one for one in found if "@long were not tried" in
                 one["message"]]
        lines = [line for line, code in codes(found) if code == "leak"]
        assert len(named) == 1 and len(lines) == 2, (named, codes(found))
        assert named[0]["range"]["start"]["line"] == 10, named
        print(named[0]["message"][:110])
        # Hovers and hints of it are as before; an edit of it tries again.
        assert client.result("textDocument/hover", at(uri, 13, 4))
        client.change(uri, 2, [{"text": LEAK.format(n=0)}])
        explored(client, 60)
        assert [code for _, code in codes(told(client, uri, 2))] == [
            "leak", "free-in-input"]
        assert client.result("memrefLens/status", {})["analysis"][
            "crashes"] == 1
        client.close()


def checkEdits():
    """Edits and requests while paths are tried: all answered, and the end is
    what a fresh server says."""
    random.seed(7)
    client = Client(SERVER, options={"findings": {"seconds": 2}})
    uri = "file:///edits.mlir"
    text = LEAK.format(n=0) + longText() + CALL
    client.open(uri, text)
    lines = text.split("\n")
    asked = []
    for version in range(2, 80):
        line = random.randrange(len(lines))
        if random.random() < 0.5 and lines[line].startswith("// "):
            client.change(uri, version, [{"range": {
                "start": {"line": line, "character": 0},
                "end": {"line": line + 1, "character": 0}}, "text": ""}])
            del lines[line]
        else:
            insert(client, uri, version, line, f"// {version}\n")
            lines.insert(line, f"// {version}")
        asked.append(client.send("textDocument/inlayHint", whole(uri)))
        if random.random() < 0.2:
            time.sleep(random.choice((0.01, 0.15, 0.3)))
    for id in asked:
        client.answer(id, 60)
    explored(client)
    found = told(client, uri, version)
    other = Client(SERVER, options={"findings": {"seconds": 2}})
    other.open(uri, "\n".join(lines))
    explored(other)
    assert codes(found) == codes(told(other, uri)) and len(found) > 3, (
        codes(found), codes(told(other, uri)))
    status = client.result("memrefLens/status", {})
    assert status["analysis"]["crashes"] == 0, status
    for one in (client, other):
        one.close()


def checkLatency():
    """While the paths of a function take long, hints do not wait for them."""
    client = Client(SERVER, options={"findings": ENDLESS})
    uri = "file:///latency.mlir"
    client.open(uri, longText() + LEAK.format(n=0))
    untilExploring(client)
    # None of these could be answered if paths were tried to their end first.
    for version in range(2, 12):
        insert(client, uri, version, 0, "// x\n")
        client.result("textDocument/inlayHint", whole(uri), 20)
        client.result("textDocument/hover", at(uri, 8, 4), 20)
    untilExploring(client)
    client.close()


def checkQuestions():
    """Questions are answered whole while paths are tried, and that goes on."""
    client = Client(SERVER, options={"findings": ENDLESS})
    uri = "file:///questions.mlir"
    client.open(uri, longText())
    untilExploring(client)
    for line in range(1, 11, 2):
        hover = client.result("textDocument/hover", at(uri, line, 4), 20)
        # Our part names the buffer.
        assert f"`%a{line // 2}` ([{line + 1}:3]" in str(hover), hover
        analysis = client.result("memrefLens/status", {})["analysis"]
        # It would begin with the stages if it began anew.
        assert analysis.get("at", {}).get("stage") == 1000, analysis
    client.close()


def checkGiant():
    """A giant function is waited for by nobody: hovers on it say that it is not
    known yet, and what other functions have is told meanwhile."""
    client = Client(SERVER, options={"findings": {"explore": False}})
    uri = "file:///giant.mlir"
    small = FUNCTION.format(n=0, more="")
    client.open(uri, small + longText(6000))
    line = small.count("\n") + 1
    hover = client.result("textDocument/hover", at(uri, line, 4), 20)
    assert "memref-lens is still analysing this function" in str(hover), hover
    assert "unfinished" not in str(hover), hover
    # Nothing is said of what is no value.
    assert "still analysing" not in str(client.result(
        "textDocument/hover", at(uri, line, 1), 20))
    hints = client.result("textDocument/inlayHint", {
        "textDocument": {"uri": uri},
        "range": {"start": {"line": 0, "character": 0},
                  "end": {"line": line - 3, "character": 0}}}, 20)
    assert any("owned" in str(one["label"]) for one in hints), hints
    assert "`%0` ([2:3]" in str(client.result("textDocument/hover", at(uri, 1, 4),
                                          20))
    status = client.result("memrefLens/status", {"analysis": True})
    document = status["analysisDocuments"][0]
    assert document["traces"] < document["units"] == 2, document
    # An edit and a request that needs it: both come to their turn.
    insert(client, uri, 2, 0, "// x\n")
    hints = client.result("textDocument/inlayHint", whole(uri), 60)
    assert any(one["position"]["line"] == line + 1 for one in hints), hints
    # A hover that is late goes without ownership; the next one has it.
    end = time.monotonic() + 60
    while f"`%a0` ([{line + 2}:3]" not in str(
            client.result("textDocument/hover", at(uri, line + 1, 4), 20)):
        assert time.monotonic() < end
    assert client.result("memrefLens/status", {})["analysis"]["crashes"] == 0
    client.close()


def checkActions():
    """A remedy is bound to the finding that it is for, and was tried."""
    uri = "file:///actions.mlir"
    loop = """func.func @loop(%c: i1) {
  %a = memref.alloc() : memref<8xf32>
  cf.br ^head
^head:
  cf.cond_br %c, ^head, ^done
^done:
  return
}
"""
    lazy = {"textDocument": {"codeAction": {
        "dataSupport": True, "resolveSupport": {"properties": ["edit"]}}}}
    for capabilities in ({}, lazy):
        client = Client(SERVER, capabilities)
        client.open(uri, loop + LEAK.format(n=0))
        explored(client)
        diagnostics = told(client, uri)

        def actionsAt(code):
            one = next(one for one in diagnostics if one["code"] == code)
            actions = client.result("textDocument/codeAction", {
                "textDocument": {"uri": uri}, "range": one["range"],
                "context": {"diagnostics": [one], "only": ["quickfix"]}})
            return {action["title"].split(" @")[0]: action
                    for action in actions
                    if action.get("diagnostics") == [one]}

        lift = actionsAt("branch-loop")["Run lift-cf-to-scf on"]
        assert lift["isPreferred"] and "scf.while" in \
            lift["edit"]["changes"][uri][0]["newText"], lift
        remove = actionsAt("leak")["Remove the deallocs of"]
        assert remove["isPreferred"] and "edit" in remove, remove
        assert {"Remove the deallocs of", "Mark the deallocs of"} == \
            set(actionsAt("free-in-input"))
        assert "isPreferred" not in actionsAt("free-in-input")[
            "Mark the deallocs of"]
        client.close()


if __name__ == "__main__":
    for check in (checkMoved, checkCallee, checkOptions, checkActions,
                  checkLatency, checkQuestions, checkGiant, checkEdits):
        check()
        print(f"{check.__name__}: ok", flush=True)
    checkDeath(signal.SIGSEGV, [])
    checkDeath(signal.SIGSTOP, ["--time-limit=2"])
    print("checkDeath: ok")
