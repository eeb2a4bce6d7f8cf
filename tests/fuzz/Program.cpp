//===- tests/fuzz/Program.cpp ---------------------------------------------===//

#include "tests/fuzz/Program.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace memreflens::fuzz {

namespace {

constexpr const char *fixedSize = "memref<8xf32>";
constexpr const char *anySize = "memref<?xf32>";
constexpr const char *matrix = "memref<2x4xf32>";
constexpr const char *window = "memref<4xf32, strided<[1], offset: ?>>";
/// Types of what is passed on; few, so that values meet.
constexpr const char *passed[] = {fixedSize, fixedSize, anySize, matrix,
                                  window};
/// Types of what a function returns: all that lowering can clone.
constexpr const char *returned[] = {fixedSize, anySize, matrix};

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

std::string joined(const Names &parts) {
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
  void refused(Scope &scope);

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

} // namespace

//===--- Functions and blocks ---------------------------------------------===//

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
  Scope scope{{}, {"%c0", "%c1"}, {"%n"}};
  Names arguments = {"%c0: i1", "%c1: i1", "%n: index"};
  for (size_t i = 0; i < made.arguments.size(); ++i) {
    std::string name = "%arg" + std::to_string(i);
    scope.memrefs.push_back({name, made.arguments[i]});
    arguments.push_back(name + ": " + made.arguments[i]);
  }
  line(head + "(" + joined(arguments) + ")" + results + " {");
  for (int i = 0; i < 3; ++i)
    line("%i" + std::to_string(i) + " = arith.constant " + std::to_string(i) +
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
  // What is forwarded and lives on is refused.
  if (forgets)
    std::erase_if(scope.memrefs, [&](const Memref &one) {
      return std::count(forwarded.begin(), forwarded.end(), one.name) > 0;
    });
  if (targets.size() == 1)
    line("cf.br " + texts[0]);
  else
    line("cf.cond_br " + oneOf(scope.conditions) + ", " + joined(texts));
}

//===--- Ops --------------------------------------------------------------===//

void Generator::ops(Scope &scope, unsigned most) {
  for (unsigned n = 1 + choices.below(most); n && budget; --n) {
    --budget;
    op(scope);
  }
}

void Generator::op(Scope &scope) {
  switch (choices.below(depth < 5 ? 26 : 17)) {
  case 0:
  case 1:
  case 2:
  case 3:
    allocate(scope, oneOf(returned));
    return;
  case 4:
  case 5:
  case 6:
    return view(scope);
  case 7:
  case 8:
    return select(scope);
  case 9:
  case 10:
  case 11:
    return memory(scope);
  case 12:
  case 13:
    return call(scope);
  case 14:
    return realloc(scope);
  case 15:
    return byHand(scope);
  case 16:
    return refused(scope);
  case 17:
  case 18:
  case 19:
    return ifOp(scope);
  case 20:
  case 21:
    return forOp(scope);
  case 22:
    return whileOp(scope);
  case 23:
    return switchOp(scope);
  default:
    return otherRegion(scope);
  }
}

std::string Generator::allocate(Scope &scope, const std::string &type) {
  std::string name = fresh("a");
  std::string size = type == anySize ? oneOf(scope.indices) : std::string();
  if (type == fixedSize && choices.chance(15))
    line(name + " = memref.get_global @data : " + type);
  else
    line(name + " = memref.alloc" +
         (type == fixedSize && choices.chance(12) ? "a(" : "(") + size +
         ") : " + type);
  scope.memrefs.push_back({name, type});
  return name;
}

std::string Generator::viewOf(Scope &scope, const std::string &from,
                              const std::string &fromType,
                              const std::string &type) {
  std::string name = fresh("w");
  std::string text = "memref.cast " + from;
  std::string into = " to ";
  if (type == window) {
    text = "memref.subview " + from + "[%i2] [4] [1]";
  } else if (type == matrix) {
    text = "memref.expand_shape " + from + " [[0, 1]] output_shape [2, 4]";
    into = " into ";
  } else if (fromType == matrix) {
    text = "memref.collapse_shape " + from + " [[0, 1]]";
    into = " into ";
  } else if (fromType == type) {
    text = "memref.reinterpret_cast " + from +
           " to offset: [0], sizes: [8], strides: [1]";
  }
  line(name + " = " + text + " : " + fromType + into + type);
  scope.memrefs.push_back({name, type});
  return name;
}

/// A value of the type: one that is there, a view of one, or a new one.
std::string Generator::pick(Scope &scope, const std::string &type) {
  std::vector<Memref> same;
  for (const Memref &one : scope.memrefs)
    if (one.type == type)
      same.push_back(one);
  if (!same.empty() && !choices.chance(20))
    return same[same.size() - 1 - choices.below(unsigned(same.size()))].name;
  if (type == window)
    return viewOf(scope, pick(scope, fixedSize), fixedSize, window);
  if (type == anySize && choices.chance(40))
    return viewOf(scope, pick(scope, fixedSize), fixedSize, anySize);
  return allocate(scope, type);
}

void Generator::view(Scope &scope) {
  std::string from = pick(scope, fixedSize);
  static const char *const types[] = {anySize, window, matrix, fixedSize};
  std::string type = oneOf(types);
  std::string made = viewOf(scope, from, fixedSize, type);
  if (type == matrix && choices.chance(40))
    viewOf(scope, made, matrix, fixedSize);
}

void Generator::select(Scope &scope) {
  std::string type = oneOf(passed), name = fresh("s");
  std::string first = pick(scope, type), second = pick(scope, type);
  line(name + " = arith.select " + oneOf(scope.conditions) + ", " + first +
       ", " + second + " : " + type);
  scope.memrefs.push_back({name, type});
}

void Generator::memory(Scope &scope) {
  std::string type = oneOf(returned), name = pick(scope, type);
  std::string place = type == matrix ? "[%i0, %i1]" : "[%i0]";
  switch (choices.below(5)) {
  case 0:
    return line("memref.store %f, " + name + place + " : " + type);
  case 1:
    return line(fresh("l") + " = memref.load " + name + place + " : " + type);
  case 2:
    return line("memref.copy " + pick(scope, type) + ", " + name + " : " +
                type + " to " + type);
  case 3: {
    std::string condition = fresh("c");
    line(condition + " = arith.cmpi ult, " + oneOf(scope.indices) +
         ", %i2 : index");
    scope.conditions.push_back(condition);
    return;
  }
  default: {
    std::string copy = fresh("k");
    line(copy + " = bufferization.clone " + name + " : " + type + " to " +
         type);
    scope.memrefs.push_back({copy, type});
  }
  }
}

void Generator::call(Scope &scope) {
  const Function callee = oneOf(functions);
  Names operands = {oneOf(scope.conditions), oneOf(scope.conditions), "%n"};
  Names types = {"i1", "i1", "index"};
  for (const std::string &type : callee.arguments) {
    operands.push_back(pick(scope, type));
    types.push_back(type);
  }
  std::string name;
  line(opening(callee.results, name) + "func.call " + callee.name + "(" +
       joined(operands) + ") : (" + joined(types) + ") -> (" +
       joined(callee.results) + ")");
  addResults(scope, name, callee.results);
}

void Generator::realloc(Scope &scope) {
  // Of a buffer that nothing else knows: it may be freed.
  Scope own = scope;
  std::string from = allocate(own, anySize), name = fresh("r");
  line(name + " = memref.realloc " + from + "(" + oneOf(scope.indices) +
       ") : " + anySize + " to " + anySize);
  scope.memrefs.push_back({name, anySize});
}

void Generator::byHand(Scope &) {
  std::string name = fresh("h");
  std::string mark = " {bufferization.manual_deallocation}";
  line(name + " = memref.alloc()" + mark + " : memref<8xf32>");
  line("memref.store %f, " + name + "[%i0] : memref<8xf32>");
  line("memref.dealloc " + name + mark + " : memref<8xf32>");
}

void Generator::refused(Scope &scope) {
  if (!choices.chance(30))
    return memory(scope);
  program.isPlain = false;
  std::string name = pick(scope, fixedSize);
  switch (choices.below(4)) {
  case 0:
    return line("memref.dealloc " + name + " : memref<8xf32>");
  case 1:
    return line("\"some.op\"(" + name + ") : (memref<8xf32>) -> ()");
  case 2:
    line(fresh("o") + " = memref.generic_atomic_rmw " + name +
         "[%i0] : memref<8xf32> {");
    line("^bb0(%old: f32):");
    line("memref.atomic_yield %old : f32");
    return line("}");
  default:
    return line("bufferization.dealloc (" + name + " : memref<8xf32>) if (" +
                oneOf(scope.conditions) + ")");
  }
}

//===--- Ops with regions -------------------------------------------------===//

Names Generator::passedTypes() {
  Names types;
  for (unsigned n = choices.below(3); n; --n)
    types.push_back(oneOf(passed));
  return types;
}

Generator::Leave Generator::yielding(const std::string &op,
                                     const Names &types) {
  return [this, op, types](Scope &scope) {
    Names values;
    for (const std::string &type : types)
      values.push_back(pick(scope, type));
    line(op +
         (values.empty() ? "" : " " + joined(values) + " : " + joined(types)));
  };
}

std::string Generator::opening(const Names &types, std::string &name) {
  name = fresh("x");
  if (types.empty())
    return {};
  return name + (types.size() > 1 ? ":" + std::to_string(types.size()) : "") +
         " = ";
}

void Generator::addResults(Scope &scope, const std::string &name,
                           const Names &types) {
  for (size_t i = 0; i < types.size(); ++i)
    scope.memrefs.push_back(
        {types.size() > 1 ? name + "#" + std::to_string(i) : name, types[i]});
}

static std::string arrow(const Names &types) {
  return types.empty() ? "" : " -> (" + joined(types) + ")";
}

void Generator::ifOp(Scope &scope) {
  Names types = passedTypes();
  std::string name;
  std::string left = opening(types, name);
  line(left + "scf.if " + oneOf(scope.conditions) + arrow(types) + " {");
  region(scope, yielding("scf.yield", types), /*mayBranch=*/false);
  if (!types.empty() || choices.chance(40)) {
    line("} else {");
    region(scope, yielding("scf.yield", types), /*mayBranch=*/false);
  }
  line("}");
  addResults(scope, name, types);
}

void Generator::forOp(Scope &scope) {
  Names types = passedTypes(), pairs;
  Scope inner = scope;
  for (const std::string &type : types) {
    std::string argument = fresh("i");
    pairs.push_back(argument + " = " + pick(scope, type));
    inner.memrefs.push_back({argument, type});
  }
  std::string name;
  std::string left = opening(types, name), index = fresh("it");
  inner.indices.push_back(index);
  line(left + "scf.for " + index + " = %i0 to %n step %i1" +
       (types.empty() ? ""
                      : " iter_args(" + joined(pairs) + ")" + arrow(types)) +
       " {");
  region(inner, yielding("scf.yield", types), /*mayBranch=*/false);
  line("}");
  addResults(scope, name, types);
}

void Generator::whileOp(Scope &scope) {
  Names types = passedTypes(), pairs, received;
  Scope before = scope, after = scope;
  for (const std::string &type : types) {
    std::string first = fresh("i"), second = fresh("j");
    pairs.push_back(first + " = " + pick(scope, type));
    received.push_back(second + ": " + type);
    before.memrefs.push_back({first, type});
    after.memrefs.push_back({second, type});
  }
  std::string name;
  std::string left = opening(types, name);
  line(left + "scf.while (" + joined(pairs) + ") : (" + joined(types) +
       ") -> (" + joined(types) + ") {");
  region(before,
         yielding("scf.condition(" + oneOf(before.conditions) + ")", types),
         /*mayBranch=*/false);
  line("} do {");
  line("^bb" + std::to_string(++count) + "(" + joined(received) + "):");
  region(after, yielding("scf.yield", types), /*mayBranch=*/false);
  line("}");
  addResults(scope, name, types);
}

void Generator::switchOp(Scope &scope) {
  Names types = passedTypes();
  std::string name;
  line(opening(types, name) + "scf.index_switch " + oneOf(scope.indices) +
       (types.empty() ? "" : " -> " + joined(types)));
  for (const char *label : {"case 0 {", "default {"}) {
    line(label);
    region(scope, yielding("scf.yield", types), /*mayBranch=*/false);
    line("}");
  }
  addResults(scope, name, types);
}

/// scf.execute_region, which may hold blocks; scf.forall; scf.parallel.
void Generator::otherRegion(Scope &scope) {
  Scope inner = scope;
  std::string index = fresh("t");
  inner.indices.push_back(index);
  switch (choices.below(4)) {
  case 0:
    line("scf.forall (" + index + ") in (2) {");
    region(inner, [](Scope &) {}, /*mayBranch=*/false);
    return line("}");
  case 1:
    line("scf.parallel (" + index + ") = (%i0) to (%n) step (%i1) {");
    region(inner, [](Scope &) {}, /*mayBranch=*/false);
    return line("}");
  default: {
    Names types = passedTypes();
    std::string name;
    line(opening(types, name) + "scf.execute_region" + arrow(types) + " {");
    region(scope, yielding("scf.yield", types), /*mayBranch=*/true);
    line("}");
    addResults(scope, name, types);
  }
  }
}

Program makeProgram(Choices &choices) { return Generator(choices).run(); }

} // namespace memreflens::fuzz
