#!/usr/bin/env python3
"""No input kills or blocks the server: it answers within 2 s, and says so.

Inputs of which MLIR's server, its parser or a pass dies, and edits that remove it.
They hold ops that die on purpose (tests/deadly).

  crashes.py SERVER PLUGIN
"""
import os
import pathlib
import signal
import sys
import tempfile
import time

from client import ROOT, Client, at, whole

sys.path.insert(0, str(ROOT / "tests" / "random"))
import generate  # noqa: E402

SERVER = [sys.argv[1], f"--load-dialect-plugin={sys.argv[2]}"]
GOOD = """func.func @good(%a: memref<4xf32>) {
  %0 = memref.alloc() : memref<4xf32>
  memref.copy %a, %0 : memref<4xf32> to memref<4xf32>
  return
}
"""


def deadly(op):
    """A function with an op that dies; 0:11 is its name."""
    return f"func.func @deadly() {{\n  {op}\n  return\n}}\n"


READ = deadly('deadly.read "signal"')


class Limit:
    """What happens inside must take less than the time."""

    def __init__(self, what, seconds=2.0):
        self.what, self.seconds = what, seconds

    def __enter__(self):
        self.begin = time.monotonic()

    def __exit__(self, kind, *_):
        took = time.monotonic() - self.begin
        if kind is None:
            assert took < self.seconds, f"{self.what} took {took:.2f} s"


def checkDeadly(client, name, text):
    """Opened, the server answers and tells; mended, all is as ever."""
    uri = f"file:///deadly/{name}"
    with Limit(f"{name}: answers and a diagnostic"):
        client.open(uri, text)
        client.ask("memrefLens/status", {}, 5)
        client.ask("textDocument/hover", at(uri, 0, 11), 5)
        found = client.diagnostics(uri, 1, lambda d: d, 5)
    messages = [one["message"] for one in found]
    assert all(messages), messages
    client.change(uri, 2, [{"text": GOOD}])
    # MLIR's own part may be late: it is not done with the text before.
    end = time.monotonic() + 15
    while True:
        with Limit(f"{name}: hover after the mending edit"):
            hover = client.result("textDocument/hover", at(uri, 1, 3), 10)
        value = hover["contents"]["value"]
        assert "owned" in value, value
        if "Operation: \"memref.alloc\"" in value:
            break
        assert time.monotonic() < end, value
    client.diagnostics(uri, 2, lambda d: not d, 10)
    client.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
    return messages


def checkKilled(client, role):
    """A child that dies at rest comes back, and no answer changes."""
    uri = "file:///killed.mlir"
    client.open(uri, GOOD)
    before = client.result("textDocument/hover", at(uri, 1, 3))
    process = client.result("memrefLens/status", {})[role]["processId"]
    os.kill(process, signal.SIGKILL)
    with Limit(f"{role}: hover after a kill", 5):
        while client.result("memrefLens/status", {})[role]["processId"] in (
                process, 0):
            time.sleep(0.01)
        assert client.result("textDocument/hover", at(uri, 1, 3)) == before
    # Killed with requests on the way: each gets an answer.
    process = client.result("memrefLens/status", {})[role]["processId"]
    ids = [client.send("textDocument/hover", at(uri, 1, 3)) for _ in range(20)]
    os.kill(process, signal.SIGKILL)
    ids += [client.send("textDocument/hover", at(uri, 1, 3)) for _ in range(20)]
    for id in ids:
        client.answer(id, 10)
    client.tell("textDocument/didClose", {"textDocument": {"uri": uri}})


def checkStopped(options):
    """A child that hangs is ended after its time, and its work is answered."""
    client = Client(SERVER + options + ["--time-limit=1"])
    uri = "file:///stopped.mlir"
    client.open(uri, GOOD)
    client.result("textDocument/hover", at(uri, 1, 3))
    for role in ("upstream", "analysis"):
        process = client.result("memrefLens/status", {})[role]["processId"]
        os.kill(process, signal.SIGSTOP)
        with Limit(f"{role} stopped: hover", 4):
            client.ask("textDocument/hover", at(uri, 1, 3), 5)
        time.sleep(1.5)
        answer = client.ask("textDocument/hover", at(uri, 1, 3), 5)
        assert answer.get("result"), answer
        status = client.result("memrefLens/status", {})
        assert status[role]["crashes"] == 1, status
    client.close()


def checkLateUpstream(options):
    """Diagnostics of the analysis, and that there are none any more, do not
    wait for MLIR's server: neither while it hangs nor while it is away."""
    client = Client(SERVER + options + ["--time-limit=600"])
    uri = "file:///late.mlir"
    bad = GOOD.replace("@good", "@bad").replace(
        "  return\n", "  cf.br ^a\n^a:\n  cf.br ^a\n")
    client.open(uri, GOOD)
    client.diagnostics(uri, 1, lambda found: not found)
    status = client.result("memrefLens/status", {})["upstream"]
    os.kill(status["processId"], signal.SIGSTOP)
    # A version is told of also where nothing is new.
    client.change(uri, 2, [{"text": GOOD + "// x\n"}])
    assert client.diagnostics(uri, 2, lambda _: True) == []
    now = client.result("memrefLens/status", {})["upstream"]
    assert now["crashes"] == 0 and now["processId"] == status["processId"], now
    os.kill(status["processId"], signal.SIGCONT)
    client.close()
    # Killed so often that it rests.
    client = Client(SERVER + options)
    client.open(uri, GOOD)
    client.diagnostics(uri, 1, lambda found: not found)
    while True:
        status = client.result("memrefLens/status", {})["upstream"]
        if not status["running"]:
            break
        os.kill(status["processId"], signal.SIGKILL)
        while client.result("memrefLens/status", {})["upstream"][
                "processId"] == status["processId"]:
            pass
    client.change(uri, 2, [{"text": bad}])
    found = client.diagnostics(uri, 2, lambda found: found)
    assert found[0]["code"] == "branch-loop", found
    assert not client.result("memrefLens/status", {})["upstream"]["running"]
    client.close()


def checkReopened(options):
    """A file that is closed and opened again under the version it had: what MLIR's
    server says of the closing is not taken for being done with the opening and
    with all before it. It dies before it has answered; somebody answers."""
    client = Client(SERVER + options + ["--time-limit=600"])
    quiet, again = "file:///quiet.mlir", "file:///again.mlir"
    for uri in (quiet, again):
        client.open(uri, GOOD)
        client.diagnostics(uri, 1, lambda found: not found)
    client.result("textDocument/hover", at(quiet, 1, 3))
    process = client.result("memrefLens/status", {})["upstream"]["processId"]
    os.kill(process, signal.SIGSTOP)
    client.tell("textDocument/didClose", {"textDocument": {"uri": again}})
    client.open("file:///deadly.mlir", READ)
    asked = client.send("textDocument/definition", at(quiet, 1, 3))
    client.open(again, GOOD)
    client.result("memrefLens/status", {})
    os.kill(process, signal.SIGCONT)
    with Limit("a request behind a file that is opened again", 30):
        client.answer(asked, 30)
    # And nothing stays behind when the client goes.
    assert client.close() == 0


def checkMemory(options):
    """A child past its memory limit is started again; answers go on."""
    client = Client(SERVER + options + ["--memory-limit=20"])
    uri = "file:///memory.mlir"
    client.open(uri, GOOD)
    until = time.monotonic() + 20
    while True:
        client.ask("textDocument/hover", at(uri, 1, 3), 5)
        status = client.result("memrefLens/status", {})
        if all(status[role]["crashes"] for role in ("upstream", "analysis")):
            break
        assert time.monotonic() < until, status
        time.sleep(0.1)
    assert client.close() == 0


def main():
    with tempfile.TemporaryDirectory() as reports:
        options = [f"--crash-dir={reports}"]
        client = Client(SERVER + options)
        for name, op in [
                ("read.mlir", 'deadly.read "signal"'),
                ("aborts.mlir", 'deadly.read "abort"'),
                ("error.mlir", 'deadly.read error "abort"'),
                ("verified.mlir",
                 '"deadly.op"() {at = "verify", by = "signal"} : () -> ()')]:
            text = deadly(op)
            print(name, checkDeadly(client, name, text)[0][:100], flush=True)
        written = list(pathlib.Path(reports).iterdir())
        assert written, "no crash report was written"
        status = client.result("memrefLens/status", {})
        assert status["upstream"]["crashes"] > 0, status
        for role in ("upstream", "analysis"):
            checkKilled(client, role)
            print(role, "killed: ok", flush=True)
        # Some of these kill MLIR's own pipeline.
        for seed in range(12, 18):
            uri = f"file:///random-{seed}.mlir"
            with Limit(f"{uri}: all answers"):
                client.open(uri, generate.generate(seed))
                client.ask("textDocument/hover", at(uri, 1, 3), 5)
                client.result("textDocument/inlayHint", whole(uri), 5)
                client.ask("memrefLens/status", {}, 5)
            print(uri, "ok", flush=True)
        assert client.close() == 0
        checkStopped(options)
        print("stopped: ok")
        checkLateUpstream(options)
        print("late upstream: ok", flush=True)
        checkReopened(options)
        print("reopened: ok", flush=True)
        checkMemory(options)
        print("memory: ok")


main()
