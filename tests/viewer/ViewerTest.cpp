//===- tests/viewer/ViewerTest.cpp - the viewer's panels without a window -===//

#include "tests/viewer/Fixture.h"

#include "viewer/canvas/CanvasPainter.h"
#include "viewer/memory/MemoryView.h"

#include <algorithm>

namespace memreflens::viewer {
namespace {

/// Every panel, both graphs, every function.
class Everything : public Viewer {
protected:
  /// What the plot shows as the highest is what every command tells.
  void checkPeak() {
    MemoryView &view = cacheOf<MemoryView>(state());
    ASSERT_TRUE(view.model);
    if (view.model->steps() == 0)
      return;
    uint64_t most = 0;
    for (uint32_t step : view.stackFor({7, 100}).steps)
      most = std::max(most, view.model->asIs[step]);
    EXPECT_EQ(most, view.model->use.peakBytes) << tab().request.path;
  }
  void drawAll() {
    for (const trace::Function &function : program().trace.functions) {
      selectFunction(state(), program(), function.id);
      state().prefersGraph = false;
      frame();
      EXPECT_GT(frame(), 200) << tab().request.path;
      state().prefersGraph = true;
      frame();
      frame();
      // However large it is, the user sees a part of it, not the ground.
      if (const Scene *scene = tab().scenes.current();
          scene && !scene->picture.nodes.empty()) {
        EXPECT_GT(cacheOf<CanvasCache>(state()).drawnNodes, 0)
            << tab().request.path << " @" << function.name;
      }
      for (int panel = 0; panel < bottomPanelCount; ++panel) {
        tab().wantedPanel = panel;
        state().showsStageGraph = panel % 2;
        frame();
        EXPECT_GT(frame(), 200) << tab().request.path;
      }
      checkPeak();
      for (Id event : program().lookup.eventsOfFunction(function.id)) {
        selectEvent(state(), program(), event);
        if (event % 7 == 0)
          frame();
      }
    }
    frame();
  }
  int drawFolder(const std::string &folder) {
    int count = 0;
    for (const auto &entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() != ".mlir")
        continue;
      ++count;
      openFile(entry.path().string());
      // What MLIR rejects is shown with its messages, at their places.
      if (!tab().error.empty()) {
        EXPECT_TRUE(tab().program) << entry.path() << tab().error;
        EXPECT_FALSE(program().trace.problems.empty()) << entry.path();
      }
      EXPECT_GT(frame(), 200) << entry.path();
      if (tab().program)
        drawAll();
      closeTab(workspace, workspace.active);
    }
    return count;
  }
};

TEST_F(Everything, isDrawnOfEverySample) {
  EXPECT_GT(drawFolder(env("MEMREF_LENS_SAMPLES")), 30);
}

TEST_F(Everything, isDrawnOfEveryKnownDefect) {
  std::string corpus = env("MEMREF_LENS_CORPUS");
  if (!std::filesystem::exists(corpus + "/defects")) {
    ASSERT_NE(env("CI"), "true") << "no corpus at " << corpus;
    GTEST_SKIP() << "no corpus at " << corpus;
  }
  EXPECT_GT(drawFolder(corpus + "/defects"), 30);
}

TEST_F(Viewer, keysStepAndGoBack) {
  openSample("diamond.mlir");
  frame();
  Id first = state().place.event;
  press({Key::right});
  Id second = state().place.event;
  EXPECT_GT(second, first);
  press({.key = Key::left, .alt = true});
  EXPECT_EQ(state().place.event, first);
  press({.key = Key::right, .alt = true});
  EXPECT_EQ(state().place.event, second);
  press({Key::left});
  EXPECT_EQ(state().place.event, first);
  int stage = state().place.stage;
  press({Key::down});
  EXPECT_EQ(state().place.stage, stage + 1);
  press({'G'});
  EXPECT_TRUE(state().showsStageGraph);
  EXPECT_EQ(tab().scenes.currentKey().stage, stage + 1);
  press({Key::f1});
  EXPECT_TRUE(workspace.showsHelp);
  press({Key::escape});
  EXPECT_FALSE(workspace.showsHelp);
}

TEST_F(Viewer, clickOnChipSelectsItsValue) {
  openSample("diamond.mlir");
  frame();
  frame();
  // Sweep the canvas, which lies below the buttons, until a chip answers.
  for (float y = 110; y < 460 && state().place.value == none; y += 8)
    for (float x = 320; x < 960 && state().place.value == none; x += 24)
      click(x, y);
  EXPECT_NE(state().place.value, none);
}

TEST_F(Viewer, everySizeIsDrawn) {
  openSample("worked-example.mlir");
  for (ImVec2 size : {ImVec2{200, 150}, ImVec2{60, 40}, ImVec2{500, 300},
                      ImVec2{900, 200}, ImVec2{1920, 1080}}) {
    ImGui::GetIO().DisplaySize = size;
    for (int i = 0; i < 5; ++i)
      EXPECT_GT(frame(), 0);
    press({Key::f1});
    press({.key = 'P', .ctrl = true});
    press({Key::escape});
    press({Key::escape});
  }
}

TEST_F(Viewer, nothingOpenSaysWhatToDo) {
  remember(workspace.settings, "/somewhere/recent.mlir");
  EXPECT_GT(frame(), 200);
  // Keys for a program do nothing without one.
  for (const Command &command : workspace.commands.all())
    for (Chord chord : command.name.chords)
      press(chord);
  EXPECT_TRUE(workspace.tabs.empty());
}

TEST_F(Viewer, everyShortcutIsUsedOnce) {
  std::vector<Chord> chords;
  for (const Command &command : workspace.commands.all()) {
    EXPECT_FALSE(command.name.title.empty());
    for (Chord chord : command.name.chords) {
      EXPECT_EQ(std::ranges::count(chords, chord), 0) << textOf(chord);
      chords.push_back(chord);
    }
  }
  EXPECT_GT(chords.size(), 20u);
}

} // namespace
} // namespace memreflens::viewer
