//===- tests/viewer/WorkspaceTest.cpp - palette, bookmarks, exports -------===//

#include "tests/viewer/Fixture.h"

#include "viewer/panels/BookmarkList.h"
#include "viewer/work/Editor.h"

#include <thread>

namespace memreflens::viewer {
namespace {

class Desk : public Viewer {
protected:
  void goTo(const std::string &words) {
    press({.key = 'P', .ctrl = true});
    type(words);
    press({Key::enter});
  }
  void command(const std::string &words) {
    press({.key = 'P', .ctrl = true, .shift = true});
    type(words);
    press({Key::enter});
  }
  void finishExport() {
    while (workspace.exporting.isRunning()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      frame();
    }
  }
};

//===--- Palette ----------------------------------------------------------===//

TEST_F(Desk, goesToWhateverIsNamed) {
  openSample("loop-swapped.mlir");
  frame();
  const trace::Value &last = program().trace.values.back();
  goTo(program().lookup.name(last.id));
  EXPECT_EQ(workspace.palette.mode, PaletteMode::closed);
  EXPECT_NE(state().place.value, none);
  Id event = program().lookup.eventsOfFunction(state().place.function)[5];
  goTo("#" + std::to_string(event) + " ");
  EXPECT_EQ(state().place.event, event);
  state().place.value = none;
  goTo("memref.alloc");
  const trace::Value *value = program().lookup.value(state().place.value);
  ASSERT_TRUE(value);
  EXPECT_EQ(program().lookup.op(value->op)->name, "memref.alloc");
}

TEST_F(Desk, wordsAreFoundInAnyOrderAndCase) {
  std::vector<PaletteEntry> entries = {
      {EntryKind::command, 0, "Step: Next", ""},
      {EntryKind::command, 1, "next step", ""},
      {EntryKind::command, 2, "other", ""}};
  EXPECT_EQ(hitsOf(entries, "STEP next"), (std::vector<int>{1, 0}));
  EXPECT_EQ(hitsOf(entries, "next step"), (std::vector<int>{1, 0}));
  EXPECT_EQ(hitsOf(entries, "oth"), (std::vector<int>{2}));
  EXPECT_TRUE(hitsOf(entries, "nothing").empty());
  EXPECT_EQ(hitsOf(entries, "").size(), 3u);
}

TEST_F(Desk, commandsRunFromThePalette) {
  openSample("diamond.mlir");
  frame();
  Id before = state().place.event;
  command("next decision");
  EXPECT_GT(state().place.event, before);
  command("light or dark");
  EXPECT_EQ(workspace.settings.theme, graph::ThemeName::light);
  command("back");
  EXPECT_EQ(state().place.event, before);
  press({.key = 'P', .ctrl = true, .shift = true});
  press({Key::escape});
  EXPECT_EQ(workspace.palette.mode, PaletteMode::closed);
}

TEST_F(Desk, arrowsChooseAmongHits) {
  openSample("diamond.mlir");
  frame();
  press({.key = 'P', .ctrl = true});
  type("%");
  ASSERT_GT(workspace.palette.hits.size(), 2u);
  press({Key::down});
  EXPECT_EQ(workspace.palette.chosen, 1);
  PaletteEntry wanted =
      workspace.palette.entries[size_t(workspace.palette.hits[1])];
  Id event = state().place.event;
  press({Key::enter});
  EXPECT_EQ(state().place.value, wanted.id);
  // Keys of the palette are not keys of the panels below it.
  EXPECT_EQ(state().place.event, event);
}

TEST_F(Desk, aKeyBehindEnterIsNotTheFields) {
  openSample("diamond.mlir");
  frame();
  int stage = state().place.stage;
  ImGuiIO &io = ImGui::GetIO();
  for (int leave : {Key::enter, Key::escape}) {
    press({.key = 'P', .ctrl = true});
    type("%input in");
    io.KeysDown[leave] = true;
    frame();
    ASSERT_EQ(workspace.palette.mode, PaletteMode::closed);
    io.KeysDown[leave] = false;
    press({Key::down});
    EXPECT_EQ(state().place.stage, ++stage);
  }
}

TEST_F(Desk, nothingTypedAfterAShortcutIsLost) {
  openSample("diamond.mlir");
  frame();
  ImGuiIO &io = ImGui::GetIO();
  io.KeysDown['P'] = io.KeyCtrl = true;
  io.AddInputCharactersUTF8("a");
  frame();
  io.KeysDown['P'] = io.KeyCtrl = false;
  bool showsStageGraph = state().showsStageGraph;
  for (char letter : {'g', 'b', 'd'}) {
    io.AddInputCharacter(letter);
    io.KeysDown[letter - 'a' + 'A'] = true;
    frame();
    io.KeysDown[letter - 'a' + 'A'] = false;
  }
  EXPECT_STREQ(workspace.palette.text, "agbd");
  EXPECT_EQ(state().showsStageGraph, showsStageGraph);
}

TEST_F(Desk, opensFilesByName) {
  std::string path = write("by-name.mlir", "func.func @f() {\n  return\n}\n");
  frame();
  press({.key = 'O', .ctrl = true});
  type(folder + "by-n");
  ASSERT_EQ(workspace.palette.hits.size(), 1u);
  press({Key::enter});
  ASSERT_EQ(workspace.tabs.size(), 1u);
  waitForLoads(workspace);
  EXPECT_EQ(nameOfFunction(), "f");
  EXPECT_EQ(workspace.settings.recent.front(), path);
}

//===--- Bookmarks --------------------------------------------------------===//

TEST_F(Desk, bookmarksLieBesideTheFile) {
  std::string path = write("marked.mlir", read(sample("loop-swapped.mlir")));
  openFile(path);
  frame();
  press({Key::right});
  press({Key::right});
  Place marked = state().place;
  press({.key = 'D', .ctrl = true});
  ASSERT_EQ(tab().bookmarks.size(), 1u);
  tab().bookmarks[0].note = "look \"here\"\n\xff";
  EXPECT_TRUE(writeBookmarks(tab().bookmarks, tab().savedBookmarks,
                             bookmarksPath(path)));
  press({Key::right});
  closeTab(workspace, 0);
  openFile(path);
  frame();
  ASSERT_EQ(tab().bookmarks.size(), 1u);
  press({.key = 'B', .ctrl = true});
  EXPECT_EQ(state().place.event, marked.event);
  EXPECT_EQ(state().place.function, marked.function);
  press({.key = 'D', .ctrl = true});
  EXPECT_TRUE(tab().bookmarks.empty());
  EXPECT_FALSE(std::filesystem::exists(bookmarksPath(path)));
}

TEST_F(Desk, longNotesStayWholeWhenTheyAreEdited) {
  openSample("diamond.mlir");
  Bookmarks bookmarks;
  toggleBookmark(bookmarks, anchorOf(program(), state().place));
  const std::string note(10000, 'n');
  bookmarks[0].note = note;
  ImVec2 field;
  auto drawAlone = [&] {
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({600, 400});
    ImGui::Begin("alone");
    drawBookmarks(program(), state(), bookmarks);
    // The group of a bookmark ends with its note.
    field = {ImGui::GetItemRectMax().x - 20, ImGui::GetItemRectMax().y - 5};
    ImGui::End();
    ImGui::Render();
  };
  ImGuiIO &io = ImGui::GetIO();
  drawAlone();
  io.MousePos = field;
  for (bool isDown : {false, true, false}) {
    io.MouseDown[0] = isDown;
    drawAlone();
  }
  io.AddInputCharactersUTF8("!");
  drawAlone();
  drawAlone();
  EXPECT_EQ(bookmarks[0].note.size(), note.size() + 1);
  EXPECT_NE(bookmarks[0].note.find('!'), std::string::npos);
}

TEST_F(Desk, brokenBookmarksAreNone) {
  for (const char *text : {"", "[]", "{\"bookmarks\": 3}",
                           "{\"bookmarks\": [1, null, []]}", "{"}) {
    std::string path = write("x.memref-lens.json", text);
    EXPECT_TRUE(readBookmarks(path).empty()) << text;
  }
  std::string path = write(
      "x.memref-lens.json",
      R"({"bookmarks": [{"stage": 999999, "function": 3, "event": "x"}]})");
  ASSERT_EQ(readBookmarks(path).size(), 1u);
  EXPECT_EQ(readBookmarks(path)[0].anchor.stage, 255);
  // A place that is not there leads nowhere, and does no harm.
  openSample("diamond.mlir");
  Place before = state().place;
  selectPlace(state(), program(),
              placeOf(program(), readBookmarks(path)[0].anchor));
  EXPECT_EQ(state().place.function, before.function);
  EXPECT_GT(frame(), 0);
}

/// Each place of a program is found again by its names.
TEST_F(Desk, namesOfAPlaceLeadBackToIt) {
  int places = 0;
  for (const char *name : {"worked-example.mlir", "several-chunks.mlir",
                           "loop-swapped.mlir", "diamond-chain.mlir"}) {
    openSample(name);
    for (const trace::Event &event : program().trace.events) {
      if (event.function == none)
        continue;
      Place place{event.function, event.stage, event.id, none};
      EXPECT_EQ(placeOf(program(), anchorOf(program(), place)), place) << name;
      ++places;
    }
    for (const trace::Value &value : program().trace.values) {
      Id function = program().lookup.getIndex().functionOfValue(value.id);
      Place place{function, 3, none, value.id};
      if (function == none)
        continue;
      EXPECT_EQ(placeOf(program(), anchorOf(program(), place)), place)
          << name << value.name;
    }
  }
  EXPECT_GT(places, 60);
}

//===--- Exports ----------------------------------------------------------===//

TEST_F(Desk, exportsWhatIsShown) {
  openSample("diamond.mlir");
  for (std::string ending : exportEndings) {
    std::string path = folder + "out" + ending;
    ExportOutcome outcome = writeExport(
        {tab().program, state().place, false, graph::ThemeName::dark, path});
    EXPECT_TRUE(outcome.isWritten) << outcome.text;
    EXPECT_GT(read(path).size(), 300u) << path;
  }
  EXPECT_EQ(read(folder + "out.png").substr(1, 3), "PNG");
  EXPECT_NE(read(folder + "out.svg").find("<svg"), std::string::npos);
  EXPECT_NE(read(folder + "out.dot").find("digraph"), std::string::npos);
  EXPECT_NE(read(folder + "out.html").find("<html"), std::string::npos);
  EXPECT_NE(read(folder + "out.md").find("@diamond"), std::string::npos);
  // The trace that was exported opens as the program did.
  size_t events = program().trace.events.size();
  openFile(folder + "out.json");
  EXPECT_EQ(program().trace.events.size(), events);
}

TEST_F(Desk, exportShowsTheStageThatIsShown) {
  openSample("diamond.mlir");
  Place last = state().place;
  last.stage = 8;
  for (bool isStage : {false, true})
    writeExport({tab().program, last, isStage, graph::ThemeName::dark,
                 folder + (isStage ? "stage.dot" : "decisions.dot")});
  // Lowered code is in the last stage only.
  EXPECT_NE(read(folder + "stage.dot").find("memref.dealloc"),
            std::string::npos);
  EXPECT_EQ(read(folder + "decisions.dot").find("memref.dealloc"),
            std::string::npos);
}

TEST_F(Desk, exportAsksBeforeItOverwrites) {
  openSample("diamond.mlir");
  frame();
  std::string path = write("there.svg", "mine");
  press({.key = 'E', .ctrl = true, .shift = true});
  EXPECT_STREQ(workspace.palette.text, "diamond.svg");
  openPalette(workspace, PaletteMode::exportTo, path);
  frame();
  press({Key::enter});
  EXPECT_EQ(read(path), "mine");
  EXPECT_EQ(workspace.palette.mode, PaletteMode::exportTo);
  frame();
  press({Key::enter});
  finishExport();
  EXPECT_NE(read(path).find("<svg"), std::string::npos) << workspace.notice;
  EXPECT_NE(workspace.notice.find("wrote "), std::string::npos);
}

TEST_F(Desk, exportThatCannotBeWrittenSaysSo) {
  openSample("diamond.mlir");
  for (std::string path : {folder + "no/such/folder.svg", folder + "a.mlir",
                           std::string("/proc/x.svg")}) {
    ExportOutcome outcome = writeExport(
        {tab().program, state().place, false, graph::ThemeName::dark, path});
    EXPECT_FALSE(outcome.isWritten) << path;
    EXPECT_FALSE(outcome.text.empty());
  }
}

//===--- Editor -----------------------------------------------------------===//

TEST_F(Desk, editorsAreToldThePlaceInTheirOwnWay) {
  using Words = std::vector<std::string>;
  auto words = [](const char *editor) {
    return editorCommand(editor, "/a b.mlir", {7, 3});
  };
  EXPECT_EQ(words(""), (Words{"code", "--goto", "/a b.mlir:7:3"}));
  EXPECT_EQ(words("code --wait"),
            (Words{"code", "--wait", "--goto", "/a b.mlir:7:3"}));
  EXPECT_EQ(words("/usr/bin/gvim"),
            (Words{"/usr/bin/gvim", "+7", "/a b.mlir"}));
  EXPECT_EQ(words("emacsclient -n"),
            (Words{"emacsclient", "-n", "+7:3", "/a b.mlir"}));
}

TEST_F(Desk, editorOpensAtTheSelectedValue) {
  openSample("diamond.mlir");
  for (const trace::Value &value : program().trace.values)
    if (value.range.begin != value.range.end) {
      selectValue(state(), program(), value.id);
      TextPosition at = positionOf(program(), state());
      EXPECT_EQ(std::to_string(at.line) + ":" + std::to_string(at.column),
                program().lookup.position(value.range));
    }
  std::string out = folder + "editor-called";
  std::string script = write("gvim", "#!/bin/sh\necho \"$@\" > " + out + "\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  setenv("VISUAL", script.c_str(), 1);
  press({.key = 'E', .ctrl = true});
  for (int i = 0; i < 500 && read(out).empty(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  TextPosition at = positionOf(program(), state());
  EXPECT_EQ(read(out), "+" + std::to_string(at.line) + " " +
                           sample("diamond.mlir") + "\n");
  setenv("VISUAL", "/nowhere/editor", 1);
  press({.key = 'E', .ctrl = true});
  EXPECT_NE(workspace.notice.find("cannot run /nowhere/editor"),
            std::string::npos);
  unsetenv("VISUAL");
}

//===--- What if ----------------------------------------------------------===//

TEST_F(Desk, secondRunStandsBesideTheFirst) {
  openSample("call-private.mlir");
  frame();
  press({.key = 'I', .ctrl = true, .shift = true});
  press({.key = Key::enter, .ctrl = true});
  waitForLoads(workspace);
  ASSERT_TRUE(tab().whatIf.second()) << tab().whatIf.problem();
  EXPECT_TRUE(
      tab().whatIf.second()->trace.options.privateFunctionDynamicOwnership);
  int both = 0;
  for (int i = 0; i < 3; ++i)
    both = frame();
  const Scene *second = tab().whatIf.sceneCache().current();
  ASSERT_TRUE(second);
  // It follows the first, by name.
  for (const trace::Function &function : program().trace.functions) {
    selectFunction(state(), program(), function.id);
    frame();
    Id other = tab().whatIf.view().place.function;
    EXPECT_EQ(tab().whatIf.second()->lookup.function(other)->name,
              function.name);
  }
  tab().whatIf.clear();
  frame();
  EXPECT_NE(frame(), both);
}

TEST_F(Desk, hoistingChangesTheCounts) {
  std::string path = write("hoist.mlir", R"(
func.func @hoist(%n: index, %out: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.alloc() : memref<4xf32>
    memref.copy %out, %x : memref<4xf32> to memref<4xf32>
    memref.copy %x, %out : memref<4xf32> to memref<4xf32>
  }
  return
}
)");
  openFile(path);
  std::snprintf(tab().whatIf.fields.prePipeline,
                sizeof tab().whatIf.fields.prePipeline, "%s",
                "func.func(promote-buffers-to-stack)");
  tab().whatIf.run({path, tab().whatIf.options(tab().request.options)},
                   workspace.tool);
  waitForLoads(workspace);
  ASSERT_TRUE(tab().whatIf.second()) << tab().whatIf.problem();
  const TotalsPair &totals =
      tab().whatIf.totals(program(), state().place.function);
  EXPECT_EQ(totals.file[0].frees, 1u);
  EXPECT_EQ(totals.file[1].frees, 0u);
  EXPECT_EQ(totals.function[0].frees, 1u);
}

TEST_F(Desk, wrongPipelineIsToldOf) {
  openSample("diamond.mlir");
  tab().whatIf.fields = {};
  std::snprintf(tab().whatIf.fields.prePipeline,
                sizeof tab().whatIf.fields.prePipeline, "no-such-pass");
  tab().whatIf.run(
      {tab().request.path, tab().whatIf.options(tab().request.options)},
      workspace.tool);
  waitForLoads(workspace);
  EXPECT_NE(tab().whatIf.problem().find("no-such-pass"), std::string::npos)
      << tab().whatIf.problem();
  tab().wantedPanel = whatIfPanel;
  EXPECT_GT(frame(), 0);
}

//===--- Settings ---------------------------------------------------------===//

TEST_F(Desk, settingsAreReadAsWritten) {
  Settings settings;
  settings.theme = graph::ThemeName::light;
  settings.width = 1111;
  settings.arrangement.graph = 0.4f;
  settings.recent = {"/a.mlir", "/b \"c\".mlir"};
  std::string path = folder + "new/folder/viewer.json";
  ASSERT_TRUE(writeSettings(settings, path));
  EXPECT_EQ(readSettings(path), settings);
  for (const char *text :
       {"", "[]", "{\"width\": \"x\", \"arrangement\": [], \"recent\": {}}"})
    EXPECT_EQ(readSettings(write("broken.json", text)), Settings()) << text;
  Settings wild = readSettings(
      write("wild.json", "{\"width\": -5, \"arrangement\": {\"left\": 1e9}}"));
  EXPECT_EQ(wild.width, 200);
  EXPECT_LT(wild.arrangement.left, 1);
}

TEST_F(Desk, draggedSplitterMovesThePanels) {
  openSample("diamond.mlir");
  frame();
  frame();
  float before = workspace.settings.arrangement.left;
  ImGuiIO &io = ImGui::GetIO();
  // The gap stands where the left column ends.
  io.MousePos = {6 + (1280 - 12) * before + 3, 400};
  frame();
  io.MouseDown[0] = true;
  frame();
  io.MousePos.x += 60;
  frame();
  io.MouseDown[0] = false;
  frame();
  EXPECT_NEAR(workspace.settings.arrangement.left, before + 60.0 / 1268, 0.01);
}

} // namespace
} // namespace memreflens::viewer
