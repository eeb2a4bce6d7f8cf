#!/usr/bin/env python3
"""What an edit costs, counted in functions analysed, and that nothing is wrong.

Only functions whose text, callees' signatures, aliases or settings changed are
analysed again; what comes back is taken back; traces are bounded. After each
session the answers are those of a server that never saw another text.
"""
import os
import random
import re
import sys
import time

from client import FUNCTION, Client, whole

LONG = os.environ.get("MEMREF_LENS_LONG") == "1"
SERVER = [sys.argv[1], "--companion", "--crash-dir=off"]
URI = "file:///increments.mlir"

CALLEE = """func.func @callee(%a: memref<8xf32>) -> memref<8xf32>{attributes} {{
  %0 = memref.alloc() : memref<8xf32>
  memref.copy %a, %0 : memref<8xf32> to memref<8xf32>{more}
  return %0 : memref<8xf32>
}}
"""
CALLER = """func.func @caller{n}(%a: memref<8xf32>) {{
  %0 = call @callee(%a) : (memref<8xf32>) -> memref<8xf32>
  memref.copy %0, %a : memref<8xf32> to memref<8xf32>
  return
}}
"""
MAPPED = """func.func @mapped{n}(%a: memref<8xf32>) {{
  %0 = memref.alloc() : memref<8xf32, #inner>
  memref.copy %a, %0 : memref<8xf32> to memref<8xf32, #inner>
  return
}}
"""


def functions(count, changed=()):
    return "".join(FUNCTION.format(
        n=n, more="\n  memref.store %f, %0[%i] : memref<8xf32>"
        if n in changed else "") for n in range(count))


class Session:
    """A server, and what it did since it was last asked."""

    def __init__(self, settings=None):
        self.client = Client(SERVER, options=settings)
        self.versions = {}
        self.before = self.work()

    def work(self):
        end = time.monotonic() + 300
        while time.monotonic() < end:
            status = self.client.result("memrefLens/status",
                                        {"analysis": True}, 120)
            documents = status["analysisDocuments"]
            known = {one["uri"]: one["version"] for one in documents}
            if known == self.versions and \
                    all(one["reported"] for one in documents):
                self.documents = documents
                return status["analysisWork"]
            time.sleep(0.01)
        raise AssertionError(("never done", status))

    def show(self, text, uri=URI):
        """Opens a document, or puts the text in its place."""
        self.versions[uri] = self.versions.get(uri, 0) + 1
        if self.versions[uri] == 1:
            self.client.open(uri, text)
        else:
            self.client.change(uri, self.versions[uri], [{"text": text}])

    def close(self, uri=URI):
        self.client.tell("textDocument/didClose",
                         {"textDocument": {"uri": uri}})
        del self.versions[uri]

    def set(self, settings):
        self.client.tell("workspace/didChangeConfiguration",
                         {"settings": {"memrefLens": settings}})

    def counts(self):
        """(analysed, taken back) since the last time."""
        now, before = self.work(), self.before
        self.before = now
        return tuple(now[key] - before[key] for key in ("analysed",
                                                        "takenBack"))

    def expect(self, what, analysed, takenBack=0):
        counts = self.counts()
        assert counts == (analysed, takenBack), (what, counts)

    def end(self):
        self.client.close()


def answers(client, uri):
    """All hints and lenses, without what depends on who came first."""
    hints = client.result("textDocument/inlayHint", whole(uri), 120)
    lenses = client.result("textDocument/codeLens",
                           {"textDocument": {"uri": uri}}, 120)
    return [re.sub(r"dealloc #\d+", "dealloc #n", str(one))
            for one in sorted(map(str, hints)) + sorted(map(str, lenses))]


def checkAnswers(session, uri, text, why=""):
    """They are those of a server that has seen nothing else."""
    fresh = Client(SERVER)
    fresh.open(uri, text)
    expected = answers(fresh, uri)
    fresh.close()
    assert "own" in str(expected), (why, uri)
    found = answers(session.client, uri)
    differ = [pair for pair in zip(found, expected) if pair[0] != pair[1]]
    assert len(found) == len(expected) and not differ, (why, uri, differ[:2])
    assert found, (why, uri)


def checkOneFunction(count):
    session = Session()
    session.show(functions(count))
    session.expect("opened", count)
    session.show(functions(count, changed={7}))
    session.expect("one function", 1)
    session.show(functions(count))
    session.expect("undone", 0, 1)
    session.show(functions(count, changed={7}))
    session.expect("done again", 0, 1)
    session.show("// A line.\n\n" + functions(count, changed={7}))
    session.expect("lines above", 0)
    moved = functions(count - 1, changed={7})
    session.show(FUNCTION.format(n=count - 1, more="") + moved)
    session.expect("a function moved", 0)
    checkAnswers(session, URI, FUNCTION.format(n=count - 1, more="") + moved)
    # Away while the others move, and back at its old line while they stay.
    apart = functions(count).replace("func.func @f9(", "\nfunc.func @f9(")
    session.show(functions(count))
    session.counts()
    session.show(apart.replace("memref.alloc()", "memref.alloc() {x}", 1))
    session.counts()
    checkAnswers(session, URI, apart.replace("memref.alloc()",
                                             "memref.alloc() {x}", 1))
    session.show(apart)
    session.expect("back while the others stay", 0, 1)
    checkAnswers(session, URI, apart)
    session.end()


def checkCallees(count):
    def text(more="", attributes=""):
        callers = "".join(CALLER.format(n=n) for n in range(count))
        return functions(count) + CALLEE.format(
            more=more, attributes=attributes) + callers
    session = Session()
    session.show(text())
    session.expect("opened", 2 * count + 1)
    session.show(text(more="\n  memref.copy %a, %0 : memref<8xf32> to "
                           "memref<8xf32>"))
    session.expect("a callee's body", 1)
    session.show(text(attributes=" attributes {llvm.emit_c_interface}"))
    session.expect("a callee's signature", count + 1)
    session.show(text())
    session.expect("the signature undone", 0, count + 1)
    session.end()


def checkAliases(count):
    def text(inner="d0", other="d0"):
        return (f"#unused = affine_map<(d0) -> ({other})>\n"
                f"#base = affine_map<(d0) -> ({other})>\n"
                f"#inner = affine_map<(d0) -> ({inner})>\n" +
                functions(count) +
                "".join(MAPPED.format(n=n) for n in range(3)))
    session = Session()
    session.show(text())
    session.expect("opened", count + 3)
    session.show(text(inner="d0 + 1"))
    session.expect("an alias that three use", 3)
    session.show(text(inner="d0 + 1", other="d0 + 2"))
    session.expect("aliases that none use", 0)
    session.end()


def checkLocations(count):
    """As printed with locations: two aliases a line, after the module."""
    def text(first="1:1"):
        body = functions(count).replace("memref<8xf32>\n",
                                        "memref<8xf32> loc(#loc2)\n", 1)
        body = body.replace("\n}\n", "\n} loc(#loc1)\n")
        return ("#loc3 = loc(\"a.mlir\":9:9)\nmodule {\n" + body +
                "} loc(#loc)\n#loc = loc(\"a.mlir\":0:0)\n"
                "#loc1 = loc(\"a.mlir\":5:5)\n"
                f"#loc2 = loc(callsite(#loc1 at \"a.mlir\":{first}))\n"
                "#loc4 = loc(fused[#loc2, #loc3])\n")
    session = Session()
    session.show(text())
    session.expect("opened", count)
    checkAnswers(session, URI, text())
    session.show(text("2:2"))
    session.expect("a location that one function uses", 1)
    session.show(text("2:2").replace("0:0", "0:1"))
    session.expect("the module's own location", count)
    checkAnswers(session, URI, text("2:2").replace("0:0", "0:1"))
    session.end()


def checkSettings(count, keepable):
    session = Session()
    session.show(functions(count))
    session.expect("opened", count)
    session.set({"inlayHints": {"maxLength": 20}})
    session.expect("a setting of what is shown", 0)
    session.end()
    session = Session()
    session.show(functions(keepable))
    session.expect("opened", keepable)
    session.set({"pipeline": {"allowUnregisteredDialect": True}})
    session.expect("a setting of the analysis", keepable)
    session.set({})
    session.expect("and back", 0, keepable)
    session.end()


def checkChunks():
    """A chunk that does not parse, or cannot be cut, is no one else's."""
    closed = "gpu.module @g {\n  func.func @inner() {\n    return\n  }\n}\n"
    chunks = [functions(4), functions(4, changed={1}), closed,
              functions(2)]
    mark = "// -----\n"
    session = Session()
    session.show(mark.join(chunks))
    # Functions that are equal in two chunks are apart.
    session.expect("opened", 4 + 4 + 1 + 2)
    hints = session.client.result("textDocument/inlayHint", whole(URI))
    session.show(mark.join([chunks[0], chunks[1],
                            closed.replace("return", "retu@rn"), chunks[3]]))
    session.expect("a fault in one chunk", 1)
    broken = session.client.result("textDocument/inlayHint", whole(URI))
    assert hints and broken == hints, (broken[:3], hints[:3])
    session.show(mark.join([chunks[0], functions(4, changed={2}), closed,
                            chunks[3]]))
    analysed, _ = session.counts()
    assert analysed <= 3, analysed
    session.end()


def checkFiles(count):
    """Closed and opened, opened under another name, copied."""
    session = Session()
    session.show(functions(count))
    session.expect("opened", count)
    session.close()
    session.show(functions(count))
    session.expect("opened again", 0, count)
    other = "file:///other.mlir"
    session.show("\n" + functions(count), other)
    session.expect("another name", 0, count)
    checkAnswers(session, other, "\n" + functions(count))
    checkAnswers(session, URI, functions(count))
    third = "file:///third.mlir"
    session.show("\n\n" + FUNCTION.format(n=3, more=""), third)
    session.expect("a function pasted", 0, 1)
    checkAnswers(session, third, "\n\n" + FUNCTION.format(n=3, more=""))
    # The three share traces, and each has them at its own lines.
    checkAnswers(session, other, "\n" + functions(count))
    checkAnswers(session, third, "\n\n" + FUNCTION.format(n=3, more=""))
    checkAnswers(session, URI, functions(count))
    session.end()


def checkPaths(count):
    """Paths are tried again for what changed, and for nothing that comes back."""
    session = Session()

    def explored():
        end = time.monotonic() + 120
        while time.monotonic() < end:
            work = session.work()
            if all(one["explored"] for one in session.documents):
                return work["explored"]
            time.sleep(0.01)
        raise AssertionError("paths are never done")
    session.show(functions(count))
    assert explored() == count
    session.show(functions(count, changed={2}))
    assert explored() == count + 1
    session.show(functions(count))
    assert explored() == count + 1
    session.close()
    session.show(functions(count))
    assert explored() == count + 1
    session.set({"inlayHints": {"maxLength": 20}})
    assert explored() == count + 1
    session.set({"findings": {"bound": 2}})
    assert explored() == 2 * count + 1
    session.end()


def checkBound(files, count):
    """Traces of many files, and of many versions of one, stay bounded."""
    texts = {f"file:///many/{n}.mlir": functions(count, changed={n % count}) +
             f"func.func @g{n}() {{\n  return\n}}\n" for n in range(files)}
    texts = {uri: text.replace("@f", f"@d{uri[13:-5]}_f")
             for uri, text in texts.items()}
    one = Session()
    one.show(next(iter(texts.values())))
    weight = one.work()["traceBytes"]
    one.end()
    limit = 4 * weight
    session = Session({"limits": {"traces": limit / 2 ** 20},
                       "findings": {"explore": False}})
    for uri, text in texts.items():
        session.show(text, uri)
        work = session.work()
        assert work["traceBytes"] <= limit + weight, (uri, work, limit)
    held = sum(document["traces"] for document in session.documents)
    assert held <= 6 * (count + 1) and work["dropped"] > 0, (held, work)
    # What had to go is there again for who asks, and nothing else is.
    first = next(iter(texts))
    session.counts()
    checkAnswers(session, first, texts[first])
    session.expect("a document that was long not looked at", count + 1)
    session.show(functions(count), first)
    for version in range(60):
        session.show(functions(count, changed=range(version % count)), first)
        work = session.work()
        assert work["traceBytes"] <= limit + 2 * weight, (version, work)
    session.end()
    return held


def checkRandom(seed, steps):
    """Functions come, go, change and change places, in two documents."""
    chance = random.Random(seed)
    session = Session({"batchSize": chance.choice([1, 5, 32])})
    uris = [URI, "file:///b.mlir"]
    texts = {uri: "" for uri in uris}
    pool = [FUNCTION.format(n=n, more=more) for n in range(12) for more in
            ("", "\n  memref.store %f, %0[%i] : memref<8xf32>")]
    pool += [CALLER.format(n=n) for n in range(4)]
    for _ in range(steps):
        uri = chance.choice(uris)
        some = {re.search("@[a-z0-9]+", one)[0]: one
                for one in chance.sample(pool, chance.randrange(1, 20))}
        parts = list(some.values()) + [CALLEE.format(more="", attributes="")]
        chance.shuffle(parts)
        texts[uri] = ("\n" * chance.randrange(4)).join(parts)
        if uri in session.versions and chance.random() < 0.2:
            session.close(uri)
        session.show(texts[uri], uri)
        if chance.random() < 0.3:
            session.work()
    work = session.work()
    for uri in session.versions:
        checkAnswers(session, uri, texts[uri], seed)
    session.end()
    return work["analysed"], work["takenBack"]


def main():
    count = 6000 if LONG else 300
    # Of texts that are gone no more are kept than a quarter of `limits.traces`.
    keepable = min(count, 3000)
    checkOneFunction(count)
    checkCallees(40)
    checkAliases(40)
    checkLocations(40)
    checkSettings(count, keepable)
    checkChunks()
    checkFiles(keepable)
    checkPaths(40)
    held = checkBound(40 if LONG else 12, 40)
    done = [checkRandom(seed, 60) for seed in range(40 if LONG else 4)]
    taken = sum(takenBack for _, takenBack in done)
    assert taken > 100, done
    print(f"{count} functions; {held} traces held of many files; random "
          f"sessions: {sum(one for one, _ in done)} functions analysed, "
          f"{taken} taken back")


main()
