//===- passes/LensPasses.h - our deallocation in your compiler ------------===//
//
// A drop-in for upstream's buffer-deallocation-pipeline: the same IR where
// upstream's is right, in time that grows with the program, and without the
// reads of freed memory of that (docs/passes.md).
//
//   memreflens::buildLensBufferDeallocationPipeline(pm);
//
// or, in a compiler that has been built already:
//
//   mlir-opt --load-pass-plugin=libMemrefLensPasses.so
//            --pass-pipeline='builtin.module(lens-buffer-deallocation-pipeline)'
//
// Nothing is recorded; no files, no processes, no globals.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PASSES_LENSPASSES_H
#define MEMREFLENS_PASSES_LENSPASSES_H

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassOptions.h"

#include <memory>
#include <string>
#include <vector>

namespace memreflens {

/// As data; the defaults give upstream's IR.
struct LensDeallocationOptions {
  /// Upstream's: private functions return ownership indicators beside memrefs.
  bool privateFunctionDynamicOwnership = false;
  /// Uses what memref.distinct_objects states.
  bool refineDistinctObjects = false;
  /// External functions, without `@`, whose memref results are buffers that
  /// nothing else points to; `*` stands for any letters. On a declaration,
  /// {memref_lens.fresh_results} says the same.
  std::vector<std::string> freshResults;
  /// External functions, named as above, that keep no pointer to what they are
  /// passed; {memref_lens.no_capture} says the same.
  std::vector<std::string> noCapture;
  /// Deallocates right after the last use, where that is proven to be the last:
  /// appends the pass below to the pipeline.
  bool freeAfterLastUse = false;
  /// Leaves out each dealloc that never deallocates anything, as in loops that
  /// carry buffers which they do not own: the pass below, in front of the
  /// lowering.
  bool dropIdleDeallocs = false;
  /// Remarks, as diagnostics, on clones, run-time alias checks and conditional
  /// deallocs.
  bool remarks = false;
};

/// `lens-ownership-based-buffer-deallocation`: on any op; each func.func in it.
/// Fails where upstream's pass does, with its message, and with what would help
/// as notes.
std::unique_ptr<mlir::Pass> createLensOwnershipBasedBufferDeallocationPass(
    const LensDeallocationOptions &options = {});

/// `lens-buffer-deallocation-simplification`: on any op that is isolated from
/// above.
std::unique_ptr<mlir::Pass> createLensBufferDeallocationSimplificationPass(
    const LensDeallocationOptions &options = {});

/// `lens-optimize-allocation-liveness`: on any op; moves each memref.dealloc up
/// to the last use of its buffer, and leaves it where that cannot be proven.
/// It looks into functions below the op that it runs on, and no others.
std::unique_ptr<mlir::Pass> createLensOptimizeAllocationLivenessPass(
    const LensDeallocationOptions &options = {});

/// `lens-external-results-to-out-params`: on a module; external functions get
/// buffers that their callers allocate, in place of returning buffers that may
/// alias anything. `functions`, without `@`, are those to change (`*` stands
/// for any letters); empty: all. One whose results cannot be allocated is left
/// as it is, with a remark.
std::unique_ptr<mlir::Pass> createLensExternalResultsToOutParamsPass(
    std::vector<std::string> functions = {});

/// `lens-idle-deallocs`: on any op, between the simplification and the lowering
/// of deallocs; leaves out each bufferization.dealloc whose conditions are
/// always false, or whose memrefs are all retained, and from others what is
/// never owned; makes constants of indicators that go round in loops and never
/// change. Where it removes any, it canonicalizes and simplifies what is left;
/// else the IR stays.
std::unique_ptr<mlir::Pass> createLensIdleDeallocsPass();

/// `lens-fill-constants`: on any op, in front of one-shot-bufferize; an op that
/// writes into a constant all of whose elements are equal writes into a
/// tensor.empty that linalg.fill filled, so that no constant is copied. Of a
/// call, it counts what ops of the called function write.
std::unique_ptr<mlir::Pass> createLensFillConstantsPass();

/// `lens-reads-first`: on any op, before one-shot-bufferize; ops without
/// effects that only read a tensor move before the first op of their block that
/// may write it, with what they need, so that it is written in place.
std::unique_ptr<mlir::Pass> createLensReadsFirstPass();

/// `lens-yield-in-place`: on any op, before one-shot-bufferize; scf.for puts a
/// tensor of static shape that it yields into the argument that it is yielded
/// for, so that it carries one buffer.
std::unique_ptr<mlir::Pass> createLensYieldInPlacePass();

/// `lens-writable-arguments`: on a module, before one-shot-bufferize; takes
/// `bufferization.writable = false` from arguments of private functions that
/// are only called, so that callers copy where they still read what they pass.
std::unique_ptr<mlir::Pass> createLensWritableArgumentsPass();

/// `lens-unroll-crossed`: on any op, before one-shot-bufferize; scf.for in
/// which two tensors change places does two steps in one iteration, so that
/// both keep their buffers. A last step, where their number is not even, is an
/// scf.if behind the loop.
std::unique_ptr<mlir::Pass> createLensUnrollCrossedPass();

/// `lens-slice-from-destination`: on any op, before one-shot-bufferize; a slice
/// that is put back into a later value of its tensor is taken from that value,
/// where only other parts were written between the two.
std::unique_ptr<mlir::Pass> createLensSliceFromDestinationPass();

/// `lens-destination-arguments`: on a module, before one-shot-bufferize; a
/// private function that is only called gets as an argument the place into
/// which a caller puts a new tensor of static shape that it returns, and
/// computes it there. Callers that put it nowhere pass a tensor.empty.
std::unique_ptr<mlir::Pass> createLensDestinationArgumentsPass();

/// `lens-read-only-buffers`: on any op, before one-shot-bufferize;
/// bufferization.to_buffer gets `read_only` where its memref, and all views of
/// it, are only read, and nothing behind it writes the tensor's buffer, so that
/// it counts as no write of the tensor.
std::unique_ptr<mlir::Pass> createLensReadOnlyBuffersPass();

/// `lens-copy-shared`: on a module, in front of one-shot-bufferize with
/// function boundaries; copies a tensor that a function returns, or a loop
/// yields, in the buffer of another, where one-shot-bufferize would overwrite
/// one of the two while the other is still to be read. Decided as by the
/// pass's default options.
std::unique_ptr<mlir::Pass> createLensCopySharedPass();

/// `lens-one-shot-bufferize`: on a module; `options` are those of
/// one-shot-bufferize, as they are written in braces. The same IR; where many
/// ops write one buffer in place, in much less time. Upstream's pass runs, and
/// has to be registered, where functions are recursive or rejected, or options
/// ask for another order of decisions, for no function boundaries or for
/// printing.
std::unique_ptr<mlir::Pass>
createLensOneShotBufferizePass(std::string options = "");

/// `lens-buffer-deallocation-pipeline`: upstream's eight passes, two of them
/// ours.
void buildLensBufferDeallocationPipeline(
    mlir::OpPassManager &manager, const LensDeallocationOptions &options = {});

/// By their names, for textual pipelines; nothing if they are known already.
void registerLensPasses();

} // namespace memreflens

#endif // MEMREFLENS_PASSES_LENSPASSES_H
