//===- viewer/Main.cpp - the desktop viewer's window ----------------------===//
//
//   memref-lens-viewer FILE [--function NAME] [--line N] [--stage N]
//     [--event N] [--theme light|dark] [--size WxH] [--screenshot OUT.png]
//
// The only file with a window.
//
//===----------------------------------------------------------------------===//

#include "viewer/Panels.h"
#include "viewer/Png.h"

#include "imgui/imgui.h"

#include "imgui/backends/imgui_impl_glfw.h"
#include "imgui/backends/imgui_impl_opengl3.h"

#include <GLFW/glfw3.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

using namespace memreflens::viewer;
using memreflens::graph::ThemeName;

namespace {
struct Options {
  std::string file, function, screenshot, problem;
  int line = 0, stage = -1, event = -1, width = 1280, height = 720;
  ThemeName theme = ThemeName::dark;
};
} // namespace

static const char usage[] =
    "usage: memref-lens-viewer FILE [--function NAME] [--line N] [--stage N]\n"
    "         [--event N] [--theme light|dark] [--size WxH]\n"
    "         [--screenshot OUT.png]\n"
    "FILE is MLIR, bytecode, or a trace (*.json) of `memref-lens trace`.\n";

static Options optionsOf(int count, char **words) {
  Options options;
  for (int i = 1; i < count; ++i) {
    std::string word = words[i];
    if (!word.starts_with("--")) {
      options.file = word;
      continue;
    }
    if (i + 1 == count) {
      options.problem = "no value for, or no such option: " + word;
      return options;
    }
    std::string value = words[++i];
    if (word == "--function")
      options.function = value;
    else if (word == "--line")
      options.line = std::atoi(value.c_str());
    else if (word == "--stage")
      options.stage = std::atoi(value.c_str());
    else if (word == "--event")
      options.event = std::atoi(value.c_str());
    else if (word == "--screenshot")
      options.screenshot = value;
    else if (word == "--theme" && (value == "light" || value == "dark"))
      options.theme = value == "light" ? ThemeName::light : ThemeName::dark;
    else if (word != "--size" ||
             std::sscanf(value.c_str(), "%dx%d", &options.width,
                         &options.height) != 2 ||
             options.width < 100 || options.height < 100 ||
             options.width > 8192 || options.height > 8192)
      options.problem = "no such option or value: " + word + " " + value;
  }
  if (options.file.empty() && options.problem.empty())
    options.problem = "no file given";
  return options;
}

static void goToStart(Tab &tab, const Options &options) {
  const Program &program = *tab.program;
  for (const auto &function : program.trace.functions)
    if (function.name == options.function)
      selectFunction(tab.state, program, function.id);
  if (options.line > 0)
    selectOffset(tab.state, program,
                 offsetOfLine(program.trace, unsigned(options.line)));
  if (options.stage >= 0)
    selectStage(tab.state, program, options.stage);
  if (options.event >= 0)
    selectEvent(tab.state, program, options.event);
}

static void loadFont() {
  const char *font = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf";
  // Latin, arrows, mathematical and geometric signs, marks of chips.
  static const ImWchar ranges[] = {0x20,   0x24f,  0x370,  0x3ff, 0x2010,
                                   0x27bf, 0xfffd, 0xfffd, 0};
  std::error_code error;
  if (std::filesystem::exists(font, error))
    ImGui::GetIO().Fonts->AddFontFromFileTTF(font, 14, nullptr, ranges);
}

static bool takeScreenshot(GLFWwindow *window, const std::string &path) {
  int width = 0, height = 0;
  glfwGetFramebufferSize(window, &width, &height);
  std::vector<unsigned char> pixels(size_t(width) * size_t(height) * 3),
      flipped;
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, pixels.data());
  for (int y = height - 1; y >= 0; --y)
    flipped.insert(flipped.end(), pixels.begin() + long(y) * width * 3,
                   pixels.begin() + long(y + 1) * width * 3);
  return writePng(path, width, height, flipped);
}

static int run(GLFWwindow *window, const Options &options) {
  Tab tab;
  tab.path = options.file;
  tab.state.theme = options.theme;
  tab.loader = std::make_unique<Loader>(options.file, toolBeside());
  bool isPicture = !options.screenshot.empty();
  double last = glfwGetTime();
  for (int frames = 0; !glfwWindowShouldClose(window);) {
    isPicture ? glfwPollEvents() : glfwWaitEventsTimeout(0.05);
    if (poll(tab))
      goToStart(tab, options);
    if (isPicture && !tab.program && !tab.loader) {
      std::fprintf(stderr, "memref-lens-viewer: %s\n", tab.error.c_str());
      return 1;
    }
    applyTheme(tab.state.theme);
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
    double now = glfwGetTime();
    drawFrame(tab, now - last, isPicture);
    last = now;
    ImGui::Render();
    int width = 0, height = 0;
    glfwGetFramebufferSize(window, &width, &height);
    glViewport(0, 0, width, height);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    if (isPicture && tab.program && ++frames == 4)
      return takeScreenshot(window, options.screenshot) ? 0 : 1;
    glfwSwapBuffers(window);
  }
  return 0;
}

int main(int count, char **words) {
  Options options = optionsOf(count, words);
  if (!options.problem.empty()) {
    std::fprintf(stderr, "memref-lens-viewer: %s\n%s", options.problem.c_str(),
                 usage);
    return 2;
  }
  if (!glfwInit()) {
    std::fputs(
        "memref-lens-viewer: no display; set DISPLAY, or use `memref-lens"
        " export`\n",
        stderr);
    return 1;
  }
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 0);
  if (!options.screenshot.empty())
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  GLFWwindow *window = glfwCreateWindow(
      options.width, options.height, ("memref-lens: " + options.file).c_str(),
      nullptr, nullptr);
  if (!window) {
    std::fputs("memref-lens-viewer: no OpenGL 3 on this display\n", stderr);
    glfwTerminate();
    return 1;
  }
  glfwMakeContextCurrent(window);
  glfwSwapInterval(1);
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  loadFont();
  ImGui_ImplGlfw_InitForOpenGL(window, true);
  ImGui_ImplOpenGL3_Init("#version 130");
  int status = run(window, options);
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
  glfwDestroyWindow(window);
  glfwTerminate();
  return status;
}
