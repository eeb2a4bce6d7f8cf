#!/usr/bin/env python3
"""A worker must not outlive the command that started it.

  check_orphan.py MEMREF_LENS    kills the command while its worker is busy
"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time


def childrenOf(pid):
    path = pathlib.Path(f"/proc/{pid}/task/{pid}/children")
    return [int(word) for word in path.read_text().split()]


def isRunning(pid):
    try:
        state = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False
    return state.rpartition(")")[2].split()[0] not in ("Z", "X")


def isBusy(pid):
    """Past the first lines of its life: it has used processor time of its own."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2]
    return sum(map(int, fields.split()[11:13])) >= 3


def slowProgram():
    lines = ["func.func @f() {"]
    lines += [f"  %a{i} = memref.alloc() : memref<4xf32>"
              f"\n  memref.copy %a{i}, %a{i} : memref<4xf32> to memref<4xf32>"
              for i in range(20000)]
    return "\n".join(lines + ["  return", "}", ""])


def waitFor(condition, seconds):
    """True as soon as the condition holds; the limit only bounds a failure."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.01)
    return False


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "slow.mlir"
        path.write_text(slowProgram())
        command = subprocess.Popen(
            [sys.argv[1], "trace", path, "-o", os.devnull], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if not waitFor(lambda: childrenOf(command.pid), 60):
            print("the command started no worker")
            return 1
        worker = childrenOf(command.pid)[0]
        # Stopped at once, it would not yet have asked to end with its parent.
        if not waitFor(lambda: isBusy(worker), 60):
            print("the worker does nothing")
            return 1
        # Stopped, it cannot end by itself while this looks.
        os.kill(worker, signal.SIGSTOP)
        command.send_signal(signal.SIGKILL)
        command.wait()
        if not waitFor(lambda: not isRunning(worker), 10):
            os.kill(worker, signal.SIGKILL)
            print("the worker lived on")
            return 1
    print("the worker ended with its command")
    return 0


if __name__ == "__main__":
    sys.exit(main())
