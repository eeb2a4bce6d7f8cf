#!/usr/bin/env python3
"""Checks, tests and packages the extension, and tries the package in VS Code.

  run_vscode.py SERVER MEMREF_LENS REPOSITORY OUT [--images]
  run_vscode.py SERVER MEMREF_LENS REPOSITORY OUT --models NAME=FILE...
  run_vscode.py --bundled BUILD REPOSITORY OUT

With --images the pictures of the README and the walkthrough are made anew. With
--models each file is opened, and its causes are photographed as OUT/models/NAME.png.
With --bundled the package that has the programs of BUILD in it is made, and tried in a
VS Code without a setting, where neither MLIR nor Graphviz can be seen.

VS Code's own server comes from the npm package code-server, of which only
lib/vscode is used; nothing is compiled. What is downloaded stays in OUT between
runs. Where it cannot be had the test is skipped; with CI=true a missing program
is a failure, a missing download is not.
"""
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import zipfile

FIRST, SECOND = sys.argv[1:3]
ROOT, OUT = (pathlib.Path(argument) for argument in sys.argv[3:5])
HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(ROOT / "scripts/packaging"), str(HERE.parent / "package")]

import bare  # noqa: E402
from extension import Extension, isDone, npm, stampOf  # noqa: E402

# VS Code 1.100.3.
CODE_SERVER = "4.100.3"
CODE_SERVER_SHA256 = (
    "a85138ac3a382a9ba1df652a751901ec598fed24f673b8a8653de7be8335bfaa")
IMAGES = {"hover": "2-hover", "cfg": "4-selection", "steps": "6-steps",
          "diff": "7-diff", "trees": "8-trees", "ranges": "13-possibly-owned",
          "run": "15-run"}

# Stands in for a native module: log files and output channels without a compiler.
SPDLOG = r"""
const fs = require('fs'), path = require('path');
const levels = ['trace', 'debug', 'info', 'warn', 'error', 'critical'];
class Logger {
  constructor(file) {
    this.file = file;
    this.level = 2;
    this.isRaw = false;
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.appendFileSync(file, '');
  }
  write(level, text) {
    if (level < this.level) return;
    const line = this.isRaw ? text : `${new Date().toISOString()} [${levels[level]}] ${text}\n`;
    try { fs.appendFileSync(this.file, line); } catch { }
  }
  getLevel() { return this.level; }
  setLevel(level) { this.level = level; }
  setPattern() { this.isRaw = false; }
  clearFormatters() { this.isRaw = true; }
  flush() { }
  drop() { }
}
levels.forEach((name, level) => { Logger.prototype[name] = function (text) { this.write(level, text); }; });
exports.version = 0;
exports.setLevel = exports.setFlushOn = () => { };
exports.Logger = Logger;
exports.createRotatingLogger = exports.createAsyncRotatingLogger = async (name, file) => new Logger(file);
"""
WATCHDOG = "exports.start = () => { }; exports.exit = (code) => process.exit(code || 0);\n"

def skip(why):
    if os.environ.get("CI") == "true":
        sys.exit(f"vscode: {why}")
    print(f"skipped: {why}")
    sys.exit(77)


def preparePlaywright(extension):
    folder = OUT / "node"
    wanted = (HERE / "package.json").read_text()
    if not isDone(folder, wanted):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text(wanted)
        extension.fetch("playwright-core",
                        npm(folder, "install", "--no-package-lock"), folder)
        (folder / ".done").write_text(wanted)
    return folder


def prepareVsCode(extension):
    folder = OUT / "code"
    vscode = folder / "lib/vscode"
    stamp = stampOf(CODE_SERVER, SPDLOG, WATCHDOG)
    if isDone(folder, stamp):
        return vscode
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    extension.fetch("VS Code's server (code-server)",
                    ["npm", "pack", "--silent", f"code-server@{CODE_SERVER}"], folder)
    archive = folder / f"code-server-{CODE_SERVER}.tgz"
    if hashlib.sha256(archive.read_bytes()).hexdigest() != CODE_SERVER_SHA256:
        sys.exit(f"vscode: {archive} is not the file that was expected")
    with tarfile.open(archive) as packed:
        for member in packed:
            member.name = member.name.removeprefix("package/")
            if member.name.startswith("lib/vscode/") and ".." not in member.name:
                packed.extract(member, folder)
    archive.unlink()
    extension.fetch("the dependencies of VS Code's server",
                    npm(vscode, "ci", "--omit=dev", "--legacy-peer-deps"), vscode)
    modules = vscode / "node_modules"
    (modules / "@vscode/spdlog/index.js").write_text(SPDLOG)
    for name in ("native-watchdog", "@vscode/native-watchdog"):
        if (modules / name).is_dir():
            (modules / name / "index.js").write_text(WATCHDOG)
    (folder / ".done").write_text(stamp)
    return vscode


def packageStub(extension):
    """Stands in for the official MLIR extension."""
    stub, official = OUT / "official-stub", OUT / "official.vsix"
    shutil.copytree(HERE / "official-stub", stub, dirs_exist_ok=True)
    with (OUT / "official.log").open("w") as log:
        extension.run(["node", extension.copy / "node_modules/@vscode/vsce/vsce",
                       "package", "--allow-missing-repository",
                       "--skip-license", "-o", official],
                      cwd=stub, stdout=log, stderr=log, check=True)
    return official


def settingsFor(extension, **more):
    return {"vscode": str(prepareVsCode(extension)),
            "node": str(preparePlaywright(extension)),
            "samples": str(ROOT / "samples"), "out": str(OUT / "pictures"),
            "chromium": shutil.which("chromium"), **more}


def tryInVsCode(extension, command, settings):
    """Runs a script of checks against the workbench; gives its status. What
    failed is tried once more, for a browser on a busy machine may lose an event:
    only what fails twice fails. What failed is printed, and all is in OUT."""
    for attempt in (1, 2):
        print(f"== VS Code, attempt {attempt}", flush=True)
        log = OUT / f"attempt-{attempt}.log"
        with log.open("w") as out:
            status = extension.run([*command, json.dumps(settings)],
                                   stdout=out, stderr=out).returncode
        lines = log.read_text().splitlines()
        shown = [line for before, line in zip([""] + lines, lines)
                 if "FAIL" in line or "FAIL" in before] if status else []
        print("\n".join(shown + lines[-1:]), flush=True)
        if status == 0:
            break
    return status


def tryPackage(extension):
    """The pictures that the extension shows are those that the test takes."""
    extension.script("check")
    extension.script("test")
    vsix = extension.small()
    print(f"the package has {vsix.stat().st_size} bytes")
    settings = settingsFor(extension, vsix=str(vsix), server=FIRST, cli=SECOND,
                           official=str(packageStub(extension)))
    status = tryInVsCode(extension, ["node", HERE / "e2e.mjs"], settings)
    if status == 0 and "--images" in sys.argv:
        for name, picture in IMAGES.items():
            shutil.copy(OUT / "pictures" / f"{picture}.png",
                        ROOT / "vscode-extension/images" / f"{name}.png")
    return status


def photographModels(extension, models):
    settings = settingsFor(extension, vsix=str(extension.small()), server=FIRST,
                           cli=SECOND, models=models)
    settings["out"] = str(OUT / "models")
    return tryInVsCode(extension, ["node", HERE / "models.mjs"], settings)


def checkFiles(small, large):
    """One for every platform and one for Linux, which alone has programs."""
    for vsix, hasPrograms in ((small, False), (large, True)):
        with zipfile.ZipFile(vsix) as packed:
            manifest = packed.read("extension.vsixmanifest").decode()
            programs = [entry.filename for entry in packed.infolist()
                        if "/server/bin/" in entry.filename
                        and entry.external_attr >> 16 & 0o111]
        if ('TargetPlatform="linux-x64"' in manifest) != hasPrograms or \
                len(programs) != (2 if hasPrograms else 0):
            sys.exit(f"vscode: {vsix} is not as it should be: {programs}")


def tryBundled(extension):
    bare.require()
    dist = bare.makePackages(ROOT, SECOND, "vsix")
    vsix = next(dist.glob("memref-lens-linux-x64-*.vsix"))
    checkFiles(dist / "memref-lens.vsix", vsix)
    settings = settingsFor(extension, vsix=str(vsix))
    return tryInVsCode(extension, bare.hiding(
        bare.DEPENDENCIES, "node", HERE / "bundled.mjs"), settings)


def main():
    for tool in ("chromium", "node", "npm", "advzip"):
        if not shutil.which(tool):
            skip(f"there is no {tool}")
    extension = Extension(ROOT, OUT)
    if FIRST == "--bundled":
        OUT.mkdir(parents=True, exist_ok=True)
        extension.prepareNode()
        sys.exit(tryBundled(extension))
    extension.prepare()
    if "--models" in sys.argv:
        models = sys.argv[sys.argv.index("--models") + 1:]
        sys.exit(photographModels(extension, dict(
            one.split("=", 1) for one in models)))
    sys.exit(tryPackage(extension))


main()
