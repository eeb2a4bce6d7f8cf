#!/usr/bin/env python3
"""What a desktop needs of the viewer: usage, man page, entry, icon, types.

  check_desktop.py VIEWER SOURCES
"""
import configparser
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as xml

viewer, sources = sys.argv[1], pathlib.Path(sys.argv[2])
desktop = sources / "viewer" / "desktop"
faults = []


def expect(isTrue, what):
    if not isTrue:
        faults.append(what)


def run(*words):
    return subprocess.run([viewer, *words], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=60)


help_ = run("--help")
expect(help_.returncode == 0, "--help fails")
options = set(re.findall(r"--[a-z-]+", help_.stdout))
page = (desktop / "memref-lens-viewer.1").read_text().replace("\\-", "-")
inPage = set(re.findall(r"--[a-z-]+", page))
expect(options == inPage, f"man page and --help differ: {options ^ inPage}")
expect(len(options) > 12, "too few options found")
expect(re.match(r"memref-lens-viewer \d+\.\d+\.\d+$", run("--version").stdout),
       "--version")

for words in (["--no-such"], ["--stage"], ["--stage", "256"], ["--stage", "x"],
              ["--size", "10x10"], ["--size", "800"], ["--theme", "blue"],
              ["--scale", "9"], ["--panel", "none"], ["--event", "-1"],
              ["--line", "99999999999999"], ["--measure", "0"]):
    wrong = run(*words, "x.mlir")
    expect(wrong.returncode == 2 and "usage:" in wrong.stderr,
           f"{words} gives {wrong.returncode}: {wrong.stderr[:200]}")

entry = configparser.ConfigParser(interpolation=None)
entry.optionxform = str
entry.read(desktop / "memref-lens-viewer.desktop")
keys = entry["Desktop Entry"]
expect(keys["Exec"] == "memref-lens-viewer %F", "Exec of the desktop entry")
expect((desktop / (keys["Icon"] + ".svg")).exists(), "icon of the entry")
types = {element.get("type") for element in
         xml.parse(desktop / "memref-lens-viewer.xml").getroot()}
expect(types == set(keys["MimeType"].strip(";").split(";")), "types differ")
icon = xml.parse(desktop / "memref-lens-viewer.svg").getroot()
expect(icon.get("viewBox") == "0 0 128 128", "icon has no view box")

print("\n".join(faults) or f"{len(options)} options, entry, icon, types agree")
sys.exit(1 if faults else 0)
