"""One program for each op of which the answer is held against mlir-opt.

PROGRAMS: (op, text). The pass alone runs on the text; the op is the only one in
it that may be refused.
"""

M = "memref<4xf32>"


def body(lines, arguments="%m: memref<4xf32>, %n: memref<4xf32>, %c: i1, "
         "%i: index, %f: f32", results="", end="return"):
    return (f"func.func @f({arguments}){' -> ' + results if results else ''} "
            f"{{\n{lines}\n{end}\n}}\n")


PROGRAMS = [
    # scf
    ("scf.if", body(f"""%r = scf.if %c -> {M} {{ scf.yield %m : {M} }}
        else {{ %a = memref.alloc() : {M} scf.yield %a : {M} }}
        memref.store %f, %r[%i] : {M}""")),
    ("scf.yield", body(f"""%r = scf.if %c -> {M} {{ scf.yield %m : {M} }}
        else {{ scf.yield %n : {M} }}""")),
    ("scf.if", body("scf.if %c { scf.yield }")),
    ("scf.for", body(f"""%r = scf.for %k = %i to %i step %i
        iter_args(%a = %m) -> ({M}) {{
          %b = memref.alloc() : {M}
          scf.yield %b : {M} }}""")),
    ("scf.for", body("""%r:2 = scf.for %k = %i to %i step %i
        iter_args(%a = %m, %b = %n) -> (memref<4xf32>, memref<4xf32>) {
          scf.yield %b, %a : memref<4xf32>, memref<4xf32> }""")),
    ("scf.while", body(f"""%r = scf.while (%a = %m) : ({M}) -> {M} {{
          scf.condition(%c) %a : {M}
        }} do {{ ^bb0(%a: {M}): scf.yield %a : {M} }}""")),
    ("scf.condition", body(f"""%r:2 = scf.while (%a = %m) : ({M}) -> ({M}, {M}) {{
          scf.condition(%c) %a, %n : {M}, {M}
        }} do {{ ^bb0(%a: {M}, %b: {M}): scf.yield %b : {M} }}""")),
    ("scf.forall", body(f"""scf.forall (%k) in (4) {{
          memref.store %f, %m[%k] : {M} }}""")),
    ("scf.forall.in_parallel", body(f"""scf.forall (%k) in (4) {{
          %a = memref.alloc() : {M}
          memref.store %f, %a[%k] : {M} }}""")),
    ("scf.parallel", body(f"""scf.parallel (%k) = (%i) to (%i) step (%i) {{
          memref.store %f, %m[%k] : {M} }}""")),
    ("scf.reduce", body("""%r = scf.parallel (%k) = (%i) to (%i) step (%i)
          init (%f) -> f32 {
            scf.reduce(%f : f32) {
            ^bb0(%x: f32, %y: f32):
              %s = arith.addf %x, %y : f32
              scf.reduce.return %s : f32 } }""")),
    ("scf.reduce.return", body("""%r = scf.parallel (%k) = (%i) to (%i)
          step (%i) init (%m) -> memref<4xf32> {
            scf.reduce(%n : memref<4xf32>) {
            ^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
              scf.reduce.return %x : memref<4xf32> } }""")),
    ("scf.execute_region", body(f"""%r = scf.execute_region -> {M} {{
          %a = memref.alloc() : {M}
          scf.yield %a : {M} }}""")),
    ("scf.index_switch", body(f"""%r = scf.index_switch %i -> {M}
        case 1 {{ scf.yield %m : {M} }}
        default {{ scf.yield %n : {M} }}""")),
    # cf
    ("cf.br", body(f"""cf.br ^b(%m : {M})
        ^b(%a: {M}):""")),
    ("cf.br", body("cf.br ^b\n^b:")),
    ("cf.cond_br", body(f"""cf.cond_br %c, ^b(%m : {M}), ^b(%n : {M})
        ^b(%a: {M}):""")),
    ("cf.cond_br", body(f"""cf.cond_br %c, ^a, ^b(%n, %m : {M}, {M})
        ^a: return
        ^b(%x: {M}, %y: {M}):""")),
    ("cf.switch", body(f"""%s = arith.index_cast %i : index to i32
        cf.switch %s : i32, [ default: ^b(%m : {M}), 1: ^b(%n : {M}) ]
        ^b(%a: {M}):""")),
    ("cf.switch", body("""%s = arith.index_cast %i : index to i32
        cf.switch %s : i32, [ default: ^a, 1: ^b ]
        ^a: return
        ^b:""")),
    ("cf.switch", body("""%s = arith.index_cast %i : index to i32
        cf.switch %s : i32, [ default: ^b ]
        ^b:""")),
    ("cf.assert", body('cf.assert %c, "x"')),
    # func
    ("func.call", body(f"%r = call @g(%m) : ({M}) -> {M}")
     + f"func.func private @g({M}) -> {M}\n"),
    ("func.call_indirect", body(f"""%g = func.constant @g : ({M}) -> {M}
        %r = call_indirect %g(%m) : ({M}) -> {M}""")
     + f"func.func private @g({M}) -> {M}\n"),
    ("func.constant", body(f"%g = func.constant @g : ({M}) -> {M}")
     + f"func.func private @g({M}) -> {M}\n"),
    ("func.return", body("", results=M, end=f"return %m : {M}")),
    ("func.return", body(f"%a = memref.alloc() : {M}", results=M,
                         end=f"return %a : {M}")),
    ("func.func", body(f"""cf.cond_br %c, ^b(%m : {M}), ^b(%n : {M})
        ^b(%a: {M}):""")),
    # memref
    ("memref.alloc", body(f"%a = memref.alloc() : {M}")),
    ("memref.alloc", body("%a = memref.alloc() "
                          "{bufferization.manual_deallocation} : " + M)),
    ("memref.alloca", body(f"%a = memref.alloca() : {M}")),
    ("memref.dealloc", body(f"memref.dealloc %m : {M}")),
    ("memref.dealloc", body(f"""%a = memref.alloc()
          {{bufferization.manual_deallocation}} : {M}
        memref.dealloc %a {{bufferization.manual_deallocation}} : {M}""")),
    ("memref.realloc", body("""%a = memref.realloc %d : memref<?xf32> to
        memref<8xf32>""", arguments="%d: memref<?xf32>")),
    ("memref.load", body(f"%a = memref.load %m[%i] : {M}")),
    ("memref.store", body(f"memref.store %f, %m[%i] : {M}")),
    ("memref.copy", body(f"memref.copy %m, %n : {M} to {M}")),
    ("memref.cast", body(f"%a = memref.cast %m : {M} to memref<?xf32>")),
    ("memref.subview", body(f"""%a = memref.subview %m[0] [2] [1] : {M} to
        memref<2xf32, strided<[1]>>""")),
    ("memref.view", body("""%a = memref.view %d[%i][] : memref<64xi8> to
        memref<4xf32>""", arguments="%d: memref<64xi8>, %i: index")),
    ("memref.reinterpret_cast", body(f"""%a = memref.reinterpret_cast %m to
        offset: [0], sizes: [2], strides: [1] : {M} to
        memref<2xf32, strided<[1]>>""")),
    ("memref.collapse_shape", body("""%a = memref.collapse_shape %d [[0, 1]] :
        memref<2x2xf32> into memref<4xf32>""", arguments="%d: memref<2x2xf32>")),
    ("memref.extract_strided_metadata", body(
        f"""%b, %o, %s, %t = memref.extract_strided_metadata %m : {M} ->
        memref<f32>, index, index, index""")),
    ("memref.dim", body(f"%a = memref.dim %m, %i : {M}")),
    ("memref.get_global", body(f"%a = memref.get_global @g : {M}")
     + f'memref.global "private" @g : {M}\n'),
    ("memref.assume_alignment", body(
        f"%a = memref.assume_alignment %m, 16 : {M}")),
    ("memref.distinct_objects", body(
        f"%a, %b = memref.distinct_objects %m, %n : {M}, {M}")),
    ("memref.atomic_rmw", body(
        f"%a = memref.atomic_rmw addf %f, %m[%i] : (f32, {M}) -> f32")),
    ("memref.generic_atomic_rmw", body(
        f"""%a = memref.generic_atomic_rmw %m[%i] : {M} {{
        ^bb0(%x: f32):
          memref.atomic_yield %x : f32 }}""")),
    ("memref.alloca_scope", body(f"""memref.alloca_scope {{
          %a = memref.alloca() : {M}
          memref.alloca_scope.return }}""")),
    ("memref.alloca_scope", body(f"""%r = memref.alloca_scope -> ({M}) {{
          memref.alloca_scope.return %m : {M} }}""")),
    ("memref.prefetch", body(
        f"memref.prefetch %m[%i], read, locality<3>, data : {M}")),
    ("memref.transpose", body("""%a = memref.transpose %d (i, j) -> (j, i) :
        memref<2x3xf32> to memref<3x2xf32, strided<[1, 3]>>""",
                              arguments="%d: memref<2x3xf32>")),
    # bufferization
    ("bufferization.clone", body(f"%a = bufferization.clone %m : {M} to {M}")),
    ("bufferization.dealloc", body(
        f"bufferization.dealloc (%m : {M}) if (%c)")),
    ("bufferization.to_tensor", body(
        f"%a = bufferization.to_tensor %m : {M} to tensor<4xf32>")),
    ("bufferization.to_buffer", body(
        f"%a = bufferization.to_buffer %t : tensor<4xf32> to {M}",
        arguments="%t: tensor<4xf32>")),
    ("bufferization.alloc_tensor", body(
        "%a = bufferization.alloc_tensor() : tensor<4xf32>")),
    ("bufferization.materialize_in_destination", body(
        f"""bufferization.materialize_in_destination %t in writable %m :
        (tensor<4xf32>, {M}) -> ()""",
        arguments=f"%t: tensor<4xf32>, %m: {M}")),
    # arith, linalg, vector, math
    ("arith.select", body(f"%a = arith.select %c, %m, %n : {M}")),
    ("arith.select", body("%a = arith.select %c, %i, %i : index")),
    ("arith.addf", body("%a = arith.addf %f, %f : f32")),
    ("arith.constant", body("%a = arith.constant 1 : i32")),
    ("linalg.generic", body(f"""linalg.generic
        {{indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
          iterator_types = ["parallel"]}} ins(%m : {M}) outs(%n : {M}) {{
          ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 }}""")),
    ("linalg.fill", body(f"linalg.fill ins(%f : f32) outs(%m : {M})")),
    ("linalg.yield", body(f"""linalg.generic
        {{indexing_maps = [affine_map<(d0) -> (d0)>],
          iterator_types = ["parallel"]}} outs(%n : {M}) {{
          ^bb0(%y: f32): linalg.yield %y : f32 }}""")),
    ("vector.transfer_read", body(f"""%a = vector.transfer_read %m[%i], %f : {M},
        vector<4xf32>""")),
    ("vector.print", body("vector.print %f : f32")),
    # affine
    ("affine.for", body(f"""affine.for %k = 0 to 4 {{
          affine.store %f, %m[%k] : {M} }}""")),
    ("affine.for", body(f"""%r = affine.for %k = 0 to 4
          iter_args(%a = %m) -> ({M}) {{ affine.yield %a : {M} }}""")),
    ("affine.if", body(f"""affine.if affine_set<(d0) : (d0 >= 0)>(%i) {{
          affine.store %f, %m[0] : {M} }}""",
                       arguments=f"%m: {M}, %f: f32").replace("(%i)", "(%z)")
     .replace("{\naffine.if", "{\n%z = arith.constant 0 : index\naffine.if")),
    ("affine.parallel", body(f"""affine.parallel (%k) = (0) to (4) {{
          affine.store %f, %m[%k] : {M} }}""")),
    ("affine.load", body(f"%a = affine.load %m[0] : {M}")),
    ("affine.prefetch", body(
        f"affine.prefetch %m[0], read, locality<3>, data : {M}")),
    # gpu, async
    ("gpu.alloc", body(f"%a = gpu.alloc () : {M}")),
    ("gpu.dealloc", body(f"gpu.dealloc %m : {M}")),
    ("gpu.memcpy", body(f"gpu.memcpy %m, %n : {M}, {M}")),
    ("gpu.wait", body("gpu.wait")),
    ("gpu.barrier", body("gpu.barrier")),
    ("gpu.launch", body(f"""gpu.launch blocks(%a, %b, %d) in
          (%p = %i, %q = %i, %r = %i) threads(%x, %y, %z) in
          (%s = %i, %t = %i, %u = %i) {{
          memref.store %f, %m[%a] : {M}
          gpu.terminator }}""")),
    ("gpu.terminator", body(f"""gpu.launch blocks(%a, %b, %d) in
          (%p = %i, %q = %i, %r = %i) threads(%x, %y, %z) in
          (%s = %i, %t = %i, %u = %i) {{
          %l = memref.alloc() : {M}
          memref.store %f, %l[%a] : {M}
          gpu.terminator }}""")),
    ("async.execute", body(f"""%t = async.execute {{
          memref.store %f, %m[%i] : {M}
          async.yield }}""")),
    ("async.await", body("""%t = async.execute { async.yield }
        async.await %t : !async.token""")),
    # omp, acc
    ("omp.parallel", body(f"""omp.parallel {{
          memref.store %f, %m[%i] : {M}
          omp.terminator }}""")),
    ("omp.barrier", body("omp.barrier")),
    ("acc.parallel", body(f"""acc.parallel {{
          memref.store %f, %m[%i] : {M}
          acc.yield }}""")),
    # others
    ("llvm.call", body(
        "llvm.call @g() : () -> ()", arguments="")
     + "llvm.func @g()\n"),
    ("llvm.unreachable", body("cf.cond_br %c, ^a, ^b\n^a: llvm.unreachable\n"
                              "^b:")),
    ("ub.unreachable", body("cf.cond_br %c, ^a, ^b\n^a: ub.unreachable\n^b:")),
    ("ub.poison", body(f"%a = ub.poison : {M}")),
    ("builtin.unrealized_conversion_cast", body(
        f"%a = builtin.unrealized_conversion_cast %m : {M} to memref<?xi8>")),
    ("shape.assuming", body(f"""%w = shape.const_witness true
        %r = shape.assuming %w -> ({M}) {{
          shape.assuming_yield %m : {M} }}""")),
    ("tensor.empty", body("%a = tensor.empty() : tensor<4xf32>")),
    ("emitc.call_opaque", body('emitc.call_opaque "f"() : () -> ()')),
    ("nvgpu.device_async_create_group", body(
        "%a = nvgpu.device_async_create_group")),
    ("amdgpu.lds_barrier", body("amdgpu.lds_barrier")),
    ("vector.mask", body(f"""%k = arith.constant dense<true> : vector<4xi1>
        %a = vector.mask %k {{ vector.transfer_read %m[%i], %f : {M},
        vector<4xf32> }} : vector<4xi1> -> vector<4xf32>""")),
]
