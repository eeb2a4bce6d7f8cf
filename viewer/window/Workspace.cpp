//===- viewer/window/Workspace.cpp - opens, reloads and closes files ------===//

#include "viewer/window/Workspace.h"

#include "core/trace/Plan.h"
#include "viewer/window/Panels.h"

#include <algorithm>
#include <filesystem>
#include <thread>
#include <utility>

namespace memreflens::viewer {

Workspace::Workspace() {
  addStepperCommands(commands);
  addCanvasCommands(commands);
  addWorkspaceCommands(commands);
}

Tab *Workspace::current() {
  return active < tabs.size() ? tabs[active].get() : nullptr;
}

static std::string absolute(const std::string &path) {
  std::error_code error;
  return std::filesystem::absolute(path, error).lexically_normal().string();
}

static void startLoad(Workspace &workspace, Tab &tab) {
  // Before the load, so that a change during it is noticed.
  tab.watch = Watch(tab.request.path);
  tab.loadingSince = workspace.now;
  tab.loader =
      std::make_unique<Loader>(tab.request, workspace.tool,
                               EarlyPlace{tab.start.function, tab.start.line});
}

static void goToStart(Tab &tab) {
  const Program &program = *tab.program;
  const StartPlace &start = tab.start;
  tab.state.place.stage = trace::placementStage(program.trace.options);
  for (const trace::Function &function : program.trace.functions)
    if (function.name == start.function)
      selectFunction(tab.state, program, function.id);
  if (start.line > 0)
    selectOffset(tab.state, program,
                 offsetOfLine(program.trace, unsigned(start.line)));
  if (start.stage != -1)
    selectStage(tab.state, program, start.stage);
  if (start.event >= 0)
    selectEvent(tab.state, program, start.event);
  tab.state.showsStageGraph |= start.showsStageGraph;
  for (const trace::Value &value : program.trace.values)
    if (!start.value.empty() && value.name == start.value &&
        program.lookup.getIndex().functionOfValue(value.id) ==
            tab.state.place.function) {
      selectValue(tab.state, program, value.id);
      break;
    }
  if (start.panel >= 0)
    tab.wantedPanel = start.panel;
  tab.state.back.clear();
}

Tab &open(Workspace &workspace, RunRequest request, StartPlace start) {
  workspace.wantsActive = true;
  remember(workspace.settings, absolute(request.path));
  for (size_t i = 0; i < workspace.tabs.size(); ++i) {
    Tab &tab = *workspace.tabs[i];
    if (absolute(tab.request.path) != absolute(request.path))
      continue;
    workspace.active = i;
    tab.start = std::move(start);
    if (tab.program)
      goToStart(tab);
    return tab;
  }
  static int lastId = 0;
  auto tab = std::make_unique<Tab>();
  tab->id = ++lastId;
  tab->request = std::move(request);
  tab->start = std::move(start);
  tab->bookmarks = tab->savedBookmarks =
      readBookmarks(bookmarksPath(tab->request.path));
  startLoad(workspace, *tab);
  workspace.tabs.push_back(std::move(tab));
  workspace.active = workspace.tabs.size() - 1;
  return *workspace.tabs.back();
}

void reload(Workspace &workspace, Tab &tab) {
  // The old load ends in its destructor.
  tab.loader.reset();
  startLoad(workspace, tab);
}

void closeTab(Workspace &workspace, size_t index) {
  if (index >= workspace.tabs.size())
    return;
  workspace.tabs.erase(workspace.tabs.begin() + long(index));
  if (workspace.active > index || workspace.active == workspace.tabs.size())
    workspace.active -= workspace.active > 0;
  workspace.wantsActive = true;
}

/// Ids of the old program as ids of the new one.
static void carryOver(Tab &tab, const Program &old, const Program &next) {
  auto moved = [&](const Place &place) {
    return placeOf(next, anchorOf(old, place));
  };
  ViewState &state = tab.state;
  state.place = moved(state.place);
  constexpr size_t kept = 40;
  for (std::vector<Place> *way : {&state.back, &state.forward}) {
    if (way->size() > kept)
      way->erase(way->begin(), way->end() - kept);
    std::ranges::transform(*way, way->begin(), moved);
    std::erase_if(*way, [](const Place &at) { return at.function == none; });
  }
  if (state.place.function == none)
    start(state, next);
  state.wantsScroll = true;
}

static bool hasFunctions(const Tab &tab) {
  return tab.program && !tab.program->trace.functions.empty();
}

bool canCheck(const Tab &tab) { return !isSavedFile(tab.request.path); }

void checkNow(Workspace &workspace, Tab &tab) {
  if (canCheck(tab))
    tab.findings.start(tab.request, workspace.tool);
  else if (tab.program)
    tab.findings.start(tab.program);
  while (workspace.waits && tab.findings.isRunning()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    tab.findings.poll();
  }
}

void showRun(Tab &tab) {
  const auto &run = tab.run.last();
  if (!run || !tab.program)
    return;
  if (run->entry != none)
    selectFunction(tab.state, *tab.program, run->entry);
  selectStage(tab.state, *tab.program, run->stage);
  tab.state.showsStageGraph = true;
}

static void pollRun(Tab &tab) {
  if (!tab.run.poll())
    return;
  tab.state.run = tab.run.last();
  showRun(tab);
}

void runNow(Workspace &workspace, Tab &tab) {
  if (!tab.program || tab.loader || !canCheck(tab))
    return;
  tab.run.start(tab.request, workspace.tool, tab.program,
                tab.state.place.function, workspace.now);
  while (workspace.waits && tab.run.isRunning()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    pollRun(tab);
  }
}

/// A part of a program that is opened, until the whole is there.
static void takeEarly(Tab &tab) {
  if (tab.program && !tab.isEarly)
    return;
  std::shared_ptr<const Program> early = tab.loader->takeEarly();
  if (!early)
    return;
  tab.isEarly = true;
  tab.program = std::move(early);
  start(tab.state, *tab.program);
  goToStart(tab);
}

static void takeOver(Workspace &workspace, Tab &tab) {
  LoadResult result = tab.loader->take();
  tab.loader.reset();
  // The text alone is no place to come back to.
  bool isReload = tab.program && (!tab.isEarly || hasFunctions(tab));
  bool isRead = !tab.isEarly;
  tab.error = std::move(result.error);
  if (!result.program) {
    // What was read before stays, beside the message.
    workspace.notice = tab.error;
    return;
  }
  tab.isEarly = false;
  tab.findings.forget();
  tab.run.forget();
  tab.state.run.reset();
  std::shared_ptr<const Program> old = std::move(tab.program);
  tab.program = std::move(result.program);
  // While it is being edited a program may not parse: its place must wait.
  bool isWhole = hasFunctions(tab);
  if (isReload && isWhole && tab.placeBeforeError) {
    tab.state.place = placeOf(*tab.program, *tab.placeBeforeError);
    tab.placeBeforeError.reset();
    if (tab.state.place.function == none)
      start(tab.state, *tab.program);
  } else if (isReload && isWhole) {
    carryOver(tab, *old, *tab.program);
  } else if (isReload) {
    if (!tab.placeBeforeError)
      tab.placeBeforeError = anchorOf(*old, tab.state.place);
    tab.state.back.clear();
    tab.state.forward.clear();
    tab.state.place = {};
  } else {
    start(tab.state, *tab.program);
    goToStart(tab);
  }
  if (!isWhole)
    tab.wantedPanel = problemsPanel;
  else if (std::exchange(tab.start.runs, false)) {
    tab.wantedPanel = tab.start.panel >= 0 ? tab.start.panel : int(runPanel);
    runNow(workspace, tab);
  }
  if (isReload && isRead)
    workspace.notice = "read again: " + tab.request.path;
}

void poll(Workspace &workspace, double now) {
  workspace.now = now;
  for (std::unique_ptr<Tab> &tab : workspace.tabs) {
    if (tab->loader && tab->loader->isDone())
      takeOver(workspace, *tab);
    else if (tab->loader && !workspace.waits)
      takeEarly(*tab);
    tab->whatIf.poll();
    tab->findings.poll();
    pollRun(*tab);
    tab->aliases.poll();
    Change change = tab->watch.poll(now);
    if (change == Change::changed)
      reload(workspace, *tab);
    else if (change == Change::vanished)
      workspace.notice =
          tab->request.path + " is gone; what is shown was read before";
  }
  workspace.exporting.poll(workspace.notice);
}

void waitForLoads(Workspace &workspace) {
  for (std::unique_ptr<Tab> &tab : workspace.tabs)
    while (tab->loader || tab->whatIf.isRunning()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      poll(workspace, workspace.now);
    }
}

} // namespace memreflens::viewer
