#!/usr/bin/env python3
"""Holds the man page and the completions to what `memref-lens --help` says.

  check_docs.py MEMREF_LENS ROOT

Each command and option of the help must be in all four files, under its own
command, and each option in those files must be in the help. No document has a
word that waits for something else to be put in its place.
"""
import pathlib
import re
import shutil
import subprocess
import sys

FLAG = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
# Lines of the help that describe an option start with it.
OPTION_LINE = re.compile(r"^  (-\w, )?(--[a-z][a-z-]+)", re.M)


def helpOf(tool, *words):
    result = subprocess.run([tool, *words, "--help"], capture_output=True,
                            text=True, timeout=60)
    if result.returncode != 0:
        sys.exit(f"{words} --help ended with {result.returncode}")
    return result.stdout


def optionsOf(text):
    return {match[2] for match in OPTION_LINE.finditer(text)}


#: What somebody writes until the figures are there.
PLACEHOLDER = re.compile(r"\b[A-Z_]*FIGURES?\b|\bTODO\b|\bTBD\b")


def placeholders(root):
    documents = [*root.glob("*.md"), *root.glob("*/README.md"),
                 *(root / "docs").rglob("*.md"), *(root / "cli/doc").glob("*"),
                 *(root / "samples").rglob("*.md")]
    for document in sorted(set(documents)):
        lines = document.read_text().splitlines()
        for number, line in enumerate(lines, 1):
            for word in PLACEHOLDER.findall(line):
                yield f"{document.relative_to(root)}:{number}: {word}"


def manSections(text):
    """The man page as {command: text of its .SS}, and the rest under ''."""
    sections, current = {"": ""}, ""
    for line in text.replace("\\-", "-").splitlines():
        if line.startswith((".SS", ".SH")):
            words = line.split()
            isCommand = line.startswith(".SS memref-lens")
            current = words[2] if isCommand else ""
            sections.setdefault(current, "")
        sections[current] += line + "\n"
    return sections


def main():
    tool, root = sys.argv[1], pathlib.Path(sys.argv[2])
    overview = helpOf(tool)
    commands = re.findall(r"^  ([a-z]+) FILE", overview, re.M)
    faults = [] if len(commands) >= 4 else [f"commands in the help: {commands}"]
    options = {command: optionsOf(helpOf(tool, command))
               for command in commands}
    common = set.intersection(*options.values())
    everything = set.union(*options.values()) | optionsOf(overview)

    man = (root / "cli/doc/memref-lens.1").read_text()
    sections = manSections(man)
    for command in commands:
        if command not in sections:
            faults.append(f"man page: no section for {command}")
            continue
        for option in sorted(options[command] - common):
            if option not in FLAG.findall(sections[command]):
                faults.append(f"man page: {command} lacks {option}")
    for option in sorted(common | optionsOf(overview)):
        if option not in FLAG.findall(sections[""]):
            faults.append(f"man page: no {option}")
    for option in sorted(set(FLAG.findall(man.replace("\\-", "-"))) -
                         everything):
        faults.append(f"man page: {option} is not in the help")

    for name in ("memref-lens.bash", "_memref-lens", "memref-lens.fish"):
        text = (root / "cli/completion" / name).read_text()
        # Fish writes `-l stage` for --stage.
        found = set(FLAG.findall(text)) | {
            "--" + flag for flag in re.findall(r" -l ([a-z-]+)", text)}
        for missing in sorted(everything - found):
            faults.append(f"{name}: no {missing}")
        if name != "memref-lens.fish":
            for extra in sorted(found - everything):
                faults.append(f"{name}: {extra} is not in the help")
        faults += [f"{name}: no command {command}" for command in commands
                   if not re.search(rf"\b{command}\b", text)]

    shells = {"bash": "memref-lens.bash", "zsh": "_memref-lens",
              "fish": "memref-lens.fish"}
    for shell, name in shells.items():
        if shutil.which(shell):
            check = subprocess.run(
                [shell, "-n", str(root / "cli/completion" / name)],
                capture_output=True, text=True)
            if check.returncode:
                faults.append(f"{name}: {check.stderr}")

    faults += placeholders(root)

    for fault in faults:
        print(fault)
    print(f"{len(everything)} options of {len(commands)} commands, "
          f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
