//===- tests/source/Parsing.h - parse a fixture, look things up -----------===//

#ifndef MEMREFLENS_TESTS_SOURCE_PARSING_H
#define MEMREFLENS_TESTS_SOURCE_PARSING_H

#include "core/source/Document.h"

#include <memory>
#include <string>

namespace memreflens::test {

/// A context with every upstream dialect registered, as the tool makes it.
std::unique_ptr<mlir::MLIRContext> makeContext();

/// A parsed text with its trace.
struct Parsed {
  explicit Parsed(std::string text, ParseOptions options = {})
      : context(makeContext()) {
    document = parseDocument({"input.mlir", std::move(text)}, *context, options,
                             trace);
  }

  /// The first value of that name; fails the test's lookups with a null value.
  const trace::Value *value(std::string_view name) const {
    for (const trace::Value &value : trace.values)
      if (value.name == name)
        return &value;
    return nullptr;
  }
  const trace::Op *op(std::string_view name) const {
    for (const trace::Op &op : trace.ops)
      if (op.name == name)
        return &op;
    return nullptr;
  }
  const trace::Function *function(std::string_view name) const {
    for (const trace::Function &function : trace.functions)
      if (function.name == name)
        return &function;
    return nullptr;
  }
  std::string text(trace::Range range) const {
    return trace.source.text.substr(range.begin, range.end - range.begin);
  }
  /// `line:column: message` of each problem, one a line.
  std::string problems() const;

  std::unique_ptr<mlir::MLIRContext> context;
  trace::Trace trace;
  ParsedDocument document;
};

/// Runs a textual pass pipeline; false if it failed.
bool runPipeline(mlir::ModuleOp module, const std::string &pipeline);

} // namespace memreflens::test

#endif // MEMREFLENS_TESTS_SOURCE_PARSING_H
