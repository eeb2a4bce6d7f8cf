//===- core/pipeline/record/Recorder.h - from live IR to ids and events ---===//
//
// The only door through which passes write into a trace. It knows which trace
// op a live op is (by its location's tag), which value and block, and gives ids
// and names by role to what a stage generates. Events are appended as they
// happen.
//
// A silent one lets the same passes run without a trace.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_RECORD_RECORDER_H
#define MEMREFLENS_PIPELINE_RECORD_RECORDER_H

#include "core/pipeline/record/Lattice.h"
#include "core/pipeline/record/TracePart.h"
#include "core/pipeline/record/UniqueNames.h"
#include "core/source/TypeTexts.h"
#include "core/trace/Model.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <memory>

namespace memreflens {

class Recorder {
public:
  explicit Recorder(trace::Trace &trace) : trace(trace) {}
  /// Records nothing, and changes no location: every id is `none`. For passes
  /// in somebody's own compiler, which pay for no trace.
  Recorder() : own(std::make_unique<trace::Trace>()), trace(*own) {}
  bool isSilent() const { return own != nullptr; }

  trace::Trace &getTrace() { return trace; }

  //===--- Where we are ---===//
  void beginChunk(trace::Id chunk, mlir::Operation *module,
                  PartStart start = {});
  void beginStage(int number);
  /// `op` is a function of the chunk, or null between functions.
  void enterFunction(mlir::Operation *function);
  /// The records of the chunk, as they are now.
  TracePart getPart() const { return {trace, root, start}; }
  int getStage() const { return stage; }
  trace::Id getFunction() const { return function; }

  //===--- Ids ---===//
  /// Id of a tagged op; an untagged one is taken as generated and tagged.
  trace::Id idOf(mlir::Operation *op);
  trace::Id idOf(mlir::Value value);
  trace::Id idOf(mlir::Block *block);
  /// Id if it has one already; `none` otherwise. Changes nothing.
  trace::Id findId(mlir::Operation *op) const;
  trace::Id findId(mlir::Block *block) const {
    return blocks.lookup_or(block, trace::none);
  }
  std::vector<trace::Id> idsOf(mlir::ValueRange values);
  /// The function of the chunk that holds `op`; `none` if none does.
  trace::Id functionOf(mlir::Operation *op) const;

  /// `op` was generated just now; it takes the place (location) of whatever it
  /// was made for. `role` names its results ("own", "clone"), for `standsFor`.
  trace::Id generated(mlir::Operation *op, llvm::StringRef role = {},
                      mlir::Value standsFor = {});
  /// Names a generated result or block argument by role.
  trace::Id nameByRole(mlir::Value value, llvm::StringRef role,
                       mlir::Value standsFor = {});
  /// Tags the ops below `root` that a stage generated without telling, and
  /// those that carry another op's tag.
  void adopt(mlir::Operation *root);
  void forget(mlir::Block *block) { blocks.erase(block); }
  /// `block` is one that is known by `id`, in a new place.
  void place(mlir::Block *block, trace::Id id) { blocks[block] = id; }
  /// What happens inside `function` from now on is not recorded (a stand-in for
  /// one that was set aside).
  void ignore(mlir::Operation *function) { ignored.insert(function); }
  /// The stand-in is gone.
  void unignore(mlir::Operation *function) { ignored.erase(function); }
  bool isIgnored(mlir::Operation *op) const;
  /// `newValue` took the place of `oldValue`: it goes by the same name.
  void inheritName(mlir::Value oldValue, mlir::Value newValue);
  void inheritName(trace::Id oldValue, mlir::Value newValue);

  //===--- Events ---===//
  trace::Ownership toTrace(const OwnershipValue &ownership);
  /// Appends an event at the current stage; ids default to the current ones.
  trace::Event &add(mlir::Operation *op, mlir::Block *block, mlir::Value value,
                    decltype(trace::Event::detail) detail);
  trace::Id nextEvent() const { return trace::Id(trace.events.size()); }
  trace::Id nextDealloc() { return deallocs++; }
  /// Number of the first dealloc of the part after this one.
  trace::Id endOfDeallocs() const { return deallocs; }

private:
  void noteBlock(mlir::Operation *op, trace::Id id);
  trace::Id newOp(mlir::Operation *op, trace::Id origin);
  trace::Id predecessorOf(mlir::Block *block,
                          const llvm::DenseSet<trace::Id> &there) const;
  /// The user's argument that the user's ops used where they use this value
  /// now, if there is one for all of them, and `is` holds for it; else `none`.
  trace::Id argumentBefore(mlir::Value value,
                           llvm::function_ref<bool(const trace::Value &)> is);
  /// That of a block that is gone, in whose place this argument is.
  trace::Id predecessorOf(mlir::BlockArgument argument,
                          const llvm::DenseSet<trace::Id> &there);
  /// That of a block that is gone, where this is an `arith.select`:
  /// canonicalize makes one of two edges that hand on different values.
  trace::Id argumentMergedInto(mlir::Value value,
                               const llvm::DenseSet<trace::Id> &there);
  trace::Id newValue(mlir::Value value, llvm::StringRef role,
                     trace::Id standsFor);

  /// Of one that is silent: stays empty.
  std::unique_ptr<trace::Trace> own;
  trace::Trace &trace;
  /// What a silent one gives to fill in.
  trace::Event unheard;
  trace::Id chunk = trace::none;
  /// The chunk's module op.
  trace::Id root = trace::none;
  PartStart start;
  trace::Id function = trace::none;
  int stage = 0;
  trace::Id deallocs = 0;
  llvm::DenseMap<mlir::Block *, trace::Id> blocks;
  llvm::DenseMap<trace::Id, trace::Id> functionOfOp;
  llvm::DenseSet<mlir::Operation *> ignored;
  UniqueNames names{trace};
  TypeTexts typeTexts;
};

/// All ranges of `mlir` in names: `%a#1` gives "a_1".
std::string roleBase(llvm::StringRef name);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_RECORD_RECORDER_H
