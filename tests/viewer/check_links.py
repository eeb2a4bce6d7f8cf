#!/usr/bin/env python3
"""The viewer must run where no MLIR is installed: it links neither MLIR nor LLVM."""
import re
import subprocess
import sys

# Mesa's drivers may use LLVM; they are opened at run time and not listed here.
out = subprocess.run(["ldd", sys.argv[1]], capture_output=True, text=True,
                     check=True).stdout
bad = [line for line in out.splitlines() if re.search("mlir|llvm", line, re.I)]
assert "libc.so" in out, out
print("\n".join(bad) or "no MLIR, no LLVM")
sys.exit(1 if bad else 0)
