//===- viewer/panels/WhatIf.cpp - a second run, beside the first ----------===//

#include "viewer/panels/WhatIf.h"

#include "viewer/canvas/Theme.h"
#include "viewer/panels/Rows.h"
#include "viewer/state/Anchor.h"

#include "core/trace/Names.h"

#include <cstdio>

namespace memreflens::viewer {

trace::RunOptions WhatIf::options(const trace::RunOptions &first) const {
  trace::RunOptions run;
  // Without them the program cannot even be read.
  run.dialectPlugins = first.dialectPlugins;
  run.passPlugins = first.passPlugins;
  run.unregistered = first.unregistered;
  run.privateFunctionDynamicOwnership = fields.dynamicOwnership;
  run.allowUnregisteredDialect = fields.allowUnregistered;
  run.bufferize = fields.bufferize;
  run.bufferizeOptions = fields.bufferizeOptions;
  run.prePipeline = fields.prePipeline;
  run.pipeline = fields.pipeline;
  run.refineDistinctObjects = fields.refinesDistinct;
  return run;
}

void WhatIf::run(RunRequest request, const std::string &tool) {
  error.clear();
  loader.reset();
  loader = std::make_unique<Loader>(std::move(request), tool);
}

void WhatIf::cancel() {
  if (loader)
    loader->cancel();
}

void WhatIf::poll() {
  if (!loader || !loader->isDone())
    return;
  LoadResult result = loader->take();
  loader.reset();
  error = std::move(result.error);
  program = std::move(result.program);
  hasFollowed = false;
  countedFirst = nullptr;
}

void WhatIf::clear() {
  loader.reset();
  program.reset();
  error.clear();
}

void WhatIf::follow(const Program &first, const ViewState &leader) {
  state.theme = leader.theme;
  state.reducesMotion = leader.reducesMotion;
  state.showsStageGraph = leader.showsStageGraph;
  if (!program || (hasFollowed && followed == leader.place))
    return;
  hasFollowed = true;
  followed = leader.place;
  state.place = placeOf(*program, anchorOf(first, leader.place));
}

const TotalsPair &WhatIf::totals(const Program &first, Id function) {
  if (countedFirst == &first && countedSecond == program.get() &&
      countedFunction == function)
    return counted;
  countedFirst = &first;
  countedSecond = program.get();
  countedFunction = function;
  counted = {{totalsOf(first.lookup), totalsOf(program->lookup)},
             {totalsOf(first.lookup, function),
              totalsOf(program->lookup, state.place.function)}};
  return counted;
}

std::string describe(const trace::RunOptions &options) {
  std::string text;
  auto add = [&](const std::string &word) {
    text += (text.empty() ? "" : ", ") + word;
  };
  if (options.privateFunctionDynamicOwnership)
    add("dynamic ownership");
  if (options.bufferize)
    add("bufferized" + (options.bufferizeOptions.empty()
                            ? ""
                            : " (" + options.bufferizeOptions + ")"));
  if (!options.pipeline.empty())
    add(options.pipeline);
  if (options.refineDistinctObjects)
    add("distinct objects used");
  if (!options.prePipeline.empty())
    add("after " + options.prePipeline);
  if (options.allowUnregisteredDialect)
    add("unregistered dialects");
  if (options.unregistered != trace::UnregisteredOps::reject)
    add("unregistered ops: " + std::string(nameOf(options.unregistered)));
  return text.empty() ? "as is" : text;
}

static void drawFields(WhatIf::Fields &fields) {
  ImGui::Checkbox("private functions return ownership",
                  &fields.dynamicOwnership);
  if (ImGui::IsItemHovered())
    ImGui::SetTooltip("--private-function-dynamic-ownership");
  ImGui::Checkbox("bufferize first", &fields.bufferize);
  ImGui::SameLine();
  ImGui::BeginDisabled(!fields.bufferize);
  ImGui::SetNextItemWidth(-1);
  ImGui::InputTextWithHint("##bufferize", "options of one-shot-bufferize",
                           fields.bufferizeOptions,
                           sizeof fields.bufferizeOptions);
  ImGui::EndDisabled();
  ImGui::SetNextItemWidth(-1);
  ImGui::InputTextWithHint("##pre", "--pre: passes to run first",
                           fields.prePipeline, sizeof fields.prePipeline);
  for (const char *pipeline :
       {"func.func(buffer-hoisting)", "func.func(buffer-loop-hoisting)",
        "func.func(promote-buffers-to-stack)"}) {
    if (ImGui::SmallButton(pipeline))
      std::snprintf(fields.prePipeline, sizeof fields.prePipeline, "%s",
                    pipeline);
  }
  ImGui::SetNextItemWidth(-1);
  ImGui::InputTextWithHint(
      "##pipeline", "--pipeline: another way to free, such as hoist+classic",
      fields.pipeline, sizeof fields.pipeline);
  for (const char *pipeline :
       {"classic", "hoist+classic", "hoist+ownership", "stack+ownership"}) {
    if (ImGui::SmallButton(pipeline))
      std::snprintf(fields.pipeline, sizeof fields.pipeline, "%s", pipeline);
    // Two in a row: the panel may be narrow.
    if (std::string_view(pipeline).find("classic") == 0)
      ImGui::SameLine();
  }
  ImGui::Checkbox("use memref.distinct_objects", &fields.refinesDistinct);
  if (ImGui::IsItemHovered())
    ImGui::SetTooltip("--refine=distinct-objects: upstream does not");
  ImGui::Checkbox("allow unregistered dialects", &fields.allowUnregistered);
}

namespace {
struct Count {
  const char *name;
  size_t Totals::*member;
  /// Whether fewer are better; otherwise no judgement is shown.
  bool isCost;
};
constexpr Count counts[] = {
    {"functions", &Totals::functions, false},
    {"rejected", &Totals::rejectedFunctions, true},
    {"allocations", &Totals::allocations, true},
    {"deallocs", &Totals::frees, false},
    {"  conditional", &Totals::conditionalFrees, true},
    {"clones", &Totals::clones, true},
    {"  conditional", &Totals::conditionalClones, true},
    {"run-time alias checks", &Totals::runTimeChecks, true},
    {"helper calls", &Totals::helperCalls, true}};
} // namespace

/// Of one run and the other, and by how much they differ.
static void drawPair(const Count &count, const Totals (&totals)[2],
                     const graph::Theme &theme) {
  long one = long(totals[0].*count.member), two = long(totals[1].*count.member);
  ImGui::TableNextColumn();
  ImGui::Text("%ld", one);
  ImGui::TableNextColumn();
  ImGui::Text("%ld", two);
  ImGui::TableNextColumn();
  if (one == two)
    return;
  auto meaning = !count.isCost ? graph::Meaning::plain
                 : two < one   ? graph::Meaning::allocated
                               : graph::Meaning::freed;
  ImGui::TextColored(
      ImGui::ColorConvertU32ToFloat4(colorOf(theme.of(meaning).line)), "%+ld",
      two - one);
}

static void drawCounts(const TotalsPair &totals, bool hasFunction,
                       const graph::Theme &theme) {
  if (!ImGui::BeginTable("counts", hasFunction ? 7 : 4,
                         ImGuiTableFlags_SizingFixedFit |
                             ImGuiTableFlags_RowBg |
                             ImGuiTableFlags_BordersInnerV))
    return;
  ImGui::TableSetupColumn("");
  for (const char *column : {"file", "second", "+/-"})
    ImGui::TableSetupColumn(column);
  if (hasFunction)
    for (const char *column : {"here", "second", "+/-"})
      ImGui::TableSetupColumn(column);
  ImGui::TableHeadersRow();
  for (const Count &count : counts) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(count.name);
    drawPair(count, totals.file, theme);
    if (hasFunction)
      drawPair(count, totals.function, theme);
  }
  ImGui::EndTable();
}

static void drawComparison(const Program &first, const ViewState &state,
                           WhatIf &whatIf) {
  const Program &second = *whatIf.second();
  ImGui::TextDisabled("first:");
  ImGui::SameLine();
  showWrapped(describe(first.trace.options));
  ImGui::TextDisabled("second:");
  ImGui::SameLine();
  showWrapped(describe(second.trace.options));
  bool hasFunction = second.lookup.function(whatIf.view().place.function);
  if (!hasFunction)
    ImGui::TextDisabled("this function is not in the second run");
  drawCounts(whatIf.totals(first, state.place.function), hasFunction,
             graph::themeOf(state.theme));
}

bool drawWhatIf(const Program &first, const ViewState &state, WhatIf &whatIf,
                bool canRun) {
  float width = ImGui::GetContentRegionAvail().x;
  ImGui::BeginChild("fields", {width * 0.4f, 0});
  drawFields(whatIf.fields);
  ImGui::BeginDisabled(!canRun);
  bool runs = ImGui::Button("Run beside the first");
  ImGui::EndDisabled();
  if (whatIf.second()) {
    if (ImGui::Button("Close the second"))
      whatIf.clear();
    ImGui::SameLine();
    ImGui::Checkbox("graphs side by side", &whatIf.isBeside);
  }
  ImGui::EndChild();
  ImGui::SameLine();
  ImGui::BeginChild("counts");
  if (!canRun)
    ImGui::TextDisabled("A saved trace cannot be run again; open the program");
  if (whatIf.isRunning())
    ImGui::TextDisabled("running %s", whatIf.stage().c_str());
  if (!whatIf.problem().empty())
    showWrapped(whatIf.problem());
  if (whatIf.second())
    drawComparison(first, state, whatIf);
  else if (canRun && !whatIf.isRunning() && whatIf.problem().empty())
    showWrapped("Choose options, then run: both runs' counts stand here, and "
                "both graphs above.");
  ImGui::EndChild();
  return runs;
}

} // namespace memreflens::viewer
