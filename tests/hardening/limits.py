#!/usr/bin/env python3
"""No processes, no descriptors, no folders to write to, children ignored."""
import os
import pathlib
import resource
import signal
import sys
import time

from harm import ROOT, SAMPLES, Bench, binary, marked

sys.path.insert(0, str(ROOT / "tests" / "lsp"))
from client import Client, at

lens, shim = binary("MEMREF_LENS"), binary("SHIM")
server = binary("MEMREF_LENS_LSP_SERVER")
DEADLY_PLUGIN = f"--load-dialect-plugin={binary('DEADLY')}"
DIAMOND = SAMPLES / "diamond.mlir"
# It ends MLIR's server while it is read.
DEADLY = f'// {"x" * 500000}\ndeadly.read "signal"\n'
bench = Bench()
COMMANDS = [["trace", DIAMOND], ["explain", DIAMOND], ["check", DIAMOND],
            ["compare", DIAMOND], ["export", DIAMOND, "--format", "svg", "-o",
                                   "-"],
            ["compare", "--pipelines", "classic,ownership", DIAMOND],
            ["diff", DIAMOND, SAMPLES / "conditional-clone.mlir"],
            ["bundle", DIAMOND, "-o", "out.tar.gz"],
            ["explain", f"{DIAMOND}:14", "--reduce"],
            ["compare", "--before", DIAMOND, "--after", DIAMOND]]


def withoutProcesses():
    """The first fork fails, or a later one: in the command or in its child."""
    for command in COMMANDS:
        for count in (1, 2, 3):
            bench.clear()
            result = bench.run([lens, *command], LD_PRELOAD=shim,
                               SHIM_FORK_FAILS=str(count))
            what = f"{command[0]}, fork {count} fails"
            bench.expect(f"{what}: ends", result.status is not None and
                         not result.orphans and not result.left, result)
            isTold = ("start" in result.err and "process" in result.err) or \
                "cannot be started" in result.err
            isDone = result.status in (0, 1) and b"no process" not in result.out
            bench.expect(f"{what}: told, or none was needed",
                         isDone or (result.status == 71 and isTold) or
                         # A remedy that could not be tried says so.
                         b"no process could be started" in result.out, result)
            bench.expect(f"{what}: nothing untrue of MLIR",
                         b"crash" not in result.out and
                         b"DIFFERENT" not in result.out, result)
            if count == 1:
                bench.expect(f"{what}: status", result.status == 71, result)


def withoutDescriptors():
    for command in COMMANDS:
        for most in range(3, 16, 1 if command[0] == "check" else 3):
            bench.clear()
            result = bench.run([lens, *command],
                               [(resource.RLIMIT_NOFILE, most)])
            what = f"{command[0]}, {most} descriptors"
            if "shared libraries" in result.err:
                continue
            bench.expect(f"{what}: ends", result.status is not None and
                         not result.orphans and not result.left, result)
            bench.expect(f"{what}: done or told", result.status in (0, 1) or (
                result.status in (3, 71) and "memref-lens: error" in
                result.err), result)


def withoutFolders():
    """Nowhere to put what is there for the moment, and no home."""
    for command in COMMANDS:
        bench.clear()
        plain = bench.run([lens, *command])
        bench.clear()
        bare = bench.run([lens, *command], TMPDIR="/nowhere", HOME=None,
                         XDG_STATE_HOME="/proc/nowhere",
                         XDG_CONFIG_HOME="/proc/nowhere")
        bench.expect(f"{command[0]} without folders", plain.status ==
                     bare.status in (0, 1) and plain.out == bare.out, bare)


def childrenIgnored():
    """By whoever starts us: then the system tells nobody how a child ends."""
    for command in COMMANDS:
        bench.clear()
        plain = bench.run([lens, *command])
        ignored = bench.run([lens, *command], [lambda: signal.signal(
            signal.SIGCHLD, signal.SIG_IGN)], seconds=60)
        bench.expect(f"{command[0]}, children ignored", plain.status ==
                     ignored.status and plain.out == ignored.out, ignored)


#===--- The language server ------------------------------------------------===#

def crashOf(client, uri, line=6):
    """MLIR's server dies of a text; the answers about another one go on."""
    client.open("file:///deadly.mlir", DEADLY)
    end = time.monotonic() + 60
    while not client.result("memrefLens/status", {})["upstream"]["crashes"]:
        if time.monotonic() > end:
            break
        time.sleep(0.01)
    hover = client.result("textDocument/hover", at(uri, line, 5))
    bench.expect("a hover after the crash", hover and
                 "owned" in hover["contents"]["value"], hover)


def serverWithout(name, reports, options=(), **environment):
    """It crashes, has nowhere to tell, and goes on."""
    old = {key: os.environ.get(key) for key in environment}
    for key, value in environment.items():
        os.environ.pop(key, None)
        if value is not None:
            os.environ[key] = value
    try:
        client = Client([server, DEADLY_PLUGIN, *options])
    finally:
        for key, value in old.items():
            os.environ.pop(key, None)
            if value is not None:
                os.environ[key] = value
    uri = "file:///limits.mlir"
    client.open(uri, DIAMOND.read_text())
    client.result("textDocument/hover", at(uri, 6, 5))
    crashOf(client, uri)
    bench.expect(f"{name}: ends well", client.close() == 0)
    written = sorted(reports.rglob("*.txt")) if reports else []
    bench.expect(f"{name}: reports", bool(written) == bool(reports), written)
    return written


def servers():
    serverWithout("no home", None, HOME=None, XDG_STATE_HOME=None)
    serverWithout("home is no folder", None, HOME="/dev/null",
                  XDG_STATE_HOME=None)
    serverWithout("state is read-only", None, XDG_STATE_HOME="/proc/nowhere")
    home = bench.base / "home"
    written = serverWithout("home", home, HOME=str(home), XDG_STATE_HOME=None)
    for report in written:
        bench.expect("a report is for its user alone",
                     report.stat().st_mode & 0o777 == 0o600 and
                     report.parent.stat().st_mode & 0o777 == 0o700,
                     (oct(report.stat().st_mode),
                      oct(report.parent.stat().st_mode)))
        bench.expect("a report is whole", report.read_text().endswith(DEADLY),
                     report.read_text()[-200:])


def twoServers():
    """On one file, with one folder for reports: neither knows of the other."""
    reports = bench.base / "both"
    uri = "file:///both.mlir"
    clients = [Client([server, DEADLY_PLUGIN, f"--crash-dir={reports}"]) for _ in range(2)]
    for client in clients:
        client.open(uri, DIAMOND.read_text())
    for version in range(2, 6):
        for client in clients:
            client.change(uri, version, [{"text": "//\n" * version +
                                          DIAMOND.read_text()}])
    hovers = [client.result("textDocument/hover", at(uri, 11, 5))
              for client in clients]
    bench.expect("two servers say the same", hovers[0] and
                 hovers[0] == hovers[1], hovers)
    for client in clients:
        crashOf(client, uri, 11)
    for client in clients:
        bench.expect("two servers: ends", client.close() == 0)
    bench.expect("two servers leave two reports",
                 len(list(reports.glob("*"))) >= 2, list(reports.glob("*")))


def fewDescriptors():
    """A server that cannot start a child still answers, and tries again."""
    low = [server, "--crash-dir=off"]
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    # A descriptor of the server's own is above the three that it gets.
    import subprocess
    real = subprocess.Popen

    def limited(*words, **more):
        return real(*words, preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_NOFILE, (8, before[1])), **more)
    subprocess.Popen = limited
    try:
        client = Client(low, start=False)
    finally:
        subprocess.Popen = real
    answer = client.ask("initialize", {"processId": None, "rootUri": None,
                                       "capabilities": {}}, 60)
    bench.expect("a server without children", "result" in answer, answer)
    client.tell("initialized", {})
    uri = "file:///few.mlir"
    client.open(uri, DIAMOND.read_text())
    client.ask("textDocument/hover", at(uri, 6, 5), 60)
    bench.expect("a server without children ends well", client.close() == 0)


withoutProcesses()
withoutDescriptors()
withoutFolders()
childrenIgnored()
servers()
twoServers()
fewDescriptors()
bench.end()
