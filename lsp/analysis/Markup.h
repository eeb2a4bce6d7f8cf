//===- lsp/analysis/Markup.h - sentences as a client shows them -----------===//
//
//   `%data`: deallocated [at the end of `^join`](<file:///a.mlir#L13,3>) if
//   `%own_data`
//
// Names, ops and what a sentence quotes as code, places as links; nothing of
// the user's file is taken as markup. Plain text stays as it is.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_ANALYSIS_MARKUP_H
#define MEMREFLENS_LSP_ANALYSIS_MARKUP_H

#include "core/explain/Explanation.h"
#include "lsp/analysis/View.h"

#include <span>
#include <string_view>

namespace memreflens::lsp {

class Markup {
public:
  explicit Markup(const View &view) : view(view) {}

  bool isMarkdown() const { return view.options.markdown; }
  /// `places` are linked where the text names them.
  std::string text(std::string_view text,
                   std::span<const NamedPlace> places = {}) const;
  /// "9:3" and a space, as a link; empty for a range outside of the view.
  std::string place(trace::Range range) const;

private:
  std::string marked(std::string_view text, bool hasLinks) const;
  std::string linkToPlace(const std::string &position) const;
  std::string link(const std::string &words, uint32_t offset) const;

  const View &view;
};

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_ANALYSIS_MARKUP_H
