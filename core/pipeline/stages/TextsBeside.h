//===- core/pipeline/stages/TextsBeside.h - texts made beside the stages --===//
//
// MLIR takes longer to print a large function than most passes to change it.
// Copies of the module are printed on a thread of their own, one after the
// other, while the next stages run; who waits for the last ones prints, too.
//
//   TextsBeside texts(context);
//   texts.add(module, false, names, Named::no, stage); // the next one can run
//   std::vector<trace::Stage> stages = texts.take(last);
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_STAGES_TEXTSBESIDE_H
#define MEMREFLENS_PIPELINE_STAGES_TEXTSBESIDE_H

#include "core/pipeline/record/SourceNames.h"
#include "core/source/DeepStack.h"
#include "core/source/ThreadedContext.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

namespace memreflens {

/// While it lives, nothing may load a dialect into the context.
class TextsBeside {
public:
  /// `leavesCopies`: their memory is left to the end of the process.
  TextsBeside(mlir::MLIRContext &context, bool leavesCopies,
              mlir::FallbackAsmResourceMap *resources);
  ~TextsBeside();
  TextsBeside(const TextsBeside &) = delete;
  TextsBeside &operator=(const TextsBeside &) = delete;

  /// False where the system gives no thread: then nothing may be added.
  bool hasStarted() const { return thread.hasStarted(); }
  /// The text of a module that the verifier accepts, for a stage that has all
  /// but that. Waits while as many copies as memory is spent on are not
  /// printed. `changesNoMore`: until `take` ends; then it is not copied.
  void add(mlir::ModuleOp module, bool changesNoMore, SourceNames names,
           Named named, trace::Stage stage);
  /// Makes texts, too, until all that were added have theirs, and gives the
  /// stages, and the last's text. Nothing is added behind it.
  std::vector<trace::Stage> take(std::string &lastText);

private:
  struct Job {
    mlir::ModuleOp module;
    /// The module; null if that is not copied.
    mlir::OwningOpRef<mlir::ModuleOp> copy;
    SourceNames names;
    Named named;
    trace::Stage stage;
    /// One of the two threads makes its text, or has made it.
    bool isTaken = false;
    std::optional<std::string> text = {};
  };

  void work();
  std::string textOf(const Job &job) const;

  const ThreadedContext threads;
  const bool leavesCopies;
  mlir::FallbackAsmResourceMap *const resources;
  std::mutex mutex;
  std::condition_variable changed;
  /// In the order of the stages; the thread is at the first.
  std::deque<Job> jobs;
  std::vector<trace::Stage> done;
  bool isAtEnd = false;
  /// Text of the last stage that was printed; the thread's own until `take`.
  std::string previous;
  /// Begins when all of the above is there.
  DeepThread thread;
};

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_STAGES_TEXTSBESIDE_H
