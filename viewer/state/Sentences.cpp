//===- viewer/state/Sentences.cpp - decisions in words, each worked out once
//---===//

#include "viewer/state/Sentences.h"

#include "core/explain/DecisionText.h"

namespace memreflens::viewer {

namespace {
/// Sentences that were worked out; they are the dear part of a line.
struct SentenceCache {
  uint64_t program = 0;
  std::map<Id, std::string> sentences;
};
} // namespace

const std::string &sentenceOf(const Program &program, ViewState &state,
                              Id event) {
  SentenceCache &cache = cacheOf<SentenceCache>(state);
  constexpr size_t most = 20000;
  if (cache.program != program.serial || cache.sentences.size() > most)
    cache = {program.serial, {}};
  auto [at, isNew] = cache.sentences.try_emplace(event);
  if (isNew)
    at->second = explainEvent(program.lookup, event).sentence;
  return at->second;
}

} // namespace memreflens::viewer
