#!/usr/bin/env python3
"""Holds the man page, the completions and the pages of the commands to the program.

  check_docs.py MEMREF_LENS ROOT [--update]

The program prints its tables of options with --dump-options. The three completions,
the marked parts of the man page, the list of commands in docs/commands/README.md and
what the pages there show of --help are made of them; --update makes them again, and
begins a page for each command that has none. No
document has a word that waits for something else to be put in its place.
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys

import completion
import man

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "docs"))
import pages  # noqa: E402

HELP = re.compile(r"memref-lens(?: [a-z]+)? --help")
LIST = re.compile(r"(<!-- begin: commands -->\n).*?(<!-- end -->\n)", re.S)
#: What somebody writes until the figures are there.
PLACEHOLDER = re.compile(r"\b[A-Z_]*FIGURES?\b|\bTODO\b|\bTBD\b")
SHELLS = {"bash": "memref-lens.bash", "zsh": "_memref-lens", "fish": "memref-lens.fish"}


def placeholders(root):
    documents = [*root.glob("*.md"), *root.glob("*/README.md"),
                 *(root / "docs").rglob("*.md"), *(root / "cli/doc").glob("*"),
                 *(root / "samples").rglob("*.md")]
    for document in sorted(set(documents)):
        lines = document.read_text().splitlines()
        for number, line in enumerate(lines, 1):
            for word in PLACEHOLDER.findall(line):
                yield f"{document.relative_to(root)}:{number}: {word}"


def output_of(tool, *words):
    result = subprocess.run([tool, *words], capture_output=True, text=True, timeout=60)
    if result.returncode != 0:
        sys.exit(f"{words} ended with {result.returncode}: {result.stderr}")
    return result.stdout


def with_helps(tool, page):
    """The page with what --help says now in its blocks."""
    texts = []
    for block in pages.blocks_of(page):
        text = block.text
        commands = pages.commands_of(text) if block.language == "console" else []
        if len(commands) == 1 and HELP.fullmatch(commands[0][0]):
            words = commands[0][0].split()
            text = f"$ {commands[0][0]}\n" + output_of(tool, *words[1:])
        texts.append(text)
    return pages.with_blocks(page, texts)


def with_list(page, tables):
    rows = "| command | answers |\n|---|---|\n" + "".join(
        f"| [{command['name']}]({command['name']}.md) | {command['question']} |\n"
        for command in tables["commands"])
    return LIST.sub(lambda found: found[1] + "\n" + rows + "\n" + found[2], page)


def begin_pages(root, tables):
    """Writes a page, to be written on, for each command that has none."""
    for command in tables["commands"]:
        name = command["name"]
        page = root / f"docs/commands/{name}.md"
        if not page.exists():
            _, *about = command["about"].split("\n\n")
            if not about:
                sys.exit(f"'{name}': nothing behind the usage says what it is for")
            page.write_text(f"# memref-lens {name}\n\n{about[0].strip()}\n\n"
                            "## Options\n\n"
                            f"```console\n$ memref-lens {name} --help\n```\n")


def made_files(tool, root, tables):
    """{path: what the file should be}."""
    made = {root / "cli/completion" / SHELLS[shell]: getattr(completion, shell)(tables)
            for shell in SHELLS}
    manual = root / "cli/doc/memref-lens.1"
    made[manual] = man.renewed(manual.read_text(), tables)
    for page in sorted((root / "docs/commands").glob("*.md")):
        made[page] = with_helps(tool, page.read_text())
    readme = root / "docs/commands/README.md"
    made[readme] = with_list(made[readme], tables)
    return made


def shell_faults(root):
    for shell, name in SHELLS.items():
        if shutil.which(shell):
            check = subprocess.run([shell, "-n", str(root / "cli/completion" / name)],
                                   capture_output=True, text=True)
            if check.returncode:
                yield f"{name}: {check.stderr}"


def table_faults(tables, root):
    for command in tables["commands"]:
        page = root / f"docs/commands/{command['name']}.md"
        if not page.exists():
            yield f"there is no page docs/commands/{command['name']}.md"
        elif f"$ memref-lens {command['name']} --help" not in page.read_text():
            yield f"{page.name} does not show --help"
        taken = {option["names"] for option in completion.raw_options(command, tables)
                 if option["taken"]} | {"--help"}
        known = [option["names"] for option in completion.all_options(command, tables)]
        for option in command["options"]:
            if option["names"] not in known:
                yield f"{command['name']} {option['names']}: no brief text"
        for name in known:
            if name not in taken:
                yield f"{command['name']} {name}: shown, but not accepted"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool")
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--update", action="store_true")
    arguments = parser.parse_args()
    tool, root = arguments.tool, arguments.root
    tables = json.loads(output_of(tool, "--dump-options"))
    if arguments.update:
        begin_pages(root, tables)
    faults = list(table_faults(tables, root))
    made = made_files(tool, root, tables)
    for path, text in made.items():
        if arguments.update:
            path.write_text(text)
        elif path.read_text() != text:
            faults.append(f"{path.relative_to(root)} is stale: run {sys.argv[0]} "
                          f"{tool} {root} --update")
    faults += [*shell_faults(root), *placeholders(root)]
    for fault in faults:
        print(fault)
    options = {option["names"] for command in tables["commands"]
               for option in completion.all_options(command, tables)}
    print(f"{len(options)} options of {len(tables['commands'])} commands, "
          f"{len(made)} files, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
