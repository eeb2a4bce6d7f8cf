//===- tests/fuzz/ProgramOps.cpp - the ops of a block ---------------------===//

#include "tests/fuzz/ProgramGenerator.h"

namespace memreflens::fuzz {

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
    return rejected(scope);
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
    text = "memref.subview " + from + "[%lit2] [4] [1]";
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
  std::string place = type == matrix ? "[%lit0, %lit1]" : "[%lit0]";
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
         ", %lit2 : index");
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
  line("memref.store %f, " + name + "[%lit0] : memref<8xf32>");
  line("memref.dealloc " + name + mark + " : memref<8xf32>");
}

void Generator::rejected(Scope &scope) {
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
         "[%lit0] : memref<8xf32> {");
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
  line(left + "scf.for " + index + " = %lit0 to %n step %lit1" +
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
    line("scf.parallel (" + index + ") = (%lit0) to (%n) step (%lit1) {");
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

} // namespace memreflens::fuzz
