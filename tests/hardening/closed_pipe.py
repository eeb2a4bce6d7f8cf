#!/usr/bin/env python3
"""A reader that leaves early, as `| head -1`: no word, the usual status.

Where the signal for it is ignored, a message and status 3. All that is said on
standard error may find nobody, too.
"""
import os
import signal

from harm import SAMPLES, Bench, binary

DIAMOND = SAMPLES / "diamond.mlir"
lens = binary("MEMREF_LENS")
bench = Bench()
COMMANDS = [["trace"], ["trace", "--format", "text"], ["ir", "--stage", "final"],
            ["explain"], ["explain", "--aliases"], ["check"],
            ["check", "--format", "json"], ["compare"],
            ["compare", "--pipelines", "classic,ownership"],
            ["scopes"], ["diff", "--right=--private-function-dynamic-ownership"],
            ["export", "--format", "svg", "-o", "-"],
            ["export", "--format", "html", "-o", "-"], ["bundle", "-o", "-"],
            ["--help"], ["--version"]]


def closedPipe():
    """An end to write to that nobody reads."""
    readEnd, writeEnd = os.pipe()
    os.close(readEnd)
    return os.fdopen(writeEnd, "wb")


for command in COMMANDS:
    words = [lens, *command, *([] if command[0].startswith("--") else [DIAMOND])]
    with closedPipe() as pipe:
        result = bench.run(words, stdout=pipe)
    # The shell shows either as 141.
    bench.expect(f"{command}: status", result.status in (-signal.SIGPIPE,
                                                         128 + signal.SIGPIPE),
                 result)
    bench.expect(f"{command}: silent", result.err == "" and not result.left and
                 not result.orphans, result)
    with closedPipe() as pipe:
        result = bench.run(words, [lambda: signal.signal(
            signal.SIGPIPE, signal.SIG_IGN)], stdout=pipe)
    bench.expect(f"{command}: ignored signal", result.status == 3 and
                 result.err == "memref-lens: error: cannot write 'standard "
                 "output': Broken pipe\n" and not result.left, result)

# Nothing to write to at all: neither output nor errors.
for closed in ((1,), (2,), (0, 1, 2)):
    for command in (["trace", DIAMOND], ["check", DIAMOND],
                    ["trace", DIAMOND, "-o", "out.json"]):
        result = bench.run([lens, *command],
                           [lambda: [os.close(one) for one in closed]])
        bench.expect(f"{command[0]} without {closed}: ends",
                     result.status in (0, 1, 3) and not result.left and
                     not result.orphans, result)
        if "-o" in command:
            text = (bench.work / "out.json").read_bytes()
            bench.expect(f"without {closed}: the file is a trace",
                         text.startswith(b"{") and text.rstrip().endswith(b"}"),
                         text[:80])
bench.end()
