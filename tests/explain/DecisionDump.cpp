//===- tests/explain/DecisionDump.cpp - the decisions of a trace, as JSON -===//
//
// For experiment.py: one line for each copy, run-time check and rejection of
// the traces given as files, with the sentence and what it cites.
//
//   {"trace":0,"kind":"clone","event":12,"value":3,"sentence":"...",
//    "evidence":[[12,40,46,"%a is owned"]],"witnesses":[]}
//
//===----------------------------------------------------------------------===//

#include "core/explain/DecisionText.h"
#include "core/trace/Json.h"

#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>

using namespace memreflens;

static std::string quoted(const std::string &text) {
  std::ostringstream out;
  out << '"';
  for (unsigned char c : text) {
    static constexpr char digits[] = "0123456789abcdef";
    if (c == '"' || c == '\\')
      out << '\\' << c;
    else if (c < 0x20)
      out << "\\u00" << digits[c >> 4] << digits[c & 15];
    else
      out << c;
  }
  out << '"';
  return out.str();
}

/// Which kind of decision that experiments are made on; empty for all others.
static std::string_view kindOf(const trace::Event &event) {
  if (std::holds_alternative<trace::CloneEvent>(event.detail))
    return "clone";
  if (std::holds_alternative<trace::RejectionEvent>(event.detail))
    return "rejection";
  auto *lowering = std::get_if<trace::LoweringEvent>(&event.detail);
  bool isCheck =
      lowering && (lowering->lowering == trace::LoweringCase::singleRetained ||
                   lowering->lowering == trace::LoweringCase::libraryFunction);
  return isCheck ? "check" : "";
}

static void print(const Lookup &lookup, const trace::Event &event, int number,
                  std::string_view kind) {
  Explanation why = explainEvent(lookup, event.id);
  std::cout << "{\"trace\":" << number << ",\"kind\":\"" << kind
            << "\",\"event\":" << event.id
            << ",\"sentence\":" << quoted(why.sentence) << ",\"evidence\":[";
  std::string comma;
  for (const Evidence &fact : why.evidence) {
    std::cout << comma << '[' << fact.event << ',' << fact.range.begin << ','
              << fact.range.end << ',' << quoted(fact.text) << ']';
    comma = ",";
  }
  std::cout << "]}\n";
}

int main(int argc, char **argv) {
  for (int number = 1; number < argc; ++number) {
    std::ifstream file(argv[number]);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    trace::ReadResult read = trace::readJson(text);
    if (!read) {
      std::cerr << argv[number] << ": " << read.error << '\n';
      return 1;
    }
    Lookup lookup(*read.trace);
    for (const trace::Event &event : read.trace->events)
      if (std::string_view kind = kindOf(event); !kind.empty())
        print(lookup, event, number - 1, kind);
  }
  return 0;
}
