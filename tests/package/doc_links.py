#!/usr/bin/env python3
"""No link in installed pages is dead, or leads out of their folder.

  doc_links.py FOLDER     the one that README.md is in
"""
import os
import pathlib
import re
import sys

CODE = re.compile(r"^```.*?^```|`[^`\n]+`", re.S | re.M)
LINK = re.compile(r"\]\(<?([^)>\s#]+)[^)]*\)|(?:src|srcset|href)=\"([^\"#]+)")


def linksOf(page):
    for found in LINK.finditer(CODE.sub("", page.read_text())):
        target = found[1] or found[2]
        if not re.match(r"[a-z]+:", target):
            yield target


def faultsIn(folder):
    """(page, link) of each that does not lead to an installed file."""
    folder = folder.resolve()
    for page in sorted(folder.rglob("*.md")):
        for link in linksOf(page):
            target = pathlib.Path(os.path.normpath(page.parent / link))
            if folder not in target.parents or not target.exists():
                yield str(page.relative_to(folder)), link


def check(folder):
    """What is wrong with the pages, as one text; empty if nothing is."""
    pages = list(pathlib.Path(folder).rglob("*.md"))
    links = sum(len(list(linksOf(page))) for page in pages)
    if len(pages) < 60 or links < 200:
        return f"{len(pages)} pages and {links} links only in {folder}"
    return "\n".join(f"{page}: {link} is not installed"
                     for page, link in faultsIn(pathlib.Path(folder)))


if __name__ == "__main__":
    sys.exit(check(sys.argv[1]) or 0)
