//===- viewer/window/Main.cpp - the desktop viewer's window ---------------===//
//
// The only file with a window; Options.h says how it is called.
//
//===----------------------------------------------------------------------===//

#include "viewer/canvas/Theme.h"
#include "viewer/window/FrameTimes.h"
#include "viewer/window/Options.h"
#include "viewer/window/Panels.h"
#include "viewer/window/Png.h"

#include "core/Version.h"

#include "imgui/imgui.h"

#include "imgui/backends/imgui_impl_glfw.h"
#include "imgui/backends/imgui_impl_opengl3.h"

#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <deque>
#include <set>

using namespace memreflens;
using namespace memreflens::viewer;

static int fail(const std::string &message) {
  std::fprintf(stderr, "memref-lens-viewer: %s\n", message.c_str());
  return 1;
}

static std::string &lastGlfwError() {
  static std::string error;
  return error;
}

namespace {
/// Keys as they came. Dear ImGui looks at the keyboard once a frame: a key that
/// was pressed and released in between must still be seen, and two presses as
/// two.
class KeyQueue {
public:
  struct Event {
    int key = 0, code = 0, action = 0, modifiers = 0;
    /// Not a key, but a character, if not 0.
    unsigned character = 0;
  };
  void push(Event event) { events.push_back(event); }
  bool isEmpty() const { return events.empty(); }

  /// Hands on what fits into one frame: no key changes twice in it, and what
  /// Ctrl, Shift and Alt are when a key changes they are to its end. What is
  /// pressed behind Enter or Escape is for what they lead to.
  void handOn(GLFWwindow *window) {
    std::set<int> changed;
    bool hasKey = false;
    while (!events.empty()) {
      Event event = events.front();
      bool isModifier =
          event.key >= GLFW_KEY_LEFT_SHIFT && event.key <= GLFW_KEY_RIGHT_SUPER;
      if (!event.character &&
          ((isModifier && hasKey) || !changed.insert(event.key).second))
        return;
      hasKey |= !isModifier;
      events.pop_front();
      if (event.character)
        ImGui_ImplGlfw_CharCallback(window, event.character);
      else
        ImGui_ImplGlfw_KeyCallback(window, event.key, event.code, event.action,
                                   event.modifiers);
      if (event.action == GLFW_PRESS && leavesField(event.key))
        return;
    }
  }

private:
  static bool leavesField(int key) {
    return key == GLFW_KEY_ENTER || key == GLFW_KEY_KP_ENTER ||
           key == GLFW_KEY_ESCAPE;
  }

  std::deque<Event> events;
};

/// What the callbacks of the window reach.
struct Callbacks {
  Workspace &workspace;
  KeyQueue keys;
};
} // namespace

static Callbacks &callbacksOf(GLFWwindow *window) {
  return *static_cast<Callbacks *>(glfwGetWindowUserPointer(window));
}

static void onDrop(GLFWwindow *window, int count, const char **paths) {
  for (int i = 0; i < count; ++i)
    open(callbacksOf(window).workspace, {paths[i], {}});
}

static void queueKeys(GLFWwindow *window) {
  glfwSetKeyCallback(window, [](GLFWwindow *window, int key, int code,
                                int action, int modifiers) {
    callbacksOf(window).keys.push({key, code, action, modifiers, 0});
  });
  glfwSetCharCallback(window, [](GLFWwindow *window, unsigned character) {
    callbacksOf(window).keys.push({0, 0, 0, 0, character});
  });
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

/// As the keys were handed on, not as they are at this moment.
static void takeModifiers() {
  ImGuiIO &io = ImGui::GetIO();
  auto isDown = [&](int left, int right) {
    return io.KeysDown[left] || io.KeysDown[right];
  };
  io.KeyCtrl = isDown(GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL);
  io.KeyShift = isDown(GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT);
  io.KeyAlt = isDown(GLFW_KEY_LEFT_ALT, GLFW_KEY_RIGHT_ALT);
}

namespace {
class Window {
public:
  Window(const Options &options, Workspace &workspace)
      : options(options), workspace(workspace), callbacks{workspace, {}},
        kept(readSettings(settingsPath())) {}
  ~Window();

  /// What is wrong; empty if there is a window.
  std::string open();
  int run();

private:
  void drawOnce();
  void waitForEvents();
  void setTitle();
  void keepSettings();
  bool isDone();
  int endPicture();

  const Options &options;
  Workspace &workspace;
  Callbacks callbacks;
  GLFWwindow *window = nullptr;
  bool hasGlfw = false, hasImgui = false;
  float scale = 1;
  double last = 0, busyUntil = 0, keptAt = 0;
  Settings kept;
  std::string title;
  FrameTimes times;
};
} // namespace

Window::~Window() {
  if (hasImgui) {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
  }
  if (window)
    glfwDestroyWindow(window);
  if (hasGlfw)
    glfwTerminate();
}

std::string Window::open() {
  glfwSetErrorCallback([](int, const char *text) { lastGlfwError() = text; });
  hasGlfw = glfwInit();
  if (!hasGlfw)
    return "no display (" + lastGlfwError() +
           "); set DISPLAY, or draw with `memref-lens export`";
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 0);
  // Nothing hides behind anything; a software renderer pays for the bits.
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  // A size that was asked for is one of points on a display with scaling.
  bool isExact = options.width > 0;
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, !isExact && !options.scale);
  if (!options.screenshot.empty())
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  float asked = options.scale ? options.scale : 1;
  const Settings &settings = workspace.settings;
  int width = isExact ? options.width : settings.width;
  int height = isExact ? options.height : settings.height;
  window =
      glfwCreateWindow(int(float(width) * asked), int(float(height) * asked),
                       "memref-lens", nullptr, nullptr);
  if (!window)
    return "no OpenGL 3 on this display (" + lastGlfwError() +
           "); draw with `memref-lens export`";
  glfwMakeContextCurrent(window);
  glfwSwapInterval(options.measure ? 0 : 1);
  glfwSetWindowUserPointer(window, &callbacks);
  glfwSetDropCallback(window, onDrop);
  float x = 1, y = 1;
  glfwGetWindowContentScale(window, &x, &y);
  scale = options.scale ? options.scale : std::clamp(x, 0.5f, 4.f);
  ImGui::CreateContext();
  // The panels have no windows of their own to remember.
  ImGui::GetIO().IniFilename = nullptr;
  loadFonts(monospaceFont(), scale);
  hasImgui = ImGui_ImplGlfw_InitForOpenGL(window, true) &&
             ImGui_ImplOpenGL3_Init("#version 130");
  // In place of those that were just installed, and which it calls.
  queueKeys(window);
  return hasImgui ? "" : "OpenGL 3 does not start on this display";
}

void Window::setTitle() {
  std::string wanted = windowTitle(workspace);
  if (wanted == title)
    return;
  title = wanted;
  glfwSetWindowTitle(window, title.c_str());
}

/// Sleeps where nothing moves; for a while after each event, nothing does not.
void Window::waitForEvents() {
  Tab *tab = workspace.current();
  double now = glfwGetTime();
  bool isBusy = now < busyUntil || !callbacks.keys.isEmpty() ||
                (tab && tab->state.isPlaying) || options.measure ||
                !options.screenshot.empty();
  if (isBusy) {
    glfwPollEvents();
    return;
  }
  constexpr double nap = 0.1;
  glfwWaitEventsTimeout(nap);
  double woken = glfwGetTime();
  if (woken - now < nap * 0.95)
    busyUntil = woken + 0.6;
}

void Window::drawOnce() {
  callbacks.keys.handOn(window);
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  // Tabs slide into sight with time: on a picture they have, on any machine.
  if (!options.screenshot.empty())
    ImGui::GetIO().DeltaTime = 0.5f;
  takeModifiers();
  ImGui::NewFrame();
  applyTheme(workspace.settings.theme, scale);
  double now = glfwGetTime();
  drawFrame(workspace, now, now - last);
  last = now;
  ImGui::Render();
  int width = 0, height = 0;
  glfwGetFramebufferSize(window, &width, &height);
  glViewport(0, 0, width, height);
  ImVec4 ground = ImGui::ColorConvertU32ToFloat4(
      colorOf(graph::themeOf(workspace.settings.theme).ground));
  glClearColor(ground.x, ground.y, ground.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

/// Soon after they change: a viewer that is killed has lost none.
void Window::keepSettings() {
  constexpr double rest = 2;
  double now = glfwGetTime();
  if (options.measure || workspace.settings == kept || now < keptAt + rest)
    return;
  keptAt = now;
  kept = workspace.settings;
  // Its end says so where that fails.
  if (std::string path = settingsPath(); !path.empty())
    (void)writeSettings(kept, path);
}

int Window::endPicture() {
  Tab *tab = workspace.current();
  if (tab && !tab->program)
    return fail(tab->error);
  if (takeScreenshot(window, options.screenshot))
    return 0;
  return fail("cannot write " + options.screenshot);
}

bool Window::isDone() {
  return workspace.wantsQuit || glfwWindowShouldClose(window);
}

int Window::run() {
  // Lists scroll and texts find their sizes over the first frames.
  constexpr int settled = 6;
  bool isPicture = !options.screenshot.empty();
  for (int frames = 1; !isDone(); ++frames) {
    waitForEvents();
    if (options.measure)
      times.prepare(workspace, frames);
    times.begin();
    drawOnce();
    if (options.measure) {
      glFinish();
      times.end();
    }
    if (isPicture && frames == settled)
      return endPicture();
    glfwSwapBuffers(window);
    setTitle();
    if (!isPicture)
      keepSettings();
    if (options.measure && frames == options.measure) {
      std::fputs(times.report().c_str(), stdout);
      return 0;
    }
  }
  int width = 0, height = 0;
  glfwGetWindowSize(window, &width, &height);
  workspace.settings.width = int(float(width) / scale);
  workspace.settings.height = int(float(height) / scale);
  return 0;
}

static int runViewer(const Options &options) {
  Workspace workspace;
  bool isPicture = !options.screenshot.empty() || options.measure;
  std::string settings = settingsPath();
  // A picture is the same whatever was set here before.
  if (!isPicture)
    workspace.settings = readSettings(settings);
  if (!options.theme.empty())
    workspace.settings.theme = options.theme == "light"
                                   ? graph::ThemeName::light
                                   : graph::ThemeName::dark;
  // Loading begins before there is a window.
  for (const std::string &file : options.files)
    open(workspace, {file, options.run}, options.start);
  if (isPicture) {
    workspace.settings.recent.clear();
    workspace.waits = true;
    waitForLoads(workspace);
    // Frames are measured as the user has them.
    workspace.waits = !options.measure;
  }
  Window window(options, workspace);
  if (std::string problem = window.open(); !problem.empty())
    return fail(problem);
  int status = window.run();
  if (!isPicture && !settings.empty() &&
      !writeSettings(workspace.settings, settings))
    return fail("cannot write " + settings);
  return status;
}

int main(int count, char **words) {
  // A full disk is an error like others; children are waited for, whoever
  // started us.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGCHLD, SIG_DFL);
  Options options = optionsOf(count, words);
  if (!options.problem.empty()) {
    std::fprintf(stderr, "memref-lens-viewer: %s\n%s", options.problem.c_str(),
                 usage());
    return 2;
  }
  if (options.wantsHelp) {
    std::fputs(usage(), stdout);
    return 0;
  }
  if (options.wantsVersion) {
    std::printf("memref-lens-viewer %s\n", toolVersion);
    return 0;
  }
  return runViewer(options);
}
