#!/usr/bin/env python3
"""The viewer as `cmake --install` puts it: it runs from there, and a desktop
finds its entry, icon, types and man page.

  check_install.py CMAKE BUILD SOURCES
"""
import configparser
import pathlib
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

from screen import Display, readPng, requireTools

requireTools("Xvfb")
cmake, build, sources = sys.argv[1], pathlib.Path(sys.argv[2]), \
    pathlib.Path(sys.argv[3])


def run(*words, **more):
    return subprocess.run([*map(str, words)], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=120, **more)


def must(*words, **more):
    done = run(*words, **more)
    assert done.returncode == 0, f"{words}: {done.stdout} {done.stderr}"
    return done.stdout


def install(prefix):
    must(cmake, "--install", build / "viewer", "--prefix", prefix)
    # Beside it stands the program that it runs; tests/package installs that.
    (prefix / "bin" / "memref-lens").symlink_to(build / "bin" / "memref-lens")


def checkFiles(prefix):
    share = prefix / "share"
    entry = share / "applications" / "memref-lens-viewer.desktop"
    keys = configparser.ConfigParser(interpolation=None)
    keys.optionxform = str
    keys.read(entry)
    words = keys["Desktop Entry"]
    program = prefix / "bin" / words["Exec"].split()[0]
    assert program.exists(), f"{entry} starts {program}"
    icons = list(share.glob(f"icons/**/{words['Icon']}.svg"))
    assert icons, f"no icon {words['Icon']}"
    xml.parse(icons[0])
    types = xml.parse(share / "mime" / "packages" / "memref-lens-viewer.xml")
    known = {element.get("type") for element in types.getroot()}
    assert set(words["MimeType"].strip(";").split(";")) <= known
    if shutil.which("desktop-file-validate"):
        must("desktop-file-validate", entry)
    page = share / "man" / "man1" / "memref-lens-viewer.1"
    assert ".TH" in page.read_text()
    if shutil.which("man"):
        shown = run("man", "--warnings", "-l", page)
        assert "memref-lens-viewer" in shown.stdout and not shown.stderr, shown
    return program


def main():
    with tempfile.TemporaryDirectory() as folder, \
            Display(1300, 800) as display:
        prefix = pathlib.Path(folder) / "usr"
        install(prefix)
        program = checkFiles(prefix)
        out = pathlib.Path(folder) / "out.png"
        must(program, sources / "samples" / "diamond.mlir", "--size",
             "800x600", "--screenshot", out, env=display.environment)
        pixels = readPng(out)
        assert (pixels.width, pixels.height) == (800, 600)
        colors = {pixels.at(x, y) for x in range(0, 800, 3)
                  for y in range(0, 600, 3)}
        assert len(colors) > 20, "the picture is empty"
        links = must("ldd", program)
        assert "libMLIR" not in links, links
    print("installed, found by a desktop, and runs")


main()
