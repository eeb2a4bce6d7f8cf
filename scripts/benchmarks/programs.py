"""Programs of a given size, by family: equal arguments give equal text.

    python3 scripts/benchmarks/programs.py diamonds 12 > diamonds.mlir

Only the steps of training have chance in them, from a seed.
"""
import random
import sys

BUFFER = "memref<16xf32>"
MATRIX = "memref<8x8xf32>"
VIEW = "memref<8x8xf32, strided<[?, ?], offset: ?>>"
SEED = 1


def function(name, arguments, body, results=""):
    arrow = f" -> {results}" if results else ""
    return "\n".join([f"func.func {name}({arguments}){arrow} {{", *body, "}",
                      ""])


def plain(n):
    """So many allocations, each stored to once."""
    body = []
    for k in range(n):
        body += [f"  %b{k} = memref.alloc() : {BUFFER}",
                 f"  memref.store %f, %b{k}[%i] : {BUFFER}"]
    return function("@plain", "%f: f32, %i: index", body + ["  return"])


def chain(n):
    """Layers, each copied from the one before."""
    body, last = [], "%in"
    for k in range(n):
        body += [f"  %b{k} = memref.alloc() : {BUFFER}",
                 f"  memref.copy {last}, %b{k} : {BUFFER} to {BUFFER}"]
        last = f"%b{k}"
    return function("@chain", f"%in: {BUFFER}", body + ["  return"])


def external(n):
    """As `chain`, but every fourth buffer is what an external function returns,
    and every eighth is a result."""
    body, last, returned = [], "%in", []
    for k in range(n):
        if k % 4 == 3:
            body.append(f"  %b{k} = func.call @other({last}) : ({BUFFER}) -> "
                        f"{BUFFER}")
        else:
            body += [f"  %b{k} = memref.alloc() : {BUFFER}",
                     f"  memref.copy {last}, %b{k} : {BUFFER} to {BUFFER}"]
        last = f"%b{k}"
        if k % 8 == 7:
            returned.append(last)
    types = ", ".join([BUFFER] * len(returned))
    body.append(f"  return {', '.join(returned)} : {types}" if returned
                else "  return")
    return (f"func.func private @other({BUFFER}) -> {BUFFER}\n" +
            function("@external", f"%in: {BUFFER}", body, f"({types})"))


def diamonds(n):
    """Ifs in a row over blocks; one side of each allocates."""
    body = [f"  cf.br ^h0(%in : {BUFFER})"]
    for k in range(n):
        body += [f"^h{k}(%x{k}: {BUFFER}):",
                 f"  cf.cond_br %c, ^t{k}, ^e{k}",
                 f"^t{k}:",
                 f"  %b{k} = memref.alloc() : {BUFFER}",
                 f"  memref.store %f, %b{k}[%i] : {BUFFER}",
                 f"  cf.br ^h{k + 1}(%b{k} : {BUFFER})",
                 f"^e{k}:",
                 f"  cf.br ^h{k + 1}(%x{k} : {BUFFER})"]
    body += [f"^h{n}(%end: {BUFFER}):",
             f"  memref.store %f, %end[%i] : {BUFFER}", "  return"]
    return function("@diamonds",
                    f"%c: i1, %f: f32, %i: index, %in: {BUFFER}", body)


def ladder(n):
    """Each block allocates and goes on, or to the one exit of all."""
    body = [f"  cf.br ^b0(%in : {BUFFER})"]
    for k in range(n):
        on = f"^b{k + 1}(%b{k} : {BUFFER})" if k + 1 < n else \
            f"^exit(%b{k} : {BUFFER})"
        body += [f"^b{k}(%x{k}: {BUFFER}):",
                 f"  %b{k} = memref.alloc() : {BUFFER}",
                 f"  memref.copy %x{k}, %b{k} : {BUFFER} to {BUFFER}",
                 f"  cf.cond_br %c, {on}, ^exit(%x{k} : {BUFFER})"]
    body += [f"^exit(%end: {BUFFER}):",
             f"  memref.copy %end, %in : {BUFFER} to {BUFFER}", "  return"]
    return function("@ladder", f"%c: i1, %in: {BUFFER}", body)


def nestIf(n):
    """scf.if in scf.if; only the innermost allocates."""
    heads = []
    for k in range(n):
        pad = "  " * (k + 1)
        heads += [f"{pad}%k{k} = arith.constant {k} : index",
                  f"{pad}%c{k} = arith.cmpi ugt, %from, %k{k} : index",
                  f"{pad}%r{k} = scf.if %c{k} -> ({BUFFER}) {{"]
    return nest(n, heads, "%in",
                ["} else {", f"  scf.yield %in : {BUFFER}", "}"])


def nestFor(n):
    """scf.for in scf.for; only the innermost allocates."""
    heads = [("  " * (k + 1)) + f"%r{k} = scf.for %i{k} = %from to %to step "
             f"%step iter_args(%x{k} = {f'%x{k - 1}' if k else '%in'}) -> "
             f"({BUFFER}) {{" for k in range(n)]
    return nest(n, heads, f"%x{n - 1}", ["}"])


def nest(n, heads, inner, tails):
    pad = "  " * (n + 1)
    body = heads + [f"{pad}%leaf = memref.alloc() : {BUFFER}",
                    f"{pad}memref.copy {inner}, %leaf : {BUFFER} to {BUFFER}"]
    value = "%leaf"
    for k in reversed(range(n)):
        pad = "  " * (k + 1)
        body.append(f"{pad}  scf.yield {value} : {BUFFER}")
        body += [pad + line for line in tails]
        value = f"%r{k}"
    body += [f"  memref.copy {value}, %in : {BUFFER} to {BUFFER}", "  return"]
    return function("@nest", "%from: index, %to: index, %step: index, "
                    f"%in: {BUFFER}", body)


def functions(n):
    """Functions that know nothing of each other."""
    return "".join(function(
        f"@f{k}", "%c: i1, %f: f32, %i: index",
        [f"  %0 = memref.alloc() : {BUFFER}",
         f"  %1 = scf.if %c -> ({BUFFER}) {{",
         f"    %2 = memref.alloc() : {BUFFER}",
         f"    scf.yield %2 : {BUFFER}",
         "  } else {",
         f"    scf.yield %0 : {BUFFER}",
         "  }",
         f"  memref.store %f, %1[%i] : {BUFFER}",
         "  return"]) for k in range(n))


def layers(n):
    """Functions of 34 lines each: loops, an op of linalg, a buffer of one of two
    places, a branch, and a result."""
    def loop(source, target):
        return ["  scf.for %j = %c0 to %c8 step %c1 {",
                f"    %x = memref.load {source}[%j] : {BUFFER}",
                "    %y = arith.addf %x, %f : f32",
                f"    memref.store %y, {target}[%j] : {BUFFER}",
                "  }"]
    return "".join(function(
        f"@f{k}", f"%c: i1, %a: {BUFFER}, %i: index",
        ["  %c0 = arith.constant 0 : index",
         "  %c1 = arith.constant 1 : index",
         "  %c8 = arith.constant 8 : index",
         f"  %f = arith.constant {k}.0 : f32",
         f"  %0 = memref.alloc() : {BUFFER}",
         f"  %1 = memref.alloc() : {BUFFER}",
         *loop("%a", "%0"),
         f"  linalg.add ins(%0, %a : {BUFFER}, {BUFFER}) outs(%1 : {BUFFER})",
         f"  %2 = scf.if %c -> ({BUFFER}) {{",
         f"    %4 = memref.alloc() : {BUFFER}",
         f"    memref.copy %1, %4 : {BUFFER} to {BUFFER}",
         f"    scf.yield %4 : {BUFFER}",
         "  } else {",
         f"    scf.yield %1 : {BUFFER}",
         "  }",
         f"  %3 = memref.alloc() : {BUFFER}",
         *loop("%2", "%3"),
         "  cf.cond_br %c, ^bb1, ^bb2",
         "^bb1:",
         f"  memref.store %f, %3[%i] : {BUFFER}",
         "  cf.br ^bb2",
         "^bb2:",
         f"  memref.copy %3, %a : {BUFFER} to {BUFFER}",
         f"  return %3 : {BUFFER}"], BUFFER) for k in range(n))


def calls(n):
    """Private functions, each calling the one before."""
    text = ""
    for k in range(n):
        body = [f"  %0 = memref.alloc() : {BUFFER}",
                f"  memref.copy %a, %0 : {BUFFER} to {BUFFER}"]
        if k:
            body += [f"  %1 = func.call @f{k - 1}(%c, %0) : (i1, {BUFFER}) -> "
                     f"{BUFFER}",
                     f"  %2 = arith.select %c, %0, %1 : {BUFFER}"]
        body.append(f"  return %{2 if k else 0} : {BUFFER}")
        text += function(f"{'private ' if k < n - 1 else ''}@f{k}",
                         f"%c: i1, %a: {BUFFER}", body, BUFFER)
    return text


def tensors(n):
    """Functions on tensors of 16 lines each: a product, a step in a loop, a slice
    written, and a value that is read after it was written."""
    tensor, part = "tensor<64x64xf32>", "tensor<8x64xf32>"
    return "".join(function(
        f"@f{k}", f"%a: {tensor}, %b: {tensor}, %s: {part}, %i: index",
        ["  %c0 = arith.constant 0 : index",
         "  %c1 = arith.constant 1 : index",
         "  %c8 = arith.constant 8 : index",
         f"  %f = arith.constant {k}.0 : f32",
         f"  %0 = tensor.empty() : {tensor}",
         f"  %1 = linalg.fill ins(%f : f32) outs(%0 : {tensor}) -> {tensor}",
         f"  %2 = linalg.matmul ins(%a, %b : {tensor}, {tensor}) "
         f"outs(%1 : {tensor}) -> {tensor}",
         f"  %3 = scf.for %j = %c0 to %c8 step %c1 iter_args(%x = %2) -> "
         f"({tensor}) {{",
         f"    %6 = linalg.add ins(%x, %a : {tensor}, {tensor}) "
         f"outs(%x : {tensor}) -> {tensor}",
         f"    scf.yield %6 : {tensor}",
         "  }",
         f"  %4 = tensor.insert_slice %s into %3[%i, 0] [8, 64] [1, 1] : {part} "
         f"into {tensor}",
         f"  %5 = linalg.sub ins(%4, %3 : {tensor}, {tensor}) "
         f"outs(%0 : {tensor}) -> {tensor}",
         f"  return %5 : {tensor}"], tensor) for k in range(n))


def training(n, seed=SEED, inPlace=True):
    """One step of training as automatic differentiation writes it, of about so
    many allocations: layers forward with residuals from earlier ones, gradients
    backward, weights and velocities updated in place and returned; or new ones
    returned. External
    kernels return buffers that may be any. Ten allocations, one call, and one or
    two results a layer, about as in real ones."""
    chance = random.Random(seed)
    layers = max(n // 10, 1)
    body, types = [], {}

    def typeOf(name):
        return types.get(name, VIEW if name[1] in "wm" else MATRIX)

    def op(which, left, right, out):
        body.append(f"  {out} = memref.alloc() : {MATRIX}")
        body.append(f"  linalg.{which} ins({left}, {right} : {typeOf(left)}, "
                    f"{typeOf(right)}) outs({out} : {MATRIX})")
        return out

    outputs, results = ["%in"], []
    for k in range(layers):
        # Cast to the layout of the function's arguments.
        body += [f"  %c{k} = memref.cast {outputs[-1]} : {MATRIX} to {VIEW}",
                 f"  %p{k} = func.call @kernel(%c{k}, %w{k}) : ({VIEW}, {VIEW})"
                 f" -> {VIEW}"]
        types[f"%p{k}"] = VIEW
        mean = op("mul", f"%p{k}", f"%p{k}", f"%a{k}")
        normal = op("sub", f"%p{k}", mean, f"%b{k}")
        outputs.append(op("add", normal, chance.choice(outputs[-8:]),
                          f"%o{k}"))
    gradient = outputs[-1]
    for k in reversed(range(layers)):
        local = op("mul", gradient, outputs[k], f"%l{k}")
        normal = op("mul", local, f"%b{k}", f"%e{k}")
        mean = op("sub", normal, f"%a{k}", f"%f{k}")
        weight = op("matmul", mean, f"%w{k}", f"%g{k}")
        velocity = op("add", weight, f"%m{k}", f"%v{k}")
        updated = op("sub", f"%w{k}", velocity, f"%n{k}")
        if inPlace:
            body += [f"  memref.copy {velocity}, %m{k} : {MATRIX} to {VIEW}",
                     f"  memref.copy {updated}, %w{k} : {MATRIX} to {VIEW}"]
            updated, velocity = f"%w{k}", f"%m{k}"
        gradient = op("add", local, gradient, f"%d{k}")
        results += [updated, velocity] if k % 2 else [updated]
    returned = ", ".join([VIEW if inPlace else MATRIX] * len(results))
    body.append(f"  return {', '.join(results)} : {returned}")
    state = "".join(f", %w{k}: {VIEW}, %m{k}: {VIEW}" for k in range(layers))
    return (f"func.func private @kernel({VIEW}, {VIEW}) -> {VIEW}\n" +
            function("@step", f"%in: {MATRIX}{state}", body,
                     f"({returned})"))


def trainingReturned(n):
    return training(n, inPlace=False)


FAMILIES = {
    "plain": plain, "chain": chain, "external": external,
    "diamonds": diamonds, "ladder": ladder, "nest if": nestIf,
    "nest for": nestFor, "functions": functions, "calls": calls,
    "training": training, "training returned": trainingReturned,
}

if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in FAMILIES:
        sys.exit(f"programs.py FAMILY SIZE; families: {', '.join(FAMILIES)}")
    sys.stdout.write(FAMILIES[sys.argv[1]](int(sys.argv[2])))
