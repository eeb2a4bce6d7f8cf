//===- cli/Exporter.cpp - pictures and reports, from a trace to files -----===//

#include "cli/Exporter.h"
#include "cli/ExitStatus.h"
#include "cli/Input.h"
#include "cli/ProgramRun.h"
#include "core/files/NewFolder.h"
#include "core/graph/Draw.h"
#include "core/graph/GraphJson.h"
#include "core/graph/LifetimesSvg.h"
#include "core/graph/LineText.h"
#include "core/graph/StagePicture.h"
#include "core/graph/SvgPng.h"
#include "core/graph/memory/MemorySvg.h"
#include "core/graph/tensors/TensorSvg.h"
#include "core/process/Parallel.h"
#include "core/report/Html.h"
#include "core/report/Markdown.h"
#include "core/text/Escape.h"
#include "core/trace/Plan.h"

#include "llvm/ADT/StringRef.h"

#include <cstdio>
#include <set>
#include <unistd.h>

namespace memreflens {

using trace::Id;
using trace::none;

namespace {

/// A file name for a function: letters, digits, `_`, `.` and `-` as they are.
std::string fileNameOf(const std::string &name) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string out;
  for (char c : name) {
    auto byte = static_cast<unsigned char>(c);
    bool isPlain =
        isalnum(byte) || c == '_' || c == '-' || (c == '.' && !out.empty());
    if (isPlain)
      out += c;
    else
      out += {'=', digits[byte >> 4], digits[byte & 15]};
  }
  return out.empty() ? "_" : out.substr(0, 120);
}

bool writeText(const std::string &path, const std::string &text) {
  return writeOutput(path, [&](std::ostream &out) { out << text; });
}

class Exporter {
public:
  Exporter(const CliOptions &options, const trace::Trace &trace,
           const FileReport *findings)
      : options(options), wants(options.own<ExportOptions>()), trace(trace),
        lookup(trace), findings(findings) {}

  int run() {
    if (int status = takeRun())
      return status;
    chooseFunctions();
    if (int status = takeTensors())
      return status;
    if (int status = takeTensorCopies())
      return status;
    if (chosen.empty())
      return complain(badInput, "nothing to export: no function with a body");
    if (!options.output.empty() && options.output.back() == '/')
      return toFolder();
    bool isWhole = isReport();
    if (!isWhole && chosen.size() > 1)
      return complain(wrongUsage,
                      "'" + trace.source.path + "' has " +
                          std::to_string(chosen.size()) +
                          " functions; choose one with --function NAME, or "
                          "write a file for each with -o DIR/");
    if (wants.format == "png" && options.output == "-" && isatty(STDOUT_FILENO))
      return complain(wrongUsage,
                      "a PNG does not go to a terminal; name a file with -o");
    if (wants.format == "html") {
      const bool isWritten =
          writeOutput(options.output, [&](std::ostream &out) {
            report::writeHtmlReport(lookup, htmlOptions(none), out);
          });
      return isWritten ? done : badInput;
    }
    std::string text;
    if (int status = isWhole ? writeReport(text, none)
                             : drawFunction(chosen.front(), text))
      return status;
    return writeText(options.output, text) ? done : badInput;
  }

private:
  /// One file for all functions; the others are a picture of one.
  bool isReport() const {
    return wants.format == "html" || wants.format == "md" ||
           wants.format == "json";
  }

  /// `--with-run`; an exit status where it does not fit.
  int takeRun() {
    if (options.withRun.empty())
      return done;
    kept = openRun(options.withRun, trace);
    if (!kept)
      return badInput;
    if ((wants.stage != -1 && wants.stage != kept->stage) ||
        wants.against != -1)
      return complain(wrongUsage, "'" + options.withRun +
                                      "' ran the program after stage " +
                                      std::to_string(kept->stage) +
                                      "; leave '--stage' out");
    return done;
  }

  void chooseFunctions() {
    for (const trace::Function &function : trace.functions)
      if (function.status != trace::FunctionStatus::declaration &&
          function.status != trace::FunctionStatus::skipped &&
          (options.run.function.empty() ||
           function.isCalled(options.run.function)))
        chosen.push_back(function.id);
    // One picture: of what ran.
    if (kept && kept->entry != none && options.run.function.empty() &&
        !isReport() && !options.output.ends_with('/'))
      chosen = {kept->entry};
  }

  /// Of `--view tensors`: only functions that had tensors.
  int takeTensors() {
    if (wants.view != "tensors" || isReport())
      return done;
    tensors.emplace(lookup);
    std::erase_if(chosen, [&](Id function) {
      return tensors->operandsOf(function).empty();
    });
    if (!chosen.empty())
      return done;
    return complain(badInput,
                    tensors->empty()
                        ? "no tensors to draw: one-shot-bufferize did not run; "
                          "run it with '--bufferize'"
                        : "no tensors to draw: one-shot-bufferize decided "
                          "about none here");
  }

  /// Of `--stage tensor-copies`: only functions that are in that text.
  int takeTensorCopies() {
    if (wants.stage != trace::tensorCopiesStage &&
        wants.against != trace::tensorCopiesStage)
      return done;
    std::erase_if(chosen, [&](Id function) {
      return !trace::hasTensorCopies(trace, lookup.function(function)->chunk);
    });
    return chosen.empty()
               ? complain(badInput, "no stage tensor-copies to draw: "
                                    "one-shot-bufferize did not run, or the "
                                    "trace was made without that text")
               : int(done);
  }

  //===--- One file ---===//

  int writeReport(std::string &text, Id function) const {
    if (wants.format == "md") {
      report::MarkdownOptions markdown;
      markdown.function = function != none ? function : only();
      markdown.findings = findings;
      markdown.run = kept ? &*kept : nullptr;
      text = report::markdownReport(lookup, markdown);
    } else if (wants.format == "json") {
      std::vector<graph::Picture> pictures;
      for (Id id : chosen)
        if (function == none || id == function)
          pictures.push_back(pictureOf(id));
      text = graph::graphsJson(pictures);
    } else {
      text = report::htmlReport(lookup, htmlOptions(function));
    }
    return done;
  }

  report::HtmlOptions htmlOptions(Id function) const {
    report::HtmlOptions html;
    if (!wants.theme.empty())
      html.theme = theme();
    html.function = function != none ? function : only();
    html.findings = findings;
    html.run = kept ? &*kept : nullptr;
    html.workers = workersOn(options.jobs);
    if (isatty(STDERR_FILENO) && trace.functions.size() > 1 && function == none)
      html.onProgress = [](size_t done, size_t count) {
        std::fprintf(stderr, "\r%zu of %zu functions%s", done, count,
                     done == count ? "\r\033[K" : "");
      };
    return html;
  }

  /// The function that was asked for; `none` for all.
  Id only() const {
    return options.run.function.empty() ? none : chosen.front();
  }

  graph::Picture pictureOf(Id function) const {
    graph::PictureOptions picture;
    picture.detail =
        wants.detail == "blocks" ? graph::Detail::blocks : graph::Detail::ops;
    if (wants.format == "json") {
      // Data is not cut to what a reader can take in.
      picture.maxChips = picture.maxLines = SIZE_MAX / 4;
      picture.smallFunction = SIZE_MAX;
    }
    if (kept) {
      const std::optional<RunCounts> counts =
          kept->countsOf(trace.functions[size_t(function)]);
      return graph::stagePicture(lookup, function, kept->stage, picture,
                                 counts ? &*counts : nullptr);
    }
    if (wants.stage == -1)
      return graph::ownershipPicture(lookup, function, picture);
    if (wants.against == -1)
      return graph::stagePicture(lookup, function, wants.stage, picture);
    return graph::comparisonPicture(lookup, function, wants.stage,
                                    wants.against, picture);
  }

  graph::ThemeName theme() const {
    return wants.theme == "dark" ? graph::ThemeName::dark
                                 : graph::ThemeName::light;
  }

  /// Value of the name in the function; `none`, with a complaint, if none is.
  bool findHighlight(Id function, graph::DotOptions &dot) const {
    if (wants.highlight.empty())
      return true;
    std::string name = wants.highlight;
    if (name.starts_with("%"))
      name.erase(0, 1);
    for (const trace::Value &value : trace.values)
      if (value.name == name &&
          lookup.getIndex().functionOfValue(value.id) == function) {
        dot.highlight = value.id;
        dot.highlightName = "%" + name;
        return true;
      }
    complain(wrongUsage, "no value '%" + name + "' in '@" +
                             trace.functions[size_t(function)].name + "'");
    return false;
  }

  /// Of several memory spaces, one picture below the other.
  std::string drawMemory(Id function) const {
    std::vector<memory::MemoryUse> uses = memoryReader.usesOf(function);
    // A run counts all memory together.
    if (kept && uses.size() == 1)
      kept->addTo(uses.front(), lookup);
    std::vector<std::string> pictures;
    for (const memory::MemoryUse &use : uses)
      pictures.push_back(wants.view == "memory"
                             ? memory::plotSvg(use, theme())
                             : memory::arenaSvg(use, theme()));
    return memory::stackedSvg(pictures);
  }

  Lifetimes lifetimesOf(Id function) const {
    Lifetimes lifetimes = memreflens::lifetimesOf(lookup, function);
    if (kept)
      kept->addTo(lifetimes, lookup);
    return lifetimes;
  }

  int drawChart(Id function, std::string &text) const {
    if (wants.format != "svg" && wants.format != "png")
      return complain(wrongUsage, "'--view " + wants.view +
                                      "' is drawn as svg or png only");
    if (wants.view == "memory" || wants.view == "arena")
      text = drawMemory(function);
    else if (wants.view == "tensors")
      text = graph::tensorSvg(tensors->of(function), theme());
    else
      text = graph::lifetimesSvg(lookup, lifetimesOf(function), theme());
    if (wants.format == "svg")
      return done;
    graph::Image image = graph::pngOf(text);
    if (!image.error.empty())
      return complain(badInput, "cannot draw '@" +
                                    trace.functions[size_t(function)].name +
                                    "': " + image.error);
    text = std::move(image.bytes);
    return done;
  }

  int drawFunction(Id function, std::string &text) const {
    if (wants.view != "cfg")
      return drawChart(function, text);
    graph::DotOptions dot;
    dot.theme = theme();
    if (!findHighlight(function, dot))
      return wrongUsage;
    graph::ImageFormat format = wants.format == "dot" ? graph::ImageFormat::dot
                                : wants.format == "png"
                                    ? graph::ImageFormat::png
                                    : graph::ImageFormat::svg;
    graph::Image image = graph::draw(pictureOf(function), dot, format);
    if (!image.error.empty())
      return complain(badInput, "cannot draw '@" +
                                    trace.functions[size_t(function)].name +
                                    "': " + image.error);
    if (!image.note.empty())
      tell("memref-lens: note: '@%s': %s\n",
           trace.functions[size_t(function)].name.c_str(), image.note.c_str());
    text = std::move(image.bytes);
    return done;
  }

  //===--- A folder ---===//

  int toFolder() {
    NewFolder folder(options.output);
    if (!folder.getError().empty())
      return complain(badInput, "cannot make '" + options.output +
                                    "': " + folder.getError());
    bool showsProgress = isatty(STDERR_FILENO) && chosen.size() > 1;
    std::set<std::string> taken = {"index"};
    std::vector<std::string> names;
    for (size_t i = 0; i < chosen.size(); ++i) {
      if (showsProgress)
        std::fprintf(stderr, "\r%zu of %zu functions", i, chosen.size());
      std::string name = fileNameOf(trace.functions[size_t(chosen[i])].name);
      std::string free = name;
      for (int n = 2; !taken.insert(free).second; ++n)
        free = name + "-" + std::to_string(n);
      names.push_back(free + "." + wants.format);
      std::string text;
      int status = isReport() ? writeReport(text, chosen[i])
                              : drawFunction(chosen[i], text);
      if (status != done)
        return status;
      if (!writeText(folder.add(names.back()), text))
        return badInput;
    }
    if (showsProgress)
      std::fputs("\r                              \r", stderr);
    bool isHtml = wants.format == "svg" || wants.format == "png" ||
                  wants.format == "html";
    if (!writeText(folder.add(isHtml ? "index.html" : "index.md"),
                   isHtml ? htmlIndex(names) : markdownIndex(names)))
      return badInput;
    folder.keep();
    return done;
  }

  std::string markdownIndex(const std::vector<std::string> &names) const {
    std::string text = "# Functions of <code>" +
                       report::markdownEscaped(trace.source.path) +
                       "</code>\n\n";
    for (size_t i = 0; i < names.size(); ++i)
      text += "- [<code>" +
              report::markdownEscaped(
                  "@" + trace.functions[size_t(chosen[i])].title()) +
              "</code>](" + names[i] + ")\n";
    return text;
  }

  std::string htmlIndex(const std::vector<std::string> &names) const {
    std::string text =
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
        "'none'; img-src 'self' file:\"><title>Functions of " +
        escapedXml(trace.source.path) + "</title></head><body>\n<h1>" +
        escapedXml(trace.source.path) + "</h1>\n<ul>\n";
    for (size_t i = 0; i < names.size(); ++i)
      text += "<li><a href=\"" + names[i] + "\">" +
              escapedXml("@" + trace.functions[size_t(chosen[i])].title()) +
              "</a></li>\n";
    return text + "</ul>\n</body></html>\n";
  }

  const CliOptions &options;
  const ExportOptions &wants;
  const trace::Trace &trace;
  Lookup lookup;
  mutable memory::MemoryReader memoryReader{lookup};
  /// With paths; null where there is only a trace.
  const FileReport *findings;
  std::optional<execute::KeptRun> kept;
  /// Of `--view tensors`.
  std::optional<graph::TensorFlows> tensors;
  std::vector<Id> chosen;
};

} // namespace

int exportTrace(const CliOptions &options, const trace::Trace &trace,
                const FileReport *findings) {
  return Exporter(options, trace, findings).run();
}

} // namespace memreflens
