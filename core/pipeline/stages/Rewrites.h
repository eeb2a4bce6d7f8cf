//===- core/pipeline/stages/Rewrites.h ------------------------------------===//
//
// What canonicalize and simplify change.
//
// Turns the changes of a greedy rewrite stage into events: which pattern (or
// fold) replaced, inserted and erased what, which deallocs it touched, and the
// alias facts that it went by. Also keeps names and ids true while ops come and
// go.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_STAGES_REWRITES_H
#define MEMREFLENS_PIPELINE_STAGES_REWRITES_H

#include "core/pipeline/record/Recorder.h"
#include "core/pipeline/simplify/Simplify.h"

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace memreflens {

/// Numbers of deallocs (as DeallocEvent gives them), by the op that holds them
/// now. A dealloc made out of another one keeps its number.
using DeallocNumbers = llvm::DenseMap<trace::Id, trace::Id>;

class RewriteRecorder : public mlir::RewriterBase::Listener,
                        public SimplifyObserver {
public:
  RewriteRecorder(Recorder &recorder, DeallocNumbers &numbers)
      : recorder(recorder), numbers(numbers) {}

  /// Runs `rewrite`, which has this as its listener, and records what happens
  /// meanwhile.
  void record(llvm::function_ref<void()> rewrite);
  /// After the simplification: the facts that kept each remaining dealloc with
  /// several memrefs or retained values as it is.
  void recordKept(mlir::Operation *root);
  bool sawChange() const { return changed; }

  //===--- Listener ---===//
  void notifyOperationInserted(mlir::Operation *op,
                               mlir::OpBuilder::InsertPoint previous) override;
  void notifyOperationReplaced(mlir::Operation *op,
                               mlir::ValueRange replacement) override;
  void notifyOperationReplaced(mlir::Operation *op,
                               mlir::Operation *replacement) override;
  void notifyOperationErased(mlir::Operation *op) override;
  void notifyOperationModified(mlir::Operation *op) override;
  void notifyBlockErased(mlir::Block *block) override;
  void notifyPatternBegin(const mlir::Pattern &pattern,
                          mlir::Operation *op) override;
  void notifyPatternEnd(const mlir::Pattern &pattern,
                        mlir::LogicalResult status) override;

  //===--- SimplifyObserver ---===//
  void onAliasQuery(const AliasAnswer &answer) override;
  void onPatternBegin(const mlir::Pattern &pattern,
                      mlir::bufferization::DeallocOp op) override;
  void onPatternEnd(const mlir::Pattern &pattern, bool applied) override;

private:
  /// Changes since the group began.
  struct Group {
    std::vector<trace::Id> erased, inserted, replaced, replacements;
    std::vector<trace::Id> deallocs;
    std::vector<trace::AliasFact> facts;
    llvm::DenseSet<mlir::Operation *> insertedOps;
    trace::Id root = trace::none;
    trace::Id function = trace::none;
    bool touched = false;
  };
  void begin();
  void end(trace::RewriteKind kind, llvm::StringRef pattern);
  void touch();
  void noteRoot(mlir::Operation *op);
  void endAtFunction(mlir::Operation *op);
  void noteDealloc(trace::Id op);
  trace::AliasFact toFact(const AliasAnswer &answer);

  Recorder &recorder;
  DeallocNumbers &numbers;
  Group group;
  /// The op on which a pattern is tried; null outside of patterns.
  mlir::Operation *candidate = nullptr;
  bool changed = false;
  /// Unanswered questions by the dealloc op that they were asked for.
  trace::Id questioned = trace::none;
  /// That dealloc is of no function of the program: nothing of it is recorded.
  bool isOfStandIn = false;
  struct Unanswered {
    llvm::DenseSet<std::pair<trace::Id, trace::Id>> asked;
    std::vector<trace::AliasFact> facts;
  };
  llvm::DenseMap<trace::Id, Unanswered> unanswered;
};

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_STAGES_REWRITES_H
