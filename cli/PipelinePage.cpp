//===- cli/PipelinePage.cpp - several pipelines on one page ---------------===//
//
// Each function's table, and under it what each pipeline makes of it, side by
// side. No script; text of the user's file is text.
//
//===----------------------------------------------------------------------===//

#include "cli/PipelineTable.h"
#include "core/text/Escape.h"

#include <sstream>

namespace memreflens {

static constexpr const char *style = R"(
:root { color-scheme: light dark; --ground: #fff; --text: #1f2328; --dim: #59636e;
  --line: #d1d9e0; --alloc: #dafbe1; --copy: #fff1d6; --free: #ffebe9; }
@media (prefers-color-scheme: dark) { :root { --ground: #0d1117; --text: #e6edf3;
  --dim: #9198a1; --line: #3d444d; --alloc: #033a16; --copy: #3d2e00;
  --free: #5d0f12; } }
body { background: var(--ground); color: var(--text); margin: 16px;
  font: 14px/20px "DejaVu Sans", system-ui, sans-serif; }
table { border-collapse: collapse; margin: 8px 0; }
th, td { border: 1px solid var(--line); padding: 2px 8px; text-align: right; }
th:first-child, td:first-child, td.problem { text-align: left; }
h2, h3, code, pre { font-family: "DejaVu Sans Mono", Consolas, monospace; }
h3 { margin: 24px 0 4px; }
.panes { display: flex; gap: 12px; overflow-x: auto; align-items: flex-start; }
figure { margin: 0; border: 1px solid var(--line); border-radius: 4px;
  min-width: 24rem; flex: 1 0 24rem; }
figcaption { padding: 4px 8px; border-bottom: 1px solid var(--line); }
pre { margin: 0; padding: 8px 0; overflow: auto; max-height: 40rem;
  font-size: 12px; line-height: 18px; }
pre span { display: block; padding: 0 8px; }
.alloc { background: var(--alloc); } .copy { background: var(--copy); }
.free { background: var(--free); }
.legend { color: var(--dim); }
)";

/// Which colour a line of IR gets.
static const char *kindOfLine(std::string_view line) {
  auto has = [&](std::string_view op) {
    return line.find(op) != std::string_view::npos;
  };
  if (has("memref.dealloc"))
    return "free";
  if (has("bufferization.clone") || has("memref.copy"))
    return "copy";
  if (has("memref.alloc"))
    return "alloc";
  return "";
}

static void printIr(const std::string &ir, std::ostream &out) {
  out << "<pre tabindex=\"0\">";
  std::istringstream lines(ir);
  for (std::string line; std::getline(lines, line);) {
    std::string kind = kindOfLine(line);
    out << (kind.empty() ? std::string("<span>")
                         : "<span class=\"" + kind + "\">")
        << (line.empty() ? " " : escapedXml(line)) << "</span>";
  }
  out << "</pre>";
}

static void printSection(const PipelineSection &section, std::ostream &out) {
  const std::vector<std::string> titles = columnTitles();
  out << "<h3>" << escapedXml(section.title) << "</h3>\n<table><thead><tr>"
      << "<th scope=\"col\">pipeline</th>";
  for (const std::string &title : titles)
    out << "<th scope=\"col\">" << escapedXml(title) << "</th>";
  out << "</tr></thead><tbody>\n";
  bool hasIr = false;
  for (const PipelineRow &row : section.rows) {
    hasIr |= !row.ir.empty();
    out << "<tr><td>" << escapedXml(row.pipeline) << "</td>";
    if (!row.problem.empty())
      out << "<td class=\"problem\" colspan=\"" << titles.size()
          << "\">rejected: " << escapedXml(row.problem) << "</td>";
    else
      for (const std::string &cell : cellsOf(row.counts))
        out << "<td>" << escapedXml(cell) << "</td>";
    out << "</tr>\n";
  }
  out << "</tbody></table>\n";
  if (!hasIr)
    return;
  out << "<div class=\"panes\">";
  for (const PipelineRow &row : section.rows) {
    out << "<figure><figcaption><code>" << escapedXml(row.pipeline)
        << "</code></figcaption>";
    if (row.ir.empty())
      out << "<p>" << escapedXml(row.problem) << "</p>";
    else
      printIr(row.ir, out);
    out << "</figure>\n";
  }
  out << "</div>\n";
}

void printPage(const PipelineTable &table, std::ostream &out) {
  out << "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      << "<meta name=\"viewport\" content=\"width=device-width\">"
      << "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
         "'none'; style-src 'unsafe-inline'\">"
      << "<title>Ways to free, side by side</title><style>" << style
      << "</style></head><body>\n<h1>Ways to free, side by side</h1>\n";
  for (const PipelineFile &file : table.files) {
    out << "<h2>" << escapedXml(file.path) << "</h2>\n";
    for (const PipelineSection &section : sectionsOf(table, file))
      printSection(section, out);
  }
  out << "<ul class=\"legend\">";
  for (const std::string &line : columnLegend())
    out << "<li>" << escapedXml(line) << "</li>";
  out << "</ul>\n</body></html>\n";
}

} // namespace memreflens
