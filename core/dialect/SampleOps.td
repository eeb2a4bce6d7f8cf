//===- core/dialect/SampleOps.td - the dialect `sample` -------------------===//
//
// Control flow that no dialect of MLIR has and that the samples need, to show
// that what the pipelines do follows from an op's interfaces alone.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_DIALECT_SAMPLEOPS
#define MEMREFLENS_DIALECT_SAMPLEOPS

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def SampleDialect : Dialect {
  let name = "sample";
  let cppNamespace = "::memreflens::dialect";
  let summary = "ops of the samples";
}

class SampleOp<string mnemonic, list<Trait> traits = []>
    : Op<SampleDialect, mnemonic, traits>;

def RegionIfOp : SampleOp<"region_if",
    [RecursiveMemoryEffects,
     DeclareOpInterfaceMethods<RegionBranchOpInterface,
                               ["getEntrySuccessorOperands",
                                "getRegionInvocationBounds"]>]> {
  let summary = "a branch whose two sides meet in a third region";
  let description = [{
    Hands its operands to the region `then` or to the region `else`, by the
    condition. What that one yields goes to the region `join`, and what `join`
    yields are the results.

    ```mlir
    %r = sample.region_if %c (%a : memref<?xf32>) -> memref<?xf32>
    then(%x: memref<?xf32>) {
      sample.yield %x : memref<?xf32>
    } else(%y: memref<?xf32>) {
      sample.yield %y : memref<?xf32>
    } join(%z: memref<?xf32>) {
      sample.yield %z : memref<?xf32>
    }
    ```
  }];
  // The condition first: passes append what they add to the others.
  let arguments = (ins I1:$condition, Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$thenRegion, SizedRegion<1>:$elseRegion,
                        SizedRegion<1>:$joinRegion);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def RegionYieldOp : SampleOp<"yield",
    [Pure, ReturnLike, Terminator, HasParent<"RegionIfOp">]> {
  let summary = "ends a region of sample.region_if";
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

#endif // MEMREFLENS_DIALECT_SAMPLEOPS
