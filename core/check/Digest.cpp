//===- core/check/Digest.cpp - what a function is, but for its names ------===//

#include "core/check/Change.h"
#include "core/explain/FateText.h"
#include "core/text/Comments.h"
#include "core/trace/Names.h"

#include <cctype>
#include <cstdio>
#include <map>

namespace memreflens {

static bool isWord(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_' ||
         letter == '$' || letter == '.' || letter == '-';
}

namespace {
/// Brings a function's text into a form without layout, comments and names.
class Normaliser {
public:
  Normaliser(std::string_view text, std::string_view function)
      : text(text), function(function) {}
  std::string run();

private:
  void skipComment();
  void takeString();
  void takeName();
  std::string word(size_t begin) const;

  std::string_view text, function;
  size_t at = 0;
  std::string plain;
  std::map<std::string, size_t> numbers;
};
} // namespace

void Normaliser::skipComment() { at = endOfComment(text, at); }

void Normaliser::takeString() {
  size_t begin = at++;
  while (at < text.size() && text[at] != '"')
    at += text[at] == '\\' ? 2 : 1;
  at = std::min(at + 1, text.size());
  plain += text.substr(begin, at - begin);
}

/// `%a` and `^bb1` by their first appearance, `@f` if it is the function.
void Normaliser::takeName() {
  char sigil = text[at];
  size_t begin = ++at;
  while (at < text.size() && isWord(text[at]))
    ++at;
  std::string name(text.substr(begin, at - begin));
  if (sigil == '@') {
    plain += name == function ? "@" : "@" + name;
    return;
  }
  size_t number =
      numbers.try_emplace(sigil + name, numbers.size()).first->second;
  plain += sigil + std::to_string(number);
}

std::string Normaliser::run() {
  while (at < text.size()) {
    char letter = text[at];
    if (letter == '/' && text.substr(at, 2) == "//") {
      skipComment();
    } else if (letter == '"') {
      takeString();
    } else if (letter == '%' || letter == '^' || letter == '@') {
      takeName();
    } else if (std::isspace(static_cast<unsigned char>(letter))) {
      if (!plain.empty() && plain.back() != ' ')
        plain += ' ';
      ++at;
    } else {
      plain += letter;
      ++at;
    }
  }
  return plain;
}

static std::string digestOf(const trace::Trace &trace,
                            const trace::Function &function) {
  const std::string &text = trace.source.text;
  if (function.range.empty() || function.range.end > text.size())
    return {};
  return digestOf(Normaliser(std::string_view(text).substr(
                                 function.range.begin,
                                 function.range.end - function.range.begin),
                             function.name)
                      .run());
}

static FunctionCosts &entryOf(FileReport &report,
                              const trace::Function &function,
                              std::map<std::string, size_t> &seen) {
  // The n-th function of a name: chunks may repeat it.
  size_t wanted = seen[function.title()]++;
  for (FunctionCosts &costs : report.costs)
    if (costs.function == function.title() && wanted-- == 0)
      return costs;
  report.costs.push_back({});
  report.costs.back().function = function.title();
  return report.costs.back();
}

void describeFunctions(FileReport &report, const Lookup &lookup) {
  std::map<std::string, size_t> seen;
  std::vector<FunctionCosts> described;
  const trace::Trace &trace = lookup.getTrace();
  // Lines that moved are no other decision.
  const Lookup plain(trace, Lookup::Places::notTold);
  for (const trace::Function &function : trace.functions) {
    if (function.status == trace::FunctionStatus::declaration)
      continue;
    bool isTraced = function.status == trace::FunctionStatus::traced;
    FunctionCosts costs;
    costs.function = function.title();
    if (isTraced)
      costs = entryOf(report, function, seen);
    costs.status = trace::nameOf(function.status);
    costs.digest = digestOf(trace, function);
    if (isTraced)
      for (trace::Id buffer : toldBuffersOf(lookup, function.id))
        costs.decisions.push_back(explainFate(plain, buffer).headline);
    described.push_back(std::move(costs));
  }
  report.costs = std::move(described);
}

} // namespace memreflens
