//===- cli/TraceOptions.h - options of `trace` ----------------------------===//

#ifndef MEMREFLENS_CLI_TRACEOPTIONS_H
#define MEMREFLENS_CLI_TRACEOPTIONS_H

#include <string>

namespace memreflens {

struct TraceOptions {
  /// json or text.
  std::string format = "json";
};

} // namespace memreflens

#endif // MEMREFLENS_CLI_TRACEOPTIONS_H
