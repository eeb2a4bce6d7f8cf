//===- tests/fuzz/ProgramGenerator.h - the generator, inside --------------===//
//
// For Program.cpp, which makes functions and their blocks, and ProgramOps.cpp,
// which makes the ops in them.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TESTS_FUZZ_PROGRAMGENERATOR_H
#define MEMREFLENS_TESTS_FUZZ_PROGRAMGENERATOR_H

#include "tests/fuzz/Program.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace memreflens::fuzz {

inline constexpr const char *fixedSize = "memref<8xf32>";
inline constexpr const char *anySize = "memref<?xf32>";
inline constexpr const char *matrix = "memref<2x4xf32>";
inline constexpr const char *window = "memref<4xf32, strided<[1], offset: ?>>";
/// Types of what is passed on; few, so that values meet.
inline constexpr const char *passed[] = {fixedSize, fixedSize, anySize, matrix,
                                         window};
/// Types of what a function returns: all that lowering can clone.
inline constexpr const char *returned[] = {fixedSize, anySize, matrix};

struct Memref {
  std::string name, type;
};

/// What may be used at a place.
struct Scope {
  std::vector<Memref> memrefs;
  std::vector<std::string> conditions, indices;
};

struct Function {
  std::string name;
  std::vector<std::string> arguments, results;
  bool isPrivate = false, isExternal = false;
};

using Names = std::vector<std::string>;

inline std::string joined(const Names &parts) {
  std::string all;
  for (const std::string &part : parts)
    all += (all.empty() ? "" : ", ") + part;
  return all;
}

class Generator {
public:
  explicit Generator(Choices &choices) : choices(choices) {}
  Program run();

private:
  using Leave = std::function<void(Scope &)>;

  void line(const std::string &text) { program.text += text + "\n"; }
  std::string fresh(const char *hint) {
    return "%" + std::string(hint) + std::to_string(++count);
  }
  template <class T> const T &oneOf(const std::vector<T> &all) {
    return all[choices.below(unsigned(std::min<size_t>(all.size(), 256)))];
  }
  template <size_t N> std::string oneOf(const char *const (&all)[N]) {
    return all[choices.below(N)];
  }

  void function(size_t number);
  void region(Scope scope, const Leave &leave, bool mayBranch);
  void blocks(Scope scope, const Leave &leave);
  void branch(Scope &scope, const Names &labels,
              const std::vector<std::vector<Memref>> &arguments,
              const std::vector<size_t> &targets);
  void ops(Scope &scope, unsigned most);
  void op(Scope &scope);

  std::string allocate(Scope &scope, const std::string &type);
  std::string pick(Scope &scope, const std::string &type);
  std::string viewOf(Scope &scope, const std::string &from,
                     const std::string &fromType, const std::string &type);
  void view(Scope &scope);
  void select(Scope &scope);
  void memory(Scope &scope);
  void call(Scope &scope);
  void realloc(Scope &scope);
  void byHand(Scope &scope);
  void rejected(Scope &scope);

  Names passedTypes();
  Leave yielding(const std::string &op, const Names &types);
  std::string opening(const Names &types, std::string &name);
  void addResults(Scope &scope, const std::string &name, const Names &types);
  void ifOp(Scope &scope);
  void forOp(Scope &scope);
  void whileOp(Scope &scope);
  void switchOp(Scope &scope);
  void otherRegion(Scope &scope);

  Choices &choices;
  Program program;
  std::vector<Function> functions;
  size_t current = 0;
  unsigned count = 0, budget = 0, depth = 0;
};

} // namespace memreflens::fuzz

#endif // MEMREFLENS_TESTS_FUZZ_PROGRAMGENERATOR_H
