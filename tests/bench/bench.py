#!/usr/bin/env python3
"""scripts/bench: the form of its results, what it calls a change, its tables.

  bench.py MEMREF_LENS SERVER MLIR_OPT MLIR_LSP_SERVER

No time is asserted: what a figure is, never how large.
"""
import copy
import json
import os
import pathlib
import random
import re
import socket
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from benchmarks import before, compare, programs, tables  # noqa: E402
from benchmarks.figures import (deviation, growth, logs, median,  # noqa: E402
                                percentiles, ratio, slope)
from benchmarks.markdown import MARK  # noqa: E402
from benchmarks.rows import isWanted, row  # noqa: E402
from benchmarks.summary import figuresOf, missedAims  # noqa: E402
from benchmarks.traces import LARGE, SIZES  # noqa: E402

LENS, SERVER, MLIR_OPT, MLIR_LSP = sys.argv[1:5]
UNITS = {"ratio", "ms", "s", "MB", "%", "exponent", "lines", "hovers"}


def bench(*words, ends=0):
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "bench", "--memref-lens", LENS,
         "--server", SERVER, "--mlir-opt", MLIR_OPT, "--mlir-lsp-server",
         MLIR_LSP, "--build", pathlib.Path(LENS).parents[1], *words],
        capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=300)
    assert done.returncode == ends, (words, done.returncode, done.stdout,
                                     done.stderr)
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout + done.stderr


def checkArithmetic():
    assert median([3, 1, 2]) == 2 and median([4, 1, 2, 3]) == 2.5
    shares = percentiles(range(1, 101))
    assert (shares["p95"], shares["p99"], shares["worst"]) == (95, 99, 100)
    assert percentiles([7])["p99"] == 7
    for exponent in (0.5, 1, 2, 3):
        points = [(n, 3 * n ** exponent) for n in (10, 20, 40)]
        assert abs(slope(points) - exponent) < 1e-9
    assert slope([(1, 1)]) is None
    # Start-up is taken off: 2 s of it, then one second for every ten.
    rows = [{"n": n, "x": {"cpu": [2 + n / 10, 9 + n, 2 + n / 10]}}
            for n in (10, 20, 40, 80)]
    found = growth(rows, "x", 2)
    assert abs(found["exponent"] - 1) < 1e-6 and found["sizes"] == [20, 40, 80]
    # What cannot be told from start-up tells nothing.
    assert growth([{"n": n, "x": {"cpu": [2.001]}} for n in (1, 2)], "x", 2) \
        == {"exponent": None, "deviation": None, "sizes": []}
    noisy = growth([{"n": n, "x": {"cpu": [n, 1.1 * n, 1.2 * n]}}
                    for n in (1, 2, 4)], "x", 0)
    assert abs(noisy["exponent"] - 1) < 1e-6 and 0.05 < noisy["deviation"] < 0.1
    assert ratio([1, 4, 6], [2, 4, 2])["value"] == 1
    assert ratio([1], [2])["deviation"] is None
    # What slows both down alike does not show.
    assert abs(ratio([1, 10, 3], [2, 20, 6])["deviation"]) < 1e-9


def missedOf(**parts):
    return missedAims({"figures": figuresOf(parts), "skipped": []})


def checkAims():
    """Aims of ratios and of medians; more threads that are slower by more than a
    twentieth, to the fastest of fewer ones."""
    def memory(**aims):
        return missedOf(memory=[row("x", "MB", [3, 4, 9], [2, 2, 2], **aims)])
    assert memory(aim=2.0, most=4) == []
    assert memory(aim=1.9) == ["memory/x, ratio: 2 ratio, aim 1.9"]
    assert memory(most=3.9) == ["memory/x: 4 MB, aim 3.9"]
    assert missedOf(hover=[row("x", "hovers", [1], most=0)]) and \
        not missedOf(hover=[row("x", "hovers", [0], most=0)])

    def cores(*seconds):
        return missedOf(cores=[{"what": "x", "aim": 1.0, "seconds": [
            [2 ** at, [one + 9, one]] for at, one in enumerate(seconds)]}])
    assert cores(8, 4, 4.1, 2, 1) == [] == cores(1, 1.04)
    assert cores(1, 1.06) == ["cores/x/-j 2, to fewer: 1.06 ratio, aim 1.05"]
    # Slower than with half as many, and than with a quarter.
    assert cores(8, 4, 5, 4.4) == [
        "cores/x/-j 4, to fewer: 1.25 ratio, aim 1.05",
        "cores/x/-j 8, to fewer: 1.1 ratio, aim 1.05"]
    assert cores(8, 4, 3, 2, 1.5) == ["cores/x/-j 16: 1.5 s, aim 1"]

    class Options:
        only = None
    assert isWanted(Options, "memory", "a")
    Options.only = ["memory/Server, 6", "hover"]
    assert isWanted(Options, "memory", "server, 6,800 lines")
    assert isWanted(Options, "hover", "a") and \
        not isWanted(Options, "memory", "trace") and \
        not isWanted(Options, "cores", "server, 6")


def checkPrograms():
    """Equal arguments give equal text, which upstream accepts; sizes count."""
    assert {*SIZES, *LARGE} == {*programs.FAMILIES}
    with tempfile.TemporaryDirectory() as scratch:
        path = pathlib.Path(scratch) / "program.mlir"
        for family, generate in programs.FAMILIES.items():
            for n in (1, 3, 40):
                text = generate(n)
                assert text == generate(n), family
                path.write_text(text)
                done = subprocess.run(
                    [MLIR_OPT, path, "-o", os.devnull,
                     *(["--buffer-deallocation-pipeline"] if n < 20 else [])],
                    capture_output=True, text=True, timeout=60)
                assert done.returncode == 0, (family, n, done.stderr)
            assert len(generate(80)) > 3 * len(generate(20)), family
        path.write_text(programs.tensors(3))
        done = subprocess.run(
            [MLIR_OPT, path, "-o", os.devnull,
             "--one-shot-bufferize=bufferize-function-boundaries",
             "--buffer-deallocation-pipeline"],
            capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
    assert programs.training(40, seed=1) != programs.training(40, seed=2)
    assert programs.training(5440).count("memref.alloc") == 5440
    for family in ("plain", "chain"):
        count = programs.FAMILIES[family](50).count("memref.alloc")
        assert count == 50, (family, count)


def checkResult(result, text):
    assert result["schema"] == 1 and result["seconds"] >= 0
    assert result["machine"]["cores"] >= 1 and len(result["load"]) == 2
    assert all(re.search(r"\d", one)
               for one in result["machine"]["versions"].values())
    host = socket.gethostname()
    assert host not in result["machine"].values(), host
    for word in (str(ROOT), str(pathlib.Path.home()) + "/"):
        assert word not in text, word
    for id, figure in result["figures"].items():
        assert figure["unit"] in UNITS, (id, figure)
        assert isinstance(figure["value"], (int, float)), (id, figure)
        assert figure["value"] > 0 or figure["unit"] in (
            "exponent", "%", "ms", "hovers"), (id, figure)
        assert figure["deviation"] is None or figure["deviation"] >= 0, id
    again = json.loads(json.dumps(figuresOf(result)))
    assert again == result["figures"]


def checkRun(folder):
    """A run of every part that needs no display."""
    output = folder / "a.json"
    shown = bench("--tiny", "--json", output, "--only", "start", "--only",
                  "gen", "--only", "lsp", "--only", "giant", "--family",
                  "chain", "--family", "diamonds", "--runs", "2")
    text = output.read_text()
    result = json.loads(text)
    checkResult(result, text)
    ids = {*result["figures"]}
    for id in ("start/initialize answered/time", "start/--version p99",
               "start/trace of a small file p95", "families/chain/4/time",
               "families/chain/4/memory", "families/chain/4/processor",
               "families/diamonds/8/seconds",
               "lsp/110/hover p99", "lsp/110/edit to hints p50",
               "lsp/110/edit to hints p95, to upstream's", "lsp/110/memory",
               "lsp/110/edit: parsing", "lsp/110/trace of the file",
               "start/--version processor",
               "giant/a step of training: check",
               "giant/a step of training: lines of explain",
               "giant/the same, weights returned: slowest hover before it"):
        assert id in ids, (id, sorted(ids))
    assert not any(skip["failure"] for skip in result["skipped"]), result
    for row in result["families"]["chain"]["rows"]:
        ours = row["memrefLens"]
        assert len(ours["seconds"]) == len(ours["bytes"]) == 2, row
        assert min(ours["bytes"]) > 2 ** 20, row
    large = [row for row in result["families"]["diamonds"]["rows"]
             if row.get("isLarge")]
    assert large and all(row["upstream"] is None and row["upstreamNote"]
                         for row in large), large
    beside = [bool(row["upstream"]) for row in
              result["families"]["chain"]["rows"] if row.get("isLarge")]
    assert beside == [False, True], beside
    for title in ("Start-up", "Families", "Language server", "Where an edit",
                  "not run (doubles", "Aims: "):
        assert title in shown, (title, shown)
    return output, result


def checkPlain(folder):
    """Commands beside the plain pipeline, and a document that keeps what it has
    of other parts."""
    corpus = folder / "corpus" / "real"
    corpus.mkdir(parents=True)
    sample = ROOT / "samples" / "call-private.mlir"
    (corpus / sample.name).write_text(sample.read_text())
    output, document = folder / "plain.json", folder / "plain.md"
    document.write_text("".join(
        f"<!-- bench: {key} -->\n{old}\n<!-- bench end -->\n" for key, old in (
            ("run", "| a | b |\n|---|---|\n| took | 1 minute |"),
            ("plain", "old"), ("plain-real", "old"), ("viewer", "old viewer"),
            ("aims", "- viewer/x: 2 ms, aim 1\n- plain/y: 2 ratio, aim 1"),
            ("skipped", "Nothing was."))))
    bench("--tiny", "--only", "plain", "--runs", "1", "--corpus",
          folder / "corpus", "--json", output, "--markdown", document)
    result = json.loads(output.read_text())
    checkResult(result, output.read_text())
    ids = {*result["figures"]}
    for command in ("ir --stage final", "trace", "explain", "check --no-try"):
        for id in (f"plain/4 functions/{command}/time",
                   f"plain/4 functions/{command}/processor",
                   f"plain-real/{sample.name}/{command}/time"):
            assert id in ids and (
                "aim" in result["figures"][id]), (id, sorted(ids))
    told = document.read_text()
    for kept in ("old viewer", "- viewer/x", "| took | 1 minute |",
                 "| `plain` | "):
        assert kept in told, (kept, told)
    assert "plain/y" not in told and "\nold\n" not in told, told
    bench("--load", output, "--markdown", document)
    assert document.read_text() == told


def checkSizes(folder):
    """Memory, hovers, saved traces, cores and tensors; single rows of them. What is
    of a corpus that is not there is no failure."""
    output = folder / "sizes.json"
    parts = ("memory", "hover", "saved", "cores", "tensors")
    shown = bench("--tiny", "--runs", "1", "--corpus", folder / "corpus",
                  "--json", output,
                  *(word for part in parts for word in ("--only", part)))
    result = json.loads(output.read_text())
    checkResult(result, output.read_text())
    ids = {*result["figures"]}
    step = "a step of training"
    for id in ("memory/trace, 136,000 lines, ratio", f"memory/trace, {step}",
               "memory/server, 6,800 lines, ratio",
               "hover/34,000 lines: first that tells ownership, ratio",
               f"hover/{step}: later ones that do not",
               "saved/trace, 136,000 lines: bytes written",
               f"saved/explain of the saved trace, {step}: time, to that of the "
               "program, ratio",
               "saved/memory of the saved trace, 136,000 lines: memory, to the "
               "file's bytes, ratio",
               "cores/ir --stage final, 136,000 lines/-j 1",
               f"cores/overview, {step}/-j 2, to fewer",
               "tensors/2 functions: time, ratio",
               "tensors/2 functions: memory, ratio"):
        assert id in ids, (id, sorted(ids))
    # Every row has an aim.
    for part in parts:
        for one in result[part]:
            assert part == "cores" or None in (one["aim"], one["most"]) and \
                (one["aim"] or one["most"] is not None), one
    assert "memory: a language model: its file is not in the corpus" in shown
    assert not any(skip["failure"] for skip in result["skipped"]), result["skipped"]
    for title in ("Memory", "First hover", "Saved traces", "Many cores",
                  "Programs on tensors"):
        assert title in shown, (title, shown)

    bench("--tiny", "--runs", "1", "--corpus", folder / "corpus", "--json",
          output, "--only", "memory/SERVER, 6,8", "--only", "cores/explain")
    result = json.loads(output.read_text())
    assert [one["what"] for one in result["memory"] + result["cores"]] == \
        ["server, 6,800 lines", "explain, 136,000 lines"], result
    for words, why in ((["gen/chain"], "no single rows"), (["x"], "no part"),
                       (["memory/x", "--update-docs"], "whole tables")):
        assert why in bench("--only", *words, ends=2)


def checkBefore(result):
    """What figures were before are figures, and stand in the tables."""
    assert before.figures() and all(
        isinstance(value, (int, float)) for value in before.figures().values())
    id = "memory/trace, 136,000 lines, ratio"
    made = tables.tablesOf({**result, "memory": [
        row("trace, 136,000 lines", "MB", [4], [2], 2.0)]})
    assert tables.number(before.value(id)) in made["memory"]["rows"][0], made


def checkOverview(folder):
    """The overview beside the trace, of large programs alone."""
    corpus = folder / "large" / "real"
    corpus.mkdir(parents=True)
    sample = (ROOT / "samples" / "call-private.mlir").read_text()
    (corpus / "small.mlir").write_text(sample)
    (corpus / "large.mlir").write_text(sample + "\n" * 1000)
    output = folder / "overview.json"
    bench("--tiny", "--only", "overview", "--runs", "2", "--corpus",
          folder / "large", "--json", output)
    result = json.loads(output.read_text())
    checkResult(result, output.read_text())
    assert {id: figure["aim"] for id, figure in result["figures"].items()
            if id.startswith("overview/")} == {"overview/large.mlir": 2}, \
        sorted(result["figures"])


def checkFiles(folder):
    """Files in the place of the corpus; what upstream refuses is told."""
    bad = folder / "bad.mlir"
    bad.write_text("func.func @f( {\n")
    output = folder / "files.json"
    good = ROOT / "samples" / "call-private.mlir"
    shown = bench(good, bad, "--runs", "1", "--json", output)
    result = json.loads(output.read_text())
    checkResult(result, output.read_text())
    assert [row["input"] for row in result["real"]] == [good.name]
    assert result["figures"]["real/time p50"]["deviation"] is None
    assert f"{bad.name}: upstream rejects it" in shown, shown


def changed(result, change):
    made = copy.deepcopy(result)
    for id, figure in made["figures"].items():
        change(id, figure)
    return made


def checkCompare(folder, output, result):
    result["figures"].setdefault("families/chain/growth", {
        "value": 1.1, "deviation": None, "unit": "exponent", "aim": 1.5})
    shown = bench("--load", output, "--compare", output)
    assert re.search(r"0 of \d+ figures changed", shown), shown

    def slower(id, figure):
        figure["deviation"] = 0.01
        if id == "families/chain/4/time":
            figure["value"] *= 2
        if id == "lsp/110/edit to hints p50":
            figure["value"] /= 4
        if id == "families/chain/growth":
            figure["value"] += 0.5

    def quiet(id, figure):
        figure["deviation"] = 0.01
    old, new = (folder / name for name in ("old.json", "new.json"))
    old.write_text(json.dumps(changed(result, quiet)))
    new.write_text(json.dumps(changed(result, slower)))
    shown = bench("--load", new, "--compare", old)
    assert re.search(r"worse +families/chain/4/time: .*\+100 %", shown), shown
    assert re.search(r"better +lsp/110/edit to hints p50: .*-75 %", shown), shown
    assert re.search(r"worse +families/chain/growth: .*\+0\.50", shown), shown
    assert re.search(r"\b3 of \d+ figures changed", shown), shown
    # A machine that is twice as slow: times are set against upstream's.
    halved = json.loads(new.read_text())
    for clock, times in halved["calibration"].items():
        halved["calibration"][clock] = [2 * one for one in times]
    for id, figure in halved["figures"].items():
        slower(id, figure)
        if figure["unit"] in ("ms", "s"):
            figure["value"] *= 2
    found = compare.compare(json.loads(new.read_text()), halved)
    assert all(one["unit"] not in ("ms", "s") for one in found["changes"]
               if not one["id"].startswith("lsp/110/edit to hints")), found
    for words, reason in (
            (["--compare", folder / "none.json"], "cannot read"),
            (["--load", ROOT / "README.md"], "cannot read")):
        assert reason in bench(*words, ends=1)
    for content, reason in (("[]", "no result"), ('{"figures": {}}', "schema")):
        old.write_text(content)
        assert reason in bench("--load", new, "--compare", old, ends=1)


def checkNoise(seed=1):
    """Of figures that did not change few are said to have; of those that got
    slower by half of their value nearly all, at five in a hundred of noise."""
    chance = random.Random(seed)

    def drawn(slowdown, noise):
        figures = {}
        for n in range(400):
            values = [slowdown * chance.lognormvariate(0, noise)
                      for _ in range(3)]
            figures[f"real/{n}/time"] = {
                "value": median(values), "deviation": deviation(logs(values)),
                "unit": "ratio"}
        return {"schema": 1, "figures": figures, "load": [0, 0],
                "machine": {"versions": {}, "cores": 2}}
    for noise in (0.02, 0.05, 0.2):
        found = compare.compare(drawn(1, noise), drawn(1, noise))
        assert len(found["changes"]) <= 8, (noise, len(found["changes"]))
    found = compare.compare(drawn(1, 0.05), drawn(1.5, 0.05))
    assert len(found["changes"]) >= 380, len(found["changes"])
    assert all(one["change"] > 0 for one in found["changes"])
    assert not compare.compare(drawn(1, 0.5), drawn(1.1, 0.5))["changes"][8:]


def checkMarkdown(folder, output, result):
    keys = [*tables.TITLES, "aims", "skipped"]
    document = folder / "document.md"
    document.write_text("# Title\n" + "".join(
        f"\n<!-- bench: {key} -->\nold {key}\n<!-- bench end -->\nprose\n"
        for key in keys))
    bench("--load", output, "--markdown", document)
    once = document.read_text()
    assert once.count("prose") == len(keys) and "# Title" in once
    for _, key, _ in MARK.findall(once):
        # A part that was not measured keeps what was there.
        kept = key in ("real", "large-real", "check", "plain", "plain-real",
                       "overview", "memory", "hover", "saved", "cores",
                       "tensors", "viewer", "layout", "passes")
        assert (f"old {key}\n" in once) == kept, key
    for table in re.findall(r"(?:^\|.*\n)+", once, re.M):
        widths = {line.count("|") - line.count("\\|")
                  for line in table.splitlines()}
        assert len(widths) == 1, table
    for line in missedAims(result):
        assert f"- {line}" in once, line
    bench("--load", output, "--markdown", document)
    assert document.read_text() == once
    document.write_text("<!-- bench: nothing -->\n<!-- bench end -->\n")
    assert "stand for nothing" in bench("--load", output, "--markdown",
                                        document, ends=1)
    assert "to put the tables into" in bench("--load", output, "--markdown",
                                             folder / "none.md", ends=2)
    marks = {key for _, key, _ in
             MARK.findall((ROOT / "docs" / "performance.md").read_text())}
    assert marks == {*keys}, marks ^ {*keys}


def main():
    if not os.path.exists(MLIR_OPT) or not os.path.exists(MLIR_LSP):
        print("no mlir-opt or no mlir-lsp-server to measure against")
        sys.exit(1 if os.environ.get("CI") == "true" else 77)
    checkArithmetic()
    checkAims()
    checkPrograms()
    checkNoise()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        output, result = checkRun(folder)
        checkFiles(folder)
        checkPlain(folder)
        checkSizes(folder)
        checkBefore(result)
        checkOverview(folder)
        checkCompare(folder, output, result)
        checkMarkdown(folder, output, result)
    print(f"{len(result['figures'])} figures")


main()
