//===- cli/commands/Memory.cpp - `memory`: what is alive at the peak ------===//

#include "cli/Command.h"
#include "cli/ExitStatus.h"
#include "cli/FileRun.h"
#include "cli/OptionActions.h"
#include "cli/ProgramRun.h"
#include "cli/Settling.h"
#include "cli/SharedOptions.h"
#include "core/explain/PlainText.h"
#include "core/explain/Words.h"
#include "core/graph/SvgPng.h"
#include "core/graph/memory/MemorySvg.h"
#include "core/report/Html.h"
#include "core/trace/RunArguments.h"
#include "core/trace/Sizes.h"

#include <algorithm>
#include <unistd.h>

namespace memreflens {

namespace {
struct MemoryOptions {
  /// text, json, svg, png or html; empty: that of the output's ending, else
  /// text.
  std::string format;
  /// Every function, and every buffer at the peak.
  bool showsAll = false;
  /// What the peak is summed by, as memory::nameOf says; empty: no such table.
  std::string by;
};
} // namespace

/// Functions by their peaks, the largest first.
static std::string memoryText(std::vector<memory::MemoryUse> uses,
                              const MemoryOptions &options,
                              const std::string &words) {
  const bool all = options.showsAll;
  static constexpr size_t mostFunctions = 3, mostRows = 10;
  std::ranges::stable_sort(uses, std::ranges::greater(),
                           &memory::MemoryUse::peakBytes);
  std::string text;
  for (size_t i = 0; i < uses.size(); ++i) {
    if (!all && i == mostFunctions) {
      text += "\nand " + counted(uses.size() - i, "other function") +
              ", none with a larger peak; --all shows them\n";
      break;
    }
    text += (i ? "\n" : "") + memory::textOf(uses[i], all      ? SIZE_MAX
                                                      : i == 0 ? mostRows
                                                               : 0);
    for (memory::OriginBy by : memory::originKinds)
      if (options.by == nameOf(by))
        text += memory::originsText(uses[i], by, all ? SIZE_MAX : mostRows);
  }
  const bool isHigh = std::ranges::any_of(
      uses, [](const auto &use) { return gainsAfterLastUse(use); });
  return text +
         (isHigh ? "\nwhat to do about it: memref-lens " + words + "\n" : "");
}

/// The function that ran, else the one with the largest peak.
static const memory::MemoryUse *
largestOf(const std::vector<memory::MemoryUse> &uses) {
  for (const memory::MemoryUse &use : uses)
    if (use.measured)
      return &use;
  auto largest =
      std::ranges::max_element(uses, {}, &memory::MemoryUse::peakBytes);
  return largest == uses.end() ? nullptr : &*largest;
}

/// `error` says why there is none.
static std::string memoryIn(const std::string &format, const Lookup &lookup,
                            const std::vector<memory::MemoryUse> &uses,
                            const execute::KeptRun *kept, std::string &error) {
  const memory::MemoryUse *largest = largestOf(uses);
  if (!largest) {
    error = "nothing to draw: no function with a body was traced";
    return {};
  }
  if (format == "html") {
    report::HtmlOptions html;
    html.function = uses.size() == 1 ? largest->function : trace::none;
    html.opensOnMemoryOf = largest->function;
    html.run = kept;
    return report::htmlReport(lookup, html);
  }
  std::vector<std::string> pictures;
  for (const memory::MemoryUse &use : uses)
    if (use.function == largest->function)
      pictures.push_back(memory::plotSvg(use, graph::ThemeName::light));
  const std::string svg = memory::stackedSvg(pictures);
  if (format == "svg")
    return svg;
  graph::Image image = graph::pngOf(svg);
  error = std::move(image.error);
  return std::move(image.bytes);
}

/// A size that is stated of nothing is a slip.
static void tellUnusedSizes(const trace::Trace &trace) {
  for (const std::string &text : trace.options.sizes) {
    const std::optional<trace::StatedSize> size = trace::sizeIn(text);
    auto isNamed = [&](const trace::Value &value) {
      return !value.generated && value.name == size->value;
    };
    auto isCalled = [&](const trace::Function &function) {
      return function.name == size->function && !function.blocks.empty() &&
             size_t(size->argument) <
                 trace.blocks[size_t(function.blocks.front())].arguments.size();
    };
    if (size &&
        (size->value.empty() ? !std::ranges::any_of(trace.functions, isCalled)
                             : !std::ranges::any_of(trace.values, isNamed)))
      tell("memref-lens: warning: '--assume %s' is about nothing in the "
           "program\n",
           text.c_str());
  }
}

static int runMemory(const FileRun &run) {
  const std::string &format = run.options.own<MemoryOptions>().format;
  if (format == "png" && run.options.output == "-" && isatty(STDOUT_FILENO)) {
    tell("memref-lens: error: a PNG does not go to a terminal; name a file "
         "with -o\n");
    return wrongUsage;
  }
  AnalysisOptions options = withHeap(run);
  const bool hasRun = !run.options.withRun.empty();
  if (hasRun)
    options.run.function.clear();
  else
    options.text = StageText::none;
  int status = done;
  const trace::Trace &trace = obtain(run, options, status);
  if (status != done)
    return status;
  std::optional<execute::KeptRun> kept;
  if (hasRun && statusOf(trace) == done &&
      !(kept = openRun(run.options.withRun, trace)))
    return badInput;
  tellUnusedSizes(trace);
  const Lookup lookup(trace);
  memory::MemoryReader reader(lookup);
  std::vector<memory::MemoryUse> uses;
  for (const trace::Function &function : trace.functions)
    if (function.status == trace::FunctionStatus::traced &&
        (run.options.run.function.empty() ||
         function.isCalled(run.options.run.function)))
      for (memory::MemoryUse &use : reader.usesOf(function.id))
        uses.push_back(std::move(use));
  for (memory::MemoryUse &use : uses)
    if (kept)
      kept->addTo(use, lookup);
  if (format == "json")
    return finish(run, trace, memory::asJson(uses));
  if (format.empty() || format == "text") {
    // What is to be done is told of the whole file.
    trace::RunOptions all = run.options.run;
    all.function.clear();
    return finish(
        run, trace,
        plainText(memoryText(std::move(uses), run.options.own<MemoryOptions>(),
                             trace::shellArguments(all, run.source.path))));
  }
  // What was wrong is told first.
  if (uses.empty() && (statusOf(trace) != done ||
                       !knowsFunction(trace, run.options.run.function)))
    return finish(run, trace, std::string());
  std::string error;
  const std::string made =
      memoryIn(format, lookup, uses, kept ? &*kept : nullptr, error);
  if (!error.empty())
    return complain(badInput, error);
  return finish(run, trace, made);
}

//===--- The command ------------------------------------------------------===//

static std::string settleMemory(CliOptions &options) {
  takeEnding(options.output, {"svg", "png", "html", "json"},
             options.own<MemoryOptions>().format);
  return takeOneFile(options);
}

const Command &memoryCommand() {
  static const Command command{
      .name = "memory",
      .takes = "FILE",
      .summary =
          "the peak of heap memory: which buffers are alive there, since "
          "when they are idle, and how little memory is enough",
      .brief = "the peak of heap memory, and how little is enough",
      .question =
          "what is alive at the peak, since when is it idle, how little "
          "is enough?",
      .about = R"(usage: memref-lens memory [options] FILE

Of each function: the most heap memory that is live at once and where, the buffers
that are alive there with their last uses and deallocs, the peak if each were
deallocated right after its last use, what holds those that are past it, and the
size of one arena that holds them all. 'memref-lens export --view memory' and
'--view arena' draw it. In the order of the text: both arms of a branch count, and
what is used in a loop is in use to its end. A size that only run time knows is
listed, with its symbols; '--assume' states one.
)",
      .options =
          {{.names = "--all",
            .brief = "every function, and every buffer alive at the peak",
            .take = takeFlag<&MemoryOptions::showsAll>()},
           {.names = "--by",
            .value = {" WHAT", {"op", "loc", "callee"}},
            .brief = "sum the peak by what made it",
            .help = "sum what is alive at the peak by the op that fills it "
                    "first (op), by the location that its op has in a model "
                    "(loc), or by the function that holds it (callee)",
            .take = takeOneOf<&MemoryOptions::by>()},
           {.names = "--format",
            .value = {" FORMAT", {"text", "json", "svg", "png", "html"}},
            .brief = "form of the result",
            .help =
                "text (default); json: with live bytes at each op, and each "
                "buffer's offset in the arena; svg or png: the plot of the "
                "function, of several that with the largest peak; html: a "
                "page to look around in",
            .man =
                "`text` (the default); `json`, with live bytes at each op, "
                "and each buffer's offset in the arena; `svg` or `png`, the "
                "plot of the function, of several that with the largest peak; "
                "`html`, a page to look around in",
            .take = takeOneOf<&MemoryOptions::format>()},
           outputOption(
               "write to a file instead of standard output; its ending "
               "(.svg, .png, .html, .json) is a format, too"),
           withRunOption("what one run had",
                         "what one run had beside what is predicted",
                         "show what one run had beside what is predicted")},
      .groups = {jobsOptions(), pipelineOptions(), statementOptions(),
                 skipOptions(), commonOptions()},
      .files = "*.(mlir|json)*",
      .opensSaved = true,
      .showsPart = true,
      .settle = settleMemory,
      .runOnFile = runMemory};
  return command;
}

} // namespace memreflens
