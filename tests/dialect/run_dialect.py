"""The dialects `lens` and `sample`: what a program states, its text, its bytes,
its errors.

  run_dialect.py OPT

Each case's comments say what is stated about each two accesses; without its
attributes and regions' facts, nothing may be. Printed and read again, also as
bytecode and in the generic form, every case is the same program.
"""

import pathlib
import re
import subprocess
import sys

CASES = pathlib.Path(__file__).resolve().parent / "cases"


def run(*command, text=None):
    return subprocess.run([str(part) for part in command], input=text,
                          capture_output=True, timeout=60)


def fail(failures, condition, message):
    if not condition:
        failures.append(message)


def check_answers(opt, case, failures):
    text = case.read_text()
    passes = re.findall(r"^// options: (.*)", text, re.M)
    expected = sorted(re.findall(r"^// (@\w+ .*)", text, re.M))
    command = [opt, "--mlir-disable-threading", *(f"--{one}" for one in passes), "--lens-print-aliases"]
    done = run(*command, case)
    printed = sorted(done.stderr.decode().splitlines())
    # A callee that was inlined is also there by itself.
    functions = {line.split()[0] for line in expected}
    printed = [line for line in printed if line.split()[0] in functions]
    fail(failures, done.returncode == 0 and printed == expected,
         f"{case.name}: {printed} instead of {expected}\n{done.stderr.decode()}")
    fail(failures, any("may" not in line for line in expected),
         f"{case.name} states nothing")
    # Dropping an attribute is always safe, and loses the fact.
    without = re.sub(r", lens\.alias = #lens\.aliasing<.*?>}", "}", text)
    done = run(*command, "-", text=without.encode())
    fail(failures, done.returncode == 0 and
         b" scopes\n" not in done.stderr, f"{case.name} without attributes")


def check_forms(opt, case, dialect, failures):
    first = run(opt, case).stdout
    fail(failures, f"{dialect}.".encode() in first,
         f"{case.name} is not printed")
    again = run(opt, "-", text=first).stdout
    generic = run(opt, "--mlir-print-op-generic", case).stdout
    bytecode = run(opt, "--emit-bytecode", case).stdout
    fail(failures, f'"{dialect}.'.encode() in generic, f"{case.name}: generic form")
    for name, form in [("text", again), ("generic", generic),
                       ("bytecode", bytecode)]:
        printed = run(opt, "-", text=form).stdout
        fail(failures, printed == first, f"{case.name}: changed as {name}:\n"
             f"{printed.decode()}\n{first.decode()}")


def main():
    opt, failures = sys.argv[1], []
    cases = [case for case in sorted(CASES.glob("*.mlir"))
             if case.name not in ("invalid.mlir", "sample.mlir")]
    for case in cases:
        check_answers(opt, case, failures)
        check_forms(opt, case, "lens", failures)
    check_forms(opt, CASES / "sample.mlir", "sample", failures)
    done = run(opt, "--split-input-file", "--verify-diagnostics",
               CASES / "invalid.mlir")
    fail(failures, done.returncode == 0, done.stderr.decode())
    # The facts cost nothing else: passes go through the ops.
    done = run(opt, "--canonicalize", "--cse", "--buffer-deallocation-pipeline",
               CASES / "distinct-objects.mlir")
    fail(failures, done.returncode == 0 and b"lens.distinct_objects" in
         done.stdout, f"pipeline: {done.stderr.decode()}")
    # By its interfaces, MLIR's own passes know where ownership goes.
    done = run(opt, "--buffer-deallocation-pipeline", CASES / "sample.mlir")
    fail(failures, done.returncode == 0 and
         b"-> (memref<?xf32>, index, i1)" in done.stdout,
         f"ownership of sample: {done.stdout.decode()}{done.stderr.decode()}")
    print(f"{len(cases)} cases")
    print("\n".join(failures))
    sys.exit(1 if failures else 0)


main()
