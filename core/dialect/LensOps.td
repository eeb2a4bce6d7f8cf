//===- core/dialect/LensOps.td - the dialect `lens` -----------------------===//
//
// What the aliasing proposal for memref describes and MLIR 22 does not have:
// domains as regions, scopes on loads and stores, and distinct objects with a
// region.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_DIALECT_LENSOPS
#define MEMREFLENS_DIALECT_LENSOPS

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def LensDialect : Dialect {
  let name = "lens";
  let cppNamespace = "::memreflens::dialect";
  let summary = "which memory accesses cannot touch the same memory";
  let description = [{
    Facts about aliasing that the writer of a program knows and no analysis can
    find. All of them can be dropped at any time: a program without them means
    the same, and only fewer optimizations are possible.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
}

//===--- Attributes -------------------------------------------------------===//

def AliasScopeAttr : AttrDef<LensDialect, "AliasScope"> {
  let mnemonic = "alias_scope";
  let summary = "a set of memory accesses, by name";
  let description = [{
    `#lens.alias_scope<id = distinct[0]<>, description = "input">`. Two scopes
    are the same if their ids are; the description is for people.
  }];
  let parameters = (ins "::mlir::DistinctAttr":$id,
                        OptionalParameter<"::mlir::StringAttr">:$description);
  let assemblyFormat = "`<` struct(params) `>`";
}

def AliasingAttr : AttrDef<LensDialect, "Aliasing"> {
  let mnemonic = "aliasing";
  let summary = "scopes of a memory access, and those that it cannot touch";
  let description = [{
    `lens.alias` of an op that accesses memory, inside of a domain. The op is in
    all of `alias_scopes`; it touches no memory that an op touches whose scopes
    are all in `noalias`.
  }];
  let parameters = (ins OptionalParameter<"::mlir::ArrayAttr">:$alias_scopes,
                        OptionalParameter<"::mlir::ArrayAttr">:$noalias);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

//===--- Operations -------------------------------------------------------===//

class LensOp<string mnemonic, list<Trait> traits = []>
    : Op<LensDialect, mnemonic, traits>;

def AliasDomainScopeOp : LensOp<"alias_domain_scope",
    [RecursiveMemoryEffects, NoRegionArguments,
     SingleBlockImplicitTerminator<"DomainReturnOp">,
     DeclareOpInterfaceMethods<RegionBranchOpInterface>]> {
  let summary = "a domain of alias scopes";
  let description = [{
    Runs its region once. The scopes on ops inside of it (`lens.alias`) speak of
    each other only; what they say holds for one run of the region. Inlining
    clones the op, and with it the domain: two copies say nothing of each other.
    Of nested domains only the innermost around an op counts.

    ```mlir
    %value = lens.alias_domain_scope "copy" -> f32 {
      %a = memref.load %from[%i] {lens.alias = #lens.aliasing<
        alias_scopes = [#from], noalias = [#to]>} : memref<?xf32>
      memref.store %a, %to[%i] {lens.alias = #lens.aliasing<
        alias_scopes = [#to], noalias = [#from]>} : memref<?xf32>
      lens.alias_domain_scope.return %a : f32
    }
    ```
  }];
  let arguments = (ins OptionalAttr<StrAttr>:$description);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    ($description^)? attr-dict-with-keyword (`->` type($results)^)? $body
  }];
  let hasVerifier = 1;
}

def DomainReturnOp : LensOp<"alias_domain_scope.return",
    [Pure, ReturnLike, Terminator, HasParent<"AliasDomainScopeOp">]> {
  let summary = "ends a domain";
  let arguments = (ins Variadic<AnyType>:$operands);
  let builders = [OpBuilder<(ins), [{ /* nothing returned */ }]>];
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

def DistinctObjectsOp : LensOp<"distinct_objects",
    [RecursiveMemoryEffects, SingleBlockImplicitTerminator<"YieldOp">,
     DeclareOpInterfaceMethods<RegionBranchOpInterface,
                               ["getEntrySuccessorOperands"]>]> {
  let summary = "memrefs that do not overlap inside of a region";
  let description = [{
    Runs its region once, with an argument for each of the objects. Inside, no
    memory is reached through two of the arguments, nor through one of them and
    one of the others (`none_are`), nor through views of them. Replacing the
    arguments by the objects is always right; only the fact is lost.

    ```mlir
    lens.distinct_objects(%a, %b : memref<?xf32>, memref<?xf32>)
        none_are(%c : memref<?xf32>) {
    ^bb0(%x: memref<?xf32>, %y: memref<?xf32>):
      ...
    }
    ```

    Values of other types may be passed too; nothing is said of them. So passes
    that hand values to regions, such as ownership indicators, can append them:
    therefore the others come first among the operands.
  }];
  let arguments = (ins Variadic<AnyType>:$inputs,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$othersCount);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::OperandRange getOthers() {
      return getInputs().take_front(getOthersCount());
    }
    ::mlir::OperandRange getObjects() {
      return getInputs().drop_front(getOthersCount());
    }
  }];
}

def YieldOp : LensOp<"yield",
    [Pure, ReturnLike, Terminator, HasParent<"DistinctObjectsOp">]> {
  let summary = "ends the region of distinct objects";
  let arguments = (ins Variadic<AnyType>:$operands);
  let builders = [OpBuilder<(ins), [{ /* nothing returned */ }]>];
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

#endif // MEMREFLENS_DIALECT_LENSOPS
