//===- lsp/analysis/Shelf.cpp - traces of texts that are gone -------------===//

#include "lsp/analysis/Shelf.h"

#include <algorithm>

namespace memreflens::lsp {

void Shelf::put(uint64_t key, std::shared_ptr<Batch> batch) {
  remove(key);
  size_t weight = batch->weight() / std::max<size_t>(batch->unitCount(), 1);
  entries.push_front({key, weight, std::move(batch)});
  entryOf[key] = entries.begin();
  total += weight;
}

std::shared_ptr<Batch> Shelf::find(uint64_t key) const {
  auto at = entryOf.find(key);
  return at == entryOf.end() ? nullptr : at->second->batch;
}

void Shelf::remove(uint64_t key) {
  auto at = entryOf.find(key);
  if (at == entryOf.end())
    return;
  total -= at->second->weight;
  entries.erase(at->second);
  entryOf.erase(at);
}

bool Shelf::removeOldest() {
  if (entries.empty())
    return false;
  remove(entries.back().key);
  return true;
}

} // namespace memreflens::lsp
