//===- tests/package/consumer/consumer.cpp --------------------------------===//
//
// Writes and reads a trace without MLIR.

#include "core/trace/Json.h"

#include <iostream>
#include <sstream>

int main() {
  memreflens::trace::Trace trace;
  trace.source.path = "consumer.mlir";
  std::ostringstream text;
  memreflens::trace::writeJson(trace, text);
  auto result = memreflens::trace::readJson(text.str());
  if (!result || result.trace->source.path != trace.source.path) {
    std::cerr << "not read back: " << result.error << "\n";
    return 1;
  }
  return 0;
}
