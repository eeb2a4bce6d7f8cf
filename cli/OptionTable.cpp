//===- cli/OptionTable.cpp ------------------------------------------------===//

#include "cli/OptionTable.h"
#include "cli/OptionActions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace memreflens {

bool isCalled(const Option &option, std::string_view name) {
  llvm::SmallVector<llvm::StringRef> names;
  llvm::StringRef(option.names).split(names, ", ");
  return llvm::is_contained(names, llvm::StringRef(name));
}

std::string readSeconds(const OptionUse &use, double &target) {
  if (llvm::StringRef(use.value).getAsDouble(target) || target < 0)
    return "'" + use.name + "' takes a number of seconds, not '" + use.value +
           "'";
  return {};
}

std::string readNumber(const OptionUse &use, unsigned least, unsigned &target) {
  unsigned number = 0;
  if (llvm::StringRef(use.value).getAsInteger(10, number) || number < least)
    return "'" + use.name + "' takes a number from " + std::to_string(least) +
           ", not '" + use.value + "'";
  target = number;
  return {};
}

std::string readWord(const OptionUse &use, std::string &target) {
  const std::vector<std::string> &words = use.option.value.words;
  if (!llvm::is_contained(words, use.value))
    return "'" + use.name + "' takes one of " + llvm::join(words, ", ") +
           ", not '" + use.value + "'";
  target = use.value;
  return {};
}

Option rejectedOption(std::string names, std::string reason) {
  Option option;
  option.names = std::move(names);
  option.value.form = " VALUE";
  option.take = [reason = std::move(reason)](const OptionUse &, CliOptions &) {
    return reason;
  };
  option.isHidden = true;
  return option;
}

} // namespace memreflens
