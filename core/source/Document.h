//===- core/source/Document.h - a file as parsed modules with their names -===//
//
// Reads MLIR text (or bytecode), splits it at `// -----`, parses each chunk
// with AsmParserState, and writes the user's functions, blocks, ops and values
// with their names and ranges into a trace. One chunk's syntax error is a
// problem of the trace and hides no other chunk.
//
//   ParsedDocument doc = parseDocument({"a.mlir", text}, context, {}, trace);
//   doc.chunks[0].module->...   // null where the chunk did not parse
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SOURCE_DOCUMENT_H
#define MEMREFLENS_SOURCE_DOCUMENT_H

#include "core/trace/Model.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace memreflens {

/// Text that stands for a file's, or for a part of it.
struct TextPart {
  std::string text;
  /// Where in the file its first byte would stand: offset, and lines in front.
  uint32_t begin = 0, line = 0;
};

struct ParseOptions {
  /// Split the text at lines that start with `// -----`.
  bool splitInput = true;
  /// Deepest nesting (of brackets of any kind) that is handed to the parser,
  /// which recurses. MLIR's passes take this much on a stack of 8 MB.
  unsigned maxNesting = 2500;
  /// Largest input in bytes.
  size_t maxBytes = size_t(64) << 20;
  /// What is parsed in place of the file's text, at the begin of a line, as its
  /// only chunk. What is found in it has the places of the file.
  std::optional<TextPart> part;
};

struct ParsedChunk {
  trace::Id id = trace::none;
  /// Null where the chunk did not parse or verify. Every op and block argument
  /// carries its tag (Identity.h).
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// What the text has as `external_resources`, which MLIR's printer does not
  /// know of; null where it has none.
  std::unique_ptr<mlir::FallbackAsmResourceMap> resources;
};

struct ParsedDocument {
  std::vector<ParsedChunk> chunks;
  bool anyParsed() const;
};

/// Parses `source` and fills `trace` (source, chunks, functions, blocks, ops,
/// values, problems). Never writes to stdout or stderr; never crashes on any
/// text: nesting and size past the limits are problems of the trace.
ParsedDocument parseDocument(trace::Source source, mlir::MLIRContext &context,
                             const ParseOptions &options, trace::Trace &trace);

/// Byte offset of a location in the user's text (through tags, name and fused
/// locations) for `trace`'s file; -1 where it has none.
int64_t offsetOf(mlir::Location location, const trace::Trace &trace);

} // namespace memreflens

#endif // MEMREFLENS_SOURCE_DOCUMENT_H
