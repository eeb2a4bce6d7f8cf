//===- core/source/TextBatches.cpp ----------------------------------------===//

#include "core/source/TextBatches.h"
#include "core/source/Chunks.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace memreflens {

/// Of more, a file is not cut: as each of them stands in every text.
static constexpr size_t maxAliasBytes = size_t(16) << 10;
/// A text reaches from the first to the last of its ops, and is read whole:
/// the texts of all may have as many times the file's bytes.
static constexpr size_t mostCopies = 12;

/// An op that any number of texts may hold.
static bool isShared(const Item &item) {
  return item.kind == ItemKind::symbol ||
         (item.kind == ItemKind::function && item.body == 0);
}

static bool isOp(const Item &item) {
  return item.kind == ItemKind::function || item.kind == ItemKind::symbol;
}

static bool isOfModule(const Item &item) {
  return item.kind == ItemKind::moduleHead || item.kind == ItemKind::moduleTail;
}

TextBatches::TextBatches(std::string_view text, size_t bytes) : text(text) {
  // A file that is too short is not looked at further.
  if (text.size() < 2 * bytes || splitChunks(text).size() != 1 ||
      !scanItems(text, items))
    return;
  std::unordered_map<std::string, size_t> bySymbol;
  size_t aliasBytes = 0;
  for (size_t item = 0; item < items.size(); ++item) {
    if (isOp(items[item]))
      bySymbol.try_emplace(symbolOf(textOfItem(item)), item);
    else
      aliasBytes += textOfItem(item).size();
  }
  if (aliasBytes > maxAliasBytes)
    return;
  references.resize(items.size());
  for (size_t item = 0; item < items.size(); ++item)
    for (const std::string &symbol : symbolsIn(textOfItem(item)))
      if (auto at = bySymbol.find(symbol);
          at != bySymbol.end() && at->second != item)
        references[item].push_back(at->second);
  for (; batches.empty() || bytesInAll() > mostCopies * text.size();
       bytes *= 2) {
    batches.clear();
    cut(bytes);
    if (batches.empty())
      return;
  }
}

size_t TextBatches::bytesInAll() const {
  size_t bytes = 0;
  for (size_t batch = 0; batch < batches.size(); ++batch)
    bytes += rangeOf(batch).end - rangeOf(batch).begin;
  return bytes;
}

trace::Range TextBatches::rangeOf(size_t batch) const {
  trace::Range range;
  auto include = [&](size_t item) {
    const Item &op = items[item];
    if (range.empty())
      range = {uint32_t(op.begin), uint32_t(op.end)};
    range.begin = std::min(range.begin, uint32_t(op.begin));
    range.end = std::max(range.end, uint32_t(op.end));
  };
  // The first answers for the module's op, too.
  for (size_t item = 0; item < items.size(); ++item)
    if (isOp(items[item]) ? isOwn(batches[batch], item)
                          : batch == 0 && isOfModule(items[item]))
      include(item);
  for (size_t item : borrowedBy(batches[batch]))
    include(item);
  return range;
}

std::string_view TextBatches::textOfItem(size_t item) const {
  return text.substr(items[item].begin, items[item].end - items[item].begin);
}

std::vector<bool> TextBatches::cutsInFront() const {
  // How many references lead over the place in front of an item.
  std::vector<int> change(items.size() + 1, 0);
  for (size_t from = 0; from < items.size(); ++from)
    for (size_t to : references[from]) {
      if (isShared(items[to]))
        continue;
      ++change[std::min(from, to) + 1];
      --change[std::max(from, to) + 1];
    }
  std::vector<bool> cuts(items.size());
  int over = 0;
  for (size_t item = 0; item < items.size(); ++item) {
    over += change[item];
    cuts[item] = over == 0 && isOp(items[item]);
  }
  return cuts;
}

void TextBatches::cut(size_t bytes) {
  std::vector<bool> cuts = cutsInFront();
  std::vector<size_t> begins = {0};
  for (size_t item = 0; item < items.size(); ++item)
    if (cuts[item] && items[item].begin - begins.back() >= bytes)
      begins.push_back(items[item].begin);
  if (begins.size() < 2)
    return;
  for (size_t i = 0; i < begins.size(); ++i) {
    size_t end = i + 1 < begins.size() ? begins[i + 1] : text.size();
    TextBatch batch;
    batch.own = {uint32_t(begins[i]), uint32_t(end)};
    for (size_t item = 0; item < items.size(); ++item)
      batch.opsOwn += isOp(items[item]) && isOwn(batch, item);
    for (size_t item : borrowedBy(batch))
      ++(items[item].begin < batch.own.begin ? batch.opsBefore
                                             : batch.opsBehind);
    batches.push_back(batch);
  }
}

bool TextBatches::isOwn(const TextBatch &batch, size_t item) const {
  return batch.own.contains(uint32_t(items[item].begin));
}

std::vector<size_t> TextBatches::borrowedBy(const TextBatch &batch) const {
  std::vector<size_t> waiting;
  for (size_t item = 0; item < items.size(); ++item)
    if (isOwn(batch, item) || !isOp(items[item]))
      waiting.push_back(item);
  std::set<size_t> borrowed;
  while (!waiting.empty()) {
    size_t item = waiting.back();
    waiting.pop_back();
    for (size_t to : references[item])
      if (!isOwn(batch, to) && borrowed.insert(to).second)
        waiting.push_back(to);
  }
  return {borrowed.begin(), borrowed.end()};
}

/// Of the bytes that are no line's end, blanks.
static std::string blanksFor(std::string_view text) {
  std::string blanks(text.size(), ' ');
  for (size_t at = text.find('\n'); at != std::string_view::npos;
       at = text.find('\n', at + 1))
    blanks[at] = '\n';
  return blanks;
}

static size_t linesIn(std::string_view text) {
  return size_t(std::count(text.begin(), text.end(), '\n'));
}

/// Aliases have no place of their own in what is read, so those that are not
/// among the ops stand right in front of them, or behind.
TextPart TextBatches::partOf(size_t number) const {
  const trace::Range range = rangeOf(number);
  std::string front, behind;
  std::vector<size_t> inside = borrowedBy(batches[number]);
  for (size_t item = 0; item < items.size(); ++item) {
    if (isOp(items[item]) ? isOwn(batches[number], item)
                          : range.contains(uint32_t(items[item].begin)))
      inside.push_back(item);
    else if (!isOp(items[item]))
      (items[item].begin < range.begin ? front : behind) += textOfItem(item);
  }
  TextPart part;
  // Items are whole lines.
  part.begin = range.begin - uint32_t(front.size());
  part.line = uint32_t(linesIn(text.substr(0, range.begin)) - linesIn(front));
  part.text =
      front + blanksFor(text.substr(range.begin, range.end - range.begin));
  for (size_t item : inside)
    part.text.replace(items[item].begin - part.begin, textOfItem(item).size(),
                      textOfItem(item));
  if (!part.text.ends_with("\n"))
    part.text += "\n";
  part.text += behind;
  return part;
}

} // namespace memreflens
