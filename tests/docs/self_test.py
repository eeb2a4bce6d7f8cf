#!/usr/bin/env python3
"""The test of the docs notices what it is there for: one fault in a page at a time."""

import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import pages
import run_docs

SOUND = """# Page

<!-- write: words -->
```text
one
  two
  three
four
```

<!-- part: entry one -->
```console
$ cat words
one
  two
  three
```

<!-- exit: 3 -->
<!-- part: lines t; head 1 -->
```console
$ cat words; exit 3
  two
  three
...
one
```

<!-- file: words -->
<!-- part: from one to three -->
```
one
  two
  three
```

```sh
grep -q four words
```
"""
# What is put in place of what, and a part of the message.
FAULTS = {
    "an output that differs": ("  two\n  three\n```\n\n<!-- exit", "two\n```\n\n<!-- exit",
                               "the page has"),
    "a part that is gone": ("entry one", "entry five", "no part 'entry five'"),
    "another exit status": ("exit: 3", "exit: 1", "ends with 3 instead of 1"),
    "a script that fails": ("grep -q four", "grep -q five", "ends with 1"),
    "a file that is gone": ("file: words", "file: sentences", "No such file"),
    "a block that nothing holds": ("```sh\n", "```c++\n", "nothing holds"),
}


def faults_of(text):
    texts, faults = run_docs.blocks_wanted("page.md", text, "/nonexistent")
    return faults + list(run_docs.differing("page.md", text, texts))


def broken_links(text):
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder, "page.md")
        page.write_text(text)
        pathlib.Path(folder, "other.md").write_text("# Other page\n")
        return list(run_docs.broken_links(page))


def main():
    missed = [f"the sound page: {fault}" for fault in faults_of(SOUND)]
    for name, (old, new, message) in FAULTS.items():
        assert SOUND.count(old) == 1, name
        if not any(message in fault for fault in
                   faults_of(SOUND.replace(old, new))):
            missed.append(f"not noticed: {name}")
    again = pages.with_blocks(SOUND, [b.text for b in pages.blocks_of(SOUND)])
    if again != SOUND:
        missed.append("a page whose blocks are put back is another one")
    for link, count in (("other.md#other-page", 0), ("other.md#nowhere", 1),
                        ("nowhere.md", 1), ("#page", 0)):
        if len(broken_links(f"# Page\n\n[link]({link})\n")) != count:
            missed.append(f"wrong about the link {link}")
    rules = {"clone": ("Other words", "cost", "warning")}
    line = "A sentence. Group `costs`, severity note."
    if "Other words. Group `cost`, severity warning." not in \
            run_docs.rule_lines(line, "docs/rules/clone.md", rules):
        missed.append("not noticed: a rule's sentence is another one")
    print(*missed, f"{len(FAULTS)} faults, {len(missed)} missed", sep="\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
