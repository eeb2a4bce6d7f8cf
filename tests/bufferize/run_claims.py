#!/usr/bin/env python3
"""Where a copy is said to be for nothing, the program does the same without it.

run_claims.py

Random programs of inserts, slices, fills, selects and reads. Of each operand whose
reasons are all told to be no conflict, the copy is left out: an interpreter of buffers
runs the program with the operand in place, for each value of its conditions, and what
it reads must be what an interpreter of tensors reads, which knows of no buffers.
And where all reasons of an operand are reads of single elements, it is in place in the
program without these reads, or another one is that was not.

200 programs; MEMREF_LENS_FULL=1 takes 2,000.
"""
import itertools
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import sample  # noqa: E402

LENS = os.environ["MEMREF_LENS"]
SIZE, CONDITIONS = 8, 2
TENSOR = f"tensor<{SIZE}xf32>"


def draw(rng):
    """Ops as tuples, each of one line: kind, result, operands, numbers."""
    tensors, ops, reads = ["t0", "t1", "t2"], [], 0
    while len(ops) < 14 or reads == 0:
        name, kind = f"v{len(ops)}", rng.choice(
            ["insert", "insert", "select", "select", "read", "read", "part"])
        if kind == "insert":
            ops.append((kind, name, [rng.choice(tensors)], rng.randrange(SIZE)))
        elif kind == "select":
            ops.append((kind, name, rng.sample(tensors, 2), rng.randrange(CONDITIONS)))
        elif kind == "read":
            ops.append((kind, name, [rng.choice(tensors)], rng.randrange(SIZE)))
            reads += 1
            continue
        else:
            size = rng.randint(1, 4)
            place = (rng.randrange(SIZE - size + 1), size)
            source = rng.choice(tensors)
            ops.append(("slice", name, [source], place))
            if rng.random() < 0.3:  # two parts of one tensor
                other = (rng.randrange(SIZE - size + 1), size)
                ops.append(("slice", name + "o", [source], other))
                ops.append(("exp", name + "e", [name + "o", name], place))
                ops.append(("put", name + "p", [name + "e", source], place))
            else:
                ops.append(("fill", name + "f", [name], place))
                into = source if rng.random() < 0.7 else rng.choice(tensors)
                ops.append(("put", name + "p", [name + "f", into], place))
            name += "p"
        tensors.append(name)
    return ops


def text(ops):
    part = "tensor<{}xf32>".format
    reads = [op[1] for op in ops if op[0] == "read"]
    lines = [f"func.func @f(%t0: {TENSOR}, %t1: {TENSOR}, %t2: {TENSOR}, %x: f32, "
             f"%c0: i1, %c1: i1) -> ({', '.join(['f32'] * len(reads))}) {{"]
    lines += [f"  %i{i} = arith.constant {i} : index" for i in range(SIZE)]
    for kind, name, of, at in ops:
        first = "%" + of[0]
        if kind == "insert":
            lines.append(f"  %{name} = tensor.insert %x into {first}[%i{at}] : {TENSOR}")
        elif kind == "select":
            lines.append(f"  %{name} = arith.select %c{at}, {first}, %{of[1]} : {TENSOR}")
        elif kind == "read":
            lines.append(f"  %{name} = tensor.extract {first}[%i{at}] : {TENSOR}")
        elif kind == "slice":
            lines.append(f"  %{name} = tensor.extract_slice {first}[{at[0]}] [{at[1]}] "
                         f"[1] : {TENSOR} to {part(at[1])}")
        elif kind == "fill":
            lines.append(f"  %{name} = linalg.fill ins(%x : f32) outs({first} : "
                         f"{part(at[1])}) -> {part(at[1])}")
        elif kind == "exp":
            lines.append(f"  %{name} = linalg.exp ins({first} : {part(at[1])}) outs("
                         f"%{of[1]} : {part(at[1])}) -> {part(at[1])}")
        else:
            lines.append(f"  %{name} = tensor.insert_slice {first} into %{of[1]}"
                         f"[{at[0]}] [{at[1]}] [1] : {part(at[1])} into {TENSOR}")
    lines.append("  return " + ", ".join("%" + one for one in reads) + " : "
                 + ", ".join(["f32"] * len(reads)))
    return "\n".join(lines + ["}", ""])


def start():
    return {f"t{i}": [(i, j) for j in range(SIZE)] for i in range(3)}


def as_tensors(ops, conditions):
    """What is read where each value is a tensor of its own."""
    values, reads = start(), []
    for kind, name, of, at in ops:
        value = list(values[of[0]])
        if kind == "insert":
            value[at] = "x"
        elif kind == "select":
            value = values[of[0] if conditions[at] else of[1]]
        elif kind == "read":
            reads.append(value[at])
            continue
        elif kind == "slice":
            value = value[at[0]:at[0] + at[1]]
        elif kind == "fill":
            value = ["x"] * at[1]
        elif kind == "exp":
            value = [("exp", one) for one in value]
        else:
            value = list(values[of[1]])
            value[at[0]:at[0] + at[1]] = values[of[0]]
        values[name] = value
    return reads


def as_buffers(ops, conditions, in_place):
    """The same in memory. `in_place` has (number of an op, operand)."""
    memory = list(start().values())
    where = {f"t{i}": (i, 0) for i in range(3)}
    length = {f"t{i}": SIZE for i in range(3)}
    reads = []

    def contents(name):
        buffer, offset = where[name]
        return memory[buffer][offset:offset + length[name]]

    def settled(number, operand, name):
        """The buffer to write; another one where the operand is out of place."""
        if (number, operand) in in_place:
            return where[name]
        memory.append(contents(name))
        return len(memory) - 1, 0

    for number, (kind, name, of, at) in enumerate(ops):
        length[name] = length[of[0]]
        if kind == "insert":
            where[name] = settled(number, 1, of[0])
            memory[where[name][0]][where[name][1] + at] = "x"
        elif kind == "select":
            places = [settled(number, 1, of[0]), settled(number, 2, of[1])]
            where[name] = places[0] if conditions[at] else places[1]
        elif kind == "read":
            reads.append(contents(of[0])[at])
        elif kind == "slice":
            buffer, offset = settled(number, 0, of[0])
            where[name], length[name] = (buffer, offset + at[0]), at[1]
        elif kind in ("fill", "exp"):
            new = (["x"] * at[1] if kind == "fill"
                   else [("exp", one) for one in contents(of[0])])
            where[name] = settled(number, 1, of[-1])
            buffer, offset = where[name]
            memory[buffer][offset:offset + at[1]] = new
        else:
            length[name] = SIZE
            new = contents(of[0])
            where[name] = settled(number, 1, of[1])
            buffer, offset = where[name]
            memory[buffer][offset + at[0]:offset + at[0] + at[1]] = new
    return reads


def decided(program, folder):
    """Operands by (line, operand), as the trace has them."""
    path = folder / "program.mlir"
    path.write_text(program)
    done = subprocess.run([LENS, "trace", "--bufferize", path], capture_output=True,
                          text=True, timeout=120, check=False)
    if done.returncode != 0:
        sys.exit(f"{done.stderr}\n{program}")
    trace = json.loads(done.stdout)
    ops = trace["ops"]
    found = {}
    for run in trace["bufferizations"]:
        for one in run["operands"]:
            begin = ops[one["op"]]["range"][0]
            line = program.encode()[:begin].count(b"\n")
            found[line, one.get("operand", 0)] = one
            for reason in one.get("reasons", []):
                if reason.get("read", -1) >= 0:
                    begin = ops[reason["read"]]["range"][0]
                    reason["readLine"] = program.encode()[:begin].count(b"\n")
    return found


def is_for_nothing(operand):
    reasons = operand.get("reasons", [])
    return (operand["placement"] == "outOfPlace" and reasons
            and len(reasons) == operand["reasonCount"]
            and all(one.get("joined", -1) >= 0 or one.get("isDisjoint")
                    for one in reasons))


def readers(ops, operand, first):
    """Lines of the reads that all of an operand's reasons name; None if others do."""
    lines = {one.get("readLine") for one in operand.get("reasons", [])}
    whole = len(operand.get("reasons", [])) == operand["reasonCount"]
    if not lines or not whole or None in lines:
        return None
    return lines if all(ops[line - first][0] == "read" for line in lines) else None


def without(program, lines):
    """The program with a constant in place of what these lines read."""
    changed = program.split("\n")
    for line in lines:
        name = changed[line].split(" = ")[0]
        changed[line] = f"{name} = arith.constant 0.0 : f32"
    return "\n".join(changed)


def main():
    rng = random.Random(sample.seed())
    claims = [0, 0]
    faults = taken = moved = 0
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(2000 if sample.FULL else 200):
            ops = draw(rng)
            program = text(ops)
            first = 1 + SIZE
            operands = {(line - first, operand): one for (line, operand), one
                        in decided(program, pathlib.Path(folder)).items()}
            in_place = {at for at, one in operands.items()
                        if one["placement"] == "inPlace"}
            runs = list(itertools.product([True, False], repeat=CONDITIONS))
            for run in runs:
                if as_buffers(ops, run, in_place) != as_tensors(ops, run):
                    sys.exit(f"the interpreters differ on what upstream decides\n{program}")
            for at, one in operands.items():
                lines = (one["placement"] == "outOfPlace" and at[0] >= 0
                         and readers(ops, one, first))
                if lines and taken < (2000 if sample.FULL else 60):
                    taken += 1
                    left = decided(without(program, lines), pathlib.Path(folder))
                    # Another one, decided before, may take the buffer now.
                    others = {(line - first, number) for (line, number), two
                              in left.items() if two["placement"] == "inPlace"}
                    moved += at not in others
                    if at not in others and not others - in_place:
                        faults += 1
                        print(f"operand {at[1]} of line {at[0] + first + 1} stays out of "
                              f"place without the reads of {sorted(lines)}\n{program}")
                if not is_for_nothing(one):
                    continue
                claims[any(r.get("isDisjoint") for r in one["reasons"])] += 1
                for run in runs:
                    if as_buffers(ops, run, in_place | {at}) != as_tensors(ops, run):
                        faults += 1
                        print(f"operand {at[1]} of line {at[0] + first + 1} is needed "
                              f"out of place, with conditions {run}\n{program}")
                        break
    print(f"{taken - moved} operands in place once their reasons are gone; of {moved} "
          "another one takes the buffer then")
    print(f"{claims[0]} copies for nothing by other tensors, {claims[1]} by other parts, "
          f"{faults} faults")
    if min(*claims, taken - 2 * moved) <= 0:
        sys.exit("nothing was compared")
    sys.exit(faults > 0)


if __name__ == "__main__":
    main()
