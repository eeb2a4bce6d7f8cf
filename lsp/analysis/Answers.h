//===- lsp/analysis/Answers.h - what the features answer ------------------===//
//
// Facts and their places, in the client's positions: an answer may be about
// several texts, of which only its feature knows. Protocol.h makes LSP of them.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_ANALYSIS_ANSWERS_H
#define MEMREFLENS_LSP_ANALYSIS_ANSWERS_H

#include "lsp/documents/Text.h"

#include <optional>
#include <string>
#include <vector>

namespace memreflens::lsp {

struct Location {
  std::string uri;
  TextRange range;
};

struct Hover {
  std::string text;
  bool isMarkdown = true;
  /// What it is about.
  std::optional<TextRange> range;
  /// More will be known soon: nobody has to wait for what goes with it.
  bool isUnfinished = false;
};

/// A place where a buffer goes by a name.
struct Highlight {
  TextRange range;
  /// The name is made here; or else it is used.
  bool isDefinition = false;
};

struct LabelPart {
  std::string text;
  /// Empty for none.
  std::string tooltip;
  std::optional<Location> location;
};

struct InlayHint {
  Position position;
  std::vector<LabelPart> label;
  std::string uri;
  /// All of the label, however long.
  std::string text;
};

struct CodeLens {
  TextRange range;
  std::string title;
  /// Of the client's; empty where the lens only tells.
  std::string command;
  std::vector<std::string> arguments;
};

struct TextEdit {
  TextRange range;
  std::string text;
};

/// A change of a function, as far as the client keeps it until it is chosen.
struct Rewrite {
  std::string uri, function;
  /// Where the function begins, from 0.
  size_t line = 0;
  /// A pass to run, or a remedy of CodeActions.cpp; empty for the pipeline.
  std::string pass;
  /// Rules that shall find nothing any more in the function.
  std::vector<std::string> rules = {};
  /// Indices of the arguments that it states to be distinct.
  std::vector<uint32_t> arguments = {};
};

struct CodeAction {
  std::string title, kind;
  Rewrite rewrite;
  /// Those of the request that it is for, by their indices there.
  std::vector<size_t> diagnostics = {};
  bool isPreferred = false;
  std::optional<TextEdit> edit = std::nullopt;
};

/// What a client asks for actions with.
struct CodeActionContext {
  /// Kinds that it wants, or their beginnings; nothing for all.
  std::optional<std::vector<std::string>> only;
  /// A finding that the client shows; empty for a diagnostic of another tool.
  struct Diagnostic {
    std::string rule, function;
    bool asWritten = false;
  };
  std::vector<Diagnostic> diagnostics;
};

struct Diagnostic {
  TextRange range;
  /// LSP's number.
  int severity = 1;
  std::string message;
  struct Related {
    Location location;
    std::string message;
  };
  /// Nothing for those that never have any.
  std::optional<std::vector<Related>> related = std::nullopt;
  /// The finding of `check` that it tells.
  struct Source {
    std::string rule;
    /// Empty for none.
    std::string rulePage;
    std::string function;
    /// What is related: facts first, then the steps of the path.
    size_t facts = 0, steps = 0;
    /// It is about the program before any stage.
    bool asWritten = false;
  };
  std::optional<Source> found = std::nullopt;
};

/// What was found in a document.
struct Report {
  std::string uri;
  int64_t version = 0;
  /// Ours, and the parser's: JSON, with commas between. A large file has a
  /// megabyte of it, most of which was there before an edit.
  std::string own, parser;
  /// Functions that the analysis died of.
  struct Failure {
    size_t line;
    std::string message;
  };
  std::vector<Failure> failed;
  /// As the one before.
  bool isUnchanged = false;
};

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_ANALYSIS_ANSWERS_H
