//===- cli/OptionActions.h - what options do ------------------------------===//
//
// Most rows of the tables set a member: of a command's own struct, or of what
// the commands share. `takeFlag<&MemoryOptions::showsAll>()` is such a row's
// action.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CLI_OPTIONACTIONS_H
#define MEMREFLENS_CLI_OPTIONACTIONS_H

#include "cli/OptionTable.h"

#include <type_traits>

namespace memreflens {

/// These read the value into the target; they return what is wrong with it.
std::string readSeconds(const OptionUse &use, double &target);
std::string readNumber(const OptionUse &use, unsigned least, unsigned &target);
std::string readWord(const OptionUse &use, std::string &target);

/// The member of the part of the options that has it.
template <class Part, class T>
T &memberOf(CliOptions &options, T Part::*member) {
  if constexpr (std::is_same_v<Part, CliOptions>)
    return options.*member;
  else if constexpr (std::is_same_v<Part, CheckOptions>)
    return options.check.*member;
  else
    return options.own<Part>().*member;
}

template <auto member> TakeOption takeText() {
  return [](const OptionUse &use, CliOptions &options) {
    memberOf(options, member) = use.value;
    return std::string();
  };
}

template <auto member, bool value = true> TakeOption takeFlag() {
  return [](const OptionUse &, CliOptions &options) {
    memberOf(options, member) = value;
    return std::string();
  };
}

template <auto member> TakeOption takeOneOf() {
  return [](const OptionUse &use, CliOptions &options) {
    return readWord(use, memberOf(options, member));
  };
}

template <auto member> TakeOption takeSeconds() {
  return [](const OptionUse &use, CliOptions &options) {
    return readSeconds(use, memberOf(options, member));
  };
}

template <auto member> TakeOption takeNumber(unsigned least) {
  return [least](const OptionUse &use, CliOptions &options) {
    unsigned number = 0;
    std::string fault = readNumber(use, least, number);
    if (fault.empty())
      memberOf(options, member) = number;
    return fault;
  };
}

/// The name of a file that is read, which no result is written to.
template <auto member> TakeOption takeInput() {
  return [](const OptionUse &use, CliOptions &options) {
    memberOf(options, member) = use.value;
    options.otherInputs.push_back(use.value);
    return std::string();
  };
}

} // namespace memreflens

#endif // MEMREFLENS_CLI_OPTIONACTIONS_H
