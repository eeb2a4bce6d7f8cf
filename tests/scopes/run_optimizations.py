"""LLVM takes the scopes, and does with them what it did not do without.

  run_optimizations.py

MLIR and LLVM verify what is made of cases/blocked.mlir; each function there says
what is counted in it after some of LLVM's passes. Also: passes of the user's
between the marks and the scopes, every part of the metadata taken away, and
programs that end badly.
"""

import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "judges"))

import judges

PASSES = {
    "hoist": "sroa,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,"
             "loop-mssa(loop-rotate,licm)",
    "number": "sroa,early-cse<memssa>,gvn",
    "vectorize": "sroa,simplifycfg,instcombine<no-verify-fixpoint>,"
                 "loop-simplify,lcssa,loop(loop-rotate),"
                 "instcombine<no-verify-fixpoint>,loop-vectorize",
}
# LLVM vectorizes for a target only, or if told to.
WIDTH = ["-force-vector-width=4"]
EXPECTED = re.compile(r"// (\w+): ([a-z ]+) (\d+) -> (\d+)\n"
                      r"func\.func @(\w+)")
FUNCTION = re.compile(r"^define[^@]*@(\w+)\(.*?\{\n(.*?)^\}", re.M | re.S)


def must(result, what):
    if result.status != 0:
        sys.exit(f"FAIL: {what}: {result.err[:800]}")
    return result.out


def lens(path, *options):
    return must(judges.run([judges.lens(), "scopes", path, *options]),
                f"scopes {' '.join(options)}")


def to_llvm(text):
    """LLVM IR that both verifiers have seen."""
    same = must(judges.run([judges.tool("mlir-opt"), "-"], text), "mlir-opt")
    made = must(judges.run([judges.tool("mlir-translate"), "--mlir-to-llvmir"],
                           same), "mlir-translate")
    must(judges.run([judges.tool("opt"), "-passes=verify", "-disable-output"],
                    made), "opt -passes=verify")
    return made


def blocks_of(body):
    blocks, current = {"": []}, ""
    for line in body.splitlines():
        label = re.match(r'"?([\w.]+)"?:', line)
        current = label[1] if label else current
        blocks.setdefault(current, []).append(line)
    return blocks


def in_loops(blocks):
    after = {name: [target for line in lines
                    for target in re.findall(r'label %"?([\w.]+)', line)]
             for name, lines in blocks.items()}

    def reaches_itself(name):
        seen, pending = set(), list(after[name])
        while pending:
            block = pending.pop()
            if block not in seen:
                seen.add(block)
                pending += after.get(block, [])
        return name in seen

    return [line for name in blocks if reaches_itself(name)
            for line in blocks[name]]


def count(what, body):
    blocks = blocks_of(body)
    if what == "checks of overlap":
        return sum(name.startswith("vector.memcheck") for name in blocks)
    lines = in_loops(blocks) if what == "loads in loops" else body.splitlines()
    return sum(" = load float," in line for line in lines)


def counts(text, wanted):
    """{function: count}, each after its own passes."""
    found, results = {}, {}
    for passes, what, name in wanted:
        if passes not in results:
            made = must(judges.run([judges.tool("opt"), "-S", *WIDTH,
                                    f"-passes={PASSES[passes]}"], text), "opt")
            results[passes] = dict(FUNCTION.findall(made))
        found[name] = count(what, results[passes][name])
    return found


def check_blocked(failures):
    path = HERE / "cases" / "blocked.mlir"
    expected = EXPECTED.findall(path.read_text())
    wanted = [(passes, what, name) for passes, what, _, _, name in expected]
    without = counts(to_llvm(lens(path, "--emit=llvm", "--no-scopes")), wanted)
    scoped = counts(to_llvm(lens(path, "--emit=llvm")), wanted)
    for passes, what, before, after, name in expected:
        print(f"@{name}: {passes}: {what} {without[name]} -> {scoped[name]}")
        if (without[name], scoped[name]) != (int(before), int(after)):
            failures.append(f"@{name}: expected {before} -> {after}")
    if len(expected) < 6:
        failures.append(f"only {len(expected)} functions are counted in")


def main():
    failures = []
    check_blocked(failures)
    print("\n".join(failures))
    sys.exit(1 if failures else 0)


main()
