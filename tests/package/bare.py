"""Systems on which something is missing, for programs to run in: mount namespaces.

  Root(folder).put(file)...run(program, ...)   only what was put in is there
  hiding(files, program, ...)                  all but some files are there

Neither changes the machine. As root, or where users may have namespaces.
"""
import ctypes
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

LIB = pathlib.Path("/usr/lib/x86_64-linux-gnu")
LOADER = "/lib64/ld-linux-x86-64.so.2"
# What a program of ours may take from any system.
GLIBC = ("ld-linux-x86-64.so.2", "libc.so.6", "libm.so.6", "libdl.so.2",
         "libpthread.so.0", "librt.so.1", "libresolv.so.2", "libutil.so.1")
# What the programs are linked to and no browser or editor needs.
DEPENDENCIES = ("/usr/lib/llvm-22", *(str(LIB / name) for name in (
    "libLLVM.so.22*", "libMLIR*", "libgvc.so*", "libcgraph.so*", "libcdt.so*",
    "libpathplan.so*", "libgts*", "libarchive.so*", "graphviz")))

MS_RDONLY, MS_REMOUNT, MS_BIND, MS_REC = 1, 32, 4096, 16384


def skip(reason):
    """Left out; a failure where everything must be there."""
    print(f"skipped: {reason}")
    sys.exit(1 if os.environ.get("CI") == "true" else 77)


def makePackages(sources, build, *kinds):
    """What scripts/package makes of a build; their folder."""
    for tool in ("dpkg-query", "patchelf",
                 *(["advzip"] if "vsix" in kinds else [])):
        if not shutil.which(tool):
            skip(f"there is no {tool}")
    dist = pathlib.Path(build) / "tests/package" / f"dist-{'-'.join(kinds)}"
    shutil.rmtree(dist, ignore_errors=True)
    done = subprocess.run(
        [pathlib.Path(sources) / "scripts/package", "--no-build", "--quick",
         *kinds], stdin=subprocess.DEVNULL,
        env=dict(os.environ, MEMREF_LENS_BUILD_DIR=str(build),
                 MEMREF_LENS_DIST_DIR=str(dist)))
    if done.returncode:
        sys.exit(done.returncode)
    return dist


def unshare():
    words = ["unshare", "--mount"]
    return words if os.geteuid() == 0 else [*words, "--user", "--map-root-user"]


def require(*tools):
    for tool in ("unshare", *tools):
        if not shutil.which(tool):
            skip(f"there is no {tool}")
    done = subprocess.run([*unshare(), "true"], capture_output=True, text=True)
    if done.returncode:
        skip(f"no mount namespace: {done.stderr.strip()}")


def inside(plan, *words):
    return [*unshare(), sys.executable, __file__, json.dumps(plan),
            *map(str, words)]


def hiding(files, *words):
    """A command: `words` on a system without these (patterns of names)."""
    found = [str(path) for pattern in files
             for path in pathlib.Path("/").glob(pattern.lstrip("/"))]
    assert found, f"nothing is called {files}"
    return inside({"hidden": found}, *words)


class Root:
    """A root folder with glibc, /proc, /dev/null and an empty /tmp."""

    def __init__(self):
        self.binds = [["/proc", "/proc", "rec"], ["/dev/null", "/dev/null", "w"],
                      ["/dev/urandom", "/dev/urandom", "w"]]
        for name in GLIBC:
            if (LIB / name).exists():
                self.put(LIB / name)
        self.put(LOADER)

    def put(self, source, target=None, writable=False):
        target = str(target or source)
        if all(target != old for _, old, _ in self.binds):
            self.binds.append([str(pathlib.Path(source).resolve()), target,
                               "w" if writable else "r"])
        return self

    def putLibraries(self, *files):
        """Each with all that the loader takes for it, where they lie."""
        for file in files:
            for path in re.findall(r"=> (/\S+)", subprocess.run(
                    ["ldd", str(file)], capture_output=True, text=True,
                    check=True).stdout):
                self.put(path)
            self.put(file)
        return self

    def names(self):
        return {pathlib.Path(target).name for _, target, _ in self.binds}

    def command(self, *words, **environment):
        return inside({"binds": self.binds,
                       "environment": {"HOME": "/tmp", **environment}}, *words)

    def run(self, *words, **environment):
        return subprocess.run(self.command(*words, **environment),
                              capture_output=True, text=True, timeout=300,
                              stdin=subprocess.DEVNULL)


def mount(source, target, kind=None, flags=0):
    libc = ctypes.CDLL(None, use_errno=True)
    encode = lambda word: word.encode() if word else None  # noqa: E731
    if libc.mount(encode(source), encode(target), encode(kind), flags, None):
        sys.exit(f"bare: {source} on {target}: {os.strerror(ctypes.get_errno())}")


def makeRoot(binds):
    # A folder that every system has; it is covered for this process alone.
    root = "/mnt"
    mount("tmpfs", root, "tmpfs")
    os.mkdir(f"{root}/tmp")
    for source, target, kind in binds:
        at = root + target
        if os.path.isdir(source):
            os.makedirs(at, exist_ok=True)
        else:
            os.makedirs(os.path.dirname(at), exist_ok=True)
            open(at, "a").close()
        mount(source, at, None, MS_BIND | (MS_REC if kind == "rec" else 0))
        if kind == "r":
            mount(None, at, None, MS_BIND | MS_REMOUNT | MS_RDONLY)
    os.chroot(root)
    os.chdir("/tmp")


def main():
    plan = json.loads(sys.argv[1])
    empty = "/dev/null"
    for file in plan.get("hidden", []):
        if os.path.isdir(file):
            mount("tmpfs", file, "tmpfs")
        elif not os.path.islink(file):
            mount(empty, file, None, MS_BIND)
    if "binds" in plan:
        makeRoot(plan["binds"])
        os.execve(sys.argv[2], sys.argv[2:], plan["environment"])
    os.execvp(sys.argv[2], sys.argv[2:])


if __name__ == "__main__":
    main()
