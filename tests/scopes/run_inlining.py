"""Where code is copied, moved or changed on its way, scopes stay right or go.

  run_inlining.py

Inlining by MLIR before the scopes are attached and afterwards, and by LLVM; passes
that make accesses touch other buffers; marks that were damaged; and lists that
were taken away one by one. run_execution.py holds the same to what programs do.
"""

import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "judges"))

import judges

CASE = HERE / "cases" / "inlined.mlir"
LOWER = ("expand-strided-metadata,lower-affine,convert-scf-to-cf,"
         "convert-arith-to-llvm,convert-cf-to-llvm,finalize-memref-to-llvm,"
         "convert-func-to-llvm,reconcile-unrealized-casts")
MLIR_FUNCTION = re.compile(r"^  llvm\.func @(\w+)\([^\n]*{\n(.*?)^  }",
                           re.M | re.S)
LLVM_FUNCTION = re.compile(r"^define[^@]*@(\w+)\([^\n]*{\n(.*?)^}", re.M | re.S)
LIST = re.compile(r"(?:no)?alias_scopes = \[([^]]*)\]")
failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)


def run(command, text=None):
    made = judges.run(command, text)
    if made.status != 0:
        sys.exit(f"FAIL: {command[0]}: {made.err[:800]}")
    return made.out


def lens(path, *options, text=None):
    return run([judges.lens(), "scopes", path, *options], text)


def passes(text, pipeline):
    return run([judges.tool("mlir-opt"), "-", "--mlir-print-debuginfo",
                f"--pass-pipeline=builtin.module({pipeline})"], text)


def attached(text):
    return lens("-", "--emit=attached", text=text)


def to_llvm(text, pipeline=None):
    made = run([judges.tool("mlir-translate"), "--mlir-to-llvmir"], text)
    return run([judges.tool("opt"), "-S", f"-passes={pipeline or 'verify'}"],
               made)


def scoped(body):
    return len(re.findall(r"\balias_scopes = |!alias\.scope", body))


def functions(text):
    pattern = LLVM_FUNCTION if "\ndefine " in text else MLIR_FUNCTION
    return dict(pattern.findall(text))


def check_inlining_by_llvm():
    text = lens(CASE, "--emit=llvm")
    made = functions(to_llvm(text, "cgscc(inline)"))
    expect(scoped(made["kernel"]) == 3, "@kernel lost its scopes")
    for caller, calls in (("kernel_twice", 2), ("kernel_in_loop", 1)):
        expect(made[caller].count("@kernel(") == calls and
               scoped(made[caller]) == 0, f"@{caller}: @kernel was inlined")
    twice = made["allocating_twice"]
    expect("@allocating(" not in twice and scoped(twice) == 6,
           "@allocating was not inlined with its scopes")
    # A copy has scopes of its own.
    expect(len(set(re.findall(r"!alias\.scope (!\d+)", twice))) == 4,
           "two copies share scopes")
    text = lens(CASE, "--emit=llvm", "--keep-inlinable")
    made = functions(to_llvm(text, "cgscc(inline)"))
    expect(scoped(made["kernel"]) == 0 and scoped(made["allocating"]) == 3 and
           "@kernel(" not in made["kernel_in_loop"],
           "--keep-inlinable does not keep @kernel inlinable")


def check_attributes():
    """What the program says of inlining is kept."""
    text = CASE.read_text()
    for attribute, kept in (('passthrough = ["alwaysinline"]', 0),
                            ("always_inline", 0), ("llvm.always_inline", None),
                            ('passthrough = ["noinline", "cold"]', 3),
                            ("no_inline", 3), ("inline_hint", None),
                            ('passthrough = [["disable-tail-calls", "true"]]',
                             3)):
        changed = text.replace("%v: i64) -> i64 {",
                               f"%v: i64) -> i64 attributes {{{attribute}}} {{",
                               1)
        expect(changed != text, "no attribute was added")
        made = lens("-", "--emit=llvm", text=changed)
        body = functions(to_llvm(made))["kernel"]
        expect(kept is None or scoped(body) == kept,
               f"{attribute}: {scoped(body)} ops with scopes")
        never = functions(to_llvm(made, "always-inline,cgscc(inline)"))
        expect(kept == 0 or scoped(never["kernel_in_loop"]) == 0,
               f"{attribute}: inlined into a loop with its scopes")


def check_kinds():
    path = HERE / "cases" / "kinds.mlir"
    text = lens(path, "--emit=llvm")
    to_llvm(text)
    made = functions(text)
    wanted = re.findall(r"// (llvm\.[\w.]+) (\d+)\nfunc\.func @(\w+)",
                        path.read_text())
    for name, count, function in wanted:
        found = sum(name in line and scoped(line) == 1
                    for line in made[function].splitlines())
        expect(found == int(count), f"@{function}: {found} {name} with scopes")
    expect(len(wanted) == 7, f"{len(wanted)} kinds of accesses")


def check_inlining_by_mlir():
    made = functions(passes(lens(CASE, "--emit=llvm"), "inline"))
    expect("llvm.call @kernel(" in made["kernel_twice"] and
           scoped(made["kernel_twice"]) == 0, "MLIR inlines @kernel")
    twice = made["allocating_twice"]
    expect("llvm.call @allocating(" not in twice and scoped(twice) == 6,
           "MLIR does not inline @allocating with its scopes")
    expect(len(set(re.findall(r"[<{ ]alias_scopes = \[([^]]*)\]", twice))) == 4,
           "two copies of MLIR's share scopes")
    # Before the scopes are attached, inlined ops lose theirs.
    marked = lens(CASE, "--emit=marked")
    for pipeline in ("inline", "inline,canonicalize,cse",
                     "canonicalize,cse,inline,sccp,loop-invariant-code-motion"):
        made = functions(attached(passes(marked, f"{pipeline},{LOWER}")))
        expect(scoped(made["kernel"]) >= 2, f"{pipeline}: @kernel lost scopes")
        for caller in ("kernel_twice", "kernel_in_loop", "allocating_twice"):
            expect("@kernel(" not in made[caller] and
                   "@allocating(" not in made[caller],
                   f"{pipeline}: nothing is inlined into @{caller}")
            expect(scoped(made[caller]) == 0,
                   f"{pipeline}: @{caller} got scopes of another function")
    made = functions(attached(passes(marked, f"canonicalize,cse,{LOWER}")))
    expect(scoped(made["kernel"]) == 3 and scoped(made["allocating"]) >= 2,
           "canonicalize and cse cost scopes")


def check_other_memory():
    """Accesses that now touch another buffer than the one they were marked for."""
    marked = lens(HERE / "cases" / "copied.mlir", "--emit=marked")
    expect(scoped(attached(passes(marked, LOWER))) == 3,
           "scopes are lost without any pass between")
    copy = ("func.func(affine-data-copy-generate{generate-dma=0 "
            "fast-mem-space=0 skip-non-unit-stride-loops})")
    moved = passes(marked, f"{copy},{LOWER}")
    expect("memref_lens.access" in moved and "@malloc" in moved,
           "the pass makes no buffers")
    made = functions(attached(moved))["sum"]
    accesses = len(re.findall(r"llvm\.(?:load|store)", made))
    expect((accesses, scoped(made)) == (9, 3),
           f"{accesses} accesses, {scoped(made)} with scopes; 9 are made, of "
           "which 3 touch what is copied, and 6 the fresh buffers")
    # One buffer for two, as a pass that saves memory may do.
    marked = lens(CASE, "--emit=marked")
    names = re.findall(r"(%\w+) = memref\.alloc\(\)", marked)
    merged = re.sub(rf"{names[1]}\b(?! = )", names[0], marked)
    merged = re.sub(rf"memref\.dealloc {names[0]} .*\n", "", merged, count=1)
    expect(merged != marked, "nothing was merged")
    made = functions(attached(passes(merged, LOWER)))
    expect(scoped(made["allocating"]) == 2,
           "an access of a merged buffer has scopes")
    expect(scoped(made["kernel"]) == 3, "another function lost its scopes")
    # Of an allocator that is not MLIR's nothing is known.
    pool = passes(marked, LOWER).replace("@malloc", "@from_pool")
    made = functions(attached(pool))
    expect(scoped(made["allocating"]) == 0, "memory of a pool has scopes")
    expect(scoped(made["kernel"]) == 3, "a pool costs another function scopes")


def check_damaged_marks():
    marked = passes(lens(CASE, "--emit=marked"), LOWER)
    expect(scoped(attached(marked)) == 6, "not all ops get their scopes")
    damages = {
        "no function": (r"memref_lens\.scopes", "memref_lens.gone"),
        "numbers past the end": (r"scopes = array<i64: \d+>",
                                 "scopes = array<i64: 77>"),
        "negative numbers": (r"noalias = array<i64: \d+>",
                             "noalias = array<i64: -1>"),
        "no memory": (r", memory = \[[^]]*\]", ", memory = []"),
        "no list": (r", noalias = array<i64: [^>]*>", ""),
        "of another function": (r"(access = {function = distinct\[)\d+",
                                r"\g<1>99"),
        "domains past the end": (r"domain_of = array<i64: [^>]*>",
                                 "domain_of = array<i64: 5, 5>"),
    }
    for name, (pattern, replacement) in damages.items():
        damaged = re.sub(pattern, replacement, marked)
        expect(damaged != marked, f"{name}: nothing was damaged")
        expect(scoped(attached(damaged)) == 0, f"{name}: ops have scopes")
    # Fused with another location, or come through a call.
    for around in (r'loc(fused[\g<1>, "other":1:1])',
                   r'loc(callsite(\g<1> at "other":1:1))'):
        damaged = re.sub(r"(?m)^(?P<name>#loc\d+) = loc\((fused<{memref_lens\."
                         r"access.*)\)$",
                         lambda m: f"{m['name']}x = loc({m[2]})\n{m['name']} = " +
                         around.replace(r"\g<1>", m["name"] + "x"), marked)
        expect(damaged != marked, f"{around}: nothing was damaged")
        expect(scoped(attached(damaged)) == 0, f"{around}: ops have scopes")


def check_taken_away():
    """Each list, and each scope in a list, alone."""
    text = lens(CASE, "--emit=llvm")
    count = 0
    for match in LIST.finditer(text):
        scopes = match[1].split(", ")
        for number in range(len(scopes)):
            less = ", ".join(scopes[:number] + scopes[number + 1:])
            start, end = match.span(1)
            to_llvm(text[:start] + less + text[end:])
            count += 1
        whole = match[0] + ", "
        if text[match.start():].startswith(whole):
            to_llvm(text[:match.start()] + text[match.start() + len(whole):])
            count += 1
    expect(count > 15, f"only {count} things were taken away")
    return count


def main():
    check_inlining_by_llvm()
    check_attributes()
    check_kinds()
    check_inlining_by_mlir()
    check_other_memory()
    check_damaged_marks()
    count = check_taken_away()
    print(f"{count} parts of the metadata taken away, {len(failures)} failures")
    print("\n".join(failures))
    sys.exit(1 if failures else 0)


main()
