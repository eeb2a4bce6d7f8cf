"""A client of a language server over stdio, for the tests and the benchmark."""
import json
import os
import pathlib
import queue
import re
import subprocess
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]

# A function with buffers, by its number; `more` stands in its body.
FUNCTION = """func.func @f{n}(%c: i1, %a: memref<8xf32>, %f: f32, %i: index) {{
  %0 = memref.alloc() : memref<8xf32>
  %1 = scf.if %c -> (memref<8xf32>) {{
    %2 = memref.alloc() : memref<8xf32>
    scf.yield %2 : memref<8xf32>
  }} else {{
    scf.yield %0 : memref<8xf32>
  }}
  memref.store %f, %1[%i] : memref<8xf32>{more}
  return
}}
"""


class Gone(Exception):
    """The server ended, or did not answer in time."""


def corpus():
    """The corpus's folder, or None."""
    folder = pathlib.Path(os.environ.get("MEMREF_LENS_CORPUS",
                                         ROOT.parent / "shared" / "corpus"))
    return folder if folder.is_dir() else None


def skip(reason):
    """Ends the test: skipped, or failed where everything must be there."""
    print(reason)
    raise SystemExit(1 if os.environ.get("CI") == "true" else 77)


class Client:
    def __init__(self, command, capabilities=None, options=None, start=True):
        environment = dict(os.environ, LLVM_DISABLE_SYMBOLIZATION="1")
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL,
                                        env=environment)
        self.inbox = queue.Queue()
        self.notifications = []
        self.answers = {}
        self.last = 0
        threading.Thread(target=self._read, daemon=True).start()
        if start:
            # Diagnostics that come once more, a while later, have a test of their
            # own (remedies.py).
            options = dict(options or {})
            options["findings"] = {"testRemedies": False,
                                   **options.get("findings", {})}
            self.capabilities = self.ask("initialize", {
                "processId": None, "rootUri": None,
                "capabilities": capabilities or {},
                "initializationOptions": options})["result"]["capabilities"]
            self.tell("initialized", {})

    def _read(self):
        stream = self.process.stdout
        while True:
            length = None
            while True:
                line = stream.readline()
                if not line:
                    self.inbox.put(None)
                    return
                line = line.strip()
                if not line:
                    break
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            body = stream.read(length)
            self.inbox.put((time.monotonic(), json.loads(body)))

    def raw(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def message(self, message):
        body = json.dumps(message).encode()
        self.raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def tell(self, method, params):
        self.message({"jsonrpc": "2.0", "method": method, "params": params})

    def send(self, method, params):
        self.last += 1
        self.message({"jsonrpc": "2.0", "id": self.last, "method": method,
                      "params": params})
        return self.last

    def take(self, seconds):
        """Waits for one message; sorts it in."""
        try:
            got = self.inbox.get(timeout=max(seconds, 0.001))
        except queue.Empty:
            raise Gone("no message in time") from None
        if got is None:
            self.inbox.put(None)
            raise Gone("the server ended")
        self.at, message = got
        if "method" in message:
            self.notifications.append(message)
        else:
            self.answers[json.dumps(message.get("id"))] = message
        return message

    def answer(self, id, seconds=60):
        until = time.monotonic() + seconds
        while json.dumps(id) not in self.answers:
            self.take(until - time.monotonic())
        return self.answers.pop(json.dumps(id))

    def ask(self, method, params, seconds=60):
        return self.answer(self.send(method, params), seconds)

    def result(self, method, params, seconds=60):
        answer = self.ask(method, params, seconds)
        assert "error" not in answer, (method, answer)
        return answer["result"]

    def diagnostics(self, uri, version, until, seconds=60):
        """The newest diagnostics of a version for which `until` holds."""
        end = time.monotonic() + seconds
        seen = 0
        while True:
            for note in self.notifications[seen:]:
                params = note.get("params") or {}
                if note["method"] == "textDocument/publishDiagnostics" and \
                        params["uri"] == uri and \
                        params.get("version") == version and \
                        until(params["diagnostics"]):
                    return params["diagnostics"]
            seen = len(self.notifications)
            self.take(end - time.monotonic())

    def open(self, uri, text, version=1):
        self.tell("textDocument/didOpen", {"textDocument": {
            "uri": uri, "languageId": "mlir", "version": version,
            "text": text}})

    def change(self, uri, version, changes):
        self.tell("textDocument/didChange", {
            "textDocument": {"uri": uri, "version": version},
            "contentChanges": changes})

    def close(self):
        """Shuts the server down; its exit status."""
        self.ask("shutdown", None)
        self.tell("exit", None)
        return self.process.wait(20)

    def kill(self):
        self.process.kill()
        self.process.wait()


def at(uri, line, character, **more):
    return {"textDocument": {"uri": uri},
            "position": {"line": line, "character": character}, **more}


def whole(uri):
    return {"textDocument": {"uri": uri},
            "range": {"start": {"line": 0, "character": 0},
                      "end": {"line": 10 ** 6, "character": 0}}}


def numberless(answer):
    """Deallocs are numbered over all that is analysed together."""
    return re.sub(r"dealloc #\d+", "dealloc #n", str(answer))


def fingerprint(text):
    """The hash of a document in the server's status."""
    value = 0xcbf29ce484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001b3 & (2 ** 64 - 1)
    return value


def labels(hints):
    """(line, text) of hints in order."""
    found = []
    for hint in hints:
        text = "".join(part["value"] for part in hint["label"])
        found.append((hint["position"]["line"], text))
    return sorted(found)
