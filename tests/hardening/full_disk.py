#!/usr/bin/env python3
"""Where no more can be written: a message, a status, and no half a file.

Each thing that our programs write, with too little room for it: by a limit of the
system on the size of files, on a file system that is full, and on /dev/full. An
older file of the name stays as it was.
"""
import os
import resource
import subprocess
import sys
import time

from harm import SAMPLES, Bench, binary

sys.path.insert(0, str(SAMPLES.parent / "tests" / "lsp"))
DIAMOND = SAMPLES / "diamond.mlir"
CLONE = SAMPLES / "conditional-clone.mlir"
# It ends MLIR's server while it is read.
DEADLY = f'// {"x" * 500000}\ndeadly.read "signal"\n'
OLD = b"older, and dear\n" * 40
lens = binary("MEMREF_LENS")
bench = Bench()

# Words of a command that writes to OUT, and what it writes.
WRITERS = [
    (["trace", DIAMOND, "-o", "OUT"], "trace.json"),
    (["trace", DIAMOND, "--format", "text", "-o", "OUT"], "trace.txt"),
    (["ir", DIAMOND, "--stage", "final", "-o", "OUT"], "final.mlir"),
    (["explain", DIAMOND, "-o", "OUT"], "explained.txt"),
    (["export", DIAMOND, "-o", "OUT"], "picture.svg"),
    (["export", DIAMOND, "-o", "OUT"], "picture.png"),
    (["export", DIAMOND, "-o", "OUT"], "report.html"),
    (["export", DIAMOND, "--format", "dot", "-o", "folder/"],
     "folder/diamond.dot"),
    (["check", DIAMOND, "--format", "sarif", "-o", "OUT"], "found.sarif"),
    (["compare", "--pipelines", "classic,ownership", DIAMOND, "-o", "OUT"],
     "table.txt"),
    (["compare", "--before", DIAMOND, "--after", CLONE, "-o", "OUT"],
     "change.md"),
    (["diff", DIAMOND, CLONE, "-o", "OUT"], "difference.txt"),
    (["scopes", DIAMOND, "--format", "json", "-o", "OUT"], "scopes.json"),
    (["bundle", DIAMOND, "-o", "OUT"], "run.bundle.tar.gz"),
    (["explain", f"{DIAMOND}:14", "--reduce", "-o", "OUT"], "small.mlir"),
]


def wordsOf(command, target):
    return [lens, *(str(target) if word == "OUT" else word for word in command)]


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes()
            for path in sorted(folder.rglob("*")) if path.is_file()}


def expectRefusal(name, result, file, before, folder):
    bench.expect(f"{name}: status", result.status not in (None, 0, 1) and
                 result.status > 0, result)
    bench.expect(f"{name}: message",
                 f"cannot write '" in result.err and file in result.err, result)
    bench.expect(f"{name}: one line", result.err.count("\n") == 1, result)
    after = contents(folder)
    bench.expect(f"{name}: what is there", after == before,
                 f"{sorted(before)} -> {sorted(after)}")
    bench.expect(f"{name}: nothing left", not result.left and
                 not result.orphans, result)


def underLimit():
    """The system lets no file grow past some bytes; it ends who does not heed."""
    for command, file in WRITERS:
        for isThere in (False, True):
            bench.clear()
            target = bench.work / file
            target.parent.mkdir(exist_ok=True)
            if isThere:
                target.write_bytes(OLD)
                target.chmod(0o640)
            before = contents(bench.work)
            # Unnamed files of ours are of no size: what is in them is counted.
            limits = [(resource.RLIMIT_FSIZE, 300)]
            if command[0] in ("check", "compare", "diff"):
                limits = []
            result = bench.run(wordsOf(command, file), limits) if limits else \
                None
            if result:
                expectRefusal(f"{file}, limit, old={isThere}", result, file,
                              before, bench.work)
        bench.clear()
        (bench.work / file).parent.mkdir(exist_ok=True)
        (bench.work / file).write_bytes(OLD)
        (bench.work / file).chmod(0o640)
        result = bench.run(wordsOf(command, file))
        mode = (bench.work / file).stat().st_mode & 0o777
        bench.expect(f"{file}: replaced where there is room",
                     result.status in (0, 1) and
                     (bench.work / file).read_bytes() != OLD, result)
        bench.expect(f"{file}: keeps its permissions", mode == 0o640, oct(mode))


def onFullDisk():
    """A file system of its own, with a few kilobytes. False where the system
    does not let us have one."""
    small = bench.base / "small"
    small.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", small]
    if subprocess.run(command, stderr=subprocess.DEVNULL).returncode:
        return False
    for command, file in WRITERS:
        for isThere in (False, True):
            for old in small.rglob("*"):
                if old.is_file():
                    old.unlink()
            bench.clear()
            target = small / file
            target.parent.mkdir(exist_ok=True)
            if isThere:
                target.write_bytes(OLD)
            # All that is left of the room.
            with open(small / "filler", "wb", buffering=0) as filler:
                try:
                    while filler.write(b"x" * 1024):
                        pass
                except OSError:
                    pass
            before = contents(small)
            words = [str(small / "folder") + "/" if word == "folder/" else word
                     for word in wordsOf(command, target)]
            result = bench.run(words)
            expectRefusal(f"{file}, full disk, old={isThere}", result, file,
                          before, small)
    attachedOnFullDisk(small)
    crashedOnFullDisk(small)
    subprocess.run(["umount", small], check=True)
    return True


def attachedOnFullDisk(small):
    tool = os.environ.get("ATTACH_OPT")
    if not tool:
        return
    folder = small / "folder"
    (folder / "diamond.trace.json").write_bytes(b"")
    before = contents(small)
    plain = bench.run([tool, DIAMOND, "--buffer-deallocation-pipeline"])
    result = bench.run([tool, DIAMOND, "--buffer-deallocation-pipeline",
                        f"--memref-lens-trace={folder}"])
    bench.expect("attached: the tool's own work goes on",
                 result.status == 0 and result.out == plain.out, result)
    bench.expect("attached: message",
                 "memref-lens: cannot write '" in result.err and
                 "No space left" in result.err, result)
    bench.expect("attached: what is there", contents(small) == before,
                 sorted(contents(small)))
    target = folder / "out.mlir"
    target.write_bytes(b"")
    result = bench.run([tool, DIAMOND, "--buffer-deallocation-pipeline", "-o",
                        target])
    bench.expect("attached, -o: message", result.status == 1 and
                 f"cannot write '{target}': No space left" in result.err and
                 result.err.count("\n") == 1, result)
    bench.expect("attached, -o: what is there", target.read_bytes() == b"",
                 target.stat().st_size)


def crashedOnFullDisk(small):
    """A crash report that has no room is not there by half."""
    server = os.environ.get("MEMREF_LENS_LSP_SERVER")
    if not server:
        return
    from client import Client
    reports = small / "reports"
    log = bench.base / "log"
    client = Client([server, f"--load-dialect-plugin={binary('DEADLY')}",
                     f"--crash-dir={reports}", f"--log-file={log}"])
    client.open("file:///deadly.mlir", DEADLY)
    end = time.monotonic() + 60
    while not log.exists() or "no crash report" not in log.read_text():
        client.result("memrefLens/status", {})
        if time.monotonic() > end:
            break
        time.sleep(0.01)
    bench.expect("crash report: told", "no crash report: cannot write" in
                 log.read_text(), log.read_text())
    bench.expect("crash report: none", not any(reports.iterdir()),
                 list(reports.iterdir()))
    bench.expect("crash report: the server lives", client.close() == 0)


def onDevFull():
    outputs = [command[:-2] for command, file in WRITERS
               if command[-1] == "OUT" and not file.endswith(
                   ("svg", "png", "html", "gz"))]
    outputs += [["export", DIAMOND, "--format", "svg", "-o", "-"],
                ["export", DIAMOND, "--format", "png", "-o", "-"],
                ["export", DIAMOND, "--format", "html", "-o", "-"],
                ["bundle", DIAMOND, "-o", "-"], ["compare", DIAMOND],
                ["explain", "--op", "memref.alloc"], ["--version"], ["--help"],
                ["check", "--help"]]
    for command in outputs:
        with open("/dev/full", "wb") as full:
            result = bench.run([lens, *command], stdout=full)
        bench.expect(f"{command[0]} to /dev/full", result.status == 3 and
                     "cannot write 'standard output': No space left" in
                     result.err and not result.left, (command, result))


def viewerHasNoRoom():
    """Pictures of the desktop viewer."""
    viewer = os.environ.get("MEMREF_LENS_VIEWER")
    try:
        sys.path.insert(0, str(SAMPLES.parent / "tests" / "viewer"))
        from screen import Display, requireTools
        requireTools("Xvfb", "xdotool")
    except (ImportError, SystemExit):
        viewer = None
    if not viewer:
        print("the viewer is left out")
        return
    bench.clear()
    with Display() as display:
        (bench.work / "old.png").write_bytes(OLD)
        for name in ("old.png", "new.png"):
            result = bench.run([viewer, DIAMOND, "--screenshot", name],
                               [lambda: resource.setrlimit(
                                   resource.RLIMIT_FSIZE, (60000, 60000))],
                               DISPLAY=display.environment["DISPLAY"])
            bench.expect(f"viewer, {name}", result.status == 1 and
                         "cannot write" in result.err, result)
        bench.expect("viewer: what is there",
                     contents(bench.work) == {"old.png": OLD},
                     sorted(contents(bench.work)))


def inOwnNamespace():
    """Runs this script again where it may mount; as it is where it may not."""
    if os.environ.get("FULL_DISK_INSIDE"):
        return
    for how in (["unshare", "-m"], ["unshare", "-rm"]):
        try:
            if subprocess.run([*how, "true"], stderr=subprocess.DEVNULL
                              ).returncode == 0:
                os.environ["FULL_DISK_INSIDE"] = "1"
                os.execvp(how[0], [*how, sys.executable, *sys.argv])
        except FileNotFoundError:
            return


inOwnNamespace()
underLimit()
onDevFull()
if not onFullDisk():
    print("no file system of our own: limits on the size of files only")
viewerHasNoRoom()
bench.end()
