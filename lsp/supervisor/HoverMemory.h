//===- lsp/supervisor/HoverMemory.h - what hovers told --------------------===//
//
// Keeps our part of hovers while a document's text stays as it is, so that one
// which comes late never takes from the reader what an earlier one told.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_SUPERVISOR_HOVERMEMORY_H
#define MEMREFLENS_LSP_SUPERVISOR_HOVERMEMORY_H

#include "lsp/wire/Message.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace memreflens::lsp {

class HoverMemory {
public:
  /// The text of the document changed, it was closed, or it is analysed with
  /// other options.
  void forget(const std::string &uri);
  void forgetAll();
  /// Which text of the document is in force: another number for each.
  uint64_t textOf(const std::string &uri) const;

  /// `hover` was told of `text` at the position of `params`; unless it
  /// `isWhole`, it says that more will be known soon.
  void note(const std::string &uri, uint64_t text, const Json &params,
            const Json &hover, bool isWhole);
  /// What was told there of the text in force; null for nothing.
  Json toldAt(const std::string &uri, const Json &params) const;
  /// Whether a whole one was told of the text in force.
  bool hasTold(const std::string &uri) const;

private:
  /// Line and character.
  using Place = std::pair<int64_t, int64_t>;
  static Place placeIn(const Json &params);

  struct Told {
    uint64_t text = 0;
    std::map<Place, Json> hovers;
    bool hasWhole = false;
  };
  std::map<std::string, Told> documents;
  uint64_t lastText = 0;
};

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_SUPERVISOR_HOVERMEMORY_H
