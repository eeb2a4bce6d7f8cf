#!/usr/bin/env python3
"""The viewer where something is missing: a clear message, or it does without.

  robust.py VIEWER SAMPLES

No display, no OpenGL 3, no MLIR, no memref-lens, no place to write, a font that
is none, a window of 200x150, files that vanish, children that are killed.
"""
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from screen import Display, readPng, requireTools, waitFor

requireTools("Xvfb", "xdotool")
viewer, samples = sys.argv[1], pathlib.Path(sys.argv[2])
tool = pathlib.Path(viewer).parent / "memref-lens"
done = []


def run(environment, *words, program=viewer):
    return subprocess.run([program, *map(str, words)], env=environment,
                          capture_output=True, text=True, timeout=120,
                          stdin=subprocess.DEVNULL)


def expect(what, isTrue, run):
    assert isTrue, (f"{what}: status {run.returncode}, said "
                    f"{run.stdout!r} {run.stderr!r}")
    done.append(what)


def picture(display, folder, *words, program=viewer, **variables):
    """Of a run that must end well."""
    out = folder / "out.png"
    out.unlink(missing_ok=True)
    result = run(dict(display.environment, **variables), *words,
                 "--screenshot", out, program=program)
    expect(f"picture of {words} with {variables}",
           result.returncode == 0 and out.exists(), result)
    return readPng(out)


def withoutDisplay():
    bare = {key: value for key, value in os.environ.items()
            if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    result = run(bare, samples / "diamond.mlir")
    expect("no display", result.returncode == 1
           and "no display" in result.stderr, result)
    result = run(dict(bare, DISPLAY=":9999"), samples / "diamond.mlir")
    expect("wrong display", result.returncode == 1
           and "no display" in result.stderr, result)


def withoutOpenGl():
    with Display(arguments=["-extension", "GLX"]) as display:
        result = run(display.environment, samples / "diamond.mlir")
        expect("no GLX", result.returncode == 1
               and "OpenGL 3" in result.stderr, result)
    with Display() as display:
        old = dict(display.environment, MESA_GL_VERSION_OVERRIDE="2.1")
        result = run(old, samples / "diamond.mlir")
        expect("OpenGL 2", result.returncode == 1
               and "OpenGL 3" in result.stderr, result)


def withoutMlir(display, folder):
    trace = folder / "diamond.trace.json"
    subprocess.run([tool, "trace", samples / "diamond.mlir", "-o", trace],
                   check=True, stdin=subprocess.DEVNULL, timeout=60)
    # Whoever links libMLIR or libLLVM 22 finds these, and cannot start.
    on_libraries = tool.parents[1] / "libexec/memref-lens-with-plugins"
    if not on_libraries.exists():
        on_libraries = tool
    linked = subprocess.run(["ldd", on_libraries], capture_output=True,
                            text=True, check=True).stdout.split()
    hidden = folder / "hidden"
    hidden.mkdir()
    for name in linked:
        if name.startswith(("libMLIR", "libLLVM")):
            (hidden / name).write_text("")
    assert list(hidden.iterdir()), "memref-lens links no MLIR?"
    alone = folder / "alone"
    alone.mkdir()
    shutil.copy(viewer, alone)
    variables = {"LD_LIBRARY_PATH": str(hidden), "PATH": "/usr/bin:/bin"}
    control = run(dict(display.environment, **variables), "--version",
                  program=on_libraries)
    expect("MLIR is hidden", control.returncode != 0, control)
    shown = picture(display, folder, trace, program=alone / "memref-lens-viewer",
                    **variables)
    assert shown.data == picture(display, folder, trace).data
    program = run(dict(display.environment, **variables),
                  samples / "diamond.mlir", "--screenshot", folder / "x.png",
                  program=alone / "memref-lens-viewer")
    expect("a program without memref-lens", program.returncode == 1
           and "memref-lens" in program.stderr
           or program.returncode == 0, program)


def smallWindows(display, folder):
    file = samples / "worked-example.mlir"
    small = picture(display, folder, file, "--size", "200x150")
    assert (small.width, small.height) == (200, 150)
    large = picture(display, folder, file, "--size", "1920x1080")
    assert (large.width, large.height) == (1920, 1080)
    twice = picture(display, folder, file, "--size", "640x360", "--scale", "2")
    assert (twice.width, twice.height) == (1280, 720)
    picture(display, folder, file, MEMREF_LENS_FONT="/nowhere.ttf")


def brokenFiles(display, folder):
    for name, text in (("empty.trace.json", ""), ("newer.trace.json",
                                                  '{"schemaVersion": 999}'),
                       ("deep.trace.json", "[" * 100000),
                       ("null.trace.json", "null")):
        (folder / name).write_text(text)
        result = run(display.environment, folder / name, "--screenshot",
                     folder / "x.png")
        expect(name, result.returncode == 1 and name in result.stderr, result)
    result = run(display.environment, folder / "missing.mlir", "--screenshot",
                 folder / "x.png")
    expect("missing file", result.returncode == 1
           and "cannot read" in result.stderr, result)
    result = run(display.environment, samples / "diamond.mlir", "--screenshot",
                 "/nowhere/x.png")
    expect("no place for the picture", result.returncode == 1
           and "cannot write" in result.stderr, result)


def vanishingFile(display, folder):
    """The window stays, also without a place for its settings."""
    file = folder / "vanishing.mlir"
    shutil.copy(samples / "diamond.mlir", file)
    child = subprocess.Popen(
        [viewer, file, "--size", "200x150"], stdin=subprocess.DEVNULL,
        env=dict(display.environment, XDG_CONFIG_HOME="/proc/nowhere"),
        stderr=subprocess.PIPE, text=True)
    try:
        def titles():
            found = subprocess.run(
                ["xdotool", "search", "--name", "vanishing.*@diamond"],
                env=display.environment, capture_output=True, text=True)
            return found.stdout.split()
        window = waitFor("the window", titles)[0]
        file.unlink()
        before = display.pixels().data
        waitFor("word that it is gone",
                lambda: display.pixels().data != before)
        waitFor("the focus", lambda: subprocess.run(
            ["xdotool", "windowfocus", window],
            env=display.environment).returncode == 0)
        display.xdotool("key", "ctrl+q")
        status = child.wait(30)
    finally:
        child.kill()
    said = child.stderr.read()
    assert status == 1 and "cannot write" in said, (status, said)
    done.append("vanished file, no place for settings")


def childrenOf(process):
    """Numbers of its children and of theirs."""
    found = []
    tasks = pathlib.Path(f"/proc/{process}/task")
    try:
        folders = [tasks / name for name in os.listdir(tasks)]
    except OSError:
        return found
    for folder in folders:
        try:
            direct = (folder / "children").read_text().split()
        except OSError:  # it ended meanwhile
            continue
        for child in direct:
            found += [int(child), *childrenOf(child)]
    return found


def largeProgram(mark):
    """Long enough in analysis to be killed in it."""
    return "".join(f"""func.func @{mark}{number}(%c: i1) {{
  %a = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^x(%a : memref<4xf32>), ^y
^x(%b: memref<4xf32>):
  cf.br ^y
^y:
  return
}}
""" for number in range(300))


def killedChildren(display, folder):
    """Whichever child dies at whatever moment of an analysis: the window stays,
    and shows the next version of the file."""
    chance = random.Random(10)
    file = folder / "killed.mlir"
    file.write_text(largeProgram("begin"))
    child = subprocess.Popen([viewer, file], stdin=subprocess.DEVNULL,
                             env=display.environment)

    def shows(mark):
        assert child.poll() is None, "the viewer ended with its child"
        return subprocess.run(
            ["xdotool", "search", "--name", f"killed.*@{mark}0"],
            env=display.environment, capture_output=True, text=True).stdout

    def isAnalysing(isWanted, seconds=3):
        """Waits until it is so, or the time is over."""
        end = time.monotonic() + seconds
        while bool(childrenOf(child.pid)) != isWanted and time.monotonic() < end:
            time.sleep(0.002)

    try:
        waitFor("the window", lambda: shows("begin"))
        isAnalysing(False)
        file.write_text(largeProgram("measured"))
        isAnalysing(True)
        begun = time.monotonic()
        isAnalysing(False, 30)
        length = time.monotonic() - begun
        killed = turn = 0
        while killed < 8 and turn < 100:
            turn += 1
            file.write_text(largeProgram(f"turn{turn}x"))
            isAnalysing(True)
            time.sleep(chance.random() * length)
            running = childrenOf(child.pid)
            try:
                if running:
                    os.kill(chance.choice(running), signal.SIGKILL)
                    killed += 1
            except ProcessLookupError:
                pass
        assert killed == 8, \
            f"in {turn} analyses of {length:.3f} s, {killed} children were killed"
        file.write_text(largeProgram("end"))
        waitFor("the file as it is", lambda: shows("end"))
        assert not list(folder.glob("killed.mlir?*")), "files left behind"
    finally:
        child.kill()
        child.wait()
    done.append(f"{killed} killed children")


def main():
    withoutDisplay()
    withoutOpenGl()
    with Display(2000, 1200) as display, \
            tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        smallWindows(display, folder)
        brokenFiles(display, folder)
        withoutMlir(display, folder)
        vanishingFile(display, folder)
        killedChildren(display, folder)
    print(f"{len(done)} cases")


main()
