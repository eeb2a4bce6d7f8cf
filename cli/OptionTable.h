//===- cli/OptionTable.h - a row for each option --------------------------===//
//
// A command is the sum of its rows: what is parsed, `--help`, the man page and
// the completions of three shells are all made of them.
//
//   {.names = "--bound",
//    .value = {" N"},
//    .brief = "times through a loop without a known end (3)",
//    .take = takeNumber<&CheckOptions::bound>(0)}
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CLI_OPTIONTABLE_H
#define MEMREFLENS_CLI_OPTIONTABLE_H

#include "cli/Options.h"

#include <functional>
#include <string_view>

namespace memreflens {

struct Option;

/// An option as it was typed.
struct OptionUse {
  const Option &option;
  /// `-o`, where that was typed for `--output`.
  std::string name;
  /// Empty where an optional one was left out.
  std::string value;
};

/// Sets what the option asks for. Returns what is wrong; empty for nothing.
using TakeOption =
    std::function<std::string(const OptionUse &use, CliOptions &options)>;

struct OptionValue {
  /// Follows the name in the help: " FORMAT", "=PIPELINE" or, where it may be
  /// left out, "[=KIND]". Empty: the option takes no value.
  std::string form = {};
  /// Words that complete it; `takeOneOf` takes no others.
  std::vector<std::string> words = {};
  /// Files that complete it, as "*.so"; empty: none.
  std::string files = {};
};

struct Option {
  /// "--format" or "-o, --output".
  std::string names = {};
  OptionValue value = {};
  /// One phrase, for the completions.
  std::string brief = {};
  /// What `--help` says; empty: the phrase. It is filled into lines; one that
  /// begins with a space stays as it is.
  std::string help = {};
  /// What the man page says, with `words` in bold; empty: what the help says.
  std::string man = {};
  /// None: the row describes another form of an option that has one.
  TakeOption take = {};
  bool mayBeRepeated = false;
  /// The value may follow the letter: -j4.
  bool mayStick = false;
  /// Accepted, or rejected with its own words, but shown nowhere.
  bool isHidden = false;
};

/// Options that several commands have.
struct OptionGroup {
  std::string name;
  std::vector<Option> options;
};

/// Whether that is one of the option's names.
bool isCalled(const Option &option, std::string_view name);

/// For an option that other commands have, with the reason why not this one.
Option rejectedOption(std::string names, std::string reason);

} // namespace memreflens

#endif // MEMREFLENS_CLI_OPTIONTABLE_H
