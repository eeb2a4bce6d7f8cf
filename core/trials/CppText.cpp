//===- core/trials/CppText.cpp --------------------------------------------===//

#include "core/trials/CppText.h"
#include "core/explain/Advice.h"

#include <string_view>

namespace memreflens {

/// At commas that are in no parentheses or braces.
static std::vector<std::string> passesIn(const std::string &text) {
  std::vector<std::string> passes;
  std::string pass;
  int depth = 0;
  for (char letter : text) {
    depth += letter == '(' || letter == '{';
    depth -= letter == ')' || letter == '}';
    if (letter == ',' && depth == 0) {
      passes.push_back(std::move(pass));
      pass.clear();
    } else {
      pass += letter;
    }
  }
  if (!pass.empty())
    passes.push_back(std::move(pass));
  return passes;
}

static std::string quoted(std::string_view text) {
  std::string literal = "\"";
  for (char letter : text) {
    if (letter == '"' || letter == '\\')
      literal += '\\';
    literal += letter;
  }
  return literal + "\"";
}

static void addPrivatize(std::string_view names,
                         std::vector<std::string> &lines) {
  std::string list;
  for (const std::string &name : passesIn(std::string(names)))
    list += (list.empty() ? "" : ", ") + quoted(name);
  lines.push_back("SmallVector<std::string> others = {" + list + "};");
  lines.push_back("pm.addPass(createSymbolPrivatizePass(others));");
}

static void addPass(const std::string &pass, std::vector<std::string> &lines) {
  if (const std::optional<MadePass> known = madeInCpp(pass)) {
    lines.push_back((known->isOfFunctions ? "pm.addNestedPass<func::FuncOp>("
                                          : "pm.addPass(") +
                    std::string(known->made) + ");");
    return;
  }
  constexpr std::string_view privatize = "symbol-privatize{exclude=";
  if (pass.starts_with(privatize))
    return addPrivatize(
        std::string_view(pass).substr(privatize.size(),
                                      pass.size() - privatize.size() - 1),
        lines);
  if (pass == "buffer-results-to-out-params{modify-public-functions=1}") {
    lines.push_back(
        "bufferization::BufferResultsToOutParamsPassOptions outParams;");
    lines.push_back("outParams.modifyPublicFunctions = true;");
    lines.push_back("pm.addPass(bufferization::"
                    "createBufferResultsToOutParamsPass(outParams));");
    return;
  }
  // The user's own.
  lines.push_back("if (failed(parsePassPipeline(" + quoted(pass) +
                  ", pm))) return failure();");
}

static std::string quoted(const std::vector<std::string> &names) {
  std::string list;
  for (const std::string &name : names)
    list += (list.empty() ? "" : ", ") + quoted(name);
  return list;
}

static void addDeallocation(const PassManagerSteps &steps,
                            std::vector<std::string> &lines) {
  const bool isOurs = !steps.freshResults.empty() || !steps.noCapture.empty() ||
                      steps.dropsIdle;
  if (isOurs || steps.dynamicOwnership)
    lines.push_back(
        isOurs ? "memreflens::LensDeallocationOptions options;"
               : "bufferization::BufferDeallocationPipelineOptions options;");
  if (steps.dynamicOwnership)
    lines.push_back("options.privateFunctionDynamicOwnership = true;");
  if (steps.dropsIdle)
    lines.push_back("options.dropIdleDeallocs = true;");
  if (!steps.freshResults.empty())
    lines.push_back("options.freshResults = {" + quoted(steps.freshResults) +
                    "};");
  if (!steps.noCapture.empty()) {
    lines.push_back("options.noCapture = {" + quoted(steps.noCapture) + "};");
    lines.push_back("options.freeAfterLastUse = true;");
  }
  const std::string name =
      isOurs ? "memreflens::buildLensBufferDeallocationPipeline"
             : "bufferization::buildBufferDeallocationPipeline";
  lines.push_back(
      name + (isOurs || steps.dynamicOwnership ? "(pm, options);" : "(pm);"));
}

std::vector<std::string> cppFor(const PassManagerSteps &steps) {
  std::vector<std::string> lines;
  for (const std::string &pass : passesIn(steps.before))
    addPass(pass, lines);
  addDeallocation(steps, lines);
  for (const std::string &pass : passesIn(steps.after))
    addPass(pass, lines);
  return lines;
}

} // namespace memreflens
