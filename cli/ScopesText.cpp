//===- cli/ScopesText.cpp -------------------------------------------------===//

#include "cli/ScopesText.h"

#include "core/explain/Words.h"

#include <nlohmann/json.hpp>

namespace memreflens {

static std::string place(uint32_t line, uint32_t column) {
  return std::to_string(line) + ":" + std::to_string(column);
}

static std::string joined(const std::vector<std::string> &parts) {
  std::string text;
  for (const std::string &part : parts)
    text += (text.empty() ? "" : ", ") + part;
  return text;
}

/// Past the first ones by number: what they are stands above.
static std::string listed(const ScopesOfFunction &function,
                          const std::vector<unsigned> &scopes) {
  constexpr size_t inWords = 8;
  std::vector<std::string> parts;
  for (size_t i = 0; i < scopes.size(); ++i) {
    const std::string name = "s" + std::to_string(scopes[i] + 1);
    if (i < inWords) {
      parts.push_back(name + " (" + function.scopes[scopes[i]].text + ")");
      continue;
    }
    size_t last = i;
    while (last + 1 < scopes.size() && scopes[last + 1] == scopes[last] + 1)
      ++last;
    parts.push_back(
        last == i ? name : name + " to s" + std::to_string(scopes[last] + 1));
    i = last;
  }
  return joined(parts);
}

static void addFunction(const ScopesOfFunction &function, std::string &text) {
  text += "@" + function.name + " (" + place(function.line, function.column) +
          "): " + counted(function.accesses.size(), "access");
  if (!function.scopes.empty())
    text += ", " + counted(function.scopes.size(), "scope");
  if (function.pairs > 0 && function.apart == 0)
    text += "; any of " + counted(function.pairs, "pair") +
            " may touch the same memory";
  else if (function.pairs > 0)
    text += "; of " + counted(function.pairs, "pair") + " " +
            grouped(function.apart) + " never touch the same memory";
  text += "\n";
  for (size_t domain = 0; domain < function.domains.size(); ++domain) {
    text += "  by " + function.domains[domain] + "\n";
    for (size_t i = 0; i < function.scopes.size(); ++i)
      if (function.scopes[i].domain == domain)
        text += "    s" + std::to_string(i + 1) + "  " +
                function.scopes[i].text + "\n";
  }
  for (const AccessRow &access : function.accesses) {
    text += "  " + place(access.line, access.column) + "  " + access.op + " " +
            joined(access.memrefs) + "\n";
    if (access.scopes.empty() && access.noalias.empty()) {
      text += "      in no scope: it may touch what any other op touches\n";
      continue;
    }
    text += "      in " + listed(function, access.scopes) + "\n";
    text += "      never touches " + listed(function, access.noalias) + "\n";
  }
  if (!function.isInlinable)
    text += "  with these scopes LLVM does not inline it: some hold within one "
            "call only (--keep-inlinable)\n";
  if (function.isInParts)
    text += "  accesses that are far from each other are not told apart: there "
            "are too many\n";
}

std::string scopesToText(const std::vector<ScopesOfFunction> &functions) {
  std::string text;
  for (const ScopesOfFunction &function : functions) {
    if (!text.empty())
      text += "\n";
    addFunction(function, text);
  }
  return text;
}

std::string scopesToJson(const std::vector<ScopesOfFunction> &functions) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const ScopesOfFunction &function : functions) {
    nlohmann::ordered_json one = {{"name", function.name},
                                  {"line", function.line},
                                  {"column", function.column},
                                  {"pairs", function.pairs},
                                  {"apart", function.apart},
                                  {"inParts", function.isInParts},
                                  {"inlinable", function.isInlinable},
                                  {"domains", function.domains}};
    one["scopes"] = nlohmann::ordered_json::array();
    for (const ScopeRow &scope : function.scopes)
      one["scopes"].push_back({{"domain", scope.domain}, {"text", scope.text}});
    one["accesses"] = nlohmann::ordered_json::array();
    for (const AccessRow &access : function.accesses)
      one["accesses"].push_back({{"op", access.op},
                                 {"line", access.line},
                                 {"column", access.column},
                                 {"memrefs", access.memrefs},
                                 {"scopes", access.scopes},
                                 {"noalias", access.noalias}});
    list.push_back(std::move(one));
  }
  return nlohmann::ordered_json{{"functions", list}}.dump(
             2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
         "\n";
}

} // namespace memreflens
