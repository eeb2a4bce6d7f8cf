//===- core/execute/jit/Program.h - a program made ready to be run --------===//
//
// Puts a number on each op, gives external functions a body, and adds a
// function that makes the arguments, calls the entry, and deallocates as a
// caller does.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_EXECUTE_JIT_PROGRAM_H
#define MEMREFLENS_EXECUTE_JIT_PROGRAM_H

#include "core/execute/Arguments.h"
#include "core/execute/Heap.h"
#include "core/execute/Record.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <functional>

namespace memreflens::execute {

/// Names of what the lowered program calls.
inline constexpr llvm::StringLiteral mainName = "memref_lens_main",
                                     fillName = "memref_lens_fill",
                                     touchName = "memref_lens_touch",
                                     keepName = "memref_lens_keep",
                                     blockName = "memref_lens_block";

/// How memory is filled.
struct Filling {
  Content content = Content::random;
  /// Of `Content::file`.
  std::vector<char> bytes;
  /// "f32", of `width` bits; floats, bf16, or integers (with `index`).
  enum class Number : uint8_t { integer, real, bfloat } number = Number::real;
  unsigned width = 32;
  uint64_t elements = 0;
};

/// What was made of a module. Sites are by number.
struct Program {
  std::vector<Site> sites;
  std::vector<Owner> owners;
  /// By site, of an argument's: its number; of a result's: its number.
  std::vector<uint32_t> numbers;
  std::vector<Filling> fillings;
  std::vector<Argument> arguments;
  std::vector<std::string> stubs;
  uint64_t alignment = 64;
  /// Why it cannot be run, and at which site (0: none); empty if it can.
  std::string failure;
  uint32_t failedSite = 0;
};

struct PrepareOptions {
  std::vector<ArgumentSpec> arguments;
  std::vector<StubSpec> stubs;
  uint64_t seed = 0;
  /// Whether a library that was loaded has the function; none if none was.
  std::function<bool(llvm::StringRef)> isLoaded;
  /// A call in each block can keep passes from what they would do.
  bool countsBlocks = true;
};

/// Changes the module; `trace` names its ops.
Program prepare(mlir::ModuleOp module, mlir::func::FuncOp entry,
                const trace::Trace &trace, const PrepareOptions &options);

/// Number of the site in the location; 0 for none.
uint32_t siteOf(mlir::Location location);

} // namespace memreflens::execute

#endif // MEMREFLENS_EXECUTE_JIT_PROGRAM_H
