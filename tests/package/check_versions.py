#!/usr/bin/env python3
"""One version in all places, which program has MLIR inside, and that the server's
manual page has its options.

  check_versions.py BIN SOURCES VERSION

VERSION is what CMakeLists.txt says; the extension's files and the programs follow.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

bin_, sources, version = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), \
    sys.argv[3]
extension = sources / "vscode-extension"
faults = []


def expect(isTrue, what):
    if not isTrue:
        faults.append(what)


def run(*words):
    return subprocess.run([*map(str, words)], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, check=True).stdout


manifest = json.loads((extension / "package.json").read_text())
lock = json.loads((extension / "package-lock.json").read_text())
expect(manifest["version"] == version, "vscode-extension/package.json")
expect(lock["version"] == lock["packages"][""]["version"] == version,
       "vscode-extension/package-lock.json")
changes = re.search(r"^## \[(\S+)\]", (sources / "CHANGELOG.md").read_text(),
                    re.MULTILINE)[1]
expect(changes in (version, "Unreleased"), "CHANGELOG.md")
newest = re.search(r"^## (\S+)", (extension / "CHANGELOG.md").read_text(),
                   re.MULTILINE)[1]
expect(newest in (version, "Unreleased"), "vscode-extension/CHANGELOG.md")
for name in ("memref-lens", "memref-lens-lsp-server", "memref-lens-viewer"):
    first = run(bin_ / name, "--version").splitlines()[0]
    expect(re.match(rf"{name} {re.escape(version)}( |$)", first),
           f"{name} --version: {first}")

# The server is known by how its name ends, as editors ask for it, or is asked for.
with tempfile.TemporaryDirectory() as folder:
    link = pathlib.Path(folder) / "mlir-lsp-server"
    link.symlink_to((bin_ / "memref-lens-lsp-server").absolute())
    for words in ([link], [bin_ / "memref-lens", "--lsp-server"]):
        shown = run(*words, "--version")
        expect(shown.startswith("memref-lens-lsp-server "), f"{words}: {shown}")

# The programs have inside what would take long to load; plugins need the library
# that is not there twice.
withPlugins = bin_.parent / "libexec/memref-lens-with-plugins"
if withPlugins.exists():
    loaded = run("ldd", bin_ / "memref-lens")
    for library in ("libMLIR", "libstdc++", "libarchive", "libxml2"):
        expect(library not in loaded, f"memref-lens loads {library}")
    expect("libMLIR" in run("ldd", withPlugins), "the other loads it")
    expect(run(withPlugins, "--version") ==
           run(bin_ / "memref-lens", "--version"), "two versions")

options = set(re.findall(r"--[a-z][a-z-]+",
                         run(bin_ / "memref-lens-lsp-server", "--help")))
page = (sources / "lsp/doc/memref-lens-lsp-server.1").read_text()
inPage = set(re.findall(r"--[a-z][a-z-]+", page.replace("\\-", "-")))
expect(len(options) > 10 and options == inPage,
       f"man page and --help of the server differ: {options ^ inPage}")
if faults:
    print(f"not of version {version}, or not alike:\n  " + "\n  ".join(faults))
    sys.exit(1)
print(f"version {version} everywhere; {len(options)} options of the server")
