#!/usr/bin/env python3
"""Holds what the docs show to what the programs print.

  run_docs.py [--update] [PAGE...]

Every block of README.md, ARCHITECTURE.md and docs/ is made by a command, is a file, is
run, or says why it is not (pages.py has the forms). Links lead somewhere, each command
has a page, each page is in an index, and the rules' pages tell their rule's sentence.
--update writes pages anew that differ; then read the diff.

A page's commands run in a folder of their own, in which `samples` is that of the
project and `memref-lens` the one under test (MEMREF_LENS, or that of build/).
"""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "support"), str(HERE)]

from corpus import ROOT, tool
from pages import blocks_of, commands_of, part_of, with_blocks

# Their own test does what they say.
ELSEWHERE = {"docs/plugins.md": "plugins-doc"}
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.M)
RULE_TABLE = re.compile(r"(\| rule \|[^\n]*\n\|[-|]*\n)(\|[^\n]*\n)*")
RULE_LINE = re.compile(r"^.*\. Group `[a-z]+`, severity [a-z]+\.$", re.M)


class Fault(Exception):
    """What is wrong with a block."""


def pages():
    return [ROOT / "README.md", ROOT / "ARCHITECTURE.md",
            *sorted((ROOT / "docs").rglob("*.md"))]


class Folder:
    """The folder in which a page's commands run."""

    def __init__(self, path, programs):
        self.path = pathlib.Path(path)
        (self.path / "samples").symlink_to(ROOT / "samples")
        # A page may be read in a colourful terminal, or one of another width.
        kept = {name: value for name, value in os.environ.items()
                if name not in ("COLUMNS", "NO_COLOR", "CLICOLOR_FORCE")}
        self.environment = dict(kept, LC_ALL="C.UTF-8",
                                PATH=f"{programs}:{os.environ['PATH']}")

    def run(self, command, status):
        done = subprocess.run(["bash", "-e", "-c", command], cwd=self.path,
                              env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=300)
        printed = done.stdout.decode(errors="replace")
        if done.returncode != status:
            raise Fault(f"`{command}` ends with {done.returncode} instead of "
                        f"{status}:\n{printed[:2000]}")
        if "\n```" in "\n" + printed or str(ROOT) in printed:
            raise Fault(f"`{command}` prints a fence or a path of this machine")
        return "".join(line.rstrip() + "\n" for line in printed.splitlines())


def wanted(block, folder):
    """What the block is to hold."""
    marks = block.marks
    part = lambda text: part_of(text, marks["part"]) if "part" in marks else text
    if "file" in marks:
        return part((folder.path / marks["file"]).read_text())
    if "not run" in marks:
        return block.text
    if "run" in marks:
        return part(folder.run(marks["run"], block.exit))
    if block.language == "console":
        *earlier, last = commands_of(block.text)
        told = [(command, folder.run(command, 0)) for command, _ in earlier]
        told.append((last[0], part(folder.run(last[0], block.exit))))
        return "".join(f"$ {command}\n{printed}" for command, printed in told)
    if "write" in marks:
        path = folder.path / marks["write"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text)
    elif block.language == "sh":
        folder.run(block.text, block.exit)
    elif block.language == "mlir":
        (folder.path / "shown.mlir").write_text(block.text)
        folder.run("memref-lens ir --stage 0 shown.mlir", 0)
    else:
        raise Fault(f"nothing holds this block of '{block.language}'; "
                    "tests/docs/pages.py says how")
    return block.text


def blocks_wanted(page, text, programs):
    """(texts of the page's blocks as they are to be, faults)"""
    texts, faults = [], []
    with tempfile.TemporaryDirectory() as name:
        folder = Folder(name, programs)
        for block in blocks_of(text):
            try:
                texts.append(wanted(block, folder))
            except (Fault, ValueError, OSError) as fault:
                faults.append(f"{page}:{block.line}: {fault}")
                texts.append(block.text)
    return texts, faults


def differing(page, text, texts):
    for block, new in zip(blocks_of(text), texts):
        if block.text != new:
            yield (f"{page}:{block.line}: the page has\n{block.text}"
                   f"it would be\n{new}")


def rule_lines(text, page, rules):
    """A rule's page with the rule's own sentence; the table of all, made of them."""
    if page == "docs/rules/README.md":
        rows = "".join(f"| [{rule}]({rule}.md) | {group} | {severity} | {title} |\n"
                       for rule, (title, group, severity) in rules.items())
        return RULE_TABLE.sub(lambda head: head[1] + rows, text, count=1)
    for rule, (title, group, severity) in rules.items():
        if page == f"docs/rules/{rule}.md":
            line = f"{title}. Group `{group}`, severity {severity}."
            text = RULE_LINE.sub(lambda _: line, text, count=1)
    return text


def rules_of(programs):
    """{rule: (title, group, severity)}, as the program lists them."""
    with tempfile.TemporaryDirectory() as name:
        folder = Folder(name, programs)
        (folder.path / "empty.mlir").write_text("module {}\n")
        report = json.loads(folder.run(
            "memref-lens check --no-try --format sarif empty.mlir", 0))
    return {rule["id"]: (rule["shortDescription"]["text"],
                         rule["properties"]["tags"][0],
                         rule["defaultConfiguration"]["level"])
            for rule in report["runs"][0]["tool"]["driver"]["rules"]}


def without_blocks(text):
    for block in blocks_of(text):
        text = text.replace(block.text, "\n", 1)
    return text


def anchors(text):
    """As GitHub makes them of headings."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
            for heading in HEADING.findall(without_blocks(text))}


def broken_links(page):
    text = page.read_text()
    for link in LINK.findall(without_blocks(text)):
        path, _, anchor = link.partition("#")
        if re.match(r"[a-z]+:", link):
            continue
        target = page.parent / path if path else page
        if not target.exists():
            yield f"{os.path.relpath(page, ROOT)}: no {link}"
        elif anchor and anchor not in anchors(target.read_text()):
            yield f"{os.path.relpath(page, ROOT)}: no heading for {link}"


def unlisted():
    """Pages to which neither docs/README.md nor the index of their folder leads."""
    for page in sorted((ROOT / "docs").rglob("*.md")):
        indexes = {ROOT / "docs/README.md", page.parent / "README.md"} - {page}
        linked = {(index.parent / link.partition("#")[0]).resolve()
                  for index in indexes if index.exists()
                  for link in LINK.findall(index.read_text())}
        if page != ROOT / "docs/README.md" and page not in linked:
            yield f"{page.relative_to(ROOT)}: in no index"


def examine(page, rules, programs, isUpdate):
    name = str(page.relative_to(ROOT))
    text = page.read_text()
    texts, faults = ([b.text for b in blocks_of(text)], []) \
        if name in ELSEWHERE else blocks_wanted(name, text, programs)
    new = rule_lines(with_blocks(text, texts), name, rules)
    if isUpdate and new != text:
        whole = page.with_suffix(".md.new")
        whole.write_text(new)
        whole.replace(page)
        print(f"{name}: written anew")
    elif new != text:
        faults += list(differing(name, text, texts)) or \
            [f"{name}: a rule's sentence is another one"]
    return faults + list(broken_links(page))


def main(arguments):
    isUpdate = "--update" in arguments
    asked = [pathlib.Path(name).resolve() for name in arguments
             if name != "--update"]
    lens = os.environ.get("MEMREF_LENS", str(ROOT / "build/bin/memref-lens"))
    with tempfile.TemporaryDirectory() as programs:
        for name, path in (("memref-lens", lens), ("mlir-opt-22", tool("mlir-opt"))):
            pathlib.Path(programs, name).symlink_to(path)
        faults = []
        rules = rules_of(programs)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for found in pool.map(lambda page: examine(page, rules, programs,
                                                       isUpdate),
                                  asked or pages()):
                faults += found
    faults += unlisted()
    print(*faults, sep="\n")
    count = sum(len(blocks_of(page.read_text())) for page in pages())
    print(f"{len(pages())} pages, {count} blocks, {len(faults)} faults"
          + ("; tests/docs/run_docs.py --update writes them anew"
             if faults and not isUpdate else ""))
    return 1 if faults or count < 100 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
