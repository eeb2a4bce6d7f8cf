//===- viewer/work/Settings.cpp - what is remembered from run to run ------===//

#include "viewer/work/Settings.h"

#include "viewer/work/Files.h"

#include "nlohmann/json.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace memreflens::viewer {

using nlohmann::json;

static constexpr size_t maxRecent = 12;

std::string settingsPath() {
  const char *config = std::getenv("XDG_CONFIG_HOME");
  const char *home = std::getenv("HOME");
  if (config && *config)
    return std::string(config) + "/memref-lens/viewer.json";
  return home && *home ? std::string(home) + "/.config/memref-lens/viewer.json"
                       : "";
}

namespace {
/// Name and member of each share of the arrangement.
constexpr std::pair<const char *, float Arrangement::*> shares[] = {
    {"left", &Arrangement::left},
    {"right", &Arrangement::right},
    {"functions", &Arrangement::functions},
    {"graph", &Arrangement::graph},
    {"why", &Arrangement::why}};
} // namespace

Settings readSettings(const std::string &path) {
  Settings settings;
  bool isBroken = false;
  std::optional<json> found = readObject(path, isBroken);
  if (!found)
    return settings;
  const json &file = *found;
  auto number = [](const json &object, const char *key, auto byDefault,
                   auto least, auto most) {
    auto found = object.find(key);
    if (found == object.end() || !found->is_number())
      return byDefault;
    // As it is written, which may be more than any integer holds.
    double written = found->template get<double>();
    return decltype(byDefault)(
        std::clamp(written, double(least), double(most)));
  };
  if (auto theme = file.find("theme"); theme != file.end())
    settings.theme =
        *theme == "light" ? graph::ThemeName::light : graph::ThemeName::dark;
  settings.width = number(file, "width", settings.width, 200, 8192);
  settings.height = number(file, "height", settings.height, 150, 8192);
  if (auto shown = file.find("arrangement");
      shown != file.end() && shown->is_object())
    for (auto [name, share] : shares)
      settings.arrangement.*share =
          number(*shown, name, settings.arrangement.*share, 0.05f, 0.95f);
  if (auto recent = file.find("recent");
      recent != file.end() && recent->is_array())
    for (const json &entry : *recent)
      if (entry.is_string() && settings.recent.size() < maxRecent)
        settings.recent.push_back(entry.get<std::string>());
  return settings;
}

bool writeSettings(const Settings &settings, const std::string &path) {
  if (path.empty())
    return false;
  // What is there and not known here stays: another version may know it.
  bool isBroken = false;
  json file = readObject(path, isBroken).value_or(json::object());
  file["theme"] = settings.theme == graph::ThemeName::light ? "light" : "dark";
  file["width"] = settings.width;
  file["height"] = settings.height;
  std::vector<std::string> recent = settings.recent;
  // Files that another viewer has opened meanwhile.
  if (auto known = file.find("recent");
      known != file.end() && known->is_array())
    for (const json &entry : *known)
      if (entry.is_string() && recent.size() < maxRecent &&
          std::ranges::find(recent, entry.get<std::string>()) == recent.end())
        recent.push_back(entry.get<std::string>());
  file["recent"] = recent;
  if (!file["arrangement"].is_object())
    file["arrangement"] = json::object();
  for (auto [name, share] : shares)
    file["arrangement"][name] = settings.arrangement.*share;
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(),
                                      error);
  return writeKept(path, file);
}

void remember(Settings &settings, const std::string &file) {
  std::erase(settings.recent, file);
  settings.recent.insert(settings.recent.begin(), file);
  if (settings.recent.size() > maxRecent)
    settings.recent.resize(maxRecent);
}

} // namespace memreflens::viewer
