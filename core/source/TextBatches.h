//===- core/source/TextBatches.h - functions of a file that go together ---===//
//
// Cuts a file of many functions into texts that can be analysed one by one, or
// side by side. Each has every function at its place in the file and blanks for
// the others, so that lines, columns and offsets mean the same. What calls each
// other stays together; declarations and globals stand in each text that refers
// to them.
//
//   TextBatches batches(text, 64 << 10);
//   batches.partOf(0).text   // func.func @a ...
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SOURCE_TEXTBATCHES_H
#define MEMREFLENS_SOURCE_TEXTBATCHES_H

#include "core/source/Document.h"
#include "core/text/ItemScanner.h"
#include "core/trace/Model.h"

#include <string>
#include <string_view>
#include <vector>

namespace memreflens {

struct TextBatch {
  /// What it answers for: each byte of the file is in that of one batch.
  trace::Range own;
  /// Top-level ops that other batches answer for and that stand in its text in
  /// front of its own, its own, and those behind.
  size_t opsBefore = 0, opsOwn = 0, opsBehind = 0;
};

class TextBatches {
public:
  /// Each has about so many bytes of its own. `text` must outlive it.
  TextBatches(std::string_view text, size_t bytes);

  /// 0 where the file cannot be cut, or would not be: several parts, functions
  /// that cannot be told from what is around them, or only one batch.
  size_t size() const { return batches.size(); }
  const TextBatch &operator[](size_t batch) const { return batches[batch]; }
  TextPart partOf(size_t batch) const;

private:
  /// For each item, whether what is in front of it can be without what follows.
  std::vector<bool> cutsInFront() const;
  void cut(size_t bytes);
  /// Bytes of all texts, but for the aliases in each.
  size_t bytesInAll() const;
  /// From the first to the last op that stands in a batch's text.
  trace::Range rangeOf(size_t batch) const;
  /// Numbers of the items that stand in a batch's text beside its own.
  std::vector<size_t> borrowedBy(const TextBatch &batch) const;
  bool isOwn(const TextBatch &batch, size_t item) const;
  std::string_view textOfItem(size_t item) const;

  std::string_view text;
  std::vector<Item> items;
  /// By item: what it refers to, as numbers of items with that symbol.
  std::vector<std::vector<size_t>> references;
  std::vector<TextBatch> batches;
};

} // namespace memreflens

#endif // MEMREFLENS_SOURCE_TEXTBATCHES_H
