#!/usr/bin/env python3
"""Functions analysed side by side give what they give one after the other.

Diagnostics, those of paths too, hints and lenses are equal for any number of
threads: on made and real files, on files of which some functions kill the
analysis, and after edits in the middle of the work. What kills it is found.
"""
import random
import re
import sys
import time

from client import FUNCTION, ROOT, Client, corpus, numberless, skip, whole

sys.path.insert(0, str(ROOT / "tests" / "support"))
import sample  # noqa: E402

# The second knows `tiny.die`, which kills it.
SERVERS = [[path, "--companion", "--crash-dir=off"] for path in sys.argv[1:3]]
THREADS = (1, 2, 8)

LEAK = """func.func @f{n}(%c: i1, %f: f32, %i: index) {{
  %0 = memref.alloc() : memref<8xf32>
  memref.store %f, %0[%i] : memref<8xf32>
  scf.if %c {{
    memref.dealloc %0 : memref<8xf32>
  }}
  return
}}
"""
CALL = """func.func @f{n}(%a: memref<8xf32>) -> memref<8xf32> {{
  %0 = call @f{before}(%a) : (memref<8xf32>) -> memref<8xf32>
  return %0 : memref<8xf32>
}}
"""
DEADLY = """func.func @f{n}() {{
  %0 = memref.alloc() : memref<8xf32>
  "tiny.die"() : () -> ()
  return
}}
"""
BROKEN = "func.func @f{n}() {{\n  %0 = memref.alloc( : memref<8xf32>\n}}\n"


def made(count, seed, isDeadly=False):
    """Functions of several kinds; some kill the analysis, if asked for."""
    chance = random.Random(seed)
    parts = []
    for n in range(count):
        if isDeadly and n % 50 == 25:
            kind = DEADLY
        else:
            kind = chance.choices([FUNCTION, LEAK, CALL, BROKEN],
                                  [20, 4, 4, 1])[0]
        parts.append(kind.format(n=n, before=max(n - 1, 0), more=""))
    return "".join(parts)


def awaitAll(client, version):
    end = time.monotonic() + 300
    while time.monotonic() < end:
        status = client.result("memrefLens/status", {"analysis": True}, 120)
        documents = status["analysisDocuments"]
        if documents and all(one["version"] == version and one["reported"] and
                             one["explored"] for one in documents):
            return status
        time.sleep(0.02)
    raise AssertionError(("never done", status))


def inOrder(found):
    return sorted(map(numberless, found))


def answers(uri, texts, options):
    """What is said of the last of the texts, once all is quiet."""
    client = Client(SERVERS[uri.endswith(".tiny.mlir")], options=options)
    client.open(uri, texts[0])
    for version, text in enumerate(texts[1:], 2):
        # In the middle of what the text before needs.
        time.sleep(0.05 * (version % 3))
        client.change(uri, version, [{"text": text}])
    status = awaitAll(client, len(texts))
    found = [note["params"]["diagnostics"] for note in client.notifications
             if note["method"] == "textDocument/publishDiagnostics" and
             note["params"].get("version") == len(texts)]
    assert found, "no diagnostics"
    hints = client.result("textDocument/inlayHint", whole(uri), 120)
    lenses = client.result("textDocument/codeLens",
                           {"textDocument": {"uri": uri}}, 120)
    assert client.close() == 0
    return {"diagnostics": inOrder(found[-1]), "hints": inOrder(hints),
            "lenses": inOrder(lenses)}, status


def checkEqual(name, texts, **options):
    uri = f"file:///threads/{name}.mlir"
    first = None
    for threads in THREADS:
        found, status = answers(uri, texts, {"threads": threads, **options})
        first = first or found
        for kind in first:
            # No assert on the dictionaries: they are long.
            assert found[kind] == first[kind], \
                (name, threads, kind,
                 [one for one in found[kind] if one not in first[kind]][:3],
                 [one for one in first[kind] if one not in found[kind]][:3])
    return first, status


def main():
    folder = corpus()
    if not folder:
        skip("no corpus: MEMREF_LENS_CORPUS is not set")
    found, status = checkEqual("made", [made(300, 1)], batchSize=8)
    assert found["hints"] and len(found["diagnostics"]) > 20, found
    assert any("leak" in one for one in found["diagnostics"]), "no path tried"
    assert status["analysis"]["crashes"] == 0, status
    print("made: equal", flush=True)

    found, status = checkEqual("deadly.tiny", [made(300, 2, isDeadly=True)],
                               batchSize=8)
    assert status["analysis"]["crashes"] > 0, status
    deaths = {name for one in found["diagnostics"] if "crashed" in one
              for name in re.findall(r"@(f\d+) is rejected", one)}
    assert deaths == {f"f{n}" for n in range(25, 300, 50)}, deaths
    print(f"deadly: equal, {len(deaths)} functions blamed, and no other",
          flush=True)

    texts = [made(200, 3 + n, isDeadly=n % 2) for n in range(5)]
    checkEqual("edited.tiny", texts, batchSize=4)
    print("edited: equal", flush=True)

    files = sorted((ROOT / "samples").glob("*.mlir")) + \
        sorted((folder / "upstream").glob("**/*.mlir"))
    limit = 10 ** 9 if sample.LONG else 200000
    files = sample.part(
        [path for path in files if path.stat().st_size < limit],
        2 if sample.FULL else 6, isWhole=sample.LONG)
    texts, size = [], 0
    for path in files:
        try:
            texts.append(path.read_text())
        except UnicodeDecodeError:
            pass
    joined = "\n// -----\n".join(texts)
    found, _ = checkEqual("corpus", [joined], batchSize=4)
    print(f"corpus: {len(texts)} files in one, {len(found['hints'])} hints, "
          "equal")


main()
