//===- lsp/analysis/RunRecord.h - the run that the user names -------------===//
//
// By the setting `run`: what `memref-lens run FILE --format json -o RUN` wrote.
// Its counts belong to one text; beside any other they are not shown, and why
// is told where the file may have run: the others of a workspace have no part
// in it.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_ANALYSIS_RUNRECORD_H
#define MEMREFLENS_LSP_ANALYSIS_RUNRECORD_H

#include "core/execute/Record.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace memreflens::lsp {

struct Document;
struct ServerOptions;

class NamedRun {
public:
  /// Reads the file again where it is another one than before, or was written
  /// meanwhile. No file for an empty path.
  void look(const std::string &path);

  /// The record, if it is of the document's text; null with nothing in `why`
  /// where none is named, or it is plainly another file's.
  const execute::Record *of(const Document &document,
                            const ServerOptions &options,
                            std::string &why) const;
  /// Sentences by line of the text, from 1, and the same as short as they get.
  using Notes = std::map<uint32_t, std::vector<std::string>>;
  const Notes &notes() const { return byLine; }
  const Notes &shortNotes() const { return shortByLine; }

private:
  std::string path, problem;
  /// Size and time of what was read.
  int64_t size = -1, seconds = 0, nanoseconds = 0;
  std::optional<execute::Record> record;
  Notes byLine, shortByLine;
};

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_ANALYSIS_RUNRECORD_H
