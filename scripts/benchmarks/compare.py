"""What changed between two results, beyond what the noise can explain.

The noise of a figure is the standard error of its median, from the spread of its
own runs; as a few runs show their spread badly, never less than what is usual
for figures of its part and unit in both results. A change counts if it is more
than three such errors (of both results together), and more than five in a
hundred. Absolute figures (ms, s, MB) are set against how fast upstream was in
each of the two, on one program.
"""
import math
import re

from benchmarks.figures import median

ERRORS, LEAST = 3.0, 0.05
# Of a figure measured once, where nothing tells how sure it is.
UNKNOWN = 0.10
# Exponents are compared by their difference.
LEAST_EXPONENT = 0.15
TIMED = ("s", "ms")


def kindOf(id, figure):
    """Figures whose noise is alike: of one part, what and unit."""
    what = re.sub(r" p\d+", "", id.rsplit("/", 1)[-1])
    return id.split("/", 1)[0], what, figure["unit"]


def usualErrors(*results):
    """Kind -> median of the errors that are known."""
    known = {}
    for result in results:
        for id, figure in result["figures"].items():
            if figure["deviation"] is not None:
                known.setdefault(kindOf(id, figure), []).append(
                    figure["deviation"])
    return {kind: median(found) for kind, found in known.items()}


def speed(old, new, clock="seconds"):
    """How much longer upstream took in the new result, on the same program."""
    if not old.get("calibration") or not new.get("calibration"):
        return 1.0
    return median(new["calibration"][clock]) / \
        median(old["calibration"][clock])


def isOfProcessor(id):
    return "processor" in id or id.startswith(("layout/", "passes/"))


def errorOf(id, figure, usual):
    least = usual.get(kindOf(id, figure), UNKNOWN)
    return max(figure["deviation"] if figure["deviation"] is not None else
               least, least)


def changeOf(id, before, after, usual, slower):
    """{id, before, after, change, noise, counts} of one figure."""
    made = {"id": id, "unit": after["unit"], "before": before["value"],
            "after": after["value"]}
    if after["unit"] == "exponent":
        made["change"] = after["value"] - before["value"]
        errors = [one["deviation"] or 0 for one in (before, after)]
        made["noise"] = max(ERRORS * math.hypot(*errors), LEAST_EXPONENT)
    elif min(before["value"], after["value"]) <= 0:
        made["change"] = 0.0
        made["noise"] = UNKNOWN
    else:
        clock = "cpu" if isOfProcessor(id) else "seconds"
        scale = slower[clock] if after["unit"] in TIMED else 1.0
        made["change"] = math.log(after["value"] / before["value"] / scale)
        errors = [errorOf(id, one, usual) for one in (before, after)]
        made["noise"] = max(ERRORS * math.hypot(*errors), LEAST)
    made["counts"] = abs(made["change"]) > made["noise"]
    return made


def compare(old, new):
    """{changes, same, onlyOld, onlyNew, slower}: `changes` with the worst
    first, each as `changeOf` has it."""
    if old["schema"] != new["schema"]:
        raise ValueError(f"results of schema {old['schema']} and "
                         f"{new['schema']} cannot be compared; run both "
                         "versions with one scripts/bench")
    usual = usualErrors(old, new)
    slower = {clock: speed(old, new, clock) for clock in ("seconds", "cpu")}
    before, after = old["figures"], new["figures"]
    both = [changeOf(id, before[id], after[id], usual, slower)
            for id in after if id in before]
    changes = [one for one in both if one["counts"]]
    return {"changes": sorted(changes, key=lambda one: -one["change"]),
            "same": len(both) - len(changes), "slower": slower["seconds"],
            "onlyOld": sorted(set(before) - set(after)),
            "onlyNew": sorted(set(after) - set(before))}


def percent(log):
    return f"{100 * (math.exp(log) - 1):+.0f} %"


def report(found, old, new):
    """As lines of text."""
    lines = [f"Compared with {old.get('commit') or 'the older result'}: "
             f"{len(found['changes'])} of "
             f"{len(found['changes']) + found['same']} figures changed beyond "
             "the noise"]
    for one in found["changes"]:
        word = "worse " if one["change"] > 0 else "better"
        isExponent = one["unit"] == "exponent"
        change = f"{one['change']:+.2f}" if isExponent else \
            percent(one["change"])
        noise = f"{one['noise']:.2f}" if isExponent else \
            f"{100 * (math.exp(one['noise']) - 1):.0f} %"
        lines.append(f"  {word} {one['id']}: {one['before']:.3g} -> "
                     f"{one['after']:.3g} {one['unit']} ({change}; noise up "
                     f"to {noise})")
    for word, ids in (("gone", found["onlyOld"]), ("new", found["onlyNew"])):
        if ids:
            lines.append(f"  {word}: {len(ids)} figures ({', '.join(ids[:3])}"
                         f"{', ...' if len(ids) > 3 else ''})")
    if abs(math.log(found["slower"])) > 0.05:
        lines.append(f"  upstream's time on one program: "
                     f"{percent(math.log(found['slower']))}; absolute times "
                     "are set against that")
    busy = [name for name, result in (("old", old), ("new", new))
            if max(result["load"]) > 1.5 * result["machine"]["cores"]]
    if busy:
        lines.append(f"  other programs ran beside ({', '.join(busy)}): times "
                     "are too long there, ratios less so")
    for key in sorted({*old["machine"], *new["machine"]} - {"versions"}):
        a, b = old["machine"].get(key), new["machine"].get(key)
        if a != b:
            lines.append(f"  another machine: {key} {a} -> {b}")
    for tool in new["machine"]["versions"]:
        a = old["machine"]["versions"].get(tool)
        b = new["machine"]["versions"][tool]
        if a != b:
            lines.append(f"  another version: {tool} {a} -> {b}")
    return lines
