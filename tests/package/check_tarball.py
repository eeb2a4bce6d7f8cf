#!/usr/bin/env python3
"""The archives for any Linux, unpacked where there is glibc and nothing else.

  check_tarball.py SOURCES BUILD

The archives are made first: the programs, and what plugins need over them. The pictures of the program that was built are what the
archive's must be, and that it does not start there shows that the place is bare.
With MEMREF_LENS_FULL=1 every sample is explained there.
"""
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE), str(HERE.parent / "lsp"), str(HERE.parent / "viewer")]

import bare  # noqa: E402
import doc_links  # noqa: E402
from client import Client  # noqa: E402
from screen import Display, readPng, requireTools  # noqa: E402

sources, build = map(pathlib.Path, sys.argv[1:3])
built = build / "bin/memref-lens"
isFull = os.environ.get("MEMREF_LENS_FULL") == "1"
NEWEST_GLIBC = (2, 36)
# Of a system with a screen; GLFW opens some of them by name.
SCREEN = ("libOpenGL.so.0", "libGL.so.1", "libGLX.so.0", "libGLX_mesa.so.0",
          "libX11.so.6", "libX11-xcb.so.1", "libXrandr.so.2", "libXi.so.6",
          "libXcursor.so.1", "libXinerama.so.1", "libXxf86vm.so.1",
          "libXrender.so.1")
done = []


def expect(isTrue, what, *details):
    if not isTrue:
        sys.exit(f"FAIL {what}: {' '.join(map(str, details))}")
    done.append(what)


def readelf(*words):
    return subprocess.run(["readelf", "-W", *map(str, words)], check=True,
                          capture_output=True, text=True).stdout


def elfFiles(tree):
    for file in sorted(tree.rglob("*")):
        if file.is_file() and file.open("rb").read(4) == b"\x7fELF":
            yield file


def hasLicence(licences, name):
    package = re.search(rf"^(\S+) .*\n  .*\b{re.escape(name)}(,|$)",
                        (licences / "INDEX").read_text(), re.MULTILINE)
    return package and (licences / package[1]).stat().st_size > 100


def checkFiles(tree):
    """Each library is needed by something, has its licence, and is no newer
    than what it is to run on; only the viewer needs OpenGL and X."""
    needed, own, plugins = {}, {}, []
    for file in elfFiles(tree):
        text = readelf("-d", file)
        needed[file.name] = re.findall(r"\(NEEDED\).*\[(.*)\]", text)
        paths = re.findall(r"\((RPATH|RUNPATH)\).*\[(.*)\]", text)
        isProgram = file.parent.name in ("bin", "libexec")
        expect(bool(paths) == isProgram and
               all(kind == "RPATH" and path.startswith("$ORIGIN/../lib/")
                   for kind, path in paths), f"run path of {file}", paths)
        versions = [tuple(map(int, version.split("."))) for version in
                    re.findall(r"GLIBC_(\d+\.\d+)", readelf("-V", file))]
        expect(max(versions, default=(0,)) <= NEWEST_GLIBC,
               f"glibc of {file}", max(versions, default=(0,)))
        expect(".debug_info" not in readelf("-S", file), f"{file} stripped")
        own[file.name] = file
        if file.parent.name == "graphviz":
            plugins.append(file.name)

    def closure(*roots):
        seen, rest = set(), list(roots)
        while rest:
            name = rest.pop()
            if name not in seen:
                seen.add(name)
                rest += needed.get(name, [])
        return seen

    programs = ("memref-lens", "memref-lens-lsp-server", "memref-lens-viewer",
                "memref-lens-with-plugins")
    expect(len(plugins) == 3, "plugins", plugins)
    expect(closure(*programs, *plugins) >= own.keys(), "all of it is needed",
           own.keys() - closure(*programs, *plugins))
    foreign = closure(*programs[:2], programs[3], *plugins) - own.keys()
    expect(foreign <= set(bare.GLIBC), "only glibc remains", foreign)
    foreign = closure(programs[2]) - own.keys() - set(bare.GLIBC)
    expect(foreign == {"libOpenGL.so.0"} or
           foreign == {"libOpenGL.so.0", "libGLX.so.0"},
           "and OpenGL for the viewer", foreign)

    folders = sorted(tree.glob("share/doc/*/licences"))
    expect(len(folders) == 2, "licences of both archives", folders)
    for name in own:
        if name not in programs:
            expect(any(hasLicence(folder, name) for folder in folders),
                   f"licence of {name}")
    for file in (file for folder in folders for file in folder.iterdir()):
        licences = file.parent
        for common in re.findall(r"/usr/share/common-licenses/([\w.+-]*\w)",
                                 file.read_text()):
            expect((licences / f"common-{common}").exists() or common == "X"
                   or not (pathlib.Path("/usr/share/common-licenses") /
                           common).exists(),
                   f"{file.name} names {common}")


def checkCommandLine(root, out):
    tool = "/opt/un packed/bin/memref-lens"
    expect(root.run("/built/memref-lens", "--version").returncode == 127,
           "the place has no MLIR")
    version = root.run(tool, "--version")
    expect(re.match(r"memref-lens \d+\.\d+\.\d+ \(LLVM/MLIR 22\.1\.",
                    version.stdout), "version", version)
    told = root.run(tool, "explain", "/samples/diamond.mlir")
    expect("deallocated at the end of ^join if %own_data" in told.stdout and
           told.returncode == 0 and not told.stderr, "explain", told)
    for name in ("x.svg", "x.png", "x.html", "x.dot"):
        run = root.run(tool, "export", "/samples/diamond.mlir", "-o",
                       f"/out/{name}")
        expect(run.returncode == 0 and not run.stderr, f"export {name}", run)
        other = out / f"built-{name}"
        subprocess.run([built, "export", sources / "samples/diamond.mlir",
                        "-o", other], check=True)
        # A report names its file.
        strip = lambda data: data.replace(  # noqa: E731
            str(sources / "samples").encode(), b"/samples")
        expect(strip(other.read_bytes()) == (out / name).read_bytes(),
               f"{name} is as on a system with all")
    for sample in sorted((sources / "samples").glob("*.mlir")) if isFull else ():
        words = subprocess.run([built, "explain", sample.name],
                               cwd=sample.parent, capture_output=True)
        run = root.run(tool, "explain", f"/samples/{sample.name}")
        expect((words.returncode, words.stdout.decode()) ==
               (run.returncode, run.stdout), f"explain {sample.name}", run)
    packed = root.run(tool, "bundle", "/samples/diamond.mlir", "-o",
                      "/out/x.tar.gz")
    expect(packed.returncode == 0, "bundle", packed)
    opened = root.run(tool, "explain", "/out/x.tar.gz")
    expect(opened.stdout == told.stdout, "and opened", opened)


def checkPlugins(root, told):
    """What the programs say where a plugin is named."""
    for name in ("memref-lens", "memref-lens-lsp-server"):
        asked = root.run(f"/opt/un packed/bin/{name}",
                         "--load-pass-plugin=./no.so")
        expect(asked.returncode == 2 and told in asked.stderr,
               f"{name} says {told}", asked)


def checkServer(root):
    text = (sources / "samples/diamond.mlir").read_text()
    client = Client(root.command("/opt/un packed/bin/memref-lens-lsp-server"))
    uri = "file:///samples/diamond.mlir"
    client.tell("textDocument/didOpen", {"textDocument": {
        "uri": uri, "languageId": "mlir", "version": 1, "text": text}})
    line = next(number for number, line in enumerate(text.splitlines())
                if "%copy = memref.alloc" in line)
    hover = client.result("textDocument/hover", {
        "textDocument": {"uri": uri},
        "position": {"line": line, "character": 4}})
    expect("allocates it" in str(hover), "hover", hover)
    client.ask("shutdown", None)
    client.tell("exit", None)
    expect(client.process.wait(30) == 0, "the server ends")


def addScreen(root):
    """OpenGL and X, as a system with a screen has them."""
    found = [bare.LIB / name for name in SCREEN if (bare.LIB / name).exists()]
    drivers = [file for file in (bare.LIB / "dri").glob("swrast_dri.so")]
    drivers += bare.LIB.glob("libgallium-*.so")
    # The viewer starts the command line with it.
    root.putLibraries(*found, *drivers, "/usr/bin/env")
    for folder in ("/tmp/.X11-unix", "/usr/share/glvnd",
                   "/usr/share/drirc.d"):
        if pathlib.Path(folder).exists():
            root.put(folder)
    foreign = [name for name in root.names()
               if re.match(r"lib(MLIR|gvc|cairo|pango|glfw|fontconfig)", name)]
    expect(not foreign, "the screen brings nothing else", foreign)


def checkViewer(root, out):
    viewer = "/opt/un packed/bin/memref-lens-viewer"
    blind = root.run(viewer, "/samples/diamond.mlir")
    expect(blind.returncode == 127 and "libOpenGL" in blind.stderr,
           "without OpenGL the viewer says what is missing", blind)
    with Display(1000, 800) as display:
        addScreen(root)
        run = root.run(viewer, "/samples/diamond.mlir", "--size", "800x600",
                       "--screenshot", "/out/viewer.png",
                       DISPLAY=display.environment["DISPLAY"], PATH="/usr/bin",
                       LD_DEBUG="libs", LD_DEBUG_OUTPUT="/out/loaded")
        subprocess.run([f"{built}-viewer", sources / "samples/diamond.mlir",
                        "--size", "800x600", "--screenshot",
                        out / "built.png"], check=True,
                       env=dict(display.environment, HOME=str(out)))
    expect(run.returncode == 0, "viewer", run)
    expect(readPng(out / "viewer.png").data == readPng(out / "built.png").data,
           "the viewer's picture is as on a system with all")
    # Its children are the command line, which takes all from the archive.
    loaded = next(file.read_text() for file in out.glob("loaded.*")
                  if viewer in file.read_text())
    files = set(re.findall(r"calling init: (/\S.*)", loaded))
    shared = [file for file in files if re.search(
        r"/lib(stdc\+\+|X11|xcb|expat|z|zstd|ffi)\.so", file)]
    expect(len(shared) > 2 and not any("/opt/" in file for file in shared),
           "what a driver needs, too, is the system's", shared)
    expect(any(file.endswith("lib/memref-lens/libglfw.so.3")
               for file in files), "GLFW is the archive's", files)


def main():
    bare.require("readelf")
    requireTools("Xvfb")
    archive, plugins = sorted(bare.makePackages(sources, build,
                                                "tar.xz").iterdir())
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        name = archive.name.removesuffix(".tar.xz")
        for part, archives in (("alone", [archive]), ("both", [archive, plugins])):
            for one in archives:
                with tarfile.open(one) as packed:
                    packed.extractall(folder / part)
            expect([folder / part / name] == list((folder / part).iterdir()),
                   "one folder in the archives")
        tree = folder / "alone" / name
        checkFiles(folder / "both" / name)
        faults = doc_links.check(tree / "share/doc/memref-lens")
        expect(not faults, "links of the pages", faults)
        out = folder / "out"
        out.mkdir()
        root = bare.Root()
        root.put(tree, "/opt/un packed").put(sources / "samples", "/samples")
        root.put(built.parent, "/built").put(out, "/out", writable=True)
        checkCommandLine(root, out)
        checkServer(root)
        checkPlugins(root, "memref-lens-plugins-")
        checkViewer(root, out)
        whole = bare.Root()
        whole.put(folder / "both" / name, "/opt/un packed")
        checkPlugins(whole, "'./no.so': no such file")
    print(f"{len(done)} facts of {archive.name} hold")


main()
