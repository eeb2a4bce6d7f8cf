"""What the tests of this folder share: runs that leave no trace unseen.

Each run has a folder for its output, one for temporary files, and a mark in its
environment, by which every process that it starts is found again.
"""
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "samples"
sys.path.insert(0, str(ROOT / "tests" / "support"))
from sample import LONG, part  # noqa: E402
SANITIZED = bool(os.environ.get("MEMREF_LENS_SANITIZED"))
MARK = "MEMREF_LENS_TEST_MARK"


def skip(why):
    print("skipped:", why)
    sys.exit(1 if os.environ.get("CI") == "true" else 77)


def binary(name):
    """From the environment, as CMake sets it."""
    path = os.environ.get(name)
    if not path or not os.path.exists(path):
        skip(f"{name} is not built")
    return path


def viewerAndDisplay():
    """The viewer's program, and a display for it to be used with `with`; nothing
    where the viewer is not built."""
    program = os.environ.get("MEMREF_LENS_VIEWER")
    sys.path.insert(0, str(ROOT / "tests" / "viewer"))
    from screen import Display, requireTools
    if not program:
        return None
    requireTools("Xvfb")
    return program, Display()


def marked(mark):
    """Processes that live and carry the mark."""
    found = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            environment = pathlib.Path(f"/proc/{entry}/environ").read_bytes()
            state = pathlib.Path(f"/proc/{entry}/stat").read_text()
        except OSError:
            continue
        isAlive = state.rpartition(")")[2].split()[0] not in "ZX"
        if isAlive and f"{MARK}={mark}".encode() in environment.split(b"\0"):
            found.append(int(entry))
    return found


def waitUntil(condition, seconds):
    """True as soon as it holds; the limit only bounds a failure."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.005)
    return bool(condition())


class Result:
    def __init__(self, status, out, err, left, orphans):
        self.status, self.out, self.err = status, out, err
        self.left, self.orphans = left, orphans

    def __repr__(self):
        return (f"status {self.status}, out {self.out[:300]!r}, "
                f"err {self.err[:800]!r}, left {self.left}, "
                f"orphans {self.orphans}")


class Bench:
    """Runs programs; counts what was expected and was not."""

    def __init__(self):
        self.base = pathlib.Path(tempfile.mkdtemp(prefix="hardening-"))
        self.work = self.base / "work"
        self.temporary = self.base / "tmp"
        self.work.mkdir()
        self.temporary.mkdir()
        self.faults, self.checks = [], 0

    def expect(self, what, holds, detail=""):
        self.checks += 1
        if not holds:
            self.faults.append(f"{what}: {detail}")
            print("FAULT", what, detail, flush=True)

    def end(self):
        shutil.rmtree(self.base, ignore_errors=True)
        print(f"{self.checks} checks, {len(self.faults)} faults")
        sys.exit(1 if self.faults else 0)

    def start(self, words, limits=(), stdout=None, **environment):
        """(process, mark); its output goes to files, never to a pipe."""
        mark = uuid.uuid4().hex
        out = stdout if stdout is not None else open(self.base / "out", "wb")
        err = open(self.base / "err", "wb")
        full = dict(os.environ, TMPDIR=str(self.temporary),
                    LLVM_DISABLE_SYMBOLIZATION="1", **{MARK: mark})
        full.update(environment)
        full = {name: text for name, text in full.items() if text is not None}

        def prepare():
            # Python ignores these, and its children would as well.
            for name in (signal.SIGPIPE, signal.SIGXFSZ):
                signal.signal(name, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            for one in limits:
                if callable(one):
                    one()
                else:
                    resource.setrlimit(one[0], (one[1], one[1]))
        process = subprocess.Popen([*map(os.fspath, words)], cwd=self.work,
                                   stdin=subprocess.DEVNULL, stdout=out,
                                   stderr=err, env=full, preexec_fn=prepare,
                                   start_new_session=True)
        for stream in ([err] if stdout is not None else [out, err]):
            stream.close()
        return process, mark

    def finish(self, process, mark, seconds=120):
        """Waits; None as the status says that it did not end in time."""
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            status = None
            process.kill()
            process.wait()
        # What is being ended may need a moment; what lives on does not end.
        waitUntil(lambda: not marked(mark), 5)
        orphans = marked(mark)
        for one in orphans:
            os.kill(one, signal.SIGKILL)
        out = self.base / "out"
        return Result(status, out.read_bytes() if out.exists() else b"",
                      (self.base / "err").read_bytes().decode(errors="replace"),
                      self.leftovers(), orphans)

    def run(self, words, limits=(), stdout=None, seconds=120, **environment):
        return self.finish(*self.start(words, limits, stdout, **environment),
                           seconds)

    def leftovers(self):
        """Files for the moment that outlived it."""
        return sorted(str(path.relative_to(self.base)) for path in
                      [*self.temporary.rglob("*"),
                       *self.work.rglob("*.tmp*"),
                       *self.work.rglob(".memref-lens*")])

    def clear(self):
        for folder in (self.work, self.temporary):
            shutil.rmtree(folder)
            folder.mkdir()
