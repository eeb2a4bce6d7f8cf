#!/usr/bin/env python3
"""Holds what users read to the words of docs/glossary.md.

  check_glossary.py ROOT [--self-test] [--count]

No text of the programs and pages has a word of the glossary's last column, or one of
those that are never said; exceptions.txt beside this test has what may be said all the
same, and why. An exception that excepts nothing is a fault, too. --self-test seeds one fault in each kind of file.
"""

import collections
import fnmatch
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import texts  # noqa: E402

#: `*` is any letters, `/` too.
READ = ("README.md ARCHITECTURE.md docs/*.md core/*.cpp core/*.h core/*.def core/*.td "
        "core/report/assets/*.js core/report/assets/*.html cli/*.cpp cli/*.h cli/doc/* "
        "cli/completion/* lsp/*.cpp lsp/*.h lsp/doc/* lsp/README.md lsp/PROTOCOL.md "
        "passes/*.cpp passes/*.h viewer/*.cpp viewer/*.h viewer/README.md "
        "vscode-extension/src/*.ts vscode-extension/package.json "
        "vscode-extension/README.md").split()
GLOSSARY = "docs/glossary.md"


def replaced(glossary):
    """Phrases that are not to be said."""
    rows = [line.split("|") for line in glossary.splitlines()
            if line.startswith("|") and not line.startswith(("|---", "| term"))]
    phrases = [phrase for row in rows for phrase in re.findall(r'"([^"]+)"', row[3])]
    never = re.search(r"never said: (.*?)\.\n", glossary, re.S)[1]
    return phrases + re.findall(r'"([^"]+)"', never)


def pattern_of(phrases):
    words = sorted(phrases, key=len, reverse=True)
    return re.compile(r"(?<![\w%@^.-])(?:" + "|".join(
        re.escape(one).replace(r"\ ", r"\s+") for one in words) + r")(?![\w-])", re.I)


def exceptions():
    found = []
    for line in (HERE / "exceptions.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            around, where, why = re.split(r" {2,}", line.strip(), maxsplit=2)
            found.append((re.compile(around.replace(" ", r"\s+"), re.I), where, why))
    return found


def excepted(text, begin, end, name, known, used):
    for number, (around, where, _) in enumerate(known):
        if fnmatch.fnmatch(name, where) and any(
                found.start() <= begin and end <= found.end()
                for found in around.finditer(text)):
            used.add(number)
            return True
    return False


def files_of(root):
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=root,
                           capture_output=True, text=True, check=True).stdout.split()
    return sorted(name for name in names if name != GLOSSARY and
                  any(fnmatch.fnmatch(name, one) for one in READ))


def faults_in(root, names, used):
    said = pattern_of(replaced((root / GLOSSARY).read_text()))
    known = exceptions()
    for name in names:
        for path, line, text in texts.of_file(root, name):
            for found in said.finditer(text):
                if not excepted(text, *found.span(), name, known, used):
                    at = line + text.count("\n", 0, found.start())
                    near = text[max(0, found.start() - 30):found.end() + 30]
                    yield path, at, found[0].lower(), " ".join(near.split())


def self_test(root):
    """A word in each kind of file, and next to it one where it is no word."""
    seeded = {"a.cpp": '// refused\nf("is re" "fused: " + x, "refused");\n#include "x"\n',
              "b.ts": "// refused\nlet a = `was refused`, b = 'refused';\n",
              "c.md": "it was refused\n", "d.1": ".B refused\n",
              "package.json": '{"description": "is refused", "enum": ["refused"]}'}
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder)
        (made / "docs").mkdir()
        (made / GLOSSARY).write_text((root / GLOSSARY).read_text())
        for name, text in seeded.items():
            (made / name).write_text(text)
        found = [one[0] for one in faults_in(made, seeded, set())]
    return found == list(seeded) or f"found in {found} only"


def main():
    root = pathlib.Path(sys.argv[1])
    if "--self-test" in sys.argv:
        result = self_test(root)
        return 0 if result is True else result
    used, counts, shown = set(), collections.Counter(), 0
    for path, line, word, near in faults_in(root, files_of(root), used):
        counts[path] += 1
        if "--count" not in sys.argv:
            shown += 1
            print(f"{path}:{line}: \"{word}\" is not a word of {GLOSSARY}: {near}")
    if "--count" in sys.argv:
        for path, count in sorted(counts.items()):
            print(f"{count:4} {path}")
        return 0
    unused = [why for number, (*_, why) in enumerate(exceptions())
              if number not in used]
    for why in unused:
        print(f"an exception excepts nothing: {why}")
    return 1 if shown or unused else 0


if __name__ == "__main__":
    sys.exit(main())
