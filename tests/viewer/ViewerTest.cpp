//===- tests/viewer/ViewerTest.cpp - the viewer's panels without a window -===//

#include "viewer/Panels.h"

#include "imgui/imgui.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace memreflens::viewer;

namespace {
std::string env(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

class Viewer : public testing::Test {
protected:
  void SetUp() override {
    ImGui::CreateContext();
    ImGuiIO &io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {1280, 720};
    unsigned char *pixels = nullptr;
    int width = 0, height = 0;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
  }
  void TearDown() override { ImGui::DestroyContext(); }

  void open(const std::string &path) {
    std::atomic<bool> cancelled = false;
    LoadResult result = load(path, env("MEMREF_LENS_TOOL"), cancelled);
    tab.error = result.error;
    tab.program = std::move(result.program);
    tab.scene.reset();
    tab.state = {};
    if (tab.program)
      start(tab.state, *tab.program);
  }
  void openSample(const std::string &name) {
    open(env("MEMREF_LENS_SAMPLES") + "/" + name);
    ASSERT_TRUE(tab.program) << tab.error;
  }
  int frame() {
    ImGui::GetIO().DeltaTime = 1.0f / 60;
    ImGui::NewFrame();
    drawFrame(tab, 1.0 / 60, /*wait=*/true);
    ImGui::Render();
    return ImGui::GetDrawData()->TotalVtxCount;
  }
  void press(int key, bool alt = false) {
    ImGuiIO &io = ImGui::GetIO();
    io.KeysDown[key] = true;
    io.KeyAlt = alt;
    frame();
    io.KeysDown[key] = false;
    io.KeyAlt = false;
    frame();
  }

  Tab tab;
};

TEST_F(Viewer, drawsEverySample) {
  int count = 0;
  for (const auto &entry :
       std::filesystem::directory_iterator(env("MEMREF_LENS_SAMPLES"))) {
    if (entry.path().extension() != ".mlir")
      continue;
    ++count;
    open(entry.path().string());
    // The one sample that MLIR's verifier refuses has no trace.
    if (entry.path().filename() == "reject-manual-misuse.mlir") {
      EXPECT_NE(tab.error.find("manual_deallocation"), std::string::npos);
      EXPECT_GT(frame(), 0);
      continue;
    }
    ASSERT_TRUE(tab.program) << entry.path() << ": " << tab.error;
    for (const auto &function : tab.program->trace.functions) {
      selectFunction(tab.state, *tab.program, function.id);
      frame();
      EXPECT_GT(frame(), 200) << entry.path();
      tab.state.showsStageGraph = !tab.state.showsStageGraph;
      frame();
    }
  }
  EXPECT_GT(count, 30);
}

TEST_F(Viewer, keysStepAndGoBack) {
  openSample("diamond.mlir");
  frame();
  auto first = tab.state.place.event;
  press(Key::right);
  auto second = tab.state.place.event;
  EXPECT_GT(second, first);
  press(Key::left, /*alt=*/true);
  EXPECT_EQ(tab.state.place.event, first);
  press(Key::right, /*alt=*/true);
  EXPECT_EQ(tab.state.place.event, second);
  press(Key::left);
  EXPECT_EQ(tab.state.place.event, first);
  int stage = tab.state.place.stage;
  press(Key::down);
  EXPECT_EQ(tab.state.place.stage, stage + 1);
  press('G');
  EXPECT_TRUE(tab.state.showsStageGraph);
  EXPECT_EQ(tab.sceneKey.stage, stage + 1);
  press(Key::f1);
  EXPECT_TRUE(tab.state.showsHelp);
}

TEST_F(Viewer, clickOnChipSelectsItsValue) {
  openSample("diamond.mlir");
  frame();
  frame();
  // Sweep the canvas, which lies below the buttons, until a chip answers.
  ImGuiIO &io = ImGui::GetIO();
  for (float y = 100; y < 480 && tab.state.place.value == none; y += 8)
    for (float x = 320; x < 960 && tab.state.place.value == none; x += 24) {
      io.MousePos = {x, y};
      frame();
      io.MouseDown[0] = true;
      frame();
      io.MouseDown[0] = false;
      frame();
    }
  EXPECT_NE(tab.state.place.value, none);
}

TEST_F(Viewer, tinyWindowDoesNotCrash) {
  openSample("diamond.mlir");
  ImGui::GetIO().DisplaySize = {200, 150};
  for (int i = 0; i < 5; ++i)
    frame();
}

TEST_F(Viewer, brokenTracesAreToldOf) {
  std::string path = testing::TempDir() + "broken.trace.json";
  for (const char *text : {"", "{", "[]", "{\"schemaVersion\": 999}", "null"}) {
    std::ofstream(path) << text;
    open(path);
    EXPECT_FALSE(tab.program);
    EXPECT_FALSE(tab.error.empty()) << text;
    EXPECT_GT(frame(), 0);
  }
  open("/nowhere/at/all.mlir");
  EXPECT_EQ(tab.error, "cannot read /nowhere/at/all.mlir");
}

TEST_F(Viewer, loadCanBeCancelled) {
  std::atomic<bool> cancelled = true;
  LoadResult result = load(env("MEMREF_LENS_SAMPLES") + "/transformer.mlir",
                           env("MEMREF_LENS_TOOL"), cancelled);
  EXPECT_FALSE(result.program);
  EXPECT_EQ(result.error, "cancelled");
}
} // namespace
