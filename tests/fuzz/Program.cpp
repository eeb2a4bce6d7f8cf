//===- tests/fuzz/Program.cpp - functions and blocks ----------------------===//

#include "tests/fuzz/ProgramGenerator.h"

namespace memreflens::fuzz {

Program Generator::run() {
  unsigned number = 1 + choices.below(4);
  for (unsigned i = 0; i < number; ++i) {
    Function made;
    made.name = "@f" + std::to_string(i);
    made.isExternal = i > 0 && choices.chance(15);
    made.isPrivate = made.isExternal || choices.chance(40);
    for (unsigned n = choices.below(4); n; --n)
      made.arguments.push_back(oneOf(returned));
    for (unsigned n = choices.below(3); n; --n)
      made.results.push_back(oneOf(returned));
    functions.push_back(made);
  }
  line("memref.global \"private\" @data : memref<8xf32> = dense<1.0>");
  for (current = 0; current < functions.size(); ++current)
    function(current);
  return std::move(program);
}

void Generator::function(size_t number) {
  const Function made = functions[number];
  Names types = {"i1", "i1", "index"};
  types.insert(types.end(), made.arguments.begin(), made.arguments.end());
  std::string head = std::string("func.func ") +
                     (made.isPrivate ? "private " : "") + made.name;
  std::string results =
      made.results.empty() ? "" : " -> (" + joined(made.results) + ")";
  if (made.isExternal)
    return line(head + "(" + joined(types) + ")" + results);
  Scope scope{{}, {"%cond0", "%cond1"}, {"%n"}};
  Names arguments = {"%cond0: i1", "%cond1: i1", "%n: index"};
  for (size_t i = 0; i < made.arguments.size(); ++i) {
    std::string name = "%arg" + std::to_string(i);
    scope.memrefs.push_back({name, made.arguments[i]});
    arguments.push_back(name + ": " + made.arguments[i]);
  }
  line(head + "(" + joined(arguments) + ")" + results + " {");
  for (int i = 0; i < 3; ++i)
    line("%lit" + std::to_string(i) + " = arith.constant " + std::to_string(i) +
         " : index");
  line("%f = arith.constant 1.0 : f32");
  budget = 3 + choices.below(24);
  region(std::move(scope), yielding("return", made.results),
         /*mayBranch=*/true);
  line("}");
}

void Generator::region(Scope scope, const Leave &leave, bool mayBranch) {
  ++depth;
  if (mayBranch && choices.chance(35)) {
    blocks(std::move(scope), leave);
  } else {
    ops(scope, 5);
    leave(scope);
  }
  --depth;
}

/// The immediate dominator of a block of which these are the ones before it;
/// edges go forward only.
static size_t dominatorOf(size_t block,
                          const std::vector<std::vector<size_t>> &successors,
                          const std::vector<size_t> &immediate) {
  size_t common = block;
  for (size_t other = 0; other < block; ++other) {
    if (!std::count(successors[other].begin(), successors[other].end(), block))
      continue;
    size_t here = other;
    while (common != block && common != here)
      (common > here ? common : here) = immediate[std::max(common, here)];
    common = here;
  }
  return common;
}

void Generator::blocks(Scope scope, const Leave &leave) {
  program.isPlain = false;
  size_t number = 3 + choices.below(4);
  std::vector<std::vector<size_t>> successors(number);
  for (size_t block = 1; block < number; ++block) {
    size_t from = choices.below(unsigned(block));
    // There is one with room: there are more places than blocks.
    while (successors[from].size() == 2)
      from = (from + 1) % block;
    successors[from].push_back(block);
  }
  for (size_t block = 0; block + 1 < number; ++block)
    while (successors[block].size() < (choices.chance(50) ? 2u : 1u))
      successors[block].push_back(block + 1 +
                                  choices.below(unsigned(number - block - 1)));
  Names labels;
  std::vector<std::vector<Memref>> arguments(number);
  for (size_t block = 0; block < number; ++block) {
    labels.push_back("^bb" + std::to_string(++count));
    for (unsigned n = block ? choices.below(3) : 0; n; --n)
      arguments[block].push_back({fresh("b"), oneOf(passed)});
  }
  std::vector<size_t> immediate(number);
  std::vector<Scope> ends(number);
  for (size_t block = 0; block < number; ++block) {
    if (block) {
      immediate[block] = dominatorOf(block, successors, immediate);
      scope = ends[immediate[block]];
      Names header;
      for (const Memref &one : arguments[block]) {
        header.push_back(one.name + ": " + one.type);
        scope.memrefs.push_back(one);
      }
      line(labels[block] + "(" + joined(header) + "):");
    }
    ops(scope, 3);
    if (successors[block].empty())
      leave(scope);
    else
      branch(scope, labels, arguments, successors[block]);
    ends[block] = scope;
  }
}

void Generator::branch(Scope &scope, const Names &labels,
                       const std::vector<std::vector<Memref>> &arguments,
                       const std::vector<size_t> &targets) {
  Names texts;
  bool forgets = choices.chance(80);
  std::vector<std::string> forwarded;
  for (size_t target : targets) {
    Names values, types;
    for (const Memref &argument : arguments[target]) {
      values.push_back(pick(scope, argument.type));
      types.push_back(argument.type);
    }
    forwarded.insert(forwarded.end(), values.begin(), values.end());
    texts.push_back(labels[target] +
                    (values.empty()
                         ? ""
                         : "(" + joined(values) + " : " + joined(types) + ")"));
  }
  // What is forwarded and lives on is rejected.
  if (forgets)
    std::erase_if(scope.memrefs, [&](const Memref &one) {
      return std::count(forwarded.begin(), forwarded.end(), one.name) > 0;
    });
  if (targets.size() == 1)
    line("cf.br " + texts[0]);
  else
    line("cf.cond_br " + oneOf(scope.conditions) + ", " + joined(texts));
}

Program makeProgram(Choices &choices) { return Generator(choices).run(); }

} // namespace memreflens::fuzz
