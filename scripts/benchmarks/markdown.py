"""Puts the tables of a result into a document, between its marks:

    <!-- bench: families -->
    (made by scripts/bench)
    <!-- bench end -->

`aims` stands for the aims that were missed, `skipped` for what was not measured.
After a run of some parts, these keep what they tell of the others.
"""
import re
import sys

from benchmarks.summary import PARTS, missedAims, partOf
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


def ofOtherParts(before, key, parts):
    """Bullets of a mark that are of parts which were not run again."""
    found = next((match[0] for match in MARK.finditer(before)
                  if match[2] == key), "")
    return [line[2:] for line in found.splitlines()
            if line.startswith("- ") and partOf(line[2:]) not in parts]


def runOfParts(before, result):
    """The table of the whole run, and when some parts were run again."""
    found = next((match[0] for match in MARK.finditer(before)
                  if match[2] == "run"), "")
    parts = " and ".join(f"`{part}`" for part in result["settings"]["parts"])
    rows = [line for line in found.splitlines()
            if line.startswith("|") and not line.startswith(f"| {parts} |")]
    load = " and ".join(f"{load:.1f}" for load in result["load"])
    words = (f"{result['date']}, {result['commit']}; "
             f"{result['settings']['runs']} runs of each; load {load}; "
             f"{result['seconds'] / 60:.0f} minutes")
    whole = next((row for row in rows if row.startswith("| machine |")), "")
    if (processor := result["machine"]["processor"]) not in whole:
        words += f"; {processor}"
    return "\n".join(rows + [f"| {parts} | {words} |"])


def update(path, result):
    """A mark of a part that the result does not have keeps what it has."""
    tables = tablesOf(result)
    texts = {key: asMarkdown(table) for key, table in tables.items()}
    before = path.read_text()
    parts = result["settings"]["parts"]
    isWhole = {*parts} == {*PARTS}
    kept = {key: [] if isWhole else ofOtherParts(before, key, parts)
            for key in ("aims", "skipped")}
    texts["aims"] = bullets(kept["aims"] + missedAims(result), "All are met.")
    texts["skipped"] = bullets(
        [*kept["skipped"], *(f"{skip['input']}: {skip['why']}"
                             for skip in result["skipped"])], "Nothing was.")
    texts["skipped"] = "\n".join(dict.fromkeys(texts["skipped"].splitlines()))
    if not isWhole and "run" in texts:
        texts["run"] = runOfParts(before, result) or texts["run"]
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
