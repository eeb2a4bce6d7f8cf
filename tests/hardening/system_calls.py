#!/usr/bin/env python3
"""What our programs ask the system for, as strace sees it.

  what is started    the program itself; the server in its two roles; of the viewer,
                     `memref-lens` and the editor that the user named; no shell
  the network        no socket, but the viewer's way to its display
  what is written    no file under its name: one without a name takes its place, and
                     the log and folders for the moment are the user's alone
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

from harm import ROOT, SAMPLES, Bench, binary, skip, viewerAndDisplay

sys.path.insert(0, str(ROOT / "tests" / "lsp"))
from client import Client, at

lens, server = binary("MEMREF_LENS"), binary("MEMREF_LENS_LSP_SERVER")
# As which both go on where a plugin is named.
WITH_PLUGINS = str(pathlib.Path(server).parents[1] /
                   "libexec/memref-lens-with-plugins")
DIAMOND = SAMPLES / "diamond.mlir"
CLONE = SAMPLES / "conditional-clone.mlir"
# It ends MLIR's server while it is read.
DEADLY = 'deadly.read "signal"\n'
bench = Bench()
if not shutil.which("strace") or subprocess.run(
        ["strace", "-qq", "-o", "/dev/null", "true"],
        stderr=subprocess.DEVNULL).returncode:
    skip("no strace, or it may not be used (scripts/setup installs it)")
CALLS = ("execve,execveat,socket,connect,open,openat,creat,rename,renameat,"
         "renameat2,link,linkat,symlink,symlinkat")


def joined(lines):
    """Calls that strace shows in two parts, as another process made one between
    them, in one line again."""
    begun, whole = {}, []
    for line in lines:
        process, _, rest = line.partition(" ")
        if rest.endswith("<unfinished ...>"):
            begun[process] = line.removesuffix("<unfinished ...>")
        elif (end := re.match(r"\s*<\.\.\. \w+ resumed>(.*)", rest)):
            # A thread that becomes the new program ends the call of its process.
            whole.append(begun.pop(process, "") + end[1])
        else:
            whole.append(line)
    return whole


class Calls:
    def __init__(self, log):
        lines = joined(log.read_text(errors="replace").splitlines())
        self.started = [found[1] for line in lines if
                        (found := re.search(r'execve\("([^"]*)".* = 0$', line))]
        self.sockets = [line for line in lines if
                        re.search(r"\b(socket|connect)\(", line) and
                        "AF_UNIX" not in line]
        self.unixSockets = [line for line in lines if "AF_UNIX" in line]
        self.opened = [(found[1], found[2]) for line in lines if
                       (found := re.search(
                           r'open(?:at)?\((?:AT_FDCWD, )?"([^"]*)", ([A-Z_|]+)'
                           r".* = \d+", line)) and
                       re.search(r"O_WRONLY|O_RDWR|O_CREAT", found[2])]
        self.named = [found[1] for line in lines if (found := re.search(
            r'(?:rename|link)\w*\(.*"([^"]*)"[^"]*\) = 0$', line))]


def traced(words, **environment):
    log = bench.base / "calls"
    result = bench.run(["strace", "-f", "-qq", "-s", "4096", "-e",
                        f"trace={CALLS}", "-o", log, *words], **environment)
    return result, Calls(log)


def expectNoWriting(what, calls, allowed=()):
    """Under its name nothing is opened to be written."""
    for path, flags in calls.opened:
        isUnnamed = "O_TMPFILE" in flags
        isPassing = path in ("/dev/null", "/dev/tty") or re.match(
            r"/proc/(self|\d+)/|/dev/(shm|dri|udmabuf)", path)
        isOurs = any(re.search(pattern, path) for pattern in allowed)
        bench.expect(f"{what}: writes no file under its name",
                     isUnnamed or isPassing or isOurs, (path, flags))


def commands():
    writers = [["trace", DIAMOND, "-o", "o.json"],
               ["ir", DIAMOND, "--stage", "final", "-o", "o.mlir"],
               ["explain", DIAMOND, "-o", "o.txt"],
               ["export", DIAMOND, "-o", "o.svg"],
               ["export", DIAMOND, "-o", "o.png"],
               ["export", DIAMOND, "-o", "o.html"],
               ["export", DIAMOND, "-o", "folder/", "--format", "svg"],
               ["check", DIAMOND, CLONE, "-o", "o.txt"],
               ["check", DIAMOND, "--format", "sarif", "-o", "o.sarif"],
               ["compare", DIAMOND],
               ["compare", "--pipelines", "classic,ownership", DIAMOND, "-o",
                "o.txt"],
               ["compare", "--before", DIAMOND, "--after", CLONE, "-o", "o.md"],
               ["diff", DIAMOND, CLONE, "-o", "o.txt"],
               ["scopes", DIAMOND, "-o", "o.txt"],
               ["bundle", DIAMOND, "-o", "o.tar.gz"],
               ["explain", f"{DIAMOND}:14", "--reduce", "-o", "o.mlir"],
               ["explain", "--op", "memref.alloc"], ["--help"]]
    for command in writers:
        bench.clear()
        result, calls = traced([lens, *command])
        what = " ".join(map(str, command[:1] + command[-1:]))
        bench.expect(f"{what}: done", result.status in (0, 1) and
                     not result.left, result)
        bench.expect(f"{what}: starts nothing", calls.started == [lens],
                     calls.started)
        bench.expect(f"{what}: no network", not calls.sockets and
                     not calls.unixSockets, calls.sockets + calls.unixSockets)
        expectNoWriting(what, calls)
        if "-o" in command and "folder/" not in command:
            out = command[command.index("-o") + 1]
            bench.expect(f"{what}: takes its name at the end",
                         any(name.endswith(out) for name in calls.named),
                         calls.named)
        # Nothing that is not asked for, in no folder.
        made = sorted(path.name for path in bench.work.rglob("*")
                      if path.is_file())
        bench.expect(f"{what}: nothing else is there", len(made) <= 1 or
                     "folder/" in command, made)


def attached():
    tool = os.environ.get("ATTACH_OPT")
    if not tool:
        return
    bench.clear()
    result, calls = traced([tool, DIAMOND, "--buffer-deallocation-pipeline",
                            "--memref-lens-trace=.", "-o", "out.mlir"])
    bench.expect("attached: done", result.status == 0 and not result.left,
                 result)
    bench.expect("attached: starts nothing", calls.started == [tool],
                 calls.started)
    bench.expect("attached: no network", not calls.sockets, calls.sockets)
    expectNoWriting("attached", calls)
    bench.expect("attached: both are there", {"out.mlir", "diamond.trace.json"}
                 <= {path.name for path in bench.work.iterdir()})


def languageServer():
    """A session with a crash in it: the report stays on the machine."""
    log, reports = bench.base / "calls", bench.base / "reports"
    client = Client(["strace", "-f", "-qq", "-s", "4096", "-e", f"trace={CALLS}",
                     "-o", str(log), server, f"--crash-dir={reports}",
                     f"--load-dialect-plugin={binary('DEADLY')}"])
    uri = "file:///calls.mlir"
    client.open(uri, DIAMOND.read_text())
    client.result("textDocument/hover", at(uri, 6, 5))
    client.open("file:///deadly.mlir", DEADLY)
    end = time.monotonic() + 120
    while not client.result("memrefLens/status", {})["upstream"]["crashes"]:
        if time.monotonic() > end:
            break
        time.sleep(0.05)
    client.result("textDocument/hover", at(uri, 6, 5))
    bench.expect("the server ends well", client.close() == 0)
    calls = Calls(log)
    bench.expect("the server: starts itself alone", set(calls.started) ==
                 {server, WITH_PLUGINS, "/proc/self/exe"} and
                 len(calls.started) >= 4,
                 calls.started)
    bench.expect("the server: no network", not calls.sockets and
                 not calls.unixSockets, calls.sockets + calls.unixSockets)
    bench.expect("the server: a report", any(reports.iterdir()))
    expectNoWriting("the server", calls)


def viewer():
    if not (found := viewerAndDisplay()):
        return
    program, display = found
    bench.clear()
    with display:
        result, calls = traced([program, DIAMOND, "--screenshot", "out.png"],
                               DISPLAY=display.environment["DISPLAY"])
    bench.expect("the viewer draws", result.status == 0 and not result.left,
                 result)
    beside = str(pathlib.Path(program).parent / "memref-lens")
    names = {path for path in calls.started
             if path not in (program, beside)
             and pathlib.Path(path).name != "env"}
    bench.expect("the viewer: starts memref-lens alone", not names and
                 beside in calls.started, calls.started)
    bench.expect("the viewer: its display alone", not calls.sockets,
                 calls.sockets)
    # The renderer of the system keeps a cache of its own.
    expectNoWriting("the viewer", calls, [
        rf"^{re.escape(str(bench.temporary))}/memref-lens-\w{{6}}/",
        r"mesa_shader_cache", r"fontconfig"])


commands()
attached()
languageServer()
viewer()
bench.end()
