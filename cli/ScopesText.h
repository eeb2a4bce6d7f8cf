//===- cli/ScopesText.h - alias scopes of a file, as text and as JSON -----===//
//
// Plain data, with the names and places of the user's program, and its two
// forms.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CLI_SCOPESTEXT_H
#define MEMREFLENS_CLI_SCOPESTEXT_H

#include <cstdint>
#include <string>
#include <vector>

namespace memreflens {

struct ScopeRow {
  unsigned domain = 0;
  std::string text;
};

struct AccessRow {
  std::string op;
  uint32_t line = 0, column = 0;
  /// The memrefs that it reads or writes.
  std::vector<std::string> memrefs;
  /// Indices of scopes.
  std::vector<unsigned> scopes, noalias;
};

struct ScopesOfFunction {
  std::string name;
  uint32_t line = 0, column = 0;
  std::vector<std::string> domains;
  std::vector<ScopeRow> scopes;
  std::vector<AccessRow> accesses;
  /// Pairs of accesses, and those that never touch the same memory.
  uint64_t pairs = 0, apart = 0;
  /// Whether LLVM may inline the function although it has its scopes.
  bool isInlinable = true;
  /// Whether accesses that are far from each other are not told apart.
  bool isInParts = false;
};

std::string scopesToText(const std::vector<ScopesOfFunction> &functions);
std::string scopesToJson(const std::vector<ScopesOfFunction> &functions);

} // namespace memreflens

#endif // MEMREFLENS_CLI_SCOPESTEXT_H
