"""Every rule has a page, and what the page says is so.

  run_rules.py ROOT

The rules are those that the program lists in its SARIF output. Before of a page is
reported under its rule; After is not, and is accepted, sound, or cheaper. With
--track-sentences, each sentence about Before names a line of the sources. (That the
page has the rule's own sentence, and outputs that are so, holds the test `docs`.)
"""

import json
import pathlib
import re
import shlex
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "judges"), str(HERE.parent / "docs")]

import judges
import pages

# No few lines show them: they need another dialect, or a defect that is not known.
# Their pages say which.
WITHOUT_EXAMPLE = {
    "terminator", "third-party", "stage-crashed", "stage-failed",
    "returns-not-owned", "wrong-ownership-result",
}
# The order of the pipeline's passes hides them; their pages show a pass alone.
PASS_ALONE = {"return-types-differ", "library-function"}
# What a rule of the group `cost` counts, in `costs` of the JSON.
COUNTED = ("clones", "runTimeChecks", "helperCalls")


def check(path, format, options=()):
    result = judges.run([judges.lens(), "check", "--no-try", "--format", format,
                         *options, path])
    if result.status not in (0, 1):
        sys.exit(f"FAIL: {path}: exit {result.status}: {result.err[:500]}")
    return json.loads(result.out)


MADE_AT = re.compile(r"  \[((?:core|cli)/[\w/]+\.(?:cpp|h)):(\d+)\]")


def untracked(path, options):
    """Sentences of the text that name no line of the sources."""
    def told(*more):
        return judges.run([judges.lens(), "check", "--no-try", "--all", *more,
                           *options, path]).out
    plain, tracked = told(), told("--track-sentences")
    if MADE_AT.sub("", tracked) != plain:
        yield "other lines with --track-sentences"
    root = HERE.parents[1]
    for line in tracked.splitlines():
        if not re.match(rf"{re.escape(str(path))}:\d|  (fact|path|help) ", line):
            continue
        found = MADE_AT.search(line)
        source = root / found[1] if found else None
        if not source or not source.is_file() or \
                not 0 < int(found[2]) <= len(source.read_text().splitlines()):
            yield f"no place: {line}"


def examples_of(page):
    """{file that the page writes: its block}"""
    return {block.marks["write"]: block for block in pages.blocks_of(page)
            if "write" in block.marks}


def options_for(name, examples, folder):
    words = shlex.split(examples[name].marks.get("with", ""))
    return [folder / word if word in examples else word for word in words]


def report_of(name, examples, folder):
    """What `check` reports of an example of the page, with the options it names."""
    for path, block in examples.items():
        (folder / path).write_text(block.text)
    options = options_for(name, examples, folder)
    return check(folder / name, "json", options)["files"][0]


def counts(report):
    return [sum(function[what] for function in report["costs"])
            for what in COUNTED]


def check_after(rule, before, after):
    """`after` has nothing of the rule, and is no worse elsewhere."""
    found = {finding["rule"] for finding in after["findings"]}
    if rule["id"] in found:
        yield "After is reported, too"
    errors = {finding["rule"] for finding in after["findings"]
              if finding["severity"] == "error"}
    if errors:
        yield f"After has errors: {sorted(errors)}"
    if any(now > then for now, then in zip(counts(after), counts(before))):
        yield f"After costs more: {counts(before)} -> {counts(after)}"


def check_page(rule, page, folder):
    text = page.read_text()
    examples = examples_of(text)
    faults = []
    if not text.startswith(f"# {rule['id']}\n"):
        faults.append("does not start with the rule's id")
    if "## What to do\n" not in text or "## When not to bother\n" not in text:
        faults.append("does not say what to do, and when not to bother")
    if rule["id"] in WITHOUT_EXAMPLE | PASS_ALONE and not re.search(
            r"^(No program|It takes a dialect)", text, re.M):
        faults.append("does not say why it has no example")
    if rule["id"] in WITHOUT_EXAMPLE:
        return faults + (["has an example that is not tried"] if examples
                         else [])
    if rule["id"] in PASS_ALONE:
        return faults + ([] if "before.mlir" in examples else ["has no example"])
    if not {"before.mlir", "after.mlir"} <= set(examples):
        return faults + ["has not both Before and After"]
    before = report_of("before.mlir", examples, folder)
    after = report_of("after.mlir", examples, folder)
    found = {finding["rule"] for finding in before["findings"]}
    if rule["id"] not in found:
        faults.append(f"Before gives {sorted(found)}")
    faults += check_after(rule, before, after)
    faults += untracked(folder / "before.mlir",
                        options_for("before.mlir", examples, folder))
    # Else it may be quiet for no other reason.
    gone = judges.run([judges.lens(), "explain", folder / "after.mlir"]).out
    if "removed before the ownership pass" in gone:
        faults.append("a buffer of After is folded away")
    return faults


def main():
    folder_of_pages = pathlib.Path(sys.argv[1]) / "docs/rules"
    failures = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        empty = folder / "empty.mlir"
        empty.write_text("module {}\n")
        rules = check(empty, "sarif")["runs"][0]["tool"]["driver"]["rules"]
        ids = [rule["id"] for rule in rules]
        index = (folder_of_pages / "README.md").read_text()
        for rule in rules:
            page = folder_of_pages / f"{rule['id']}.md"
            if not page.exists():
                failures.append(f"{rule['id']}: has no page")
                continue
            failures += [f"{page.name}: {fault}"
                         for fault in check_page(rule, page, folder)]
            if f"]({page.name}) " not in index:
                failures.append(f"README.md: does not list {rule['id']}")
    failures += [f"{page.name}: no rule of that name"
                 for page in folder_of_pages.glob("*.md")
                 if page.stem not in ids and page.stem != "README"]
    print(f"{len(ids)} rules")
    print("\n".join(failures))
    sys.exit(1 if failures or len(ids) < 30 else 0)


if __name__ == "__main__":
    main()
