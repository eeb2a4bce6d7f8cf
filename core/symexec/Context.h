//===- core/symexec/Context.h - what all parts of one execution share -----===//
//
// The function, what it is executed for, and what came of it so far. A part of
// the executor is a class for one kind of thing that ops do; it sees this by
// the short names of `Part`. One thread at a time.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SYMEXEC_CONTEXT_H
#define MEMREFLENS_SYMEXEC_CONTEXT_H

#include "core/symexec/Explore.h"
#include "core/symexec/SharedFacts.h"
#include "core/symexec/State.h"

#include <set>

namespace memreflens::symexec {

/// How it goes on after an op.
enum class Step : uint8_t {
  advance, ///< to the next op
  moved,   ///< elsewhere, already set
  entered, ///< the same, where no path is looked for to meet
  fork,    ///< `Values::forkOn` must be decided first; nothing has changed
  end      ///< the path is over
};

/// Behind an op: paths that parted in it may meet. Others do where they fork.
inline Step behindOp(const State &state) {
  return state.forks > state.forksBefore ? Step::moved : Step::entered;
}

struct Context {
  Context(mlir::FunctionOpInterface function, const trace::Trace &trace,
          const ExploreOptions &options)
      : function(function), trace(trace), options(options),
        facts(options.facts ? *options.facts : ownFacts) {}

  mlir::FunctionOpInterface function;
  const trace::Trace &trace;
  const ExploreOptions &options;
  SharedFacts ownFacts;
  SharedFacts &facts;
  mlir::SymbolTableCollection ownSymbols;
  SymbolicExprs exprs;
  /// What is taken for granted; `ExploreResult::assumed`.
  std::set<std::string> assumed;
  ExploreResult result;
};

class Part {
protected:
  explicit Part(Context &context)
      : context(context), function(context.function), trace(context.trace),
        options(context.options), facts(context.facts), ir(context.facts.ir),
        exprs(context.exprs), assumed(context.assumed), result(context.result) {
  }
  mlir::SymbolTableCollection &symbols() {
    return options.symbols ? *options.symbols : context.ownSymbols;
  }

  Context &context;
  mlir::FunctionOpInterface &function;
  const trace::Trace &trace;
  const ExploreOptions &options;
  SharedFacts &facts;
  IrFacts &ir;
  SymbolicExprs &exprs;
  std::set<std::string> &assumed;
  ExploreResult &result;
};

} // namespace memreflens::symexec

#endif // MEMREFLENS_SYMEXEC_CONTEXT_H
