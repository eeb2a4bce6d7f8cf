#!/usr/bin/env python3
"""A folder that runs on any Linux: the programs with all that they need.

  tree.py INSTALLED OUT [--plugins MORE] [--without-viewer]

INSTALLED is where `cmake --install --component programs` put them. OUT gets

  bin                     programs; they find the libraries from where they lie
  lib/memref-lens         libraries, and graphviz/ with its plugins
  lib/memref-lens/common  libraries that a graphics driver needs, too
  share                   man pages, completions, desktop entry, fonts, licences

MORE gets, to be laid over OUT, what a program becomes where plugins or code
generators are named, and the libraries that this alone needs: MLIR's and LLVM's.

  libexec                 that program
  lib, share              libraries and licences

Of the system there remain glibc and, for the viewer, OpenGL and X. It takes them
from Debian's packages, so that each comes with its licence.

Why two folders of libraries: a driver of a newer system wants a newer libstdc++,
LLVM or X library than these. The viewer, which loads it, looks into the system's
folders before it looks into common; the other programs take all from here.
"""
import argparse
import functools
import pathlib
import re
import shutil
import subprocess
import sys

GLIBC = re.compile(r"(ld-linux-x86-64|lib(c|m|dl|pthread|rt|resolv|util|mvec|"
                   r"anl))\.so\.\d+$")
OPENGL = re.compile(r"lib(OpenGL|GL|GLX|EGL|GLdispatch)\.so\.\d+$")
OF_DRIVERS = re.compile(r"lib(X\w+|X11-xcb|xcb[\w-]*|bsd|md|expat|ffi|z|zstd|"
                        r"stdc\+\+|gcc_s)\.so\.\d+$")
# What pictures take: nop2 places nodes and lines, core writes SVG, pango
# measures texts and writes PNG.
PLUGINS = ("core", "neato_layout", "pango")
FONTS = ("DejaVuSans", "DejaVuSans-Bold", "DejaVuSansMono",
         "DejaVuSansMono-Bold")
# What the programs have in them of other projects.
STATIC = ("libimgui-dev", "nlohmann-json3-dev", "libmlir-22-dev",
          "llvm-22-dev", "libarchive-dev")
HERE = "$ORIGIN/../lib/memref-lens"
SYSTEM = ("/lib/x86_64-linux-gnu:/usr/lib/x86_64-linux-gnu:/lib64:/usr/lib64:"
          "/lib:/usr/lib")
VIEWER = "memref-lens-viewer"
OTHER = "memref-lens-with-plugins"
SERVER = "memref-lens-lsp-server"
# An extension's files have one name each.
SECOND_NAME = """\
#!/bin/sh
exec "${0%/*}/memref-lens" --lsp-server "$@"
"""

FONTS_CONF = """\
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<!-- The fonts of the pictures, and the system's for letters that these lack. -->
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <dir>/usr/share/fonts</dir>
  <dir>/usr/local/share/fonts</dir>
  <dir prefix="xdg">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
"""


def run(*words):
    done = subprocess.run([*map(str, words)], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL)
    if done.returncode:
        sys.exit(f"tree.py: {' '.join(map(str, words))}\n{done.stdout}"
                 f"{done.stderr}")
    return done.stdout


@functools.cache
def librariesOf(file):
    """All that the loader takes for it, but glibc: path by name."""
    found = {}
    for name, path in re.findall(r"^\s*(\S+) => (.*?)(?: \(0x\w+\))?$",
                                 run("ldd", file), re.MULTILINE):
        if "not found" in path:
            sys.exit(f"tree.py: {file} needs {name}, which is not installed")
        if not GLIBC.match(name):
            found[name] = path
    return found


def isOfDrivers(name, llvm):
    return bool(OF_DRIVERS.match(name)) or name in llvm


def pluginsBeside(libraries):
    """The folder of Graphviz's plugins."""
    gvc = next(path for name, path in libraries.items()
               if name.startswith("libgvc.so"))
    return pathlib.Path(gvc).resolve().parent / "graphviz"


def copyPlugins(source, target):
    """Those that are needed, and the part of the list that names them."""
    target.mkdir(parents=True)
    lists = list(source.glob("config[0-9]*"))
    if len(lists) != 1:
        sys.exit(f"tree.py: {source} has no list of plugins; `dot -c` makes it")
    text, kept, files = lists[0].read_text(), "", []
    for plugin in PLUGINS:
        block = re.search(rf"^(libgvplugin_{plugin}\.so\.\d+) \w+ {{\n.*?^}}\n",
                          text, re.MULTILINE | re.DOTALL)
        if not block:
            sys.exit(f"tree.py: {lists[0]} has no plugin {plugin}")
        kept += block[0]
        files.append(source / block[1])
        shutil.copy(source / block[1], target / block[1])
    (target / lists[0].name).write_text(kept)
    return files


def packageOf(file):
    """Of the file itself, where the path to it leads through links."""
    file = pathlib.Path(file).resolve()
    # Its list may have it under /lib or under /usr/lib.
    for path in (file, str(file).removeprefix("/usr")):
        done = subprocess.run(["dpkg", "-S", str(path)], capture_output=True,
                              text=True)
        if done.returncode == 0:
            return done.stdout.split(": ")[0].split(",")[0].split(":")[0]
    sys.exit(f"tree.py: {file} is of no package, so its licence is not known")


def compilersLibrary():
    """The archive of g++ that is linked into the program, too."""
    done = subprocess.run(["g++", "-print-file-name=libstdc++.a"], check=True,
                          capture_output=True, text=True)
    return done.stdout.strip()


def copyLicences(files, target):
    """Of each package that a file comes from, and the texts that these name."""
    target.mkdir(parents=True)
    packages = {}
    for name, file in files.items():
        packages.setdefault(packageOf(file), []).append(name)
    for package in (*STATIC, packageOf(compilersLibrary())):
        packages.setdefault(package, []).append("in the programs")
    index, common = [], set()
    for package, names in sorted(packages.items()):
        source = pathlib.Path("/usr/share/doc") / package / "copyright"
        text = source.read_text(errors="replace")
        (target / package).write_text(text)
        common.update(re.findall(r"/usr/share/common-licenses/([\w.+-]*\w)",
                                 text))
        version, origin = run(
            "dpkg-query", "-W", "-f",
            "${Version}\t${source:Package} ${source:Version}\n",
            package).splitlines()[0].split("\t")
        index.append(f"{package} {version} (source: {origin})\n"
                     f"  {', '.join(sorted(names))}\n")
    for name in sorted(common):
        file = pathlib.Path("/usr/share/common-licenses") / name
        if file.exists():
            shutil.copy(file.resolve(), target / f"common-{name}")
    (target / "INDEX").write_text(
        "What this folder has of other projects, as Debian's packages; the\n"
        "licence of each is in the file of its name, and /usr/share/"
        "common-licenses/X,\nwhere one names that, in common-X. Sources are in "
        "Debian's archive under\nthe name and version of the source package.\n"
        "All libraries may be replaced by others of the same name.\n\n" +
        "".join(index))


def copyLibrary(path, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(path, target)
    target.chmod(0o644)
    if "(R" in run("readelf", "-d", target):
        # It would keep the library from looking where the program says.
        run("patchelf", "--remove-rpath", target)


def copyLibraries(libraries, llvm, own):
    """Where each belongs; the files by name."""
    files = {}
    for name, path in libraries.items():
        if OPENGL.match(name):
            continue
        folder = own / "common" if isOfDrivers(name, llvm) else own
        copyLibrary(path, folder / name)
        files[name] = path
    return files


def copyProgram(program, out):
    target = out / program.parent.name / program.name
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(program, target)
    run("strip", target)
    path = f"{HERE}:{SYSTEM}:{HERE}/common" if program.name == VIEWER \
        else f"{HERE}:{HERE}/common"
    # Before LD_LIBRARY_PATH, and for the libraries of libraries, too.
    run("patchelf", "--force-rpath", "--set-rpath", path, target)


def copyDocuments(installed, out, name, files):
    doc = out / "share/doc" / name
    doc.mkdir(parents=True, exist_ok=True)
    shutil.copy(installed / "share/doc/memref-lens/LICENSE", doc)
    copyLicences(files, doc / "licences")


def programsOf(installed, hasViewer):
    return [file for file in sorted((installed / "bin").glob("*"))
            if file.name != SERVER and (hasViewer or file.name != VIEWER)]


def llvmsOwn(libraries):
    """LLVM's library, and those that it needs."""
    for name, path in libraries.items():
        if name.startswith("libLLVM.so"):
            return {name, *librariesOf(path)}
    return set()


def makeTree(installed, out, hasViewer):
    """The libraries in it, by name."""
    shutil.rmtree(out, ignore_errors=True)
    own = out / "lib/memref-lens"
    (own / "common").mkdir(parents=True)
    (out / "bin").mkdir()
    server = out / "bin" / SERVER
    if hasViewer:
        server.symlink_to("memref-lens")
        shutil.copytree(installed / "share", out / "share")
    else:
        server.write_text(SECOND_NAME)
        server.chmod(0o755)
    share = out / "share/memref-lens"
    (share / "fonts").mkdir(parents=True)

    libraries = {}
    programs = programsOf(installed, hasViewer)
    for program in programs:
        libraries.update(librariesOf(program))
    plugins = copyPlugins(pluginsBeside(libraries), own / "graphviz")
    for plugin in plugins:
        libraries.update(librariesOf(plugin))
    # With the viewer a driver may bring an LLVM of its own.
    llvm = llvmsOwn(librariesOf(installed / "libexec" / OTHER))
    files = copyLibraries(libraries, llvm, own)
    for program in programs:
        copyProgram(program, out)
    for plugin in plugins:
        files[f"graphviz/{plugin.name}"] = plugin
    fonts = run("dpkg", "-L", "fonts-dejavu-core").splitlines()
    for font in FONTS:
        file = next(path for path in fonts if path.endswith(f"/{font}.ttf"))
        shutil.copy(file, share / "fonts")
        files[f"{font}.ttf"] = file
    (share / "fonts.conf").write_text(FONTS_CONF)
    copyDocuments(installed, out, "memref-lens", files)
    return libraries


def makePlugins(installed, more, present):
    """What the program needs that takes plugins, but for what is `present`."""
    shutil.rmtree(more, ignore_errors=True)
    program = installed / "libexec" / OTHER
    libraries = librariesOf(program)
    lacking = {name: path for name, path in libraries.items()
               if name not in present}
    files = copyLibraries(lacking, llvmsOwn(libraries),
                          more / "lib/memref-lens")
    copyProgram(program, more)
    copyDocuments(installed, more, "memref-lens-plugins", files)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("installed", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--plugins", type=pathlib.Path)
    parser.add_argument("--without-viewer", action="store_true")
    given = parser.parse_args()
    libraries = makeTree(given.installed, given.out, not given.without_viewer)
    if given.plugins:
        makePlugins(given.installed, given.plugins, libraries)


main()
