//===- cli/Verdicts.h - the lines of `compare` ----------------------------===//

#ifndef MEMREFLENS_CLI_VERDICTS_H
#define MEMREFLENS_CLI_VERDICTS_H

#include "core/pipeline/upstream/Compare.h"

#include <string>

namespace memreflens {

/// "a.mlir: @f: identical", with a line end, and what differs.
std::string verdictLine(const std::string &path, const trace::RunOptions &run,
                        const FunctionVerdict &entry);

} // namespace memreflens

#endif // MEMREFLENS_CLI_VERDICTS_H
