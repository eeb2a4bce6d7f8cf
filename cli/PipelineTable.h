//===- cli/PipelineTable.h - the costs of several pipelines, side by side -===//
//
// A table a function, as text, Markdown or JSON, and the sums of each file.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CLI_PIPELINETABLE_H
#define MEMREFLENS_CLI_PIPELINETABLE_H

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace memreflens {

/// What one function comes to by one pipeline; counted in its last IR.
struct PlacementCounts {
  /// memref.alloc, and memref.alloca.
  uint64_t heap = 0, stack = 0;
  /// memref.dealloc, and those of them of a buffer from outside of the scf.if
  /// around them: freed under a condition.
  uint64_t frees = 0, conditionalFrees = 0;
  /// bufferization.clone and memref.copy, their bytes where each runs once, and
  /// those whose size is not known.
  uint64_t copies = 0, copiedBytes = 0, copiesOfUnknownSize = 0;
  /// Compares of two pointers, and calls of dealloc_helper.
  uint64_t checks = 0, helperCalls = 0;
  /// i1 arguments, operands and results that the pass added.
  uint64_t indicators = 0;
  /// Leaks, double frees and uses after free that the path explorer finds, and
  /// 1 in the second where it did not try all paths.
  uint64_t faults = 0, hasUntriedPaths = 0;
  /// Most live at once on any path (core/symexec/HeapPeak.h); 1 in the second
  /// where there may be more.
  uint64_t peakBytes = 0, peakIsLowerBound = 0;

  bool operator==(const PlacementCounts &) const = default;
  PlacementCounts &operator+=(const PlacementCounts &other);
};

struct PipelineRow {
  std::string pipeline;
  /// Number of the part between `// -----` lines, from 0.
  int chunk = 0;
  std::string function;
  /// Why there are no counts; empty if there are.
  std::string problem;
  PlacementCounts counts;
  /// The function in the end, for a page; empty if not asked for.
  std::string ir;
};

struct PipelineFile {
  std::string path;
  /// In the order of the pipelines, then of the text.
  std::vector<PipelineRow> rows;
};

struct PipelineTable {
  std::vector<std::string> pipelines;
  std::vector<PipelineFile> files;
};

/// A function, or a file's sum, under each pipeline.
struct PipelineSection {
  std::string title;
  std::vector<PipelineRow> rows;
};
std::vector<PipelineSection> sectionsOf(const PipelineTable &table,
                                        const PipelineFile &file);
/// Titles of a table's columns, cells of a row, and what they mean.
std::vector<std::string> columnTitles();
std::vector<std::string> cellsOf(const PlacementCounts &counts);
std::vector<std::string> columnLegend();

/// A page that stands alone: the tables, and the programs side by side.
void printPage(const PipelineTable &table, std::ostream &out);

/// `format`: text, md, json or html.
void printTable(const PipelineTable &table, const std::string &format,
                std::ostream &out);

/// What a worker hands over.
std::string rowsToJson(const std::vector<PipelineRow> &rows);
std::vector<PipelineRow> rowsFromJson(const std::string &text);

} // namespace memreflens

#endif // MEMREFLENS_CLI_PIPELINETABLE_H
