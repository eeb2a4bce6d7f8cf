//===- cli/Saved.cpp - traces that were made before -----------------------===//

#include "cli/Saved.h"
#include "cli/Command.h"
#include "cli/ExitStatus.h"
#include "core/Version.h"
#include "core/query/Index.h"
#include "core/text/Escape.h"
#include "core/trace/Json.h"
#include "core/trace/RunArguments.h"

#include "llvm/ADT/STLExtras.h"

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace memreflens {

static void noteVersion(const std::string &path, const trace::Trace &trace) {
  if (trace.toolVersion == toolVersion && trace.llvmVersion == llvmVersion)
    return;
  tell("memref-lens: note: '%s' was made by memref-lens %s (LLVM %s); "
       "this is %s (LLVM %s)\n",
       path.c_str(), visibleText(trace.toolVersion).c_str(),
       visibleText(trace.llvmVersion).c_str(), toolVersion, llvmVersion);
}

trace::ReadResult readTrace(const trace::Source &source) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(source.path, error))
    return trace::readJson(std::string_view(source.text));
  std::ifstream file(source.path, std::ios::binary);
  return trace::readJson(file);
}

SavedTrace readSaved(const trace::Source &source, InputKind kind) {
  SavedTrace saved;
  auto fail = [&](const std::string &what, const std::string &why) {
    saved.error = "'" + source.path + "' is no " + what +
                  " that can be read: " + visibleText(why);
  };
  std::string error;
  std::optional<bundle::Bundle> bundle;
  if (kind == InputKind::bundle) {
    bundle = bundle::read(source.text, error);
    if (!bundle) {
      fail("bundle", error);
      return saved;
    }
  }
  trace::ReadResult read =
      bundle ? trace::readJson(std::string_view(bundle->trace))
             : readTrace(source);
  if (!read) {
    fail(bundle ? "bundle" : "trace",
         (bundle ? "its trace.json: " : "") + read.error);
    return saved;
  }
  if (bundle)
    saved.stages = std::move(bundle->stages);
  saved.trace = std::move(*read.trace);
  noteVersion(source.path, *saved.trace);
  return saved;
}

/// The first option that asks for something else than was made.
static std::string rejectedArgument(trace::RunOptions asked,
                                    const trace::RunOptions &made,
                                    bool showsPart) {
  if (showsPart)
    asked.function.clear();
  std::vector<std::string> known = trace::argumentsOf(made);
  for (const std::string &argument : trace::argumentsOf(asked))
    if (!llvm::is_contained(known, argument))
      return argument;
  return {};
}

int openSaved(const CliOptions &options, const trace::Source &source,
              InputKind kind, SavedTrace &saved) {
  saved = readSaved(source, kind);
  if (!saved.trace)
    return complain(badInput, saved.error);
  std::string rejected = rejectedArgument(options.run, saved.trace->options,
                                          options.command->showsPart);
  if (rejected.empty())
    return done;
  tell("memref-lens: error: '%s' holds a trace that was made without "
       "'%s'; for another one run the program itself\n",
       source.path.c_str(), rejected.c_str());
  return wrongUsage;
}

bool rejectsBundle(const CliOptions &options, const Input &input) {
  if (options.command->opensSaved || input.kind != InputKind::bundle)
    return false;
  const char *path = input.source.path.c_str();
  tell("memref-lens: error: '%s' is a bundle, or another compressed "
       "file; this command takes programs. 'tar -xOf %s bundle/%s' "
       "prints the one of a bundle\n",
       path, path, bundle::inputName);
  return true;
}

} // namespace memreflens
