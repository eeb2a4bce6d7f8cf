//===- lsp/analysis/RunRecord.cpp -----------------------------------------===//

#include "lsp/analysis/RunRecord.h"
#include "core/execute/RunTables.h"
#include "core/files/ReadFile.h"
#include "core/text/Escape.h"
#include "lsp/analysis/Document.h"
#include "lsp/analysis/Options.h"
#include "lsp/documents/Uri.h"

#include <sys/stat.h>
#include <tuple>

namespace memreflens::lsp {

/// Of a program with a hundred thousand ops.
static constexpr size_t mostBytes = size_t(256) << 20;

void NamedRun::look(const std::string &wanted) {
  struct stat now = {};
  if (!wanted.empty() && stat(wanted.c_str(), &now) != 0)
    now = {};
  const auto state =
      std::tuple(int64_t(now.st_size), int64_t(now.st_mtim.tv_sec),
                 int64_t(now.st_mtim.tv_nsec));
  if (wanted == path && state == std::tie(size, seconds, nanoseconds))
    return;
  path = wanted;
  std::tie(size, seconds, nanoseconds) = state;
  record.reset();
  byLine.clear();
  shortByLine.clear();
  problem.clear();
  if (path.empty())
    return;
  std::optional<std::string> text = readRegularFile(path, mostBytes, problem);
  if (!text)
    return;
  record = execute::readRecord(*text, problem);
  if (!record)
    return;
  byLine = notesByLine(*record);
  shortByLine = notesByLine(*record, nullptr, execute::shortNoteOf);
}

static std::string_view behindSlash(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

/// An earlier text of the document may have run: the file has its name.
static bool mayBeOf(const execute::Record &record, const Document &document) {
  return behindSlash(record.file) == percentDecoded(behindSlash(document.uri));
}

const execute::Record *NamedRun::of(const Document &document,
                                    const ServerOptions &options,
                                    std::string &why) const {
  if (path.empty())
    return nullptr;
  if (!record)
    why = problem;
  else if (record->fingerprint != std::to_string(document.hash()))
    why = mayBeOf(*record, document)
              ? "is a run of another program, or of an earlier text of this "
                "one; run it again with 'memref-lens run --format json -o'"
              : "";
  else if (record->end == execute::RunEnd::notRun)
    why = "has no counts: " + visibleText(verdictOf(*record));
  else if (record->pipeline != options.run.pipeline)
    why = "is a run by another pipeline than that of the setting "
          "pipeline.passes: " +
          (record->pipeline.empty() ? "MLIR's own" : record->pipeline);
  else
    return &*record;
  return nullptr;
}

} // namespace memreflens::lsp
