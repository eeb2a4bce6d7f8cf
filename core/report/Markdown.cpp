//===- core/report/Markdown.cpp - a summary for a pull request ------------===//
//
// GitHub's flavour. Names go into <code> with numeric references for all that
// Markdown or Mermaid could take as markup.
//
//===----------------------------------------------------------------------===//

#include "core/report/Markdown.h"

#include "core/explain/CostText.h"
#include "core/graph/LineText.h"
#include "core/graph/OwnershipPicture.h"
#include "core/graph/StagePicture.h"
#include "core/query/Lifetimes.h"
#include "core/query/Totals.h"
#include "core/report/Findings.h"
#include "core/report/RunSummary.h"
#include "core/text/Escape.h"

#include <algorithm>

namespace memreflens::report {

using namespace trace;

namespace {

bool isPlain(char c) {
  return isalnum(static_cast<unsigned char>(c)) || c == ' ' || c == '.' ||
         c == ',' || c == ':' || c == '%' || c == '@' || c == '-' || c == '/' ||
         c == '?' || c == '+' || (static_cast<unsigned char>(c) & 0x80);
}

std::string referenced(std::string_view text, std::string_view begin) {
  std::string out;
  for (char c : visibleText(text)) {
    if (isPlain(c))
      out += c;
    else
      out += std::string(begin) +
             std::to_string(int(static_cast<unsigned char>(c))) + ";";
  }
  return out;
}

std::string code(std::string_view text) {
  return "<code>" + markdownEscaped(text) + "</code>";
}

class MarkdownWriter {
public:
  MarkdownWriter(const Lookup &lookup, const MarkdownOptions &options)
      : lookup(lookup), trace(lookup.getTrace()), options(options) {}

  std::string write() {
    out = "## Buffer ownership in " + code(trace.source.path) + "\n\n";
    std::vector<const Function *> functions = chosen();
    if (functions.empty())
      return out + "No function with a body.\n";
    writeTable(functions);
    if (options.run)
      out += runSummary(trace, *options.run, options.function);
    const FileReport own =
        findingsWithCauses(lookup, options.findings, options.run);
    out += causesList(lookup, own, options.function);
    out += findingsTable(lookup, own, options.function);
    for (const Function *function : functions) {
      writeDiagram(*function);
      if (options.run)
        writeRun(*function);
    }
    return std::move(out);
  }

private:
  std::vector<const Function *> chosen() const {
    std::vector<const Function *> functions;
    for (const Function &function : trace.functions)
      if (function.status != FunctionStatus::declaration &&
          (options.function == none || options.function == function.id))
        functions.push_back(&function);
    return functions;
  }

  void writeTable(const std::vector<const Function *> &functions) {
    out += "| function | allocations | deallocations | conditional | clones | "
           "run-time alias checks | dealloc_helper calls | peak bytes |\n"
           "|---|--:|--:|--:|--:|--:|--:|--:|\n";
    for (const Function *function : functions)
      writeLine(*function);
    out += "\nPeak bytes are the most that are live at once on any path; "
           "`at least` where a size or a callee is not known.\n";
  }

  void writeLine(const Function &function) {
    out += "| " + code("@" + function.title());
    if (function.status != FunctionStatus::traced) {
      out += " " + statusWords(function) + " | | | | | | | |\n";
      return;
    }
    Totals totals = totalsOf(lookup, function.id);
    const HeapUse &heap = function.heap;
    std::string peak = peakText(uint64_t(heap.peakBytes),
                                !heap.gaps.empty() || !heap.measured);
    for (size_t number :
         {totals.allocations, totals.frees, totals.conditionalFrees,
          totals.clones, totals.runTimeChecks, totals.helperCalls})
      out += " | " + std::to_string(number);
    out += " | " + peak + " |\n";
  }

  std::string statusWords(const Function &function) const {
    switch (function.status) {
    case FunctionStatus::notProcessed:
      return "skipped: the pass runs on func.func only";
    case FunctionStatus::crashedStage:
      return "**skipped**: a stage died on it";
    case FunctionStatus::skipped:
      return "skipped";
    default:
      break;
    }
    for (Id id : lookup.eventsOfFunction(function.id))
      if (const auto *rejection =
              std::get_if<RejectionEvent>(&lookup.event(id)->detail))
        return "**rejected**: " + markdownEscaped(rejection->message);
    return "**rejected**";
  }

  //===--- Diagrams ---===//

  void writeDiagram(const Function &function) {
    graph::PictureOptions pictureOptions;
    pictureOptions.detail = graph::Detail::blocks;
    graph::Picture picture =
        graph::ownershipPicture(lookup, function.id, pictureOptions);
    writeDetails(function, "", picture);
  }

  /// The program that ran, with its counts.
  void writeRun(const Function &function) {
    std::optional<RunCounts> counts = options.run->countsOf(function);
    if (!counts || counts->isEmpty())
      return;
    counts->verdict.clear();
    graph::PictureOptions pictureOptions;
    pictureOptions.lineLimit = 48;
    writeDetails(function, ", as it ran",
                 graph::stagePicture(lookup, function.id, options.run->stage,
                                     pictureOptions, &*counts));
  }

  void writeDetails(const Function &function, const std::string &what,
                    const graph::Picture &picture) {
    out += "\n<details><summary>" + code("@" + function.title()) + what +
           "</summary>\n\n";
    if (picture.nodes.size() > options.diagramBlocks)
      out += std::to_string(picture.nodes.size()) +
             " blocks, too many for a diagram here.\n";
    else
      writeFlowchart(picture);
    out += "\n</details>\n";
  }

  static bool isShown(graph::RowKind kind) {
    using graph::RowKind;
    return kind == RowKind::allocated || kind == RowKind::cloned ||
           kind == RowKind::freed;
  }

  static std::string labelOf(const graph::Node &node) {
    std::string label = mermaidEscaped(node.title);
    if (!node.note.empty())
      label += " " + mermaidEscaped(node.note);
    for (const auto *rows : {&node.top, &node.bottom})
      for (const graph::Row &row : *rows) {
        bool isBoundary = node.kind != graph::NodeKind::block;
        if (!isShown(row.kind) && !isBoundary)
          continue;
        label += "<br/>" + mermaidEscaped(row.label) + ":";
        for (const graph::Chip &chip : row.chips)
          label += " " + mermaidEscaped(chip.text);
      }
    for (const graph::Line &line : node.lines)
      if (!line.counts.empty())
        label += "<br/>" + mermaidEscaped(line.text + ": " + line.counts);
    return label;
  }

  void writeFlowchart(const graph::Picture &picture) {
    out += "```mermaid\nflowchart TD\n";
    for (size_t i = 0; i < picture.nodes.size(); ++i)
      out += "  n" + std::to_string(i) + "[\"" + labelOf(picture.nodes[i]) +
             "\"]\n";
    for (const graph::Edge &edge : picture.edges) {
      std::string label = mermaidEscaped(edge.label);
      for (const graph::Chip &chip : edge.chips)
        if (chip.meaning == graph::Meaning::retained)
          label += (label.empty() ? "" : "<br/>") + mermaidEscaped(chip.text);
      out += "  n" + std::to_string(edge.from) + " -->" +
             (label.empty() ? "" : "|\"" + label + "\"|") + " n" +
             std::to_string(edge.to) + "\n";
    }
    out += "```\n";
  }

  const Lookup &lookup;
  const Trace &trace;
  const MarkdownOptions &options;
  std::string out;
};

} // namespace

std::string markdownEscaped(std::string_view text) {
  return referenced(text, "&#");
}

std::string mermaidEscaped(std::string_view text) {
  return referenced(text, "#");
}

std::string markdownReport(const Lookup &lookup,
                           const MarkdownOptions &options) {
  return MarkdownWriter(lookup, options).write();
}

} // namespace memreflens::report
