#!/usr/bin/env python3
"""Random editing sessions: text and protocol together, from a seed.

  sessions.py SERVER [SEED [OPERATIONS | SECONDSs]]

Every request is answered, nothing dies for good, and in the end both sides hold
the text that the edits make. `1800s` goes on for half an hour; the end prints
how much was done.
"""
import collections
import json
import os
import random
import signal
import sys
import time

from client import ROOT, Client, Gone, fingerprint

sys.path.insert(0, str(ROOT / "tests" / "support"))
import sample  # noqa: E402

SERVER = [sys.argv[1], "--crash-dir=off", "--time-limit=10"]
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 1
LIMIT = sys.argv[3] if len(sys.argv) > 3 else (
    "200000" if sample.LONG else "20000" if sample.FULL else "8000")
SECONDS = float(LIMIT[:-1]) if LIMIT.endswith("s") else float("inf")
COUNT = sys.maxsize if LIMIT.endswith("s") else int(LIMIT)
SCHEMES = ["file:///s/{}.mlir", "untitled:{}", "vscode-remote://h/{}.mlir"]
SNIPPETS = ["}", "{", "\n", "\r\n", "// -----\n", '"', "%0", "^bb1:", "é😀",
            "func.func @x() {\n", "return\n", "memref.alloc() : memref<4xf32>",
            "module {\n", "#map = ", "\t", "// x", "@f", "scf.if %c {"]


def utf16(text):
    return len(text.encode("utf-16-le")) // 2


class Document:
    def __init__(self, uri, text):
        self.uri, self.text, self.version = uri, text, 1

    def place(self, offset):
        """LSP's position of an index into the text."""
        before = self.text[:offset].replace("\r\n", "\n")
        # An index between CR and LF is the line's end.
        if self.text[offset - 1:offset + 1] == "\r\n":
            before = self.text[:offset - 1].replace("\r\n", "\n")
        before = before.replace("\r", "\n")
        line = before.count("\n")
        return {"line": line, "character": utf16(before.split("\n")[-1])}

    def change(self, chance):
        """One random edit, as an LSP change."""
        if chance.random() < 0.02:
            self.text = chance.choice(TEXTS)
            return {"text": self.text}
        begin = chance.randrange(len(self.text) + 1)
        end = min(len(self.text), begin + int(chance.expovariate(0.2)))
        for at in (begin, end):
            if self.text[at - 1:at + 1] == "\r\n":
                return self.change(chance)
        text = chance.choice(SNIPPETS) if chance.random() < 0.6 else ""
        # A CR that comes to stand before an LF joins two line ends.
        made = {"range": {"start": self.place(begin), "end": self.place(end)},
                "text": text}
        self.text = self.text[:begin] + text + self.text[end:]
        return made


TEXTS = [path.read_bytes().decode()
         for path in sorted((ROOT / "samples").glob("*.mlir"))
         if path.stat().st_size < 4000]
METHODS = ["textDocument/hover", "textDocument/definition",
           "textDocument/references", "textDocument/completion",
           "textDocument/codeAction", "textDocument/inlayHint",
           "textDocument/codeLens", "textDocument/documentSymbol",
           "textDocument/documentHighlight", "memrefLens/explain",
           "memrefLens/eventsAt", "memrefLens/stageText", "memrefLens/cfg",
           "mlir/convertToBytecode", "none/such"]


class Session:
    def __init__(self):
        self.chance = random.Random(SEED)
        self.client = Client(SERVER)
        self.documents = {}
        self.open = set()
        self.asked = []
        self.kills = 0
        self.counts = collections.Counter()

    def openOne(self):
        name = self.chance.choice(SCHEMES).format(self.chance.randrange(5))
        text = self.chance.choice(TEXTS)
        if self.chance.random() < 0.1:
            text = text.replace("\n", "\r\n")
        self.documents[name] = Document(name, text)
        self.client.open(name, text)
        self.counts["documents opened"] += 1

    def edit(self, document):
        changes = [document.change(self.chance)
                   for _ in range(self.chance.randint(1, 4))]
        document.version += 1
        self.counts["edits"] += len(changes)
        self.client.change(document.uri, document.version, changes)

    def ask(self, document):
        method = self.chance.choice(METHODS)
        offset = self.chance.randrange(len(document.text) + 1)
        place = document.place(offset)
        self.asked.append((method, self.client.send(method, {
            "textDocument": {"uri": document.uri}, "uri": document.uri,
            "position": place, "range": {"start": place, "end": {
                "line": place["line"] + 30, "character": 0}},
            "context": {"diagnostics": [], "includeDeclaration": True},
            "stage": self.chance.randrange(9), "format": "data"})))

    def killOne(self):
        status = self.client.result("memrefLens/status", {})
        process = status[self.chance.choice(["upstream", "analysis"])][
            "processId"]
        try:
            if process > 0:
                os.kill(process, signal.SIGKILL)
                self.kills += 1
        except ProcessLookupError:
            pass  # It had died by itself, and is being started again.

    def step(self):
        roll = self.chance.random()
        if roll < 0.03 or not self.documents:
            self.openOne()
            return
        document = self.chance.choice(list(self.documents.values()))
        if roll < 0.05:
            self.client.tell("textDocument/didClose",
                             {"textDocument": {"uri": document.uri}})
            del self.documents[document.uri]
        elif roll < 0.5:
            self.edit(document)
        elif roll < 0.95:
            self.ask(document)
        elif roll < 0.98 and self.asked:
            self.client.tell("$/cancelRequest", {"id": self.asked[-1][1]})
            self.counts["cancelled"] += 1
        elif roll < 0.985:
            self.client.tell("workspace/didChangeConfiguration", {
                "settings": {"memrefLens": {
                    "inlayHints": {"maxLength": self.chance.randrange(80)},
                    "wholeChunks": self.chance.random() < 0.2}}})
        elif roll < 0.987:
            self.killOne()

    def settle(self):
        for method, id in self.asked:
            answer = self.client.answer(id, 60)
            assert "result" in answer or "error" in answer, (method, answer)
            self.counts["requests with " + (
                "an error" if "error" in answer else "a result")] += 1
        self.asked.clear()
        self.client.notifications.clear()

    def checkTexts(self):
        client = self.client
        # Any answer of the analysis is behind all edits.
        until = time.monotonic() + 60
        while True:
            status = client.result("memrefLens/status", {"analysis": True}, 60)
            ours = {one["uri"]: one for one in status["documents"]}
            theirs = {one["uri"]: one["hash"]
                      for one in status.get("analysisDocuments", [])}
            if all(theirs.get(uri) == one["hash"]
                   for uri, one in ours.items()) and len(ours) == len(theirs):
                break
            assert time.monotonic() < until, (ours, theirs)
            time.sleep(0.2)
        assert ours.keys() == self.documents.keys()
        for uri, document in self.documents.items():
            assert ours[uri]["hash"] == fingerprint(document.text), \
                (uri, document.text)
            assert ours[uri]["version"] == document.version, uri

    def run(self):
        begin, number = time.monotonic(), -1
        while number + 1 < COUNT and time.monotonic() - begin < SECONDS:
            number += 1
            self.step()
            if number % 100 == 99:
                self.settle()
            if number % 1000 == 999:
                self.checkTexts()
                self.counts["comparisons of all texts"] += 1
                print(number + 1, "operations", flush=True)
        self.settle()
        self.checkTexts()
        status = self.client.result("memrefLens/status", {})
        crashes = {role: status[role]["crashes"]
                   for role in ("upstream", "analysis")}
        print(f"{number + 1} operations in {time.monotonic() - begin:.0f} s, "
              f"{self.kills} kills, crashes {crashes}")
        print(", ".join(f"{count} {what}"
                        for what, count in sorted(self.counts.items())))
        assert self.client.close() == 0


try:
    Session().run()
except Gone as gone:
    raise SystemExit(f"seed {SEED}: {gone}")
