//===- tests/viewer/Fixture.h - the window's contents without a window ----===//
//
//   openSample("diamond.mlir");
//   press({Key::right});
//   EXPECT_EQ(state().place.stage, 3);
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TESTS_VIEWER_FIXTURE_H
#define MEMREFLENS_TESTS_VIEWER_FIXTURE_H

#include "viewer/canvas/Theme.h"
#include "viewer/window/Panels.h"

#include "imgui/imgui.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace memreflens::viewer {

inline std::string env(const char *name) {
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
    // As GLFW numbers them.
    io.KeyMap[ImGuiKey_Enter] = Key::enter;
    io.KeyMap[ImGuiKey_Escape] = Key::escape;
    io.KeyMap[ImGuiKey_DownArrow] = Key::down;
    io.KeyMap[ImGuiKey_UpArrow] = Key::up;
    loadFonts(monospaceFont(), 1);
    unsigned char *pixels = nullptr;
    int width = 0, height = 0;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
    folder = testing::TempDir() + "memref-lens-viewer-" +
             std::to_string(getpid()) + "/";
    std::filesystem::create_directories(folder);
    workspace.tool = env("MEMREF_LENS_TOOL");
    workspace.waits = true;
  }
  void TearDown() override {
    workspace.tabs.clear();
    ImGui::DestroyContext();
    std::filesystem::remove_all(folder);
  }

  Tab &tab() { return *workspace.current(); }
  ViewState &state() { return tab().state; }
  const Program &program() { return *tab().program; }

  /// In a new tab, read to the end.
  Tab &openFile(const std::string &path, trace::RunOptions options = {},
                StartPlace start = {}) {
    open(workspace, {path, options}, start);
    waitForLoads(workspace);
    return tab();
  }
  static std::string sample(const std::string &name) {
    return env("MEMREF_LENS_SAMPLES") + "/" + name;
  }
  void openSample(const std::string &name) {
    openFile(sample(name));
    ASSERT_TRUE(tab().program) << tab().error;
  }
  std::string write(const std::string &name, const std::string &text) {
    std::ofstream(folder + name, std::ios::binary) << text;
    return folder + name;
  }
  static std::string read(const std::string &path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  /// Vertices drawn.
  int frame() {
    ImGui::GetIO().DeltaTime = 1.0f / 60;
    now += 1.0 / 60;
    ImGui::NewFrame();
    applyTheme(workspace.settings.theme);
    drawFrame(workspace, now, 1.0 / 60);
    ImGui::Render();
    return ImGui::GetDrawData()->TotalVtxCount;
  }
  void press(Chord chord) {
    ImGuiIO &io = ImGui::GetIO();
    io.KeysDown[chord.key] = true;
    io.KeyAlt = chord.alt;
    io.KeyCtrl = chord.ctrl;
    io.KeyShift = chord.shift;
    frame();
    io.KeysDown[chord.key] = false;
    io.KeyAlt = io.KeyCtrl = io.KeyShift = false;
    frame();
  }
  void type(const std::string &text) {
    ImGui::GetIO().AddInputCharactersUTF8(text.c_str());
    frame();
    frame();
  }
  void click(float x, float y) {
    ImGuiIO &io = ImGui::GetIO();
    io.MousePos = {x, y};
    frame();
    io.MouseDown[0] = true;
    frame();
    io.MouseDown[0] = false;
    frame();
  }
  std::string nameOfSelected() {
    return program().lookup.name(state().place.value);
  }
  std::string nameOfFunction() {
    const auto *function = program().lookup.function(state().place.function);
    return function ? function->name : "";
  }

  std::string folder;
  Workspace workspace;
  double now = 0;
};

} // namespace memreflens::viewer

#endif // MEMREFLENS_TESTS_VIEWER_FIXTURE_H
