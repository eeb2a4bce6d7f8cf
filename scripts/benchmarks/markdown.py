"""Puts the tables of a result into a document, between its marks:

    <!-- bench: families -->
    (made by scripts/bench)
    <!-- bench end -->

`aims` stands for the aims that were missed, `skipped` for what was not measured.
"""
import re
import sys

from benchmarks.summary import missedAims
from benchmarks.tables import TITLES, tablesOf

MARK = re.compile(r"(<!-- bench: ([\w-]+) -->\n).*?(<!-- bench end -->)", re.S)


def cell(text):
    return text.replace("|", "\\|")


def asMarkdown(table):
    lines = ["| " + " | ".join(cell(word) for word in table["head"]) + " |",
             "|" + "---|" * len(table["head"])]
    lines += ["| " + " | ".join(cell(word) for word in row) + " |"
              for row in table["rows"]]
    return "\n".join(lines + [""] * bool(table["notes"]) + table["notes"])


def bullets(lines, otherwise):
    return "\n".join(f"- {line}" for line in lines) or otherwise


def update(path, result):
    """A mark of a part that the result does not have keeps what it has."""
    tables = tablesOf(result)
    texts = {key: asMarkdown(table) for key, table in tables.items()}
    texts["aims"] = bullets(missedAims(result), "All are met.")
    texts["skipped"] = bullets([f"{skip['input']}: {skip['why']}"
                                for skip in result["skipped"]],
                               "Nothing was.")
    before = path.read_text()
    unknown = {key for _, key, _ in MARK.findall(before)} - \
        {*TITLES, "aims", "skipped"}
    if unknown or not MARK.search(before):
        sys.exit(f"scripts/bench: {path} has " +
                 (f"marks that stand for nothing: {', '.join(sorted(unknown))}"
                  if unknown else "no marks such as <!-- bench: families -->"))

    def fill(match):
        text = texts.get(match[2])
        return match[0] if text is None else \
            f"{match[1]}\n{text}\n\n{match[3]}"
    path.write_text(MARK.sub(fill, before))
