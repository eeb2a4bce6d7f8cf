//===- lsp/analysis/Options.h - settings of the analysis ------------------===//
//
// What initializationOptions and workspace/didChangeConfiguration may set, with
// the defaults. README.md lists them for users.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_ANALYSIS_OPTIONS_H
#define MEMREFLENS_LSP_ANALYSIS_OPTIONS_H

#include "core/trace/Model.h"
#include "lsp/documents/Text.h"
#include "lsp/wire/Message.h"

namespace memreflens::lsp {

struct HintOptions {
  bool enabled = true;
  bool results = true;
  bool blockArguments = true;
  /// Off: a function's memref arguments are always borrowed.
  bool entryArguments = false;
  bool terminators = true;
  bool calls = true;
  /// Longest label in characters; 0 for no limit. The tooltip has it all.
  size_t maxLength = 60;
};

/// LSP's severities; 0 is off.
struct DiagnosticOptions {
  int rejections = 2;
  int clones = 4;
  int checks = 0;
};

struct LensOptions {
  bool enabled = true;
  /// Lenses that run the client's commands memrefLens.stepThrough and
  /// memrefLens.showCfg; for clients that have them.
  bool commands = false;
};

struct ServerOptions {
  trace::RunOptions run;
  HintOptions hints;
  DiagnosticOptions diagnostics;
  LensOptions lenses;
  bool onSave = false;
  /// Functions analysed in one go in the background.
  size_t batchSize = 32;
  /// Analyse chunks as a whole, never function by function.
  bool wholeChunks = false;

  /// As agreed with the client, not settings.
  Encoding encoding = Encoding::utf16;
  bool markdown = true;

  /// Equal for options that give equal traces.
  uint64_t seed() const;
  /// Whether functions can be analysed without the bodies of others.
  bool canSplit() const;
};

/// The settings of `json` over those given; what is absent or of another type
/// stays.
void readOptions(const Json &json, ServerOptions &options);

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_ANALYSIS_OPTIONS_H
