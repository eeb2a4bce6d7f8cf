"""The last MLIR of Debian that has the classic deallocation pass: 16.

Texts of either version as the other one takes them, and a program run on one.
"""

import re
import shutil
import subprocess

import corpus

UNREGISTERED = "--allow-unregistered-dialect"
SECONDS = 60


class Run:
    def __init__(self, command, text):
        try:
            done = subprocess.run(command, input=text, capture_output=True,
                                  text=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            self.status, self.out, self.err = None, "", "timed out"
            return
        self.status, self.out, self.err = (done.returncode, done.stdout,
                                           done.stderr)

    def errors(self):
        # 22 looks for the comments that expect errors, and misses 16's there.
        return sorted({error for error in re.findall(r"error: (.*)", self.err)
                       if not error.endswith("was not produced")})


def tool():
    return shutil.which("mlir-opt-16") or corpus.missing(
        "mlir-opt-16 is not installed (Debian's mlir-16-tools)")


def old_form(text):
    """The text as 16 takes it: an op was renamed since."""
    return text.replace("bufferization.to_buffer", "bufferization.to_memref")


def new_form(text):
    return text.replace("bufferization.to_memref", "bufferization.to_buffer")


# 16 has the op of MLIR's tests that sample.region_if is modelled on: without a
# condition, and with its regions' arguments behind the brace.
REGION_IF = re.compile(r"sample\.region_if %[\w$.-]+ \(([^()]*)\)")
REGION = re.compile(r"\b(then|else|join)\(([^()]*)\) \{")


def without_samples(text):
    """With the op that 16 knows in place of sample.region_if."""
    text = REGION_IF.sub(r"test.region_if \1", text)
    text = REGION.sub(r"\1 {\n^bb0(\2):", text)
    return text.replace("sample.yield", "test.region_if_yield")
