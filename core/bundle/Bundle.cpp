//===- core/bundle/Bundle.cpp ---------------------------------------------===//

#include "core/bundle/Bundle.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace memreflens::bundle {

using Json = nlohmann::ordered_json;

static constexpr std::string_view folder = "bundle/";
static constexpr char manifestName[] = "manifest.json";
static constexpr char traceName[] = "trace.json";
static constexpr char comparisonName[] = "compare.txt";
static constexpr char kind[] = "memref-lens bundle";

//===--- Writing ----------------------------------------------------------===//

/// "ir/2-canonicalize.mlir".
static std::string fileOf(const std::vector<Stage> &stages, size_t number) {
  std::string name = stages[number].name;
  for (char &letter : name)
    if (!std::isalnum(static_cast<unsigned char>(letter)) && letter != '-')
      letter = '_';
  // An archive's names have at most 100 bytes behind their last '/'.
  return "ir/" + std::to_string(number) + "-" + name.substr(0, 80) + ".mlir";
}

static const char *inputOf(const Bundle &bundle) {
  return bundle.isBytecode ? bytecodeName : inputName;
}

static std::string dump(const Json &json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

static std::string manifestOf(const Bundle &bundle) {
  Json json = {{"kind", kind},
               {"bundleVersion", bundleVersion},
               {"toolVersion", bundle.toolVersion},
               {"llvmVersion", bundle.llvmVersion},
               {"options", bundle.options},
               {"input", inputOf(bundle)},
               {"trace", traceName},
               {"comparison", comparisonName},
               {"stages", Json::array()}};
  for (size_t i = 0; i < bundle.stages.size(); ++i)
    json["stages"].push_back(
        {{"name", bundle.stages[i].name}, {"file", fileOf(bundle.stages, i)}});
  return dump(json);
}

/// An argument as a shell takes it.
static std::string quoted(const std::string &word) {
  std::string text = "'";
  for (char letter : word)
    text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return text + "'";
}

static std::string readmeOf(const Bundle &bundle) {
  std::string command = std::string("memref-lens trace ") + inputOf(bundle);
  for (const std::string &option : bundle.options)
    command += " " + quoted(option);
  return "A run of memref-lens " + bundle.toolVersion + " (LLVM/MLIR " +
         bundle.llvmVersion +
         ").\n\n"
         "  " +
         inputOf(bundle) +
         "    the program\n"
         "  trace.json    every decision with its evidence\n"
         "  ir/           the program after each stage of the pipeline\n"
         "  compare.txt   the result against MLIR's own\n"
         "  manifest.json versions and options\n\n"
         "The archive itself opens with 'memref-lens trace', 'ir', 'explain' "
         "and\n'export', and in memref-lens-viewer. The run again:\n\n  " +
         command + "\n";
}

std::string write(const Bundle &bundle, std::string &error) {
  std::vector<File> files;
  auto add = [&](const std::string &name, std::string bytes) {
    files.push_back({std::string(folder) + name, std::move(bytes)});
  };
  add(manifestName, manifestOf(bundle));
  add("README.txt", readmeOf(bundle));
  add(inputOf(bundle), bundle.input);
  add(traceName, bundle.trace);
  for (size_t i = 0; i < bundle.stages.size(); ++i)
    add(fileOf(bundle.stages, i), bundle.stages[i].text);
  add(comparisonName, bundle.comparison);
  return pack(files, error);
}

//===--- Reading ----------------------------------------------------------===//

namespace {
class Reader {
public:
  Reader(std::vector<File> files, std::string &error)
      : files(std::move(files)), error(error) {}
  std::optional<Bundle> run();

private:
  bool readManifest();
  bool readStages();
  bool take(const std::string &name, std::string &bytes);
  bool fail(const std::string &what) {
    error = what;
    return false;
  }

  std::vector<File> files;
  std::string &error;
  Json manifest;
  Bundle bundle;
};
} // namespace

bool Reader::take(const std::string &name, std::string &bytes) {
  auto file = std::find_if(files.begin(), files.end(), [&](const File &one) {
    return one.name == std::string(folder) + name;
  });
  if (file == files.end())
    return fail("it has no file 'bundle/" + name + "'");
  bytes = std::move(file->bytes);
  return true;
}

static std::string textOf(const Json &json, const char *key) {
  return json.contains(key) && json[key].is_string()
             ? json[key].get<std::string>()
             : std::string();
}

bool Reader::readManifest() {
  std::string text;
  if (!take(manifestName, text))
    return false;
  // Nothing of the manifest nests deeper; a hostile one may.
  auto isShallow = [](int depth, Json::parse_event_t, Json &) {
    return depth <= 4;
  };
  manifest = Json::parse(text, isShallow, /*allow_exceptions=*/false);
  if (!manifest.is_object() || textOf(manifest, "kind") != kind)
    return fail("its manifest.json is none of a bundle");
  const Json &version = manifest["bundleVersion"];
  if (!version.is_number_integer() || version != bundleVersion)
    return fail("its bundleVersion is " +
                version.dump(-1, ' ', false, Json::error_handler_t::replace) +
                ", this memref-lens reads " + std::to_string(bundleVersion) +
                "; open it with the version that made it (" +
                textOf(manifest, "toolVersion") + ")");
  bundle.toolVersion = textOf(manifest, "toolVersion");
  bundle.llvmVersion = textOf(manifest, "llvmVersion");
  for (const Json &option : manifest["options"])
    if (option.is_string())
      bundle.options.push_back(option.get<std::string>());
  return true;
}

bool Reader::readStages() {
  for (const Json &stage : manifest["stages"]) {
    bundle.stages.push_back({textOf(stage, "name"), {}});
    if (!take(textOf(stage, "file"), bundle.stages.back().text))
      return false;
  }
  return true;
}

std::optional<Bundle> Reader::run() {
  std::string input;
  if (!readManifest() || !readStages())
    return std::nullopt;
  input = textOf(manifest, "input");
  bundle.isBytecode = input == bytecodeName;
  if (!take(input, bundle.input) || !take(traceName, bundle.trace) ||
      !take(comparisonName, bundle.comparison))
    return std::nullopt;
  return std::move(bundle);
}

std::optional<Bundle> read(std::string_view bytes, std::string &error) {
  std::optional<std::vector<File>> files = unpack(bytes, error);
  if (!files)
    return std::nullopt;
  return Reader(std::move(*files), error).run();
}

} // namespace memreflens::bundle
