//===- core/check/rules/OpenOwnership.cpp ---------------------------------===//
//
// Whose the results of an external function are.
//
//===----------------------------------------------------------------------===//

#include "core/check/rules/Finders.h"
#include "core/trace/Symbol.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace memreflens {

using trace::Id;
using trace::none;

/// Whether the name says that it ends memory.
static bool soundsLikeRelease(std::string_view name) {
  static constexpr std::string_view words[] = {"free", "release", "dealloc",
                                               "destroy", "del"};
  std::string lower(name);
  for (char &letter : lower)
    letter = char(std::tolower(uint8_t(letter)));
  return std::ranges::any_of(words, [&](std::string_view word) {
    return lower.find(word) != std::string::npos;
  });
}

/// The first call of an external function that may end what another returned,
/// of each part of the file.
std::map<Id, FindingNote> releasesIn(const FindingMaker &maker,
                                     const CheckInputs &inputs) {
  std::map<Id, FindingNote> found;
  for (const CallSite &call : inputs.calls) {
    const trace::Function *callee = maker.lookup.function(call.callee);
    if (callee && callee->status == trace::FunctionStatus::declaration &&
        soundsLikeRelease(callee->title()))
      found.try_emplace(
          callee->chunk,
          FindingNote{maker.placeOf(maker.lookup.rangeOfOp(call.op)),
                      trace::symbolText(callee->title()) +
                          " may deallocate it, too"});
  }
  return found;
}

/// The pass takes the caller for the owner of what a call returns: asked once
/// for each function.
void addOpenOwnership(FindingMaker &maker, const CheckInputs &inputs) {
  std::set<Id> asked;
  for (const CallSite &call : inputs.calls) {
    const trace::Function *callee = maker.lookup.function(call.callee);
    const trace::Op *op = maker.lookup.op(call.op);
    const Id home =
        op ? maker.lookup.getIndex().functionOfBlock(op->block) : none;
    const trace::Function *caller = maker.lookup.function(home);
    if (!call.isOpen || !callee || !caller ||
        caller->status != trace::FunctionStatus::traced ||
        !asked.insert(callee->id).second)
      continue;
    const std::string name = trace::symbolText(callee->title());
    Finding &finding =
        maker.add(ruleIds::openOwnership, home, maker.lookup.rangeOfOp(op->id),
                  "what " + name +
                      " returns is taken for the caller's to deallocate; "
                      "nothing says that it is");
    finding.remedies = {
        "state it: --assume=fresh-results=" + name + ", or keeps-results=" +
            name + " if it keeps that itself, or returns-argument=" + name +
            ":0 if it is an argument",
        "what a function keeps is better passed in, or stored into a memref of "
        "memrefs that is passed: the pass deallocates all that it returns"};
  }
}

} // namespace memreflens
