#!/usr/bin/env python3
"""A network of external kernels: the overview names them first, with what to do.

usage: run_kernels.py MEMREF_LENS PLUGIN

Of steps of training in which each layer calls a kernel of its own, the first cause
is what these return. Both remedies are offered with what they gain: to state that
results are fresh, and to have the kernels write into buffers of the caller. Each is
applied by the command that is offered, in the stock mlir-opt; then no dealloc_helper
call is left, the declarations are those of the edit, and the program runs clean with
kernels that do what is stated; with kernels that do not, the run says so.
"""

import json
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "tests/support")]
from benchmarks import programs  # noqa: E402
import corpus  # noqa: E402

LENS, PLUGIN = sys.argv[1:]
OPT = corpus.tool("mlir-opt")
PARAMS = "lens-external-results-to-out-params"
STATED = ("if results of", "if they are, and no pointer is kept")
AS_PARAMS = "results of @k_0, @k_1 and "


def network(layers, **options):
    """With a kernel for each layer."""
    text = programs.training(10 * layers, **options)
    declared, body = text.split("\n", 1)
    for layer in range(layers):
        body = body.replace("@kernel(", f"@k_{layer}(", 1)
    assert "@kernel" not in body
    return "\n".join(declared.replace("@kernel", f"@k_{layer}")
                     for layer in range(layers)) + "\n" + body


class Check:
    def __init__(self, folder, text):
        self.path, self.faults = Path(folder) / "network.mlir", 0
        self.path.write_text(text)

    def expect(self, what, holds, shown=""):
        if not holds:
            print(f"FAIL {what}\n{str(shown)[:3000]}")
            self.faults += 1

    def lens(self, *words, path=None):
        return subprocess.run([LENS, *words, path or self.path],
                              capture_output=True, text=True, timeout=300)

    def report(self, *words):
        done = self.lens("check", "--format=json", "--fail-on=none", *words)
        self.expect(f"check {words}", done.returncode == 0, done)
        return json.loads(done.stdout)

    def helperCalls(self, *words):
        report = self.report("--no-try", *words)["files"][0]
        self.expect(f"no fault with {words}", not any(
            one["severity"] == "error" for one in report["findings"]), report)
        return sum(costs["helperCalls"] for costs in report["costs"])

    def applied(self, command):
        """What the stock mlir-opt prints."""
        words = shlex.split(command)
        self.expect(f"{command} is mlir-opt's", words[0] == "mlir-opt-22")
        words = [f"--load-pass-plugin={PLUGIN}"
                 if word.startswith("--load-pass-plugin") else word
                 for word in words[1:]]
        done = subprocess.run([OPT, *words], capture_output=True, text=True,
                              timeout=300)
        self.expect(command, done.returncode == 0, done.stderr)
        path = self.path.with_suffix(".applied.mlir")
        path.write_text(done.stdout)
        return path

    def run(self, *words, path=None):
        done = self.lens("run", "--format=json", *words, path=path)
        return json.loads(done.stdout), done.returncode

    def clean(self, what, *words, path=None):
        record, status = self.run(*words, path=path)
        self.expect(f"{what} runs clean", status == 0 and
                    not record["faults"] and record["end"] == "returned",
                    record["faults"][:3])
        return record

    def remedy(self, fix):
        """What it gains is so in what mlir-opt makes of it."""
        name = fix["remedy"]
        self.expect(f"{name}: the gain", "dealloc_helper calls 1 -> 0" in
                    fix["gain"] and "peak at least" in fix["gain"], fix)
        path = self.applied(fix["commands"][-1])
        text = path.read_text()
        self.expect(f"{name}: no dealloc_helper call is left",
                    "dealloc_helper" not in text)
        # A kernel that returns nothing does nothing.
        record = self.clean(name, "--stage=0", path=path)
        for line in fix["edit"]:
            self.expect(f"{name}: {line}", (line[1:] in text) ==
                        (line[0] == "+"))
        return record

    def noCapture(self, fix):
        """Both commands make the same program, whose peak is the one told."""
        own, stock = fix["commands"]
        words = shlex.split(own)
        self.expect(f"{own} is ours", words[0] == "memref-lens")
        done = self.lens(*words[1:-1])
        self.expect(f"{own} makes what {stock} makes", done.stdout.strip() ==
                    self.applied(stock).read_text().strip(), done.stderr)
        stated = [word for word in words if word.startswith(
            ("--assume", "--pipeline"))]
        peak = self.lens("memory", "--format=json", *stated)
        told = json.loads(peak.stdout)["functions"][0]["peakBytes"]
        self.expect("memory tells the peak that is gained", fix["gain"].
                    startswith("peak at least") and
                    f" -> at least {told / 1024:.1f} KiB" in fix["gain"],
                    (told, fix["gain"]))
        self.expect("and what that rests on",
                    "keep no pointer to what they are passed" in peak.stderr,
                    peak.stderr)
        self.clean("no capture", *stated)
        alone = self.lens("memory", stated[-1])
        self.expect("which pass reads it is told", alone.returncode == 2 and
                    "--pipeline=ownership+last-use" in alone.stderr,
                    alone.stderr)

    def all(self, layers):
        overview = self.report()["files"][0]["overview"]
        asked, first = overview["entries"][:2]
        self.expect("it is asked whose their results are",
                    "taken for the caller's to deallocate" in asked["sentence"],
                    asked)
        self.expect("the kernels come first", re.match(
            rf"results of {layers} functions \(@k_0, ", first["sentence"]) and
            "1 dealloc_helper call" in first["costs"], first)
        fixes = first["fixes"]
        stated = [fix for fix in fixes if fix["remedy"].startswith(STATED)]
        params = [fix for fix in fixes if fix["remedy"].startswith(AS_PARAMS)]
        self.expect("both remedies are offered", stated and params, fixes)
        if not stated or not params:
            return
        shown = self.lens().stdout.split("\n\n")[2].split("\n")
        self.expect("and shown with their gains", all(any(
            line.startswith("   fix") and one[0]["remedy"] in line and
            one[0]["gain"] in line for line in shown)
            for one in (stated, params)), shown)
        self.expect("each kernel's declaration is edited",
                    len(params[0]["edit"]) == 2 * layers and
                    not stated[0]["edit"], params[0]["edit"])
        before = self.clean("the program as it is")
        for fix in (stated[0], params[0]):
            record = self.remedy(fix)
            self.expect(f"{fix['remedy']}: less is live",
                        2 * record["peakBytes"] < before["peakBytes"],
                        (record["peakBytes"], before["peakBytes"]))
        fresh = "--assume=fresh-results=@k_*"
        calls = [self.helperCalls(), self.helperCalls(fresh),
                 self.helperCalls(f"--pre={PARAMS}")]
        self.expect("dealloc_helper calls", calls == [1, 0, 0], calls)
        self.clean("what is stated", fresh)
        self.clean("what is changed", f"--pre={PARAMS}")
        early = [fix for fix in fixes if fix["remedy"].startswith(STATED) and
                 "no pointer is kept" in fix["remedy"]]
        self.expect("no capture is offered", early, fixes)
        if early:
            self.noCapture(early[0])
        # The first one's argument is the caller's.
        aliases = [f"--stub=@k_{layer}=alias:0" for layer in range(1, layers)]
        self.clean("kernels that return their arguments", *aliases)
        record, status = self.run(fresh, *aliases)
        self.expect("a wrong statement is noticed",
                    status == 1 and record["faults"], record["faults"])


def main():
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        for layers, options in ((24, {}), (31, {"inPlace": False, "seed": 7})):
            check = Check(folder, network(layers, **options))
            check.all(layers)
            faults += check.faults
    print(f"{faults} faults")
    return faults > 0


sys.exit(main())
