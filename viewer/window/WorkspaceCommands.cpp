//===- viewer/window/WorkspaceCommands.cpp - files, places, looks ---------===//

#include "viewer/window/Panels.h"
#include "viewer/work/Editor.h"

namespace memreflens::viewer {

using OnWorkspace = Commands::OnWorkspace;
using OnProgram = Commands::OnProgram;

static void addFileCommands(Commands &commands) {
  commands.add({"File", "Open ...", {{.key = 'O', .ctrl = true}}},
               OnWorkspace([](Workspace &workspace) {
                 openPalette(workspace, PaletteMode::openFile);
               }));
  commands.add({"File", "Read again", {{Key::f5}, {.key = 'R', .ctrl = true}}},
               OnWorkspace([](Workspace &workspace) {
                 if (Tab *tab = workspace.current())
                   reload(workspace, *tab);
               }));
  commands.add({"File", "Stop the analysis", {{.key = '.', .ctrl = true}}},
               OnWorkspace([](Workspace &workspace) {
                 Tab *tab = workspace.current();
                 if (tab && tab->loader)
                   tab->loader->cancel();
                 if (tab)
                   tab->whatIf.cancel();
                 if (tab)
                   tab->findings.stop();
               }));
  commands.add({"File", "Open in the editor", {{.key = 'E', .ctrl = true}}},
               OnWorkspace([](Workspace &workspace) {
                 if (Tab *tab = workspace.current(); tab && tab->program)
                   workspace.notice =
                       openInEditor(*tab->program, tab->state,
                                    tab->program->trace.source.path);
               }));
  commands.add({"File", "Close this file", {{.key = 'W', .ctrl = true}}},
               OnWorkspace([](Workspace &workspace) {
                 closeTab(workspace, workspace.active);
               }));
  for (int direction : {1, -1})
    commands.add({"File",
                  direction > 0 ? "Next file" : "Previous file",
                  {{.key = Key::tab, .ctrl = true, .shift = direction < 0}}},
                 OnWorkspace([direction](Workspace &workspace) {
                   size_t count = workspace.tabs.size();
                   if (count == 0)
                     return;
                   workspace.active =
                       (workspace.active + count + size_t(direction)) % count;
                   workspace.wantsActive = true;
                 }));
  commands.add(
      {"File", "Quit", {{.key = 'Q', .ctrl = true}}},
      OnWorkspace([](Workspace &workspace) { workspace.wantsQuit = true; }));
}

static void addExportCommands(Commands &commands) {
  auto ask = [](const char *ending) {
    return OnWorkspace([=](Workspace &workspace) {
      if (Tab *tab = workspace.current(); tab && tab->program)
        openPalette(workspace, PaletteMode::exportTo,
                    exportName(*tab->program, tab->state, ending));
    });
  };
  commands.add({"Export",
                "The graph as SVG ...",
                {{.key = 'E', .ctrl = true, .shift = true}}},
               ask(".svg"));
  commands.add({"Export", "The graph as PNG ...", {}}, ask(".png"));
  commands.add({"Export", "The graph as DOT ...", {}}, ask(".dot"));
  commands.add({"Export", "The file as an HTML report ...", {}}, ask(".html"));
  commands.add({"Export", "The file as Markdown ...", {}}, ask(".md"));
  commands.add({"Export", "The trace ...", {}}, ask(".trace.json"));
}

/// Goes to the bookmark after or before the last one that was shown.
static void nextBookmark(Workspace &workspace, int direction) {
  Tab *tab = workspace.current();
  if (!tab || !tab->program || tab->bookmarks.empty())
    return;
  Anchor here = anchorOf(*tab->program, tab->state.place);
  int count = int(tab->bookmarks.size());
  int at = direction > 0 ? -1 : 0;
  if (const Bookmark *found = bookmarkAt(tab->bookmarks, here))
    at = int(found - tab->bookmarks.data());
  const Bookmark &next =
      tab->bookmarks[size_t((at + direction + count) % count)];
  selectPlace(tab->state, *tab->program, placeOf(*tab->program, next.anchor));
  workspace.notice = next.note;
}

static void bookmarkHere(Workspace &workspace) {
  Tab *tab = workspace.current();
  if (!tab || !tab->program)
    return;
  bool isSet =
      toggleBookmark(tab->bookmarks, anchorOf(*tab->program, tab->state.place));
  tab->wantedPanel = bookmarksPanel;
  std::string path = bookmarksPath(tab->request.path);
  workspace.notice = !writeBookmarks(tab->bookmarks, tab->savedBookmarks, path)
                         ? "cannot write " + path
                     : isSet ? "bookmark set"
                             : "bookmark taken away";
}

static void addPlaceCommands(Commands &commands) {
  commands.add({"Go", "Go to ...", {{.key = 'P', .ctrl = true}}},
               OnWorkspace([](Workspace &workspace) {
                 openPalette(workspace, PaletteMode::goTo);
               }));
  commands.add(
      {"Go", "Back", {{.key = Key::left, .alt = true}}},
      OnProgram([](const Program &, ViewState &state) { goBack(state); }));
  commands.add(
      {"Go", "Forward", {{.key = Key::right, .alt = true}}},
      OnProgram([](const Program &, ViewState &state) { goForward(state); }));
  commands.add(
      {"Go", "Set or take away a bookmark", {{.key = 'D', .ctrl = true}}},
      OnWorkspace(bookmarkHere));
  for (int direction : {1, -1})
    commands.add({"Go",
                  direction > 0 ? "Next bookmark" : "Previous bookmark",
                  {{.key = 'B', .ctrl = true, .shift = direction < 0}}},
                 OnWorkspace([direction](Workspace &workspace) {
                   nextBookmark(workspace, direction);
                 }));
}

static void addLookCommands(Commands &commands) {
  commands.add(
      {"View", "Light or dark", {{'T'}}}, OnWorkspace([](Workspace &workspace) {
        using graph::ThemeName;
        ThemeName &theme = workspace.settings.theme;
        theme = theme == ThemeName::dark ? ThemeName::light : ThemeName::dark;
      }));
  auto chordsOf = [](int panel) -> std::vector<Chord> {
    if (panel < 10)
      return {{.key = '0' + (panel + 1) % 10, .ctrl = true}};
    if (panel == tensorsPanel)
      return {{.key = 'T', .ctrl = true}};
    return {};
  };
  for (int i = 0; i < bottomPanelCount; ++i)
    commands.add(
        {"View", std::string("Panel: ") + nameOf(BottomPanel(i)), chordsOf(i)},
        OnWorkspace([i](Workspace &workspace) {
          if (Tab *tab = workspace.current())
            tab->wantedPanel = i;
        }));
  commands.add({"View", "Panels as at first", {}},
               OnWorkspace([](Workspace &workspace) {
                 workspace.settings.arrangement = {};
               }));
  commands.add(
      {"Help", "All commands ...", {{.key = 'P', .ctrl = true, .shift = true}}},
      OnWorkspace([](Workspace &workspace) {
        openPalette(workspace, PaletteMode::commands);
      }));
  commands.add({"Help", "All keys", {{Key::f1}}},
               OnWorkspace([](Workspace &workspace) {
                 workspace.showsHelp = !workspace.showsHelp;
               }));
}

static void addWhatIfCommands(Commands &commands) {
  auto onTab = [](auto act) {
    return OnWorkspace([act](Workspace &workspace) {
      Tab *tab = workspace.current();
      if (!tab || !tab->program)
        return;
      tab->wantedPanel = whatIfPanel;
      act(workspace, *tab);
    });
  };
  commands.add(
      {"What if", "Choose other options", {{.key = 'I', .ctrl = true}}},
      onTab([](Workspace &, Tab &) {}));
  commands.add({"What if",
                "Switch: private functions return ownership",
                {{.key = 'I', .ctrl = true, .shift = true}}},
               onTab([](Workspace &, Tab &tab) {
                 bool &isOn = tab.whatIf.fields.dynamicOwnership;
                 isOn = !isOn;
               }));
  commands.add(
      {"What if", "Run beside the first", {{.key = Key::enter, .ctrl = true}}},
      onTab([](Workspace &workspace, Tab &tab) {
        // A saved trace cannot be run.
        if (!isSavedFile(tab.request.path))
          tab.whatIf.run(
              {tab.request.path, tab.whatIf.options(tab.request.options)},
              workspace.tool);
      }));
  commands.add({"What if", "Close the second run", {}},
               onTab([](Workspace &, Tab &tab) { tab.whatIf.clear(); }));
}

static void addFindingCommands(Commands &commands) {
  // The first press asks for the findings.
  auto onFindings = [](auto act) {
    return OnWorkspace([act](Workspace &workspace) {
      Tab *tab = workspace.current();
      if (!tab || !tab->program)
        return;
      tab->wantedPanel = findingsPanel;
      if (!tab->findings.wasAsked() && !tab->loader)
        checkNow(workspace, *tab);
      act(*tab->program, tab->state, tab->findings);
    });
  };
  for (int way : {1, -1}) {
    std::string which = way > 0 ? "Next" : "Previous";
    commands.add({"Findings",
                  which + " step of the finding's path",
                  {{.key = Key::f8, .shift = way < 0}}},
                 onFindings([way](const Program &program, ViewState &state,
                                  Findings &findings) {
                   findings.walk(program, state, way);
                 }));
    commands.add({"Findings",
                  which + " finding",
                  {{.key = Key::f8, .ctrl = true, .shift = way < 0}}},
                 onFindings([way](const Program &program, ViewState &state,
                                  Findings &findings) {
                   findings.next(program, state, way);
                 }));
  }
  commands.add(
      {"Run", "Run the function", {{.key = 'R', .ctrl = true, .shift = true}}},
      OnWorkspace([](Workspace &workspace) {
        Tab *tab = workspace.current();
        if (!tab || !tab->program)
          return;
        tab->wantedPanel = runPanel;
        runNow(workspace, *tab);
      }));
  commands.add({"Findings", "Check again", {}},
               OnWorkspace([](Workspace &workspace) {
                 Tab *tab = workspace.current();
                 if (!tab || !tab->program || tab->loader)
                   return;
                 tab->wantedPanel = findingsPanel;
                 checkNow(workspace, *tab);
               }));
}

void addWorkspaceCommands(Commands &commands) {
  addFileCommands(commands);
  addExportCommands(commands);
  addPlaceCommands(commands);
  addLookCommands(commands);
  addWhatIfCommands(commands);
  addFindingCommands(commands);
}

} // namespace memreflens::viewer
