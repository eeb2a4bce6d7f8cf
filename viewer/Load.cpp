//===- viewer/Load.cpp - reads a trace, or has one made -------------------===//

#include "viewer/Load.h"

#include "core/trace/Json.h"

#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace memreflens::viewer {

namespace fs = std::filesystem;

static bool readFile(const std::string &path, std::string &text) {
  std::error_code error;
  if (!fs::is_regular_file(path, error))
    return false;
  std::ifstream in(path, std::ios::binary);
  std::ostringstream all;
  all << in.rdbuf();
  text = std::move(all).str();
  return bool(in);
}

static LoadResult loadTrace(const std::string &path, const std::string &named) {
  std::string text;
  if (!readFile(path, text))
    return {nullptr, "cannot read " + named};
  trace::ReadResult read = trace::readJson(text);
  if (!read)
    return {nullptr,
            named + " is no trace that this viewer can show: " + read.error};
  return {std::make_unique<Program>(std::move(*read.trace)), ""};
}

/// Exit status of the child, or -1 if it was cancelled or could not start.
static int runTool(std::vector<std::string> words, const std::string &errors,
                   const std::atomic<bool> &cancelled) {
  std::vector<char *> arguments;
  for (std::string &word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, 2, errors.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t child = 0;
  int failed = posix_spawnp(&child, arguments[0], &files, nullptr,
                            arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (failed)
    return -1;
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (cancelled) {
      kill(child, SIGTERM);
      waitpid(child, &status, 0);
      return -1;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

LoadResult load(const std::string &path, const std::string &tool,
                const std::atomic<bool> &cancelled) {
  if (path.ends_with(".json"))
    return loadTrace(path, path);
  std::error_code error;
  if (!fs::is_regular_file(path, error))
    return {nullptr, "cannot read " + path};
  std::string folder =
      (fs::temp_directory_path(error) / "memref-lens-XXXXXX").string();
  if (!mkdtemp(folder.data()))
    return {nullptr, "cannot make a temporary folder"};
  std::string out = folder + "/trace.json", errors = folder + "/errors";
  // An absolute path cannot be taken for an option.
  runTool({tool, "trace", fs::absolute(path).string(), "-o", out}, errors,
          cancelled);
  LoadResult result;
  std::string message;
  if (cancelled)
    result.error = "cancelled";
  else if (fs::exists(out, error))
    result = loadTrace(out, path);
  else
    result.error = readFile(errors, message) && !message.empty()
                       ? message
                       : "cannot run " + tool;
  fs::remove_all(folder, error);
  return result;
}

Loader::Loader(std::string path, std::string tool)
    : thread([this, path = std::move(path), tool = std::move(tool)] {
        result = load(path, tool, cancelled);
        done = true;
      }) {}

Loader::~Loader() {
  cancel();
  thread.join();
}

LoadResult Loader::take() { return std::move(result); }

std::string toolBeside() {
  std::error_code error;
  fs::path self = fs::read_symlink("/proc/self/exe", error);
  fs::path tool = self.parent_path() / "memref-lens";
  return !error && fs::exists(tool, error) ? tool.string() : "memref-lens";
}

} // namespace memreflens::viewer
