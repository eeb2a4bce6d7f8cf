//===- LoomOps.td - the dialect `loom` ------------------------------------===//
//
// A dialect of somebody else's, with the four kinds of ops that ownership-based
// buffer deallocation treats apart: one that allocates, one with a region and
// its terminator, and one that says itself who owns its result.
//
//===----------------------------------------------------------------------===//

#ifndef LOOM_OPS
#define LOOM_OPS

include "mlir/Dialect/Bufferization/IR/BufferDeallocationOpInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def LoomDialect : Dialect {
  let name = "loom";
  let cppNamespace = "::loom";
  let summary = "buffers, a loop, and a cache of buffers";
  // LookupOp::materializeUniqueOwnershipForMemref makes an arith.constant.
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

class LoomOp<string mnemonic, list<Trait> traits = []>
    : Op<LoomDialect, mnemonic, traits>;

//===--- An op that allocates ---------------------------------------------===//

def AllocOp : LoomOp<"alloc"> {
  let summary = "a new buffer";
  let arguments = (ins Index:$size);
  // MemAlloc on the result is what makes the pass free it.
  let results = (outs Res<AnyMemRef, "the new buffer", [MemAlloc]>:$buffer);
  let assemblyFormat = "$size attr-dict `:` type($buffer)";
}

def FillOp : LoomOp<"fill"> {
  let summary = "writes one value to every element";
  // An op without results and without declared effects would be refused.
  let arguments = (ins AnyType:$value,
                       Arg<AnyMemRef, "what is written to", [MemWrite]>:$buffer);
  let assemblyFormat =
      "$value `,` $buffer attr-dict `:` type($value) `,` type($buffer)";
}

//===--- An op with a region, and its terminator --------------------------===//

// The broken variant (-DLOOM_BROKEN) lacks this one line; see README.md.
#ifdef LOOM_BROKEN
defvar controlFlowOfRepeat = []<Trait>;
#else
defvar controlFlowOfRepeat = [
    DeclareOpInterfaceMethods<RegionBranchOpInterface,
                              ["getEntrySuccessorOperands"]>]<Trait>;
#endif

def RepeatOp : LoomOp<"repeat",
    !listconcat([RecursiveMemoryEffects], controlFlowOfRepeat)> {
  let summary = "runs its body so many times, with values carried along";
  let description = [{
    ```mlir
    %last = loom.repeat %count (%first : memref<?xf32>) -> (memref<?xf32>) {
    ^body(%now: memref<?xf32>):
      loom.next %now : memref<?xf32>
    }
    ```
  }];
  // Variadic and last: the pass appends an i1 for each memref that is carried.
  let arguments = (ins Index:$count, Variadic<AnyType>:$inits);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $count (`(` $inits^ `:` type($inits) `)`)? (`->` `(` type($results)^ `)`)?
    $body attr-dict
  }];
}

// ReturnLike implements RegionBranchTerminatorOpInterface.
def NextOp : LoomOp<"next",
    [Pure, ReturnLike, Terminator, HasParent<"RepeatOp">]> {
  let summary = "ends one round of loom.repeat";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

//===--- An op that says itself who owns its result -----------------------===//

def LookupOp : LoomOp<"lookup",
    [MemoryEffects<[MemRead, MemWrite]>, BufferDeallocationOpInterface]> {
  let summary = "a buffer of the cache's; a fresh one where it has none";
  let description = [{
    A buffer of the cache's must not be freed, a fresh one must be. Only the
    program at run time knows which it is: `loom.is_fresh` asks.
  }];
  let arguments = (ins Index:$key);
  let results = (outs AnyMemRef:$buffer);
  let assemblyFormat = "$key attr-dict `:` type($buffer)";
  // By hand: what DeclareOpInterfaceMethods writes for this interface of MLIR
  // 22 names types without their namespaces, and only compiles inside of MLIR.
  let extraClassDeclaration = [{
    ::mlir::FailureOr<::mlir::Operation *>
    process(::mlir::bufferization::DeallocationState &state,
            const ::mlir::bufferization::DeallocationOptions &options);
    std::pair<::mlir::Value, ::mlir::Value>
    materializeUniqueOwnershipForMemref(
        ::mlir::bufferization::DeallocationState &state,
        const ::mlir::bufferization::DeallocationOptions &options,
        ::mlir::OpBuilder &builder, ::mlir::Value memref);
  }];
}

def IsFreshOp : LoomOp<"is_fresh", [MemoryEffects<[MemRead]>]> {
  let summary = "whether a looked-up buffer is not the cache's";
  let arguments = (ins AnyMemRef:$buffer);
  let results = (outs I1:$fresh);
  let assemblyFormat = "$buffer attr-dict `:` type($buffer)";
}

def DetachOp : LoomOp<"detach", [AllTypesMatch<["source", "buffer"]>]> {
  let summary = "a copy of a looked-up buffer, made by the cache";
  let arguments = (ins Arg<AnyMemRef, "the buffer", [MemRead]>:$source);
  let results = (outs Res<AnyMemRef, "the copy",
                          [MemAlloc, MemWrite]>:$buffer);
  let assemblyFormat = "$source attr-dict `:` type($source)";
}

#endif // LOOM_OPS
