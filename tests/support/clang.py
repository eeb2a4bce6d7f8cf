"""Builds of parts of the project with clang, under a sanitizer."""
import os
import pathlib
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def find():
    for name in ("clang++-22", "/usr/lib/llvm-22/bin/clang++"):
        if found := shutil.which(name):
            return found
    message = "clang 22 was not found (on Debian: clang-22, libclang-rt-22-dev)"
    if os.environ.get("CI") == "true":
        sys.exit(message)
    print("skipped:", message)
    sys.exit(77)


def configuring(options, which):
    """The words that configure `options.build`, with the option `which` on."""
    words = ["cmake", "-S", ROOT, "-B", options.build, "-G", "Ninja",
             "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_CXX_COMPILER={find()}",
             # -O3 takes twice as long to compile and is not faster here.
             "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG",
             f"-D{which}=ON", "-DMEMREF_LENS_WERROR=OFF"]
    if options.launcher:
        words.append(f"-DCMAKE_CXX_COMPILER_LAUNCHER={options.launcher}")
    if options.mlir_dir:
        words.append(f"-DMLIR_DIR={options.mlir_dir}")
    return words
