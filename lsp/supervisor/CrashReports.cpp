//===- lsp/supervisor/CrashReports.cpp ------------------------------------===//

#include "lsp/supervisor/CrashReports.h"
#include "core/Version.h"
#include "core/files/WholeFile.h"

#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace memreflens::lsp {

static constexpr int maxReports = 20;

/// What is wrong; empty if the folder is there. A new one is the user's alone.
static std::string makeFolder(const std::string &folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path path(folder);
  if (fs::is_directory(path, error))
    return {};
  fs::create_directories(path.parent_path(), error);
  return mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST
             ? std::string()
             : std::strerror(errno);
}

std::string CrashReports::write(const std::string &role, const std::string &why,
                                const OpenDocument *document) {
  const std::string &folder = configuration.getSettings().crashFolder;
  if (folder.empty() || written >= maxReports)
    return {};
  if (std::string problem = makeFolder(folder); !problem.empty()) {
    log.write(0, "no crash report: cannot make " + folder + ": " + problem);
    return {};
  }
  std::string path = folder + "/crash-" + std::to_string(std::time(nullptr)) +
                     "-" + std::to_string(getpid()) + "-" +
                     std::to_string(++written) + ".txt";
  std::string text = "memref-lens " + std::string(toolVersion) +
                     " (LLVM/MLIR " + llvmVersion + ")\n" + role + " " + why +
                     "\n\n== settings\n" + toBytes(configuration.getValues()) +
                     "\n\n== last messages\n";
  for (const std::string &message : client.getLastMessages())
    text += message + "\n";
  if (document)
    text += "\n== " + document->uri + ", version " +
            std::to_string(document->version) + "\n" + document->text;
  // For nobody but the user: it holds the program.
  WholeFileOptions options;
  options.mode = 0600;
  options.isNew = true;
  if (std::string problem; !writeWhole(path, text, options, problem)) {
    log.write(0, "no crash report: cannot write " + path + ": " + problem);
    return {};
  }
  log.write(0, "crash report: " + path);
  return path;
}

} // namespace memreflens::lsp
