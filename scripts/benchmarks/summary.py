"""The figures of a result, each with its unit, its aim and how sure it is.

A figure's id says where it comes from: `real/a.mlir/time`,
`families/chain/800/memory`, `families/chain/growth`, `lsp/3400/hover p95`.
"""
from benchmarks.cores import addCores
from benchmarks.figures import absolute, median, percentiles, ratio
from benchmarks.plain import addPlain
from benchmarks.rows import HEADS, addRows

PARTS = ["start", "real", "gen", "check", "plain", "overview", "giant", "memory",
         "hover", "saved", "cores", "tensors", "lsp", "viewer", "layout", "passes"]
MIN_LINES = 1000
TIME_AIM, MEMORY_AIM, SLOPE_SLACK = 1.0, 2.0, 0.25
TENTH, LINEAR = 0.1, 1.0 + 0.25
# (family, size) -> (what, aim).
LARGE_AIMS = {
    ("chain", 12800): ("time", TENTH), ("nest if", 2000): ("time", TENTH),
    ("plain", 50000): ("seconds", 20.0), ("training", 5440): ("seconds", 6.0),
    ("training returned", 5440): ("seconds", 6.0),
}
GROWTH_AIMS = {"diamonds": LINEAR}
START_AIMS = {"initialize answered": 50.0, "trace of a small file": 60.0}
LSP_AIMS = {(3400, "edit to hints p50"): 50.0,
            (68000, "edit to hints p50"): 250.0,
            (17000, "burst of 30 p50"): 100.0}
LSP_HOVER_AIM, LSP_MEMORY_GROWTH_AIM = 5.0, 10.0


class Figures:
    def __init__(self):
        self.all = {}

    def add(self, id, found, unit, aim=None):
        """`ratio` figures hold between machines; others are of one."""
        if found is None or found.get("value") is None:
            return
        self.all[id] = {"value": found["value"],
                        "deviation": found.get("deviation"), "unit": unit}
        if aim is not None:
            self.all[id]["aim"] = aim

    def pair(self, id, row, timeAim=None, memoryAim=None):
        ours, theirs = row["memrefLens"], row["upstream"]
        if not theirs:
            return
        self.add(f"{id}/time", ratio(ours["seconds"], theirs["seconds"]),
                 "ratio", timeAim)
        if any(ours["cpu"]):
            self.add(f"{id}/processor", ratio(ours["cpu"], theirs["cpu"]),
                     "ratio")
        if any(ours["bytes"]):
            self.add(f"{id}/memory", ratio(ours["bytes"], theirs["bytes"]),
                     "ratio", memoryAim)


def percentilesOf(figures, rows, prefix, what):
    """Over all programs; as sure as the single ones are, at the worst."""
    found = [figures.all[f"{prefix}/{row['input']}/{what}"] for row in rows]
    if not found:
        return
    known = [one["deviation"] for one in found if one["deviation"] is not None]
    for name, value in percentiles([one["value"] for one in found]).items():
        if name in ("p50", "p95", "p99"):
            figures.add(f"{prefix}/{what} {name}", {
                "value": value,
                "deviation": median(known) if known else None}, "ratio")


def addReal(figures, rows):
    for row in rows:
        isLarge = row["lines"] >= MIN_LINES
        figures.pair(f"real/{row['input']}", row,
                     TIME_AIM if isLarge else None,
                     MEMORY_AIM if isLarge else None)
    for what in ("time", "processor", "memory"):
        percentilesOf(figures, rows, "real", what)


def addFamily(figures, family, data):
    for row in data["rows"]:
        id = f"families/{family}/{row['n']}"
        what, aim = LARGE_AIMS.get((family, row["n"]), (None, None))
        # Upstream was stopped or died: the ratio is at most this.
        figures.pair(id, row, aim if what == "time" else None)
        if row.get("isLarge"):
            figures.add(f"{id}/seconds", absolute(row["memrefLens"]["seconds"]),
                        "s", aim if what == "seconds" else None)
    growth = data["growth"]
    theirs = growth["upstream"]["exponent"]
    if theirs is not None:
        figures.add(f"families/{family}/growth", asFigure(growth["memrefLens"]),
                    "exponent", theirs + SLOPE_SLACK)
    figures.add(f"families/{family}/growth, large",
                asFigure(growth["memrefLensLarge"]), "exponent",
                GROWTH_AIMS.get(family))


def asFigure(growth):
    return {"value": growth["exponent"], "deviation": growth["deviation"]}


def addStart(figures, rows):
    for row in rows:
        figures.pair(f"start/{row['input']}", row)
        times = [1e3 * one for one in row["memrefLens"]["seconds"]]
        found = absolute(times)
        for name, value in percentiles(times).items():
            if name in ("p50", "p95", "p99"):
                figures.add(f"start/{row['input']} {name}",
                            {**found, "value": value}, "ms",
                            START_AIMS.get(row["input"])
                            if name == "p50" else None)
        if any(row["memrefLens"]["cpu"]):
            figures.add(f"start/{row['input']} processor", absolute(
                [1e3 * one for one in row["memrefLens"]["cpu"]]), "ms")


def lspAim(lines, what):
    if what == "hover p95":
        return LSP_HOVER_AIM
    if what == "growth":
        return LSP_MEMORY_GROWTH_AIM
    return LSP_AIMS.get((lines, what))


def addLsp(figures, rows):
    """Of latencies the samples are there; of memory a single number."""
    for row in rows:
        for what, ours in row["memrefLens"].items():
            theirs = row["upstream"].get(what)
            if not isinstance(ours, list):
                unit = {"memory": "MB", "growth": "%"}.get(what, "ms")
                figures.add(f"lsp/{row['lines']}/{what}", {"value": ours},
                            unit, lspAim(row["lines"], what))
                continue
            shares = percentiles(ours)
            for name in ("p50", "p95", "p99"):
                id = f"{what} {name}"
                found = {**absolute(ours), "value": shares[name]}
                figures.add(f"lsp/{row['lines']}/{id}", found, "ms",
                            lspAim(row["lines"], id))
                if theirs:
                    # Sessions do not alternate, so their errors add up.
                    part = {"value": shares[name] / percentiles(theirs)[name],
                            "deviation": sumOfErrors(ours, theirs)}
                    figures.add(f"lsp/{row['lines']}/{id}, to upstream's",
                                part, "ratio")


def sumOfErrors(ours, theirs):
    errors = [absolute(one)["deviation"] for one in (ours, theirs)]
    if None in errors:
        return None
    return sum(one * one for one in errors) ** 0.5


def figuresOf(result):
    figures = Figures()
    addStart(figures, result.get("start", []))
    addReal(figures, result.get("real", []))
    for family, data in result.get("families", {}).items():
        addFamily(figures, family, data)
    addLsp(figures, result.get("lsp", []))
    for key in ("plain", "plain-real"):
        addPlain(figures, key, result.get(key, []))
    for part in HEADS:
        addRows(figures, part, result.get(part, []))
    addCores(figures, result.get("cores", []))
    for part in ("check", "overview", "giant", "viewer", "layout", "passes"):
        for row in result.get(part, []):
            figures.add(f"{part}/{row['what']}", row,
                        row["unit"], row.get("aim"))
    return figures.all


def partOf(line):
    """The part that a line about a figure or an input is of; None if it does not
    say."""
    first = line.split("/", 1)[0].split(":", 1)[0]
    part = {"families": "gen", "plain-real": "plain"}.get(first, first)
    return part if part in PARTS else None


def missedAims(result):
    """One line for each aim that a result does not meet."""
    missed = [f"{id}: {figure['value']:.3g} {figure['unit']}, aim "
              f"{figure['aim']:.3g}"
              for id, figure in result["figures"].items()
              if figure.get("aim") is not None and
              figure["value"] > figure["aim"]]
    return missed + [f"{skip['input']}: {skip['why']}"
                     for skip in result["skipped"] if skip["failure"]]
