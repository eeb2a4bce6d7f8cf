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

#include <optional>
#include <string>
#include <vector>

namespace memreflens::lsp {

struct HintOptions {
  bool enabled = true;
  bool results = true;
  bool blockArguments = true;
  /// Off: a function's memref arguments are always borrowed.
  bool entryArguments = false;
  bool terminators = true;
  bool calls = true;
  /// What bufferization copies and allocates, and what functions do with
  /// tensors.
  bool tensors = true;
  /// Off: also where a tensor is written in its own buffer.
  bool inPlace = false;
  /// What the ops of a line did in the run that `runRecord` is of.
  bool run = true;
  /// Longest label in characters; 0 for no limit. The tooltip has it all.
  size_t maxLength = 60;
};

/// LSP's severities; 0 is off, nothing is what the rule has.
struct DiagnosticOptions {
  std::optional<int> rejections, clones, checks;
};

/// What `memref-lens check` finds.
struct FindingOptions {
  bool enabled = true;
  /// Rules and groups, as for `check --rules`; all if empty.
  std::vector<std::string> rules;
  /// One diagnostic for all findings of a rule with one cause.
  bool byCause = true;
  /// Where the pages of the rules are, up to the rule's name; empty: nowhere.
  std::string rulePages;
  /// More findings of one file are not shown.
  size_t most = 1000;
  /// Paths are tried, up to that many turns of a loop, and so many ops and
  /// seconds a function.
  bool explore = true;
  /// Remedies are tested by `memref-lens check`, over the saved file.
  bool testRemedies = true;
  size_t bound = 3;
  size_t steps = 400000;
  double seconds = 20;
};

struct LensOptions {
  bool enabled = true;
  /// Lenses that run the client's commands memrefLens.stepThrough and
  /// memrefLens.showCfg; for clients that have them.
  bool commands = false;
};

struct ServerOptions {
  trace::RunOptions run;
  /// Why the setting `pipeline.passes` is not followed; empty if it is.
  std::string pipelineError;
  HintOptions hints;
  DiagnosticOptions diagnostics;
  FindingOptions findings;
  LensOptions lenses;
  /// A hover links to its evidence by the client's command
  /// memrefLens.showEvidence; for clients that have it.
  bool evidenceCommand = false;
  bool onSave = false;
  /// What `memref-lens run --format json` wrote; empty for none.
  std::string runRecord;
  /// Functions analysed in one go in the background.
  size_t batchSize = 32;
  /// Batches analysed at a time; 0 for one on each of the machine's threads, at
  /// most 8.
  size_t threads = 0;
  /// Analyse chunks as a whole, never function by function.
  bool wholeChunks = false;
  /// Bytes of traces held, estimated. Over it, those of texts that are gone go
  /// first, then those of open documents that nobody looked at for longest; a
  /// quarter of it may be of texts that are gone.
  size_t traceLimit = size_t(1) << 30;

  /// As agreed with the client, not settings.
  Encoding encoding = Encoding::utf16;
  bool markdown = true;
  /// The client asks for an action's edit once it is chosen.
  bool lazyActions = false;
  /// Seconds after which the parent ends this process.
  double timeLimit = 20;

  /// Equal for options that give equal traces.
  uint64_t seed() const;
  /// `threads`, as a number of threads.
  unsigned threadCount() const;
  /// Whether functions can be analysed without the bodies of others.
  bool canSplit() const;
};

/// The parent's settings over those given, and what it agreed on with the
/// client. A setting that is absent or of another type stays.
ServerOptions optionsOf(const Json &message, ServerOptions options);

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_ANALYSIS_OPTIONS_H
