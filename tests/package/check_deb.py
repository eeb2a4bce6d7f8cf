#!/usr/bin/env python3
"""The Debian packages: lintian has nothing to say, apt installs them, they work,
and nothing is left of them when they are gone.

  check_deb.py SOURCES BUILD

They are made first. All else happens in an overlay of this system, of which nothing
stays. With MEMREF_LENS_FULL=1 LLVM, MLIR and Graphviz are taken out of the overlay
first, so that apt brings what the packages name, and a program is built against -dev.
"""
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE), str(HERE.parent / "viewer")]

import bare  # noqa: E402
import doc_links  # noqa: E402
from screen import Display, readPng, requireTools  # noqa: E402

sources, build = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
dist = build / "tests/package/dist-deb"
isFull = os.environ.get("MEMREF_LENS_FULL") == "1"
PACKAGES = ("memref-lens", "memref-lens-dev")
# What a package is not to blame for: the system's own books, caches and logs.
STATE = re.compile(r"/(var/(lib/(dpkg|apt|systemd|ucf)|cache|log|tmp)|run|tmp|"
                   r"root/\.\w+|etc/ld\.so\.cache)(/|$)")
TAKEN_OUT = ("libllvm22", "libmlir-22", "libgvc6", "libcgraph6", "libglfw3",
             "libarchive13")
done = []


def expect(isTrue, what, *details):
    if not isTrue:
        sys.exit(f"FAIL {what}: {' '.join(map(str, details))[-4000:]}")
    done.append(what)


def field(package, name):
    return subprocess.run(["dpkg-deb", "-f", str(package), name], check=True,
                          capture_output=True, text=True).stdout.strip()


def checkControl(programs, libraries):
    run = subprocess.run(["lintian", "--fail-on", "error,warning",
                          str(programs), str(libraries)],
                         capture_output=True, text=True)
    tags = [line for line in run.stdout.splitlines() if line[1:2] == ":"]
    expect(run.returncode == 0 and not tags, "lintian", run.stdout, run.stderr)
    for name in ("libmlir-22", "libllvm22", "libgvc6", "libglfw3", "libopengl0"):
        expect(name in field(programs, "Depends"), f"depends on {name}",
               field(programs, "Depends"))
    for name in ("libmlir-22-dev", "libgraphviz-dev", "nlohmann-json3-dev"):
        expect(name in field(libraries, "Depends"), f"-dev depends on {name}")


class Overlay:
    """A copy of this system in memory, in the mount namespace of this process."""

    def __init__(self, folder):
        self.root, self.upper = folder / "root", folder / "memory/upper"
        self.root.mkdir()
        (folder / "memory").mkdir()
        self.mount("-t", "tmpfs", "tmpfs", folder / "memory")
        self.upper.mkdir()
        (folder / "memory/work").mkdir()
        self.mount("-t", "overlay", "overlay", "-o", f"lowerdir=/,upperdir="
                   f"{self.upper},workdir={folder}/memory/work", self.root)
        for place in ("/proc", "/dev"):
            self.mount("--rbind", place, self.root / place[1:])
        # What was built is not to be found by mistake.
        for place in ("tmp", "mnt"):
            self.mount("-t", "tmpfs", "tmpfs", self.root / place)
        (self.root / "mnt/samples").mkdir()
        (self.root / "mnt/dist").mkdir()
        (self.root / "mnt/consumer").mkdir()
        self.mount("--bind", sources / "samples", self.root / "mnt/samples")
        self.mount("--bind", dist, self.root / "mnt/dist")
        self.mount("--bind", sources / "tests/package/consumer",
                   self.root / "mnt/consumer")

    def mount(self, *words):
        subprocess.run(["mount", *map(str, words)], check=True)

    def run(self, *words, **environment):
        return subprocess.run(
            ["chroot", str(self.root), *map(str, words)], text=True,
            capture_output=True, stdin=subprocess.DEVNULL, timeout=1200, env={
                "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root",
                "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive",
                **{name: word for name, word in os.environ.items()
                   if name.lower().endswith("_proxy")}, **environment})

    def must(self, *words, **environment):
        run = self.run(*words, **environment)
        expect(run.returncode == 0, " ".join(map(str, words)), run.stdout,
               run.stderr)
        return run.stdout

    def packages(self):
        return self.must("dpkg-query", "-W", "-f",
                         "${Package} ${Version} ${db:Status-Status}\n")

    def files(self):
        """What differs from the system below: path, and whether it is gone."""
        found = {}
        for folder, folders, names in os.walk(self.upper):
            for name in folders + names:
                path = pathlib.Path(folder, name)
                inside = "/" + str(path.relative_to(self.upper))
                state = path.lstat()
                if STATE.match(inside):
                    continue
                if stat.S_ISCHR(state.st_mode) and state.st_rdev == 0:
                    found[inside] = "gone"
                elif not os.path.lexists(inside):
                    found[inside] = "new"
                elif path.is_file() and not path.is_symlink() and \
                        path.read_bytes() != pathlib.Path(inside).read_bytes():
                    found[inside] = "other"
        return found


def checkPrograms(system, version):
    for name in ("memref-lens", "memref-lens-lsp-server", "memref-lens-viewer"):
        shown = system.must(name, "--version", LLVM_DISABLE_SYMBOLIZATION="1")
        expect(version in shown, f"{name} is of version {version}", shown)
        system.must("sh", "-c", f"gzip -dc /usr/share/man/man1/{name}.1.gz")
    told = system.must("memref-lens", "explain", "/mnt/samples/diamond.mlir")
    expect("deallocated at the end of ^join if %own_data" in told, "explain", told)
    for ending in ("svg", "png", "html"):
        system.must("memref-lens", "export", "/mnt/samples/diamond.mlir", "-o",
                    f"/tmp/x.{ending}")
    svg = (system.root / "tmp/x.svg").read_bytes()
    golden = sources / "samples/pictures/diamond.light.svg"
    expect(svg == golden.read_bytes(), "the picture is the one of the samples")
    system.must("memref-lens-lsp-server", "--check",
                "/mnt/samples/diamond.mlir")
    entry = (system.root / "usr/share/applications/memref-lens-viewer.desktop"
             ).read_text()
    expect("Exec=memref-lens-viewer" in entry and
           (system.root / "usr/share/icons/hicolor/scalable/apps/"
            "memref-lens-viewer.svg").exists(), "desktop entry and icon")
    if shutil.which("update-mime-database"):
        types = (system.root / "usr/share/mime/globs2").read_text()
        expect("text/x-mlir:*.mlir" in types, "desktops know the type")
    faults = doc_links.check(system.root / "usr/share/doc/memref-lens")
    expect(not faults, "links of the pages", faults)
    bash = system.must("bash", "-c", ". /usr/share/bash-completion/completions/"
                       "memref-lens && complete -p memref-lens")
    expect("memref-lens" in bash, "completion")


def checkViewer(system):
    with Display(1000, 800) as display:
        (system.root / "tmp/.X11-unix").mkdir(exist_ok=True)
        system.mount("--bind", "/tmp/.X11-unix",
                     system.root / "tmp/.X11-unix")
        system.must("memref-lens-viewer", "/mnt/samples/diamond.mlir", "--size",
                    "800x600", "--screenshot", "/tmp/viewer.png",
                    DISPLAY=display.environment["DISPLAY"])
        wanted = system.root / "tmp/built.png"
        subprocess.run([build / "bin/memref-lens-viewer",
                        sources / "samples/diamond.mlir", "--size", "800x600",
                        "--screenshot", wanted], check=True,
                       env=dict(display.environment, HOME=str(system.root / "tmp")))
    expect(readPng(system.root / "tmp/viewer.png").data ==
           readPng(wanted).data, "the viewer's picture is as before installing")


def checkLibraries(system):
    """find_package(MemrefLens) finds what was installed, and its files."""
    system.must("cmake", "-S", "/mnt/consumer", "-B", "/tmp/consumer")
    cache = (system.root / "tmp/consumer/CMakeCache.txt").read_text()
    expect("MemrefLens_DIR:PATH=/usr/lib/cmake/MemrefLens" in cache,
           "the package is found", cache)
    if isFull:
        system.must("cmake", "--build", "/tmp/consumer")
        system.must("/tmp/consumer/consumer")


def checkPasses(system):
    """The command of docs/passes.md, as its reader types it."""
    page = (sources / "docs/passes.md").read_text()
    command = re.search(r"^mlir-opt-22 --load-pass-plugin=(?:.|\n)*?mlir$", page,
                        re.M)[0]
    command = command.replace("=lib", "=/usr/lib/memref-lens/plugins/lib")
    command = command.replace("model.mlir", "/mnt/samples/diamond.mlir")
    expect(system.must("sh", "-c", command) ==
           system.must("mlir-opt-22", "--buffer-deallocation-pipeline",
                       "/mnt/samples/diamond.mlir"),
           "the installed passes print what upstream's do")


def takeOut(system):
    there = [name for name in TAKEN_OUT if system.run(
        "dpkg-query", "-W", name).returncode == 0]
    system.must("apt-get", "purge", "-y", "--auto-remove", *there)
    for pattern in ("usr/lib/llvm-22/lib/libMLIR*",
                    "usr/lib/x86_64-linux-gnu/libgvc*"):
        expect(not list(system.root.glob(pattern)), f"no {pattern} is there")
    update = system.run("apt-get", "update", "-q")
    if update.returncode:
        bare.skip("the archive of packages cannot be reached")
    system.must("apt-get", "install", "-y", "--no-install-recommends",
                "cmake", "g++", "make")


def checkInstalled(programs, libraries, system):
    if isFull:
        takeOut(system)
    before, booksBefore = system.files(), system.packages()
    names = [f"/mnt/dist/{programs.name}", f"/mnt/dist/{libraries.name}"]
    system.must("apt-get", "install", "-y", "--no-install-recommends", *names)
    added = {path for path, kind in system.files().items() if kind == "new"}
    own = {path for name in PACKAGES
           for path in system.must("dpkg", "-L", name).splitlines()
           if not pathlib.Path(path).is_dir() and path != "/."}
    expect(len(own) > 100 and own <= added, "what is installed is seen",
           sorted(own - added)[:20])
    checkPrograms(system, field(programs, "Version"))
    checkViewer(system)
    checkLibraries(system)
    if not isFull:
        checkPasses(system)
    system.must("apt-get", "purge", "-y", *PACKAGES)
    if isFull:
        system.must("apt-get", "purge", "-y", "--auto-remove")
    after, booksAfter = system.files(), system.packages()
    left = {path: kind for path, kind in after.items()
            if before.get(path) != kind}
    went = {path for path in before if path not in after}
    expect(not left and not went, "nothing is left, nothing is missing",
           sorted(left.items())[:20], sorted(went)[:20])
    expect(booksBefore == booksAfter, "the same packages are installed")


def main():
    if "--inside" not in sys.argv:
        bare.require("dpkg", "apt-get", "lintian", "chroot")
        requireTools("Xvfb")
        if os.geteuid() != 0:
            bare.skip("installing needs root")
        bare.makePackages(sources, build, "deb")
        os.execvp("unshare", ["unshare", "--mount", sys.executable, *sys.argv,
                              "--inside"])
    programs, libraries = (next(dist.glob(f"{name}_*.deb"))
                           for name in PACKAGES)
    checkControl(programs, libraries)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="memref-lens-deb-"))
    try:
        checkInstalled(programs, libraries, Overlay(folder))
    finally:
        subprocess.run(["umount", "-R", "-l", str(folder / "root")],
                       check=False)
        subprocess.run(["umount", "-l", str(folder / "memory")], check=False)
        for place in ("root", "memory"):
            (folder / place).rmdir()
        folder.rmdir()
    print(f"{len(done)} facts of {programs.name} and {libraries.name} hold")


main()
