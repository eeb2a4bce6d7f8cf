"""One measured run of a program, and runs of two programs in turn."""
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

# Runs longer than this are not repeated: noise is small against them.
LONG_RUN_SECONDS = 8.0


def say(*words):
    print(*words, file=sys.stderr, flush=True)


def treeOf(pid):
    """A process and its children, whichever of its threads started them."""
    found, todo = [], [pid]
    while todo:
        found.append(todo.pop())
        folder = f"/proc/{found[-1]}/task"
        try:
            threads = os.listdir(folder)
        except OSError:
            continue  # It ended meanwhile.
        for thread in threads:
            try:
                with open(f"{folder}/{thread}/children") as children:
                    todo += map(int, children.read().split())
            except OSError:
                pass  # This thread did.
    return found


def treeMemory(pid):
    """Resident bytes of a process and its children, shared pages once."""
    private, shared = 0, 0
    page = os.sysconf("SC_PAGE_SIZE")
    for current in treeOf(pid):
        try:
            with open(f"/proc/{current}/statm") as statm:
                fields = [int(field) for field in statm.read().split()]
        except (OSError, ValueError):
            continue
        if len(fields) >= 3:
            private += fields[1] - fields[2]
            shared = max(shared, fields[2])
    return (private + shared) * page


def proportionalMemory(pid):
    """Bytes of a process and its children: of a page that several have, each counts
    its part. Takes milliseconds, and the process waits meanwhile."""
    bytes = 0
    for current in treeOf(pid):
        try:
            text = pathlib.Path(f"/proc/{current}/smaps_rollup").read_text()
        except OSError:
            continue
        bytes += 1024 * int(re.search(r"^Pss: +(\d+) kB$", text, re.M)[1])
    return bytes


class Sampler(threading.Thread):
    """Polls the memory of a process tree until it is told to stop."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.peak, self.ended = pid, 0, threading.Event()

    def run(self):
        while not self.ended.wait(0.02):
            self.peak = max(self.peak, treeMemory(self.pid))


def runOnce(command, limit):
    """Returns {seconds, cpu, bytes, status}: by the clock, of the processor on
    all cores, of the process tree at its peak; status None means a time-out.
    `bytes` is no less than what this process had at its own peak, as Linux counts
    that as the child's: it must not read large files."""
    with tempfile.TemporaryFile() as sink:
        start = time.monotonic()
        child = subprocess.Popen(command, stdout=sink, stderr=sink,
                                 stdin=subprocess.DEVNULL,
                                 start_new_session=True)
        sampler = Sampler(child.pid)
        sampler.start()
        timedOut = threading.Event()

        def stop():
            timedOut.set()
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

        timer = threading.Timer(limit, stop)
        timer.start()
        _, waitStatus, usage = os.wait4(child.pid, 0)
        seconds = time.monotonic() - start
        timer.cancel()
        sampler.ended.set()
        sampler.join()
        child.returncode = os.waitstatus_to_exitcode(waitStatus)
    # wait4 has the largest single process of the tree; the sampler its sum.
    peak = max(usage.ru_maxrss * 1024, sampler.peak)
    status = None if timedOut.is_set() else child.returncode
    return {"seconds": seconds, "cpu": usage.ru_utime + usage.ru_stime,
            "bytes": peak, "status": status}


def samples(runs):
    """What is kept of several runs of one command, in order."""
    return {"seconds": [round(run["seconds"], 5) for run in runs],
            "cpu": [round(run["cpu"], 5) for run in runs],
            "bytes": [run["bytes"] for run in runs]}


def failureOf(run, limit):
    """Why a run is no measurement; None if it is one."""
    if run["status"] is None:
        return f"took more than {limit:g} s"
    if run["status"] < 0:
        return f"crashed (signal {-run['status']})"
    if run["status"] != 0:
        return f"ended with status {run['status']}"
    return None
