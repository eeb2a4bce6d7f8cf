"""The tables of a result, as text for a terminal or as Markdown.

A table is {key, head, rows, notes}; all cells are text.
"""
from benchmarks import before
from benchmarks.cores import SLOWER_AIM
from benchmarks.figures import median, percentiles
from benchmarks.plain import AIMS, REAL_AIM
from benchmarks.rows import HEADS, middle
from benchmarks.summary import MIN_LINES

TITLES = {"start": "Start-up", "real": "Real programs",
          "large-real": f"Real programs of {MIN_LINES:,} lines and more",
          "families": "Families of generated programs",
          "large": "Very large functions", "lsp": "Language server",
          "edit": "Where an edit's time goes",
          "check": "Commands over a whole file, and `check` on several at a time",
          "plain": "Files of many functions, beside the plain pipeline",
          "plain-real": "Real programs, beside the plain pipeline",
          "overview": "The overview beside the trace of the same file",
          "giant": "Giant functions", "memory": "Memory",
          "hover": "First hover with ownership", "saved": "Saved traces",
          "cores": "Many cores", "tensors": "Programs on tensors",
          "viewer": "Viewer",
          "layout": "Pictures",
          "passes": "Our passes in mlir-opt", "run": "This run"}
WORDS = {
    "plain": "allocations, each stored to once",
    "chain": "layers, each copied from the one before",
    "external": "the same, some buffers from an external function, some "
                "returned",
    "diamonds": "diamonds in a row",
    "ladder": "blocks that all branch to one exit",
    "nest if": "nested `scf.if`",
    "nest for": "nested `scf.for`",
    "functions": "functions",
    "calls": "functions that call each other",
    "training": "a step of training: allocations",
    "training returned": "the same, weights returned and not updated",
}


def number(value, digits=2):
    if value is None:
        return ""
    return f"{value:,.{digits}f}" if abs(value) < 100 else f"{value:,.0f}"


def seconds(value):
    return number(value, 3 if value < 1 else 1)


def figure(result, id, digits=2):
    found = result["figures"].get(id)
    return number(found["value"], digits) if found else ""


def aimOf(result, id):
    found = result["figures"].get(id, {})
    return "" if found.get("aim") is None else number(found["aim"])


def start(result):
    rows = []
    for row in result.get("start", []):
        name, id = row["input"], f"start/{row['input']}"
        shares = percentiles([1e3 * one for one in
                              row["memrefLens"]["seconds"]])
        theirs = 1e3 * median(row["upstream"]["seconds"])
        rows.append([name, *(number(shares[p], 1)
                             for p in ("p50", "p95", "p99")),
                     number(theirs, 1), figure(result, f"{id}/time"),
                     aimOf(result, f"{id} p50"),
                     figure(result, f"{id} processor", 1)])
    return [{"key": "start", "rows": rows, "notes": [],
             "head": ["until", "p50, ms", "p95", "p99", "upstream p50, ms",
                      "ratio", "aim, ms", "of the processor, ms"]}]


def real(result):
    rows = result.get("real", [])
    shares = [[what, *(figure(result, f"real/{what} {p}")
                       for p in ("p50", "p95", "p99"))]
              for what in ("time", "processor", "memory")] if rows else []
    large = [row for row in rows if row["lines"] >= MIN_LINES]
    return [
        {"key": "real", "rows": shares, "notes":
         [f"{len(rows)} programs; ratios to upstream's"] if rows else [],
         "head": ["ratio", "p50", "p95", "p99"]},
        {"key": "large-real", "notes": [],
         "head": ["program", "lines", "seconds", "upstream's", "time",
                  "memory", "aim, time", "aim, memory"],
         "rows": [pairRow(result, f"real/{row['input']}", row, row["input"]) +
                  [aimOf(result, f"real/{row['input']}/{what}")
                   for what in ("time", "memory")] for row in large]}]


def pairRow(result, id, row, name):
    theirs = row["upstream"]
    return [name, f"{row['lines']:,}",
            seconds(median(row["memrefLens"]["seconds"])),
            seconds(median(theirs["seconds"])) if theirs else "",
            figure(result, f"{id}/time"), figure(result, f"{id}/memory")]


def exponent(growth):
    if growth["exponent"] is None:
        return ""
    sizes = growth["sizes"]
    return f"N^{growth['exponent']:.2f} ({sizes[0]:,} to {sizes[-1]:,})"


def families(result):
    rows, large = [], []
    for family, data in result.get("families", {}).items():
        growth = data["growth"]
        both = [row for row in data["rows"] if not row.get("isLarge")]
        if both:
            row = both[-1]
            id = f"families/{family}/{row['n']}"
            rows.append([WORDS[family], f"{row['n']:,}",
                         figure(result, f"{id}/time"),
                         figure(result, f"{id}/memory"),
                         exponent(growth["memrefLens"]),
                         exponent(growth["upstream"])])
        large += [largeRow(result, family, row, growth)
                  for row in data["rows"] if row.get("isLarge")]
    return [{"key": "families", "rows": rows, "notes": [],
             "head": ["family", "largest", "time", "memory", "our growth",
                      "upstream's"]},
            {"key": "large", "rows": large, "notes": [],
             "head": ["family", "size", "seconds", "MB", "upstream's seconds",
                      "time", "our growth", "aim"]}]


def largeRow(result, family, row, growth):
    id = f"families/{family}/{row['n']}"
    theirs = row["upstream"]
    ratio = figure(result, f"{id}/time", 3)
    if not theirs:
        other = f"not run ({row['upstreamNote']})"
    else:
        other = seconds(median(theirs["seconds"]))
        if row.get("upstreamStopped"):
            other, ratio = f"more than {other}: stopped", f"below {ratio}"
    isLast = row["n"] in growth["memrefLensLarge"]["sizes"][-1:]
    aims = [aim and f"{aim} {word}".strip() for aim, word in (
        (aimOf(result, f"{id}/time"), "of upstream's time"),
        (aimOf(result, f"{id}/seconds"), "s"),
        (isLast and aimOf(result, f"families/{family}/growth, large"),
         "as exponent, at most"))]
    return [WORDS[family], f"{row['n']:,}",
            seconds(median(row["memrefLens"]["seconds"])),
            number(median(row["memrefLens"]["bytes"]) / 2 ** 20, 0), other,
            ratio, exponent(growth["memrefLensLarge"]) if isLast else "",
            "; ".join(aim for aim in aims if aim)]


def lsp(result):
    rows, parts = [], []
    for row in result.get("lsp", []):
        lines, ours = row["lines"], row["memrefLens"]
        for what, found in ours.items():
            theirs = row["upstream"].get(what)
            if isinstance(found, list):
                rows.append(latencyRow(result, lines, what, found, theirs))
            elif what in ("memory", "growth"):
                unit = {"memory": "MB", "growth": "%"}[what]
                rows.append([f"{lines:,}", f"{what}, {unit}",
                             number(found, 1), "", "", number(theirs, 1), "",
                             aimOf(result, f"lsp/{lines}/{what}")])
        cut = {part: found for part, found in ours.items()
               if part.startswith("edit: ")}
        if cut:
            edit = median(ours["edit to hints"])
            parts.append([f"{lines:,}", *(number(cut[f"edit: {part}"], 1)
                                          for part in ("cutting", "parsing",
                                                       "stages")),
                          number(max(edit - sum(cut.values()), 0), 1),
                          number(edit, 1), number(median(ours["open"]), 0),
                          number(ours.get("trace of the file"), 0),
                          f"{edit / median(ours['open']):.4f}"])
    return [{"key": "lsp", "rows": rows, "notes": [],
             "head": ["lines", "what", "p50", "p95", "p99", "upstream p50",
                      "ratio", "aim"]},
            {"key": "edit", "rows": parts, "notes": [],
             "head": ["lines", "cutting the file into functions, ms",
                      "parsing one", "its stages", "rest", "edit to hints",
                      "the whole file", "`memref-lens trace` of it",
                      "edit, part of the whole file"]}]


def latencyRow(result, lines, what, found, theirs):
    shares = percentiles(found)
    several = len(found) > 1
    id = f"lsp/{lines}/{what}"
    aims = [f"{p}: {aimOf(result, f'{id} {p}')}" for p in ("p50", "p95")
            if aimOf(result, f"{id} {p}")]
    return [f"{lines:,}", f"{what}, ms", number(shares["p50"], 1),
            number(shares["p95"], 1) if several else "",
            number(shares["p99"], 1) if several else "",
            number(median(theirs), 1) if theirs else "",
            figure(result, f"{id} p50, to upstream's"), "; ".join(aims)]


def plain(result):
    rows = []
    for row in result.get("plain", []):
        for name, runs in row["commands"].items():
            id = f"plain/{row['input']}/{name}"
            rows.append([f"{row['lines']:,}", f"`{name}`",
                         seconds(median(runs["memrefLens"]["seconds"])),
                         seconds(median(runs["upstream"]["seconds"])),
                         *(cell for what in ("time", "processor") for cell in
                           (figure(result, f"{id}/{what}"),
                            aimOf(result, f"{id}/{what}")))])
    return {"key": "plain", "rows": rows, "notes": [],
            "head": ["lines", "command", "seconds", "upstream's", "time",
                     "aim", "processor", "aim"]}


def plainReal(result):
    rows = []
    for row in result.get("plain-real", []):
        ids = [f"plain-real/{row['input']}/{name}" for name in AIMS]
        theirs = [median(runs["upstream"]["seconds"])
                  for runs in row["commands"].values()]
        rows.append([row["input"], f"{row['lines']:,}",
                     seconds(median(theirs)),
                     *(figure(result, f"{id}/time") for id in ids)])
    return {"key": "plain-real", "rows": rows,
            "notes": [f"ratios by the clock; aim: {REAL_AIM}"] if rows else [],
            "head": ["program", "lines", "upstream's seconds",
                     *(f"`{name}`" for name in AIMS)]}


def simple(result, part):
    return {"key": part, "head": ["what", "measured", "aim"], "notes": [],
            "rows": [[row["what"], f"{number(row['value'])} {row['unit']}",
                      "" if row.get("aim") is None else
                      f"{number(row['aim'])} {row['unit']}"]
                     for row in result.get(part, [])]}


def asMeasured(value, unit):
    return number(value, 0 if unit == "hovers" else 2)


def beside(result, part):
    """Ours and another in turn; before, and now."""
    rows = []
    for one in result.get(part, []):
        what, unit = one["what"], one["unit"]
        id = f"{part}/{what}"
        isRatio = one["beside"] is not None
        then = before.value(f"{id}, ratio" if isRatio else id)
        aim = one["aim"] if isRatio else one["most"]
        unitOfAim = "" if isRatio else f" {unit}"
        rows.append([what,
                     "" if then is None else number(then) + unitOfAim,
                     f"{asMeasured(middle(one, 'ours'), unit)} {unit}",
                     f"{asMeasured(middle(one, 'beside'), unit)} {unit}"
                     if isRatio else "",
                     figure(result, f"{id}, ratio"),
                     "" if aim is None else number(aim) + unitOfAim])
    return {"key": part, "rows": rows, "notes": [],
            "head": ["what", "before", "ours", HEADS[part], "ratio", "aim"]}


def cores(result):
    rows = []
    found = result.get("cores", [])
    jobs = [count for count, _ in found[0]["seconds"]] if found else []
    for one in found:
        fastest = [min(samples) for _, samples in one["seconds"]]
        # Seconds do not hold between machines of few cores and of many.
        then = [before.value(f"{jobs[-1]} cores/{one['what']}/-j {count}")
                for count in jobs]
        worst = max(result["figures"][
            f"cores/{one['what']}/-j {count}, to fewer"]["value"]
            for count in jobs[1:])
        rows.append([one["what"],
                     " / ".join("-" if value is None else seconds(value)
                                for value in then) if any(then) else "",
                     *(seconds(value) for value in fastest), number(worst),
                     number(SLOWER_AIM),
                     number(one["aim"]) if jobs[-1] == 16 else ""])
    return {"key": "cores", "rows": rows, "notes": [],
            "head": ["what", "before, s", *(f"`-j {count}`, s" for count in jobs),
                     "slowest, to fewer threads", "aim", "aim at `-j 16`, s"]}


def run(result):
    machine, settings = result["machine"], result["settings"]
    rows = [["date, commit", f"{result['date']}, {result['commit']}"],
            ["machine", f"{machine['cores']} cores, {machine['processor']}, "
             f"{machine['memoryGB']} GB, {machine['system']}"],
            *([tool, version]
              for tool, version in machine["versions"].items()),
            ["runs of each", str(settings["runs"])],
            ["sizes", settings["scale"]],
            ["load before and after", " and ".join(
                f"{load:.1f}" for load in result["load"])],
            ["took", f"{result['seconds'] / 60:.0f} minutes"]]
    return {"key": "run", "head": ["", ""], "rows": rows, "notes": []}


def tablesOf(result):
    found = [*start(result), *real(result), *families(result), *lsp(result),
             simple(result, "check"), plain(result), plainReal(result),
             simple(result, "overview"), simple(result, "giant"),
             *(beside(result, part) for part in HEADS), cores(result),
             simple(result, "viewer"),
             simple(result, "layout"), simple(result, "passes"), run(result)]
    return {table["key"]: table for table in found if table["rows"]}


def asText(result):
    lines = []
    for key, table in tablesOf(result).items():
        lines += ["", TITLES[key], ""]
        rows = [table["head"], *table["rows"]]
        widths = [max(len(row[i]) for row in rows)
                  for i in range(len(table["head"]))]
        # Names to the left, numbers to the right.
        for number, row in enumerate(rows):
            cells = [cell.ljust(width) if i == 0 else cell.rjust(width)
                     for i, (cell, width) in enumerate(zip(row, widths))]
            lines.append("  ".join(cells).rstrip())
            if number == 0 and any(row):
                lines.append("-" * sum(widths + [2 * len(widths) - 2]))
        lines += table["notes"]
    if result["skipped"]:
        lines += ["", "Skipped", *(f"  {skip['input']}: {skip['why']}"
                                   for skip in result["skipped"])]
    return "\n".join(lines)
