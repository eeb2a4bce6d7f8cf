#!/usr/bin/env python3
"""Reports with the counts of a run: every figure is the record's.

  run_reports.py SAMPLES

Samples, programs with known faults and a part of the corpus run; `export --format html` and
`md --with-run` must say what the record says, no more and no less: the verdict, each fault,
each op's counts at its line and in its function's table, what the checks of a cause
found, the peak and the counts of the graph. Of a program whose counts are known by hand
they are those.
"""

import collections
import html
import json
import pathlib
import re
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(TESTS / "judges"), str(TESTS / "random")]

import judges  # noqa: E402  puts the folder of the next two on the path
import counted  # noqa: E402
import sample  # noqa: E402

SAMPLES = pathlib.Path(sys.argv[1])

#: `aside` does not run.
KNOWN = counted.LEAVES + """func.func @aside() {
  %never = memref.alloc() : memref<4xf32>
  memref.dealloc %never : memref<4xf32>
  return
}
"""


def lens(*words):
    return judges.run([judges.lens(), *words])


def dataOf(page, name):
    found = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>',
                      page, re.S)
    return json.loads(found[1])


def isOwn(site):
    return not site["isForHelper"] and not site["function"].startswith("dealloc_helper")


#: As `run` has them as text.
TITLES = {"allocation": "allocations", "deallocation": "deallocations",
          "condition": "conditions", "comparison": "run-time alias checks",
          "call": "dealloc_helper calls"}


def titleOf(site):
    return (site["value"] or site["opName"]) + \
        (f" ({site['line']}:{site['column']})" if site["line"] else "")


def wantedRows(record, function):
    """[times, op, line] by title: of the record itself, not of the table in text."""
    rows = collections.defaultdict(list)
    for site in record["sites"]:
        title = TITLES.get(site["kind"])
        if title and site["function"] == function and isOwn(site) and site["ran"] \
                and (site["kind"] != "call" or site["compares"]):
            rows[title].append([site["ran"], titleOf(site), site["line"]])
    return rows


def wantedNotes(record, function):
    notes = collections.defaultdict(list)
    for site in record["sites"]:
        if site["function"] == function and site["line"] and site["note"] \
                and site["note"] not in notes[str(site["line"])]:
            notes[str(site["line"])].append(site["note"])
    return {line: texts for line, texts in notes.items() if texts}


def functionFaults(record, name, run, rowsOfText):
    if run["notes"] != wantedNotes(record, name):
        yield f"notes {run['notes']}, not {wantedNotes(record, name)}"
    found = {title: [[times, op, line] for times, op, _, line in rows]
             for title, rows in run["tables"]}
    if found != wantedRows(record, name):
        yield f"tables {found}, not {dict(wantedRows(record, name))}"
    for _, rows in run["tables"]:
        for times, op, words, _ in rows:
            elsewhere = "" if name == record["entry"] else f" in @{name}"
            if rowsOfText is not None and f"{times}x  {op}{elsewhere}" + \
                    (f"  {words}" if words else "") not in rowsOfText:
                yield f"'{times}x {op} {words}' is not what run prints"


def countsIn(graph):
    """The counts of an SVG's text, sorted: "ran 7x", "true, 4x", "7x, 32 B each"."""
    texts = re.findall(r"<text[^>]*>(.*?)</text>", graph)
    return sorted(html.unescape(re.sub(r"<[^>]*>", "", text)) for text in texts
                  if re.search(r"(?:^|ran |, )\d+x", text))


def checkHtml(folder, path, kept, record, tally):
    page = pathlib.Path(folder) / "page.html"
    done = lens("export", path, "--with-run", kept, "-o", page)
    if done.status:
        yield f"html: exit {done.status}: {done.err[:300]}"
        return
    text = page.read_text()
    index, findings = dataOf(text, "index"), dataOf(text, "findings")
    if index["run"]["verdict"] != record["verdict"]:
        yield f"verdict {index['run']['verdict']}"
    if [fault[0] for fault in index["run"]["faults"]] != \
            [fault["text"] for fault in record["faults"]]:
        yield f"faults {index['run']['faults']}"
    # How far a run gets within its time is another matter each time.
    rowsOfText = None if record["end"] == "timedOut" else \
        lens("run", path, "--all", "--timeout=100", *optionsOf(record)).out
    tally["not run again"] += rowsOfText is None
    shown = lens("export", path, "--with-run", kept, "--format", "svg").out
    for function in index["functions"]:
        data = dataOf(text, f"function-{function['id']}")
        run = data.get("run")
        if run is None:
            tally["not of what ran"] += 1
            continue
        for fault in functionFaults(record, function["name"], run, rowsOfText):
            yield f"@{function['name']}: {fault}"
        tally["rows"] += sum(len(rows) for _, rows in run["tables"])
        if function["name"] != record["entry"]:
            continue
        tally["entries"] += 1
        if countsIn(run.get("graph", "")) != countsIn(shown):
            yield f"graph: {countsIn(run.get('graph', ''))}, not {countsIn(shown)}"
        memory = next(iter(data.get("memory", ())), {})
        if (measured := memory.get("measured")) is None or \
                measured["peakBytes"] != record["peakBytes"]:
            yield f"memory: {measured}"
    for cause in findings["causes"]:
        tally["causes with a run"] += bool(cause["run"])
    checks = sum(site["ran"] for site in record["sites"]
                 if site["kind"] == "comparison" and isOwn(site) and site["line"])
    if checks and not any(cause["run"] for cause in findings["causes"]):
        tally["checks without a cause"] += 1


def optionsOf(record):
    return record["asked"]


def checkMarkdown(path, kept, record, tally):
    done = lens("export", path, "--with-run", kept, "--format", "md")
    if done.status:
        yield f"md: exit {done.status}: {done.err[:300]}"
        return
    text = html.unescape(done.out)
    wanted = [record["verdict"], *(fault["text"] for fault in record["faults"])]
    for one in wanted:
        if one not in text:
            yield f"md: '{one}' is not told"
    by = collections.Counter()
    for function in {site["function"] for site in record["sites"]}:
        for title, rows in wantedRows(record, function).items():
            by[title] += len(rows)
    for function in {site["function"] for site in record["sites"]}:
        for title, rows in wantedRows(record, function).items():
            for times, op, _ in rows:
                row = f"| <code>@{function}</code> | <code>{op}</code> | {times} | "
                # Of more rows than a summary has, the first are there.
                if by[title] <= 20 and row not in text:
                    yield f"md: no row '{row}'"
                tally["rows of summaries"] += by[title] <= 20
    if "as it ran</summary>" not in text and record["sites"]:
        yield "md: no diagram of what ran"


def check(folder, path, options, tally):
    kept = pathlib.Path(folder) / "kept.json"
    kept.unlink(missing_ok=True)
    lens("run", path, "--timeout=10", "--format", "json", "-o", kept, *options)
    record = json.loads(kept.read_text()) if kept.exists() else {"end": "notRun"}
    if record["end"] == "notRun":
        tally["do not run"] += 1
        return
    record["asked"] = options
    tally["programs"] += 1
    for fault in (*checkHtml(folder, path, kept, record, tally),
                  *checkMarkdown(path, kept, record, tally)):
        yield f"{path.name}: {fault}"


def contrast(one, other):
    """As WCAG has it."""
    def light(color):
        parts = [int(color[at:at + 2], 16) / 255 for at in (1, 3, 5)]
        parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
                 for part in parts]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def checkKnown(folder, tally):
    """By hand."""
    path = pathlib.Path(folder) / "known.mlir"
    path.write_text(KNOWN)
    options = ["--stage", "0", "--entry", "@main", "--arg", "n=10"]
    yield from check(folder, path, options, tally)
    page = (pathlib.Path(folder) / "page.html").read_text()
    index = dataOf(page, "index")
    ids = {function["name"]: function["id"] for function in index["functions"]}
    leak = "leak: %buffer (5:3) is never deallocated, 3 times, 96 B in all"
    if index["run"]["faults"] != [[leak, 5, ids["leaves"]]]:
        yield f"known: {index['run']['faults']}"
    runs = {name: dataOf(page, f"function-{number}")["run"]
            for name, number in ids.items()}
    want = {"5": ["%buffer allocated 10x, 32 B each, at most 4 at once, "
                  "deallocated 7x at 11:3, left 3x"],
            "9": ["%early true 3x, false 7x"],
            "11": ["%buffer deallocated 7x"]}
    if runs["leaves"]["notes"] != want:
        yield f"known: {runs['leaves']['notes']}"
    if runs["aside"] != {"notes": {}, "tables": []}:
        yield f"known: @aside ran: {runs['aside']}"
    if "data-tab=\"run\" data-function=\"%d\"" % ids["main"] not in page:
        yield "known: the page does not open with the run"
    # What went wrong can be read.
    for theme, ground in (("light", "#ffffff"), ("dark", "#1c2128")):
        svg = lens("export", path, "--with-run", pathlib.Path(folder) / "kept.json",
                   "--function", "leaves", "--theme", theme, "--format", "svg").out
        fill, = re.findall(r'fill="(#\w+)">[^<]*left 3x, leak<', svg)
        if contrast(fill, ground) < 4.5:
            yield f"known: {fill} on {ground} in {theme}"
    # Only of one function, and of another program.
    kept = pathlib.Path(folder) / "kept.json"
    one = lens("export", path, "--with-run", kept, "--function", "aside", "--format",
               "md").out
    if "buffer" in one.split("### Causes")[0].split("### Findings")[0] \
            .replace(html.escape(leak), "").split("leak")[0]:
        yield f"known: @aside has rows of others: {one[:400]}"
    for format_ in ("html", "md"):
        other = lens("export", SAMPLES / "run/mlp.mlir", "--with-run", kept, "--format",
                     format_)
        if other.status != 3 or "another program" not in other.err or other.out:
            yield f"{format_} of another program: exit {other.status}: {other.err}"


#: Branches: one arm allocates, and only one runs.
ARMS = """func.func @arms(%c: i1, %x: memref<8xf32>) {
  scf.if %c {
    %then = memref.alloc() : memref<8xf32>
    memref.copy %x, %then : memref<8xf32> to memref<8xf32>
    memref.copy %then, %x : memref<8xf32> to memref<8xf32>
  } else {
    %other = memref.alloc() : memref<8xf32>
    memref.copy %x, %other : memref<8xf32> to memref<8xf32>
    memref.copy %other, %x : memref<8xf32> to memref<8xf32>
  }
  return
}
"""


def rowsOf(svg):
    """What the run did, by name, of a chart of lifetimes."""
    rows = re.findall(r'<g class="lifetime".*?</g>', svg, re.S)
    found = {}
    for row in rows:
        texts = [html.unescape(text) for text in re.findall(r"<text[^>]*>(.*?)</text>", row)]
        found[texts[0]] = [text[5:] for text in texts if text.startswith("run: ")]
    return found


def checkLives(folder, tally):
    """Lifetimes and the arena: each buffer's counts, marks of what was live, and pale what
    the run did not allocate."""
    kept = pathlib.Path(folder) / "lives.json"

    def drawn(path, view, *options):
        lens("run", path, "--format", "json", "-o", kept, *options)
        done = lens("export", path, "--with-run", kept, "--view", view, "--format", "svg")
        return json.loads(kept.read_text()), done.out

    for path in sorted((SAMPLES / "run").glob("*.mlir")):
        record, svg = drawn(path, "lifetimes")
        rows = rowsOf(svg)
        for site in record["sites"]:
            if site["kind"] != "allocation" or not isOwn(site) or not site["value"]:
                continue
            words = rows.get(site["value"], [])
            wanted = f"{site['ran']}x, "
            if len(words) != 1 or not words[0].startswith(wanted) or \
                    not site["note"].endswith(words[0].removeprefix(wanted)):
                yield f"{path.name}: {site['value']}: {words}, not {site['note']}"
            tally["lives"] += 1
        # As the plot of `memory` has them, by line there and by place here.
        marks = re.findall(r"measured behind line (\d+): (.*?)<", svg)
        plot = lens("memory", path, "--with-run", kept, "--format", "svg").out
        if marks != re.findall(r"measured at (\d+):\d+: (.*?)<", plot) or not marks:
            yield f"{path.name}: marks {marks}"
    path = pathlib.Path(folder) / "arms.mlir"
    path.write_text(ARMS)
    for taken in ("true", "false"):
        record, svg = drawn(path, "lifetimes", "--arg", f"c={taken}")
        ran = ["1x, 32 B, deallocated 1x at 2:3"]
        wanted = {"%then": ran if taken == "true" else ["not allocated"],
                  "%other": ran if taken == "false" else ["not allocated"], "%x": []}
        if rowsOf(svg) != wanted:
            yield f"arms {taken}: {rowsOf(svg)}"
        record, svg = drawn(path, "arena", "--arg", f"c={taken}")
        boxes = {name: opacity for opacity, name in
                 re.findall(r'fill-opacity="([\d.]+)".*?<title>(%\w+):', svg)}
        if boxes != {"%then": "0.55" if taken == "true" else "0.15",
                     "%other": "0.55" if taken == "false" else "0.15"}:
            yield f"arms {taken}: {boxes}"
        if "in one run at most 32 B were live" not in svg:
            yield f"arms {taken}: the arena does not tell the run's peak"
    # A saved trace and the record beside it are as good as the file.
    saved = pathlib.Path(folder) / "arms.trace.json"
    lens("trace", path, "-o", saved)
    for view in ("cfg", "lifetimes", "memory", "arena"):
        both = [lens("export", one, "--with-run", kept, "--view", view, "--format",
                     "svg").out for one in (path, saved)]
        if both[0] != both[1] or not re.search("in one run|ran 1x|one run:", both[0]):
            yield f"{view} of a saved trace is another one"
    other = lens("export", SAMPLES / "run/mlp.mlir", "--with-run", kept, "--view",
                 "lifetimes", "--format", "svg")
    if other.status != 3 or "another program" not in other.err or other.out:
        yield f"lifetimes of another program: exit {other.status}"
    svg = lens("export", path, "--view", "lifetimes", "--format", "svg").out
    if "run: " in svg or "measured" in svg:
        yield "a run where none was given"


#: %buffer ends in three ways.
ENDS = """func.func private @one(%i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %v = arith.constant 1.0 : f32
  %buffer = memref.alloc() : memref<8xf32>
  memref.store %v, %buffer[%c0] : memref<8xf32>
  %r = memref.load %buffer[%c0] : memref<8xf32>
  %early = arith.cmpi ult, %i, %c2 : index
  cf.cond_br %early, ^first, ^others
^first:
  memref.dealloc %buffer : memref<8xf32>
  return %r : f32
^others:
  %late = arith.cmpi ult, %i, %c5 : index
  cf.cond_br %late, ^second, ^end
^second:
    memref.dealloc %buffer : memref<8xf32>
  return %r : f32
^end:
  return %r : f32
}
func.func @main(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %r = func.call @one(%i) : (index) -> f32
  }
  return
}
"""


def checkEnds(folder):
    """Which deallocation ended how many; a record that is older, or damaged."""
    path, kept = pathlib.Path(folder) / "ends.mlir", pathlib.Path(folder) / "ends.json"
    path.write_text(ENDS)

    def ended(record):
        kept.write_text(json.dumps(record))
        done = lens("export", path, "--with-run", kept, "--function", "one", "--view",
                    "lifetimes", "--format", "svg")
        return rowsOf(done.out).get("%buffer"), done

    for n, ends, words in (
            (2, {12: 2}, "deallocated 2x at 12:3"),
            (4, {12: 2, 18: 2}, "deallocated 4x: 2x at 12:3, 2x at 18:5"),
            (9, {12: 2, 18: 3}, "deallocated 5x: 2x at 12:3, 3x at 18:5, left 4x")):
        lens("run", path, "--stage", "0", "--entry", "@main", "--arg", f"n={n}",
             "--format", "json", "-o", kept)
        record = json.loads(kept.read_text())
        made, = (site for site in record["sites"] if site["value"] == "%buffer" and
                 site["kind"] == "allocation")
        if {record["sites"][at]["line"]: times for at, times in made["ends"]} != ends:
            yield f"ends, n={n}: {made['ends']}"
        if not made["note"].endswith(words):
            yield f"ends, n={n}: {made['note']}"
        said, _ = ended(record)
        if not said or not said[0].endswith(words):
            yield f"ends, n={n}: {said}, not {words}"
    made["ends"] = [[len(record["sites"]), 1]]
    said, done = ended(record)
    if done.status == 0 or "names an op that it does not have" not in done.err:
        yield f"ends of a damaged record: exit {done.status}: {done.err}"
    for site in record["sites"]:
        del site["ends"]
    said, _ = ended(record)
    if not said or not said[0].endswith("deallocated 5x, left 4x"):
        yield f"ends of an older record: {said}"


def programs():
    for path in sorted((SAMPLES / "run").glob("*.mlir")):
        yield path, []
    for path in sample.part(sorted(SAMPLES.glob("*.mlir")), 6):
        if not re.findall(r"^// options: (.*)$", path.read_text(), re.M):
            yield path, []
    for path in sample.part(judges.corpus_files(), 24):
        if path.stat().st_size < 60000:
            yield path, []


def main():
    faults, tally = [], collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        faults += checkKnown(folder, tally)
        faults += checkLives(folder, tally)
        faults += checkEnds(folder)
        for path, options in programs():
            faults += check(folder, path, options, tally)
    print(dict(tally))
    for what, least in (("rows", 20), ("rows of summaries", 20), ("entries", 4), ("lives", 6),
                        ("causes with a run", 1)):
        if tally[what] < least:
            faults.append(f"hardly any {what}: {dict(tally)}")
    print("\n".join(faults))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
