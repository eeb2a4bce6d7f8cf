"""Every rule has a page, and what the page says is so.

  run_rules.py ROOT

The rules are those that the program lists in its SARIF output. The first example
of a page is reported under its rule, the second one is not.
"""

import json
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "judges"))

import judges

# No few lines show them: they need another dialect, an option that the pipeline's
# own order defeats, or a defect that is not known. Their pages say which.
WITHOUT_EXAMPLE = {
    "terminator", "return-types-differ", "third-party", "stage-failed",
    "library-function", "returns-not-owned", "wrong-ownership-result",
}
# An example may need an option, or a budget.
EXAMPLE = re.compile(r"(?:^With `([^`\n]*)`:\n\n)?^```mlir\n(.*?)^```$",
                     re.M | re.S)
BUDGET = re.compile(r"^```budget\n(.*?)^```$", re.M | re.S)


def check(path, format, options=()):
    result = judges.run([judges.lens(), "check", "--no-try", "--format", format,
                         *options, path])
    if result.status not in (0, 1):
        sys.exit(f"FAIL: {path}: exit {result.status}: {result.err[:500]}")
    return json.loads(result.out)


def rules_found(example, folder, budget):
    options, text = example
    options = options.split()
    path = folder / "example.mlir"
    path.write_text(text)
    if budget:
        (folder / "budget").write_text(budget[1])
        options += ["--budget", folder / "budget"]
    report = check(path, "json", options)["files"][0]
    return {finding["rule"] for finding in report["findings"]}


def check_page(rule, page, folder):
    text = page.read_text()
    faults = []
    if not text.startswith(f"# {rule['id']}\n"):
        faults.append("does not start with the rule's id")
    title = rule["shortDescription"]["text"]
    level = rule["defaultConfiguration"]["level"]
    group = rule["properties"]["tags"][0]
    if f"{title}. Group `{group}`, severity {level}." not in text:
        faults.append(f"does not say '{title}. Group `{group}`, severity "
                      f"{level}.'")
    examples = EXAMPLE.findall(text)
    if rule["id"] in WITHOUT_EXAMPLE:
        if not re.search(r"^(No .*(program|dialect)|It takes a dialect)", text,
                         re.M):
            faults.append("does not say why it has no example")
        return faults + (["has an example that is not tried"] if examples
                         else [])
    if len(examples) != 2:
        return faults + [f"{len(examples)} examples instead of 2"]
    budget = BUDGET.search(text)
    found = rules_found(examples[0], folder, budget)
    if rule["id"] not in found:
        faults.append(f"the first example gives {sorted(found)}")
    if rule["id"] in rules_found(examples[1], folder, budget):
        faults.append("the second example is reported, too")
    # Else it may be quiet for no other reason.
    gone = judges.run([judges.lens(), "explain", folder / "example.mlir"]).out
    if "removed before the ownership pass" in gone:
        faults.append("a buffer of the second example is folded away")
    return faults


def main():
    pages = pathlib.Path(sys.argv[1]) / "docs/rules"
    failures = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        empty = folder / "empty.mlir"
        empty.write_text("module {}\n")
        rules = check(empty, "sarif")["runs"][0]["tool"]["driver"]["rules"]
        ids = [rule["id"] for rule in rules]
        index = (pages / "README.md").read_text()
        for rule in rules:
            page = pages / f"{rule['id']}.md"
            if not page.exists():
                failures.append(f"{rule['id']}: has no page")
                continue
            failures += [f"{page.name}: {fault}"
                         for fault in check_page(rule, page, folder)]
            if f"]({page.name}) " not in index:
                failures.append(f"README.md: does not list {rule['id']}")
    failures += [f"{page.name}: no rule of that name"
                 for page in pages.glob("*.md")
                 if page.stem not in ids and page.stem != "README"]
    print(f"{len(ids)} rules")
    print("\n".join(failures))
    sys.exit(1 if failures or len(ids) < 30 else 0)


if __name__ == "__main__":
    main()
