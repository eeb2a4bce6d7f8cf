//===- core/execute/jit/Preparer.h - adds what a program needs to run -----===//

#ifndef MEMREFLENS_EXECUTE_JIT_PREPARER_H
#define MEMREFLENS_EXECUTE_JIT_PREPARER_H

#include "core/execute/jit/Program.h"
#include "core/source/Contracts.h"

#include "mlir/IR/Builders.h"

#include <random>

namespace memreflens::execute {

/// Of a dynamic dimension, and of an `index`, where nobody says.
inline constexpr int64_t defaultExtent = 4;

/// Adds functions and calls to one module.
class Preparer {
public:
  Preparer(mlir::ModuleOp module, const trace::Trace &trace,
           const PrepareOptions &options, Program &program)
      : module(module), trace(trace), options(options), program(program),
        builder(module.getContext()), random(options.seed) {}

  /// Declares a function of so many numbers.
  void addHook(llvm::StringRef name, unsigned operands = 2);
  /// Has each block of the program tell that it runs, and each condition its
  /// truth, before anything is lowered.
  void addBlockCounts();
  void addConditionCounts();
  void addStubs();
  void addMain(mlir::func::FuncOp entry);

private:
  /// Tells that a block of that number runs; of site 0 nobody asks.
  void addBlockCall(mlir::Location location, uint32_t site);
  void fail(const llvm::Twine &message, uint32_t site = 0) {
    if (program.failure.empty()) {
      program.failure = message.str();
      program.failedSite = site;
    }
  }
  void addStub(mlir::func::FuncOp function);
  mlir::Value stubResult(mlir::func::FuncOp function, unsigned number,
                         const StubSpec &stub);
  StubSpec stubOf(mlir::func::FuncOp function, const Contract &contract,
                  bool &isChosen) const;
  /// Has the stub keep and release the arguments of which that is stated; in
  /// words.
  std::string keepAndRelease(mlir::func::FuncOp function,
                             const Contract &contract);
  void touchOperands(mlir::Operation *call);
  mlir::Value argument(mlir::func::FuncOp entry, unsigned number);
  mlir::Value scalar(mlir::Type type, const ArgumentSpec *spec,
                     mlir::Value user, std::string &shown);
  mlir::Value buffer(mlir::Type type, const ArgumentSpec *spec,
                     mlir::Location location, std::string &shown);
  bool setFilling(mlir::Type element, const ArgumentSpec *spec,
                  Filling &filling);
  const ArgumentSpec *specOf(unsigned number, llvm::StringRef name) const;

  mlir::ModuleOp module;
  const trace::Trace &trace;
  const PrepareOptions &options;
  Program &program;
  mlir::OpBuilder builder;
  std::mt19937_64 random;
  int64_t blockCalls = 0;
  /// The buffers of the arguments, as allocated.
  std::vector<std::pair<mlir::Value, mlir::Location>> owned;
};

/// The type as MLIR prints it.
std::string textOf(mlir::Type type);

} // namespace memreflens::execute

#endif // MEMREFLENS_EXECUTE_JIT_PREPARER_H
