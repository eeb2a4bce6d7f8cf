//===- core/source/Problems.cpp - MLIR's diagnostics as problems ----------===//

#include "core/source/Problems.h"

#include "core/source/Document.h"
#include "core/source/Locations.h"

#include "mlir/IR/MLIRContext.h"

#include <algorithm>

using namespace mlir;
using namespace memreflens;

static trace::Severity toSeverity(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Note:
    return trace::Severity::note;
  case DiagnosticSeverity::Remark:
    return trace::Severity::remark;
  case DiagnosticSeverity::Warning:
    return trace::Severity::warning;
  case DiagnosticSeverity::Error:
    break;
  }
  return trace::Severity::error;
}

ProblemCapture::ProblemCapture(MLIRContext &context, trace::Trace &trace,
                               ProblemContext place, LocationMover *mover)
    : context(context), trace(trace), place(place), mover(mover),
      printedOps(context.shouldPrintOpOnDiagnostic()),
      handler(&context, [this](Diagnostic &diagnostic) {
        error |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
        this->trace.problems.push_back(toProblem(diagnostic));
      }) {
  // The op is in the user's text already, and may be a whole module.
  context.printOpOnDiagnostic(false);
}

ProblemCapture::~ProblemCapture() { context.printOpOnDiagnostic(printedOps); }

/// Of a dialect that this program does not have, and the user's tool may.
static std::string remedyFor(llvm::StringRef message) {
  // An op without a dialect's name is misspelt.
  const bool isCustomOp = message.contains("not found for custom op") &&
                          !message.starts_with("Dialect `'");
  if (!isCustomOp && !message.contains("with unregistered dialect") &&
      !message.contains("with an unregistered dialect"))
    return {};
  const std::string load = "load the dialect with --load-dialect-plugin=LIB";
  return isCustomOp ? load + "; or write the op in generic form, and use "
                             "--allow-unregistered-dialect"
                    : load + ", or use --allow-unregistered-dialect";
}

trace::Problem ProblemCapture::toProblem(Diagnostic &diagnostic) const {
  trace::Problem problem;
  problem.severity = toSeverity(diagnostic.getSeverity());
  problem.message = diagnostic.str();
  problem.remedy = remedyFor(problem.message);
  problem.chunk = place.chunk;
  problem.function = place.function;
  problem.stage = place.stage;
  Location location = diagnostic.getLocation();
  int64_t offset = offsetOf(mover ? mover->move(location) : location, trace);
  if (offset >= 0)
    problem.range = tokenAt(trace.source.text, uint32_t(offset));
  else if (place.chunk >= 0 && size_t(place.chunk) < trace.chunks.size())
    problem.range.begin = problem.range.end =
        trace.chunks[place.chunk].range.begin;
  for (Diagnostic &note : diagnostic.getNotes())
    problem.notes.push_back(toProblem(note));
  return problem;
}

static bool isNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '$' || c == '-';
}

trace::Range memreflens::tokenAt(std::string_view text, uint32_t offset) {
  uint32_t size = uint32_t(text.size());
  offset = std::min(offset, size);
  if (offset == size || text[offset] == '\n' || text[offset] == '\r')
    return {offset, offset};
  uint32_t end = offset + 1;
  char first = text[offset];
  if (first == '"') {
    size_t close = text.find_first_of("\"\n", end);
    bool closed = close != std::string_view::npos && text[close] == '"';
    return {offset, closed ? uint32_t(close + 1) : end};
  }
  if (isNameCharacter(first) || first == '%' || first == '^' || first == '@' ||
      first == '#' || first == '!')
    while (end < size && isNameCharacter(text[end]))
      ++end;
  // Not a part of a UTF-8 character.
  while (end < size && (uint8_t(text[end]) & 0xC0) == 0x80)
    ++end;
  return {offset, end};
}
