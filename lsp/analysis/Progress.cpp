//===- lsp/analysis/Progress.cpp ------------------------------------------===//

#include "lsp/analysis/Progress.h"

#include <utility>

namespace memreflens::lsp {

using Clock = std::chrono::steady_clock;

void Progress::tellAll(const Document &document) {
  Working now{&document, std::vector<uint64_t>(), -1};
  for (const Piece *piece : pieces)
    now.keys->insert(now.keys->end(), piece->keys.begin(), piece->keys.end());
  if (pieces.size() == 1)
    now.stage = pieces.front()->stage;
  told = Clock::now();
  tell(now);
}

Progress::Piece::Piece(Progress &progress, const Document &document,
                       std::vector<uint64_t> keys)
    : progress(progress), document(document), keys(std::move(keys)) {
  std::lock_guard lock(progress.mutex);
  place = progress.pieces.insert(progress.pieces.end(), this);
  progress.tellAll(document);
}

Progress::Piece::~Piece() {
  std::lock_guard lock(progress.mutex);
  progress.pieces.erase(place);
  progress.tellAll(document);
}

void Progress::Piece::enter(int fresh) {
  std::lock_guard lock(progress.mutex);
  stage = fresh;
  if (progress.pieces.size() == 1)
    return progress.tellAll(document);
  // Of several none can be blamed for its stage: that they go on is enough.
  if (Clock::now() - progress.told < std::chrono::milliseconds(100))
    return;
  progress.told = Clock::now();
  progress.tell({&document, std::nullopt, -1});
}

void Progress::Piece::enter(std::vector<uint64_t> fresh, int at) {
  std::lock_guard lock(progress.mutex);
  keys = std::move(fresh);
  stage = at;
  progress.tellAll(document);
}

} // namespace memreflens::lsp
