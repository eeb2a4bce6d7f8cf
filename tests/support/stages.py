"""The text of a stage of a trace, as docs/trace.schema.json says it is kept."""
import re


def textAfter(stages, number):
    """Of one chunk's `stages`: the text after stage `number`."""
    text = ""
    for stage in stages[:number + 1]:
        if stage.get("delta"):
            text = applied(text, stage["delta"])
        elif stage.get("changed") or stage.get("number", 0) == 0:
            text = stage.get("text", "")
    return text


def applied(before, steps):
    lines, at, text = re.findall(r"[^\n]*\n|[^\n]+", before), 0, ""
    for step in steps:
        keep = step.get("keep", 0)
        text += "".join(lines[at:at + keep]) + step.get("add", "")
        at += keep + step.get("drop", 0)
    return text
