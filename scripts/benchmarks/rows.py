"""Rows of what ours and another measured in turn, and how a run names those that it
wants.

A row is {what, unit, ours, beside, aim, most}: samples in pairs, `beside` None where
there is nothing to compare with; the most that the ratio may be, and the most that
the median of `ours` may be, either of them None.
"""
from benchmarks.figures import absolute, median, ratio

# Parts whose rows have this form, and what stands in the second column.
HEADS = {"memory": "upstream's", "hover": "upstream's", "saved": "the other",
         "tensors": "upstream's"}


def row(what, unit, ours, beside=None, aim=None, most=None):
    return {"what": what, "unit": unit, "ours": list(ours),
            "beside": None if beside is None else list(beside), "aim": aim,
            "most": most}


def isWanted(options, part, name):
    """Whether the run asks for this row: `--only PART` for all of a part, `--only
    PART/WORDS` for those with these words in their names."""
    asked = [one.partition("/") for one in options.only or [part]]
    return any(words.lower() in name.lower() for which, _, words in asked
               if which == part)


def addRows(figures, part, rows):
    for one in rows:
        id = f"{part}/{one['what']}"
        figures.add(id, absolute(one["ours"]), one["unit"], one["most"])
        if one["beside"] is not None:
            figures.add(f"{id}, ratio", ratio(one["ours"], one["beside"]),
                        "ratio", one["aim"])


def failed(skipped, part, name, why):
    skipped.append({"input": f"{part}: {name}", "why": why, "failure": True})


def values(runs, what):
    """Samples of `runOnce` in the units of the tables."""
    scale = 1e-6 if what == "bytes" else 1
    return [scale * run[what] for run in runs]


def middle(row, which):
    return None if row[which] is None else median(row[which])
