#!/usr/bin/env python3
"""scripts/setup and scripts/run on a machine that has nothing yet.

apt, dpkg and cmake are stand-ins that note what they are asked for, so nothing is
installed and nothing is built; the memref-lens that scripts/run then calls is real.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
SETUP = ROOT / "scripts" / "setup"
# What is heavy, and no part of building and running.
FOR_TESTS = {"chromium", "emacs-nox", "neovim", "valgrind", "clang-22", "xvfb",
             "mlir-16-tools", "libgtest-dev", "npm", "nodejs", "libimgui-dev"}

STANDINS = {
    "id": "echo 0",
    "dpkg": "exit 1",
    "apt-cache": "exit 0",
    "apt-get": 'echo "apt-get $*" >>"$ASKED"',
    # The first call makes the build folder, the second one the program.
    "cmake": 'echo "cmake $*" >>"$ASKED"; mkdir -p "$MEMREF_LENS_BUILD_DIR/bin"; '
             'ln -sf "$LENS" "$MEMREF_LENS_BUILD_DIR/bin/memref-lens"',
}


class Machine:
    """An empty one: what was asked for is in `asked`."""

    def __init__(self, work, lens):
        shutil.rmtree(work, ignore_errors=True)
        tools = work / "tools"
        tools.mkdir(parents=True)
        for name, does in STANDINS.items():
            (tools / name).write_text(f"#!/bin/sh\n{does}\n")
            (tools / name).chmod(0o755)
        for name in ("awk", "basename", "cat", "date", "dirname", "echo", "ln",
                     "mkdir", "mv", "rm", "sed", "sh"):
            (tools / name).symlink_to(shutil.which(name))
        self.log, self.build = work / "asked", work / "build"
        self.environment = {
            "PATH": str(tools), "ASKED": str(self.log), "LENS": lens,
            "MEMREF_LENS_BUILD_DIR": str(self.build),
            "MEMREF_LENS_OUT_DIR": str(work / "out")}

    def run(self, *words):
        self.log.write_text("")
        done = subprocess.run([str(word) for word in words], text=True,
                              env=self.environment, capture_output=True,
                              stdin=subprocess.DEVNULL, timeout=300)
        assert done.returncode == 0, done
        self.asked = self.log.read_text().splitlines()
        return done.stdout, done.stderr


def listed(machine, *part):
    return machine.run(SETUP, "--list", *part)[0].split()


def check_parts(machine):
    """Each part has those before it; what is heavy comes with the tests."""
    parts = [listed(machine, part)
             for part in ("run", "viewer", "package", "test")]
    for part, larger in zip(parts, parts[1:]):
        assert larger[:len(part)] == part and len(larger) > len(part), larger
    run, test = parts[0], parts[-1]
    assert not FOR_TESTS & set(run) and FOR_TESTS <= set(test), (run, test)
    assert len(set(test)) == len(test), test
    assert listed(machine) == test


def check_install(machine):
    """It installs the part and nothing else, and says what each is for."""
    for part in ("run", "test"):
        packages = listed(machine, part)
        _, said = machine.run(SETUP, part)
        install = machine.asked[-1].split()
        assert install[:2] == ["apt-get", "install"], machine.asked
        assert [word for word in install[2:] if word[0] != "-"] == packages
        for package in packages:
            assert re.search(rf"^{re.escape(package)} +\S", said, re.M), package


def check_run(machine):
    """Without tests in a new folder, with them where they are; and the times."""
    def configured():
        _, said = machine.run(ROOT / "scripts" / "run",
                              ROOT / "samples" / "diamond.mlir")
        assert re.search(r"^== set-up \d+ s, build \d+ s, run \d+ s$", said,
                         re.M), said
        assert "for the desktop viewer: scripts/setup viewer" in said, said
        installs = [line for line in machine.asked if "install" in line]
        assert len(installs) == 1 and not FOR_TESTS & set(installs[0].split())
        configure, build = [line for line in machine.asked
                            if line.startswith("cmake ")]
        assert build.endswith("--target memref-lens"), build
        # Of two definitions, CMake takes the last one.
        return re.findall(r"-DMEMREF_LENS_TESTS=(\w+)", configure)[-1]
    assert configured() == "OFF"
    (machine.build / "CTestTestfile.cmake").write_text("")
    assert configured() == "ON"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lens")
    parser.add_argument("work", type=pathlib.Path)
    asked = parser.parse_args()
    for check in (check_parts, check_install, check_run):
        check(Machine(asked.work, os.path.abspath(asked.lens)))
        print(f"{check.__name__}: ok")


if __name__ == "__main__":
    main()
