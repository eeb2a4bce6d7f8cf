//===- core/source/TextBatches.cpp ----------------------------------------===//

#include "core/source/TextBatches.h"
#include "core/source/Chunks.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace memreflens {

/// Of more, a file is not cut: as each of them stands in every text.
static constexpr size_t maxAliasBytes = size_t(16) << 10;
/// Each text is as long as the file, and read whole.
static constexpr size_t maxBatches = 24;

/// An op that any number of texts may hold.
static bool isShared(const Item &item) {
  return item.kind == ItemKind::symbol ||
         (item.kind == ItemKind::function && item.body == 0);
}

static bool isOp(const Item &item) {
  return item.kind == ItemKind::function || item.kind == ItemKind::symbol;
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
  cut(std::max(bytes, text.size() / maxBatches));
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

std::string TextBatches::textOf(size_t number) const {
  const TextBatch &batch = batches[number];
  std::string made(text.size(), ' ');
  for (size_t at = text.find('\n'); at != std::string_view::npos;
       at = text.find('\n', at + 1))
    made[at] = '\n';
  auto put = [&](size_t item) {
    std::string_view own = textOfItem(item);
    made.replace(items[item].begin, own.size(), own);
  };
  for (size_t item = 0; item < items.size(); ++item)
    if (isOwn(batch, item) || !isOp(items[item]))
      put(item);
  for (size_t item : borrowedBy(batch))
    put(item);
  return made;
}

} // namespace memreflens
