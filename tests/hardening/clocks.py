#!/usr/bin/env python3
"""The wall clock jumps by a day, to and fro, whenever somebody looks at it.

No limit of ours is reached by that, and nothing waits for it: neither a stage's nor
a child's time, nor the viewer's. That the jumps arrive is shown by a program that
looks at the clock.
"""
import os
import subprocess
import sys
import time

from harm import ROOT, SAMPLES, Bench, binary

sys.path.insert(0, str(ROOT / "tests" / "lsp"))
from client import Client, at, whole

lens, server = binary("MEMREF_LENS"), binary("MEMREF_LENS_LSP_SERVER")
shim = binary("SHIM")
DIAMOND = SAMPLES / "diamond.mlir"
DAY = "86400"
JUMPS = {"LD_PRELOAD": shim, "SHIM_CLOCK": DAY}
bench = Bench()


def theClockJumps():
    seen = subprocess.run(
        [sys.executable, "-c", "import time; print(time.time(), time.time())"],
        env=dict(os.environ, **JUMPS), capture_output=True, text=True)
    first, second = map(float, seen.stdout.split())
    bench.expect("the clock jumps", abs(first - second) > 86400, seen.stdout)


def commands():
    for command in (["trace", DIAMOND, "--stage-timeout", "60"],
                    ["compare", DIAMOND, "--timeout", "60"],
                    ["check", DIAMOND], ["explain", f"{DIAMOND}:14", "--reduce"],
                    ["compare", "--pipelines", "classic,ownership", DIAMOND]):
        plain = bench.run([lens, *command])
        jumping = bench.run([lens, *command], seconds=120, **JUMPS)
        bench.expect(f"{command[0]}: as ever", plain.status == jumping.status
                     in (0, 1) and plain.out == jumping.out and
                     plain.err == jumping.err, (plain, jumping))


def languageServer():
    """Edits, answers and rest: no child is ended for the time that it took."""
    os.environ.update(JUMPS)
    client = Client([server, "--time-limit=20", "--crash-dir=off"])
    for name in JUMPS:
        del os.environ[name]
    uri = "file:///jump.mlir"
    text = DIAMOND.read_text()
    client.open(uri, text)
    begin = time.monotonic()
    for version in range(2, 12):
        client.change(uri, version, [{"text": "//\n" * version + text}])
        hover = client.result("textDocument/hover", at(uri, 6 + version, 5), 120)
        bench.expect("a hover", hover and "owned" in hover["contents"]["value"],
                     hover)
        client.result("textDocument/inlayHint", whole(uri), 120)
    found = client.diagnostics(uri, 11, lambda _: True, 120)
    bench.expect("no diagnostics of the clock", found == [], found)
    status = client.result("memrefLens/status", {})
    bench.expect("no child was ended", status["upstream"]["crashes"] == 0 ==
                 status["analysis"]["crashes"], status)
    bench.expect("nothing waited for the clock", time.monotonic() - begin < 300)
    bench.expect("an end", client.close() == 0)


def viewer():
    sys.path.insert(0, str(ROOT / "tests" / "viewer"))
    program = os.environ.get("MEMREF_LENS_VIEWER")
    try:
        from screen import Display, requireTools
        requireTools("Xvfb")
    except SystemExit:
        if os.environ.get("CI") == "true":
            raise
        program = None
    if not program:
        print("the viewer is left out")
        return
    with Display() as display:
        shown = []
        for more in ({}, JUMPS):
            (bench.work / "out.png").unlink(missing_ok=True)
            result = bench.run([program, DIAMOND, "--screenshot", "out.png"],
                               seconds=60, DISPLAY=display.environment["DISPLAY"],
                               **more)
            bench.expect("the viewer draws", result.status == 0, result)
            shown.append((bench.work / "out.png").read_bytes())
        bench.expect("the same picture", shown[0] == shown[1])


theClockJumps()
commands()
languageServer()
viewer()
bench.end()
