//===- core/report/HtmlColors.cpp - the palette as variables of a page ----===//

#include "core/report/HtmlColors.h"

#include "core/graph/Dot.h"

#include <map>
#include <utility>
#include <vector>

namespace memreflens::report {

using namespace graph;

/// Roles in the order in which a shared colour is given away. The ground comes
/// late: white inside a picture is a node, which lies on the ground.
static std::vector<std::pair<std::string, std::string_view>>
rolesOf(const Theme &theme) {
  std::vector<std::pair<std::string, std::string_view>> roles{
      {"node", theme.node},
      {"title", theme.title},
      {"cluster-line", theme.clusterLine},
      {"cluster-fill", theme.clusterFill},
      {"line", theme.line},
      {"text", theme.text},
      {"dim-text", theme.dimText}};
  auto add = [&](const std::string &name, const Accent &accent) {
    roles.emplace_back(name + "-line", accent.line);
    roles.emplace_back(name + "-fill", accent.fill);
    roles.emplace_back(name + "-text", accent.text);
  };
  for (int i = 0; i < meaningCount; ++i) {
    auto meaning = static_cast<Meaning>(i);
    add(meaning == Meaning::plain ? "plain" : std::string(classOf(meaning)),
        theme.of(meaning));
  }
  for (int i = 0; i < bufferColors; ++i)
    add("buffer-" + std::to_string(i), theme.buffers[i]);
  add("reason", theme.reason);
  roles.emplace_back("ground", theme.ground);
  return roles;
}

std::string themeVariables(ThemeName theme) {
  std::string out;
  for (const auto &[name, color] : rolesOf(themeOf(theme)))
    out += "--" + name + ":" + std::string(color) + ";";
  return out;
}

std::string recolorable(std::string_view svg) {
  static const auto variables = [] {
    std::map<std::string, std::string, std::less<>> byColor;
    for (const auto &[name, color] : rolesOf(themeOf(ThemeName::light)))
      byColor.try_emplace(std::string(color), "\"var(--" + name + ")\"");
    return byColor;
  }();
  size_t begin = svg.find("<svg");
  if (begin == std::string_view::npos)
    return {};
  svg.remove_prefix(begin);
  std::string out;
  for (size_t at = 0;;) {
    // In text a quote is an entity, so this is the value of an attribute.
    size_t found = svg.find("=\"#", at);
    if (found == std::string_view::npos)
      return out.append(svg.substr(at));
    out.append(svg.substr(at, found + 1 - at));
    at = found + 1;
    std::string_view color = svg.substr(at + 1, 7);
    auto variable = variables.find(color);
    bool isWhole = at + 8 < svg.size() && svg[at + 8] == '"';
    if (variable == variables.end() || !isWhole)
      continue;
    out += variable->second;
    at += 9;
  }
}

} // namespace memreflens::report
