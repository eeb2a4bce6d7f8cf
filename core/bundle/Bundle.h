//===- core/bundle/Bundle.h - a run, to be sent to somebody ---------------===//
//
// One archive with a program, how it was run and by which versions, its trace,
// the IR of every stage, and the comparison with MLIR. Nothing else of the
// machine is in it: equal programs and options give equal bytes.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_BUNDLE_BUNDLE_H
#define MEMREFLENS_BUNDLE_BUNDLE_H

#include "core/bundle/Archive.h"

namespace memreflens::bundle {

/// Raised by one with each change that an older reader could misread.
inline constexpr int bundleVersion = 1;

struct Stage {
  /// "canonicalize".
  std::string name;
  /// As `memref-lens ir` prints it.
  std::string text;
};

struct Bundle {
  std::string toolVersion, llvmVersion;
  /// As arguments of `memref-lens`.
  std::vector<std::string> options;
  /// The program; MLIR's bytecode, if `isBytecode`.
  std::string input;
  bool isBytecode = false;
  /// The trace as JSON.
  std::string trace;
  std::vector<Stage> stages;
  /// What `memref-lens compare` prints.
  std::string comparison;
};

/// Names of the program within a bundle, and in the trace that it holds.
inline constexpr char inputName[] = "input.mlir";
inline constexpr char bytecodeName[] = "input.mlirbc";

/// The archive; empty, with a message in `error`, if it could not be made.
std::string write(const Bundle &bundle, std::string &error);

/// Never crashes and never writes a file, whatever the bytes; nothing, with one
/// sentence in `error`, if they are no bundle of this version.
std::optional<Bundle> read(std::string_view bytes, std::string &error);

} // namespace memreflens::bundle

#endif // MEMREFLENS_BUNDLE_BUNDLE_H
