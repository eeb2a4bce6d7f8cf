//===- core/pipeline/run/Batches.h - a file's functions side by side ------===//
//
// A file of many functions is analysed in batches of them, each in a context of
// its own, on several threads: the IR of a whole file does not fit into the
// caches. What comes of a batch does not depend on the others, nor on the
// number of threads.
//
//   BatchRun run(source, options);
//   if (run.size() == 0 || !run.analyseAll(registry, threads, follow, take))
//     ...analyse the whole...
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_RUN_BATCHES_H
#define MEMREFLENS_PIPELINE_RUN_BATCHES_H

#include "core/pipeline/run/Analysis.h"
#include "core/source/TextBatches.h"
#include "core/trace/PackedTrace.h"

namespace memreflens {

/// Bytes of text that a batch has, about; some 30 to 100 small functions, whose
/// IR and trace stay in the caches.
inline constexpr size_t batchBytes = size_t(32) << 10;

class BatchRun {
public:
  /// Says who looks at one batch; may be empty. From any thread.
  using Follow =
      std::function<void(size_t batch, AnalysisObservers &observers)>;
  /// Given what came of one. From any thread.
  using Take = std::function<void(size_t batch, Analysis analysis)>;

  /// Both must outlive it.
  BatchRun(const trace::Source &source, const AnalysisOptions &options,
           size_t bytes = batchBytes);

  /// Number of batches; 0 where the file, or the way it is run, cannot be cut.
  size_t size() const { return batches ? batches->size() : 0; }
  const TextBatch &operator[](size_t batch) const { return (*batches)[batch]; }

  /// False if something can only be told of the whole, as a problem: then
  /// nothing that came of a batch counts.
  bool analyseAll(const mlir::DialectRegistry &registry, unsigned threads,
                  const Follow &follow, const Take &take) const;

private:
  const trace::Source &source;
  const AnalysisOptions &options;
  std::optional<TextBatches> batches;
};

/// The same as `analyse`, in batches where that is possible; but for the
/// numbers of what one stage made in several functions, and without upstream's
/// texts. As a whole with no threads.
Analysis analyseSideBySide(const trace::Source &source,
                           const mlir::DialectRegistry &registry,
                           const AnalysisOptions &options, unsigned threads,
                           size_t bytes = batchBytes);

/// The trace of `analyseSideBySide`, to be written: of each batch little is
/// kept when it is done. Nothing where the file is not cut into batches.
std::optional<trace::PackedTrace>
packedSideBySide(const trace::Source &source,
                 const mlir::DialectRegistry &registry,
                 const AnalysisOptions &options, unsigned threads);

/// The text after the last stage, as upstream prints it; nothing where the file
/// is not cut into batches. Of what else is known of one, nothing is kept.
std::optional<std::string>
lastTextSideBySide(const trace::Source &source,
                   const mlir::DialectRegistry &registry,
                   const AnalysisOptions &options, unsigned threads);

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_RUN_BATCHES_H
