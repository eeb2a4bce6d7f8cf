//===- cli/PipelineTable.cpp ----------------------------------------------===//

#include "cli/PipelineTable.h"
#include "core/explain/CostText.h"
#include "core/query/Lifetimes.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace memreflens {

using Json = nlohmann::ordered_json;

PlacementCounts &PlacementCounts::operator+=(const PlacementCounts &other) {
  heap += other.heap;
  stack += other.stack;
  frees += other.frees;
  conditionalFrees += other.conditionalFrees;
  copies += other.copies;
  copiedBytes += other.copiedBytes;
  copiesOfUnknownSize += other.copiesOfUnknownSize;
  checks += other.checks;
  helperCalls += other.helperCalls;
  indicators += other.indicators;
  faults += other.faults;
  hasUntriedPaths |= other.hasUntriedPaths;
  peakBytes = std::max(peakBytes, other.peakBytes);
  peakIsLowerBound |= other.peakIsLowerBound;
  return *this;
}

namespace {
struct Column {
  const char *key;
  const char *title;
  uint64_t PlacementCounts::*count;
};
} // namespace

static constexpr Column columns[] = {
    {"heap", "allocs", &PlacementCounts::heap},
    {"stack", "stack", &PlacementCounts::stack},
    {"frees", "deallocs", &PlacementCounts::frees},
    {"conditionalFrees", "conditional", &PlacementCounts::conditionalFrees},
    {"copies", "copies", &PlacementCounts::copies},
    {"copiedBytes", "bytes copied", &PlacementCounts::copiedBytes},
    {"copiesOfUnknownSize", "", &PlacementCounts::copiesOfUnknownSize},
    {"checks", "alias checks", &PlacementCounts::checks},
    {"helperCalls", "helper calls", &PlacementCounts::helperCalls},
    {"indicators", "indicators", &PlacementCounts::indicators},
    {"faults", "faults", &PlacementCounts::faults},
    {"hasUntriedPaths", "", &PlacementCounts::hasUntriedPaths},
    {"peakBytes", "peak", &PlacementCounts::peakBytes},
    {"peakIsLowerBound", "", &PlacementCounts::peakIsLowerBound},
};

//===--- JSON -------------------------------------------------------------===//

static Json toJson(const PlacementCounts &counts) {
  Json made = Json::object();
  for (const Column &column : columns)
    made[column.key] = counts.*column.count;
  return made;
}

static Json toJson(const PipelineRow &row) {
  Json made = {{"pipeline", row.pipeline},
               {"chunk", row.chunk},
               {"function", row.function}};
  if (row.problem.empty())
    made["counts"] = toJson(row.counts);
  else
    made["problem"] = row.problem;
  if (!row.ir.empty())
    made["ir"] = row.ir;
  return made;
}

std::string rowsToJson(const std::vector<PipelineRow> &rows) {
  Json made = Json::array();
  for (const PipelineRow &row : rows)
    made.push_back(toJson(row));
  // A name may hold bytes that are no UTF-8.
  return made.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::vector<PipelineRow> rowsFromJson(const std::string &text) {
  std::vector<PipelineRow> rows;
  Json read = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!read.is_array())
    return rows;
  for (const Json &one : read) {
    PipelineRow row;
    row.pipeline = one.value("pipeline", "");
    row.chunk = one.value("chunk", 0);
    row.function = one.value("function", "");
    row.problem = one.value("problem", "");
    row.ir = one.value("ir", "");
    if (one.contains("counts"))
      for (const Column &column : columns)
        row.counts.*column.count = one["counts"].value(column.key, uint64_t(0));
    rows.push_back(std::move(row));
  }
  return rows;
}

static void printJson(const PipelineTable &table, std::ostream &out) {
  Json files = Json::array();
  for (const PipelineFile &file : table.files) {
    Json rows = Json::array();
    for (const PipelineRow &row : file.rows)
      rows.push_back(toJson(row));
    files.push_back({{"file", file.path}, {"rows", std::move(rows)}});
  }
  Json made = {{"pipelines", table.pipelines}, {"files", std::move(files)}};
  out << made.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
}

//===--- Text and Markdown ------------------------------------------------===//

using Section = PipelineSection;

std::vector<std::string> columnTitles() {
  std::vector<std::string> titles;
  for (const Column &column : columns)
    if (*column.title)
      titles.push_back(column.title);
  return titles;
}

/// `64 B`, `64 B + ?` where more of unknown size comes on top, or `?`.
static std::string bytesCell(uint64_t bytes, bool hasUnknown) {
  if (hasUnknown && bytes == 0)
    return "?";
  return bytesText(bytes) + (hasUnknown ? " + ?" : "");
}

std::vector<std::string> cellsOf(const PlacementCounts &counts) {
  std::vector<std::string> cells;
  for (const Column &column : columns) {
    if (!*column.title)
      continue;
    const uint64_t count = counts.*column.count;
    if (column.count == &PlacementCounts::copiedBytes)
      cells.push_back(bytesCell(count, counts.copiesOfUnknownSize > 0));
    else if (column.count == &PlacementCounts::peakBytes)
      cells.push_back(peakText(count, counts.peakIsLowerBound > 0));
    else if (column.count == &PlacementCounts::faults)
      cells.push_back(std::to_string(count) +
                      (counts.hasUntriedPaths > 0 ? " + ?" : ""));
    else
      cells.push_back(std::to_string(count));
  }
  return cells;
}

static bool usesMemory(const Section &section) {
  return std::any_of(
      section.rows.begin(), section.rows.end(), [](const PipelineRow &row) {
        return !row.problem.empty() || !(row.counts == PlacementCounts());
      });
}

std::vector<Section> sectionsOf(const PipelineTable &table,
                                const PipelineFile &file) {
  std::vector<Section> sections;
  std::map<std::pair<int, std::string>, size_t> places;
  for (const PipelineRow &row : file.rows) {
    auto [place, isNew] =
        places.try_emplace({row.chunk, row.function}, sections.size());
    if (isNew)
      sections.push_back(
          {row.function.empty() ? file.path : "@" + row.function, {}});
    sections[place->second].rows.push_back(row);
  }
  std::erase_if(sections, [](const Section &one) { return !usesMemory(one); });
  if (sections.size() < 2)
    return sections;
  Section sum{"all of " + file.path, {}};
  for (const std::string &pipeline : table.pipelines) {
    PipelineRow total{pipeline, 0, {}, {}, {}, {}};
    size_t rejected = 0;
    for (const Section &section : sections)
      for (const PipelineRow &row : section.rows)
        if (row.pipeline == pipeline) {
          rejected += !row.problem.empty();
          total.counts += row.counts;
        }
    if (rejected > 0)
      total.pipeline += " (" + std::to_string(rejected) + " rejected)";
    sum.rows.push_back(std::move(total));
  }
  sections.push_back(std::move(sum));
  return sections;
}

static constexpr const char *legend[] = {
    "allocs: memref.alloc, and the five of each call of dealloc_helper",
    "deallocs: memref.dealloc, and how many of them are conditional",
    "copies: bufferization.clone and memref.copy; bytes where each runs once, "
    "? "
    "where a size is dynamic",
    "alias checks: comparisons of two base pointers at run time",
    "indicators: ownership indicators that the pass adds, before "
    "simplification",
    "faults: leaks, double frees and uses after free on all paths tried, with "
    "the results of calls owned by the caller (the classic pass leaves them to "
    "nobody); ? where not all paths were tried, or not all uses followed",
    "peak: most bytes live at once on any path, what it calls included; at "
    "least that where a size or a callee is not known; in a sum the largest "
    "function's",
};

std::vector<std::string> columnLegend() {
  return {std::begin(legend), std::end(legend)};
}

static void printText(const PipelineTable &table, std::ostream &out) {
  size_t nameWidth = 8;
  for (const std::string &pipeline : table.pipelines)
    nameWidth = std::max(nameWidth, pipeline.size() + 12);
  auto pad = [&](const std::string &text, size_t width, bool right) {
    std::string space(text.size() < width ? width - text.size() : 0, ' ');
    return right ? space + text : text + space;
  };
  for (const PipelineFile &file : table.files) {
    out << file.path << "\n";
    for (const Section &section : sectionsOf(table, file)) {
      out << "\n" << pad(section.title, nameWidth, false);
      for (const Column &column : columns)
        if (*column.title)
          out << "  " << column.title;
      out << "\n";
      for (const PipelineRow &row : section.rows) {
        out << pad("  " + row.pipeline, nameWidth, false);
        if (!row.problem.empty()) {
          out << "  rejected: " << row.problem << "\n";
          continue;
        }
        std::vector<std::string> cells = cellsOf(row.counts);
        size_t at = 0;
        for (const Column &column : columns)
          if (*column.title)
            out << "  "
                << pad(cells[at++], std::string(column.title).size(), true);
        out << "\n";
      }
    }
    out << "\n";
  }
  for (const char *line : legend)
    out << line << "\n";
}

/// As text, whatever the name holds.
static std::string markdownText(const std::string &text) {
  std::string escaped;
  for (char c : text) {
    if (c == '\n' || c == '\r')
      c = ' ';
    if (std::string_view("\\`*_{}[]<>()#+-.!|~&$").find(c) !=
        std::string_view::npos)
      escaped += '\\';
    escaped += c;
  }
  return escaped;
}

static void printMarkdown(const PipelineTable &table, std::ostream &out) {
  for (const PipelineFile &file : table.files) {
    out << "## " << markdownText(file.path) << "\n";
    for (const Section &section : sectionsOf(table, file)) {
      out << "\n### " << markdownText(section.title) << "\n\n| pipeline |";
      std::string rule = "|---|";
      for (const Column &column : columns)
        if (*column.title) {
          out << " " << column.title << " |";
          rule += "--:|";
        }
      out << "\n" << rule << "\n";
      for (const PipelineRow &row : section.rows) {
        out << "| " << markdownText(row.pipeline) << " |";
        if (!row.problem.empty())
          out << " rejected: " << markdownText(row.problem) << " |";
        else
          for (const std::string &cell : cellsOf(row.counts))
            out << " " << cell << " |";
        out << "\n";
      }
    }
    out << "\n";
  }
  for (const char *line : legend)
    out << "- " << line << "\n";
}

void printTable(const PipelineTable &table, const std::string &format,
                std::ostream &out) {
  if (format == "json")
    printJson(table, out);
  else if (table.files.empty())
    return;
  else if (format == "html")
    printPage(table, out);
  else if (format == "md")
    printMarkdown(table, out);
  else
    printText(table, out);
}

} // namespace memreflens
