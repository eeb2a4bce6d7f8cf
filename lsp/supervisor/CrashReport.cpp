//===- lsp/supervisor/CrashReport.cpp - what a bug report needs -----------===//
//
// Writes the document, the options and the last messages to a file of the
// user's, and names it. Nothing is ever sent anywhere.
//
//===----------------------------------------------------------------------===//

#include "core/Version.h"
#include "lsp/supervisor/Supervisor.h"

#include <cstdio>
#include <ctime>
#include <filesystem>
#include <unistd.h>

namespace memreflens::lsp {

static constexpr int maxReports = 20;

std::string Supervisor::writeCrashReport(const std::string &role,
                                         const std::string &why,
                                         const OpenDocument *document) {
  if (settings.crashFolder.empty() || crashReports >= maxReports)
    return {};
  std::error_code error;
  std::filesystem::create_directories(settings.crashFolder, error);
  std::string path = settings.crashFolder + "/crash-" +
                     std::to_string(std::time(nullptr)) + "-" +
                     std::to_string(getpid()) + "-" +
                     std::to_string(++crashReports) + ".txt";
  FILE *file = error ? nullptr : std::fopen(path.c_str(), "w");
  if (!file)
    return {};
  std::string text = "memref-lens " + std::string(toolVersion) +
                     " (LLVM/MLIR " + llvmVersion + ")\n" + role + " " + why +
                     "\n\n== settings\n" + toBytes(configuration) +
                     "\n\n== last messages\n";
  for (const std::string &message : lastMessages)
    text += message + "\n";
  if (document)
    text += "\n== " + document->uri + ", version " +
            std::to_string(document->version) + "\n" + document->text;
  std::fwrite(text.data(), 1, text.size(), file);
  std::fclose(file);
  log(0, "crash report: " + path);
  return path;
}

} // namespace memreflens::lsp
