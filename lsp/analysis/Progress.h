//===- lsp/analysis/Progress.h - what is worked on just now ---------------===//
//
// Tells the parent which functions are at work and in which stage, so that it
// knows whom to blame if this process dies or hangs. Several threads may work
// at once, each on a piece of its own.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_ANALYSIS_PROGRESS_H
#define MEMREFLENS_LSP_ANALYSIS_PROGRESS_H

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <vector>

namespace memreflens::lsp {

struct Document;

/// What is at work.
struct Working {
  const Document *document = nullptr;
  /// Keys of all functions at work; none: work ended. Nothing: the same as
  /// before.
  std::optional<std::vector<uint64_t>> keys;
  /// Stage of the only piece; -1 for its parser, or if there are several.
  int stage = -1;
};

class Progress {
public:
  /// Called under a lock, by whatever thread is at work.
  using Tell = std::function<void(const Working &)>;
  explicit Progress(Tell tell) : tell(std::move(tell)) {}

  /// Functions that one thread is at, from its construction to its end.
  class Piece {
  public:
    Piece(Progress &progress, const Document &document,
          std::vector<uint64_t> keys);
    ~Piece();
    Piece(const Piece &) = delete;
    Piece &operator=(const Piece &) = delete;
    void enter(int stage);
    void enter(std::vector<uint64_t> keys, int stage);

  private:
    friend class Progress;
    Progress &progress;
    const Document &document;
    std::vector<uint64_t> keys;
    int stage = -1;
    std::list<Piece *>::iterator place;
  };

private:
  void tellAll(const Document &document);

  Tell tell;
  std::mutex mutex;
  std::list<Piece *> pieces;
  std::chrono::steady_clock::time_point told;
};

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_ANALYSIS_PROGRESS_H
