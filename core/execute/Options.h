//===- core/execute/Options.h - how a program is run ----------------------===//

#ifndef MEMREFLENS_EXECUTE_OPTIONS_H
#define MEMREFLENS_EXECUTE_OPTIONS_H

#include "core/execute/Arguments.h"

namespace memreflens::execute {

struct RunOptions {
  std::vector<ArgumentSpec> arguments;
  std::vector<StubSpec> stubs;
  /// Of values and conditions that nobody gave.
  uint64_t seed = 1;
  /// For running alone.
  double seconds = 30;
  /// For lowering and compiling together.
  double compileSeconds = 300;
  uint64_t mostBytes = uint64_t(2) << 30;
  /// Passes in the place of ours; empty for ours.
  std::string lowering;
  /// Libraries that have the external functions; they are trusted.
  std::vector<std::string> libraries;
};

} // namespace memreflens::execute

#endif // MEMREFLENS_EXECUTE_OPTIONS_H
