#include "tests/source/Parsing.h"

#include "core/source/Identity.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace memreflens;
using memreflens::test::Parsed;

/// Every op and argument of the modules must carry the id of its entry.
static void checkTags(const Parsed &parsed) {
  for (const ParsedChunk &chunk : parsed.document.chunks) {
    if (!chunk.module)
      continue;
    mlir::ModuleOp module = *chunk.module;
    module->walk([&](mlir::Operation *op) {
      trace::Id id = taggedOp(op->getLoc());
      ASSERT_NE(id, trace::none);
      EXPECT_EQ(parsed.trace.ops[id].name, op->getName().getStringRef().str());
      EXPECT_EQ(parsed.trace.ops[id].operands.size(), op->getNumOperands());
      for (mlir::Region &region : op->getRegions())
        for (mlir::BlockArgument argument : region.getArguments()) {
          trace::Id value = taggedArgument(argument.getLoc());
          ASSERT_NE(value, trace::none);
          EXPECT_EQ(parsed.trace.values[value].index, argument.getArgNumber());
        }
    });
  }
}

TEST(Document, ValuesBearTheUsersNames) {
  Parsed parsed("func.func @f(%flag: i1, %arg-1: memref<2xi32>) {\n"
                "  %0 = memref.alloc() : memref<2xi32>\n"
                "  %foo.bar$ = arith.select %flag, %0, %arg-1 : memref<2xi32>\n"
                "  return\n"
                "}\n");
  ASSERT_EQ(parsed.problems(), "");
  for (std::string name : {"flag", "arg-1", "0", "foo.bar$"}) {
    const trace::Value *value = parsed.value(name);
    ASSERT_TRUE(value) << name;
    EXPECT_EQ(parsed.text(value->range), "%" + name);
    EXPECT_FALSE(value->generated);
    for (trace::Range use : value->uses)
      EXPECT_EQ(parsed.text(use), "%" + name);
  }
  EXPECT_EQ(parsed.value("0")->uses.size(), 1u);
  EXPECT_EQ(parsed.value("0")->type, "memref<2xi32>");
  EXPECT_TRUE(parsed.value("0")->isMemref);
  EXPECT_FALSE(parsed.value("flag")->isMemref);
  EXPECT_EQ(parsed.value("flag")->kind, trace::ValueKind::argument);
  checkTags(parsed);
}

TEST(Document, ResultGroupsAreNumbered) {
  Parsed parsed("func.func @f() -> (i32, i32, i32) {\n"
                "  %a:2, %b = \"x.three\"() : () -> (i32, i32, i32)\n"
                "  \"x.use\"(%a#1, %a#0, %a, %b, %a#1) : "
                "(i32, i32, i32, i32, i32) -> ()\n"
                "  return %a#0, %a#1, %b : i32, i32, i32\n"
                "}\n");
  ASSERT_EQ(parsed.problems(), "");
  ASSERT_TRUE(parsed.value("a#0") && parsed.value("a#1") && parsed.value("b"));
  EXPECT_EQ(parsed.text(parsed.value("a#1")->range), "%a");
  EXPECT_EQ(parsed.value("a#0")->uses.size(), 3u);
  ASSERT_EQ(parsed.value("a#1")->uses.size(), 3u);
  EXPECT_EQ(parsed.text(parsed.value("a#1")->uses[0]), "%a#1");
  EXPECT_EQ(parsed.value("b")->index, 2u);
  EXPECT_EQ(parsed.value("b")->uses.size(), 2u);
}

TEST(Document, BlocksHaveLabelsArgumentsAndReachability) {
  Parsed parsed("func.func @f(%c: i1) {\n"
                "  cf.cond_br %c, ^left, ^exit(%c : i1)\n"
                "^left:\n"
                "  cf.br ^exit(%c : i1)\n"
                "^dead:\n"
                "  cf.br ^dead\n"
                "^exit(%d: i1):\n"
                "  return\n"
                "}\n");
  ASSERT_EQ(parsed.problems(), "");
  const trace::Function *function = parsed.function("f");
  ASSERT_TRUE(function);
  ASSERT_EQ(function->blocks.size(), 4u);
  auto block = [&](int i) -> const trace::Block & {
    return parsed.trace.blocks[function->blocks[i]];
  };
  EXPECT_EQ(block(0).name, "^bb0");
  EXPECT_TRUE(block(0).isEntry);
  EXPECT_EQ(block(1).name, "^left");
  EXPECT_EQ(parsed.text(block(1).nameRange), "^left");
  EXPECT_EQ(parsed.text(block(1).range), "^left:\n  cf.br ^exit(%c : i1)");
  EXPECT_FALSE(block(2).reachable);
  EXPECT_EQ(block(2).successors, std::vector<trace::Id>{block(2).id});
  EXPECT_TRUE(block(3).reachable);
  EXPECT_EQ(block(0).successors,
            (std::vector<trace::Id>{block(1).id, block(3).id}));
  ASSERT_EQ(block(3).arguments.size(), 1u);
  EXPECT_EQ(parsed.trace.values[block(3).arguments[0]].name, "d");
  EXPECT_EQ(parsed.trace.ops[block(0).ops[0]].successors, block(0).successors);
  EXPECT_TRUE(parsed.trace.ops[block(0).ops[0]].isTerminator);
  checkTags(parsed);
}

TEST(Document, ALabelOfTheUsersIsNotTakenForAnEntry) {
  Parsed parsed("func.func @f() {\n  cf.br ^bb0\n^bb0:\n  return\n}\n");
  ASSERT_EQ(parsed.problems(), "");
  const trace::Function *function = parsed.function("f");
  EXPECT_EQ(parsed.trace.blocks[function->blocks[1]].name, "^bb0");
  EXPECT_NE(parsed.trace.blocks[function->blocks[0]].name, "^bb0");
}

TEST(Document, OpsAreInProgramOrderWithTheirRanges) {
  Parsed parsed("func.func @f(%n: index) {\n"
                "  scf.for %i = %n to %n step %n {\n"
                "    memref.alloca() : memref<1xi8>\n"
                "  }\n"
                "  return\n"
                "}\n");
  ASSERT_EQ(parsed.problems(), "");
  std::string names;
  for (const trace::Op &op : parsed.trace.ops)
    names += op.name + " ";
  EXPECT_EQ(names, "builtin.module func.func scf.for memref.alloca scf.yield "
                   "func.return ");
  const trace::Op *loop = parsed.op("scf.for");
  EXPECT_EQ(parsed.text(loop->nameRange), "scf.for");
  std::string whole = parsed.text(loop->range);
  EXPECT_EQ(whole.front(), 's');
  EXPECT_EQ(whole.back(), '}');
  EXPECT_TRUE(parsed.op("scf.yield")->range.empty());
  EXPECT_TRUE(parsed.value("i"));
  EXPECT_EQ(loop->operands.size(), 3u);
  // The alloca has no name in the text, and gets one.
  EXPECT_EQ(parsed.trace.values[parsed.op("memref.alloca")->results[0]].name,
            "0");
}

TEST(Document, FunctionsHaveStatusVisibilityAndPlace) {
  Parsed parsed("func.func private @decl(memref<1xi8>)\n"
                "func.func private @hidden() { return }\n"
                "func.func @\"odd name\"() { return }\n"
                "gpu.module @m {\n"
                "  gpu.func @k() kernel { gpu.return }\n"
                "  func.func @inner() { return }\n"
                "}\n"
                "\"func.func\"() <{sym_name = \"generic\", function_type = "
                "() -> ()}> ({\n  func.call @generic() : () -> ()\n"
                "  func.return\n}) : () -> ()\n");
  ASSERT_EQ(parsed.problems(), "");
  ASSERT_EQ(parsed.trace.functions.size(), 6u);
  using Status = trace::FunctionStatus;
  auto check = [&](int i, std::string name, Status status, bool isPublic,
                   std::string text) {
    const trace::Function &function = parsed.trace.functions[i];
    EXPECT_EQ(function.name, name);
    EXPECT_EQ(function.status, status) << name;
    EXPECT_EQ(function.isPublic, isPublic) << name;
    EXPECT_EQ(parsed.text(function.nameRange), text);
  };
  check(0, "decl", Status::declaration, false, "@decl");
  check(1, "hidden", Status::traced, false, "@hidden");
  check(2, "odd name", Status::traced, true, "@\"odd name\"");
  check(3, "k", Status::notProcessed, true, "@k");
  check(4, "inner", Status::traced, true, "@inner");
  check(5, "generic", Status::traced, true, "\"generic\"");
  EXPECT_EQ(parsed.trace.chunks[0].functions.size(), 6u);
}

TEST(Document, KnowsTheConstantsOfI1) {
  Parsed parsed("func.func @f() {\n"
                "  %t = arith.constant true\n"
                "  %f = arith.constant false\n"
                "  %n = arith.constant 1 : i8\n"
                "  return\n}\n");
  EXPECT_EQ(parsed.value("t")->constant, 1);
  EXPECT_EQ(parsed.value("f")->constant, 0);
  EXPECT_EQ(parsed.value("n")->constant, -1);
}

TEST(Document, HiddenRegionsGetNamesThatAreFree) {
  Parsed parsed("func.func @f(%arg0: memref<2x2xf32>, %0: memref<2x2xf32>) {\n"
                "  linalg.matmul ins(%arg0, %arg0 : memref<2x2xf32>, "
                "memref<2x2xf32>) outs(%0 : memref<2x2xf32>)\n"
                "  return\n}\n");
  ASSERT_EQ(parsed.problems(), "");
  std::vector<std::string> names;
  for (const trace::Value &value : parsed.trace.values)
    names.push_back(value.name);
  std::sort(names.begin(), names.end());
  EXPECT_TRUE(std::adjacent_find(names.begin(), names.end()) == names.end());
  EXPECT_FALSE(names.front().empty());
}

TEST(Document, OneBadChunkHidesNoOther) {
  Parsed parsed("func.func @a() { return }\n"
                "// -----\n"
                "func.func @b() {\n"
                "  %x = nonsense\n"
                "}\n"
                "// -----\n"
                "func.func @c() { return }\n");
  EXPECT_EQ(parsed.problems().substr(0, 5), "4:8: ");
  ASSERT_EQ(parsed.trace.chunks.size(), 3u);
  EXPECT_TRUE(parsed.trace.chunks[0].parsed);
  EXPECT_FALSE(parsed.trace.chunks[1].parsed);
  EXPECT_TRUE(parsed.trace.chunks[2].parsed);
  EXPECT_TRUE(parsed.document.anyParsed());
  EXPECT_EQ(parsed.trace.problems[0].chunk, 1);
  ASSERT_EQ(parsed.trace.functions.size(), 2u);
  const trace::Function *c = parsed.function("c");
  EXPECT_EQ(c->chunk, 2);
  EXPECT_EQ(parsed.text(c->nameRange), "@c");
  checkTags(parsed);
}

TEST(Document, LocationsNameLinesOfTheWholeFile) {
  Parsed parsed("\n// -----\n\nfunc.func @c() {\n  return\n}\n");
  ASSERT_EQ(parsed.problems(), "");
  mlir::ModuleOp module = *parsed.document.chunks[1].module;
  mlir::Location place = stripTag(module.getBody()->front().getLoc());
  auto file = mlir::dyn_cast<mlir::FileLineColLoc>(place);
  ASSERT_TRUE(file);
  EXPECT_EQ(file.getFilename().str(), "input.mlir");
  EXPECT_EQ(file.getLine(), 4u);
  EXPECT_EQ(file.getColumn(), 1u);
  EXPECT_EQ(offsetOf(place, parsed.trace), 11);
}

TEST(Document, VerifierErrorsHaveTheirPlaceEvenWithForeignLocations) {
  Parsed parsed("func.func @f() -> i32 {\n"
                "  %a = arith.constant 1 : i8\n"
                "  return %a : i8 loc(\"model.py\":7:7)\n"
                "}\n"
                "// -----\n"
                "func.func @g() { return }\n");
  EXPECT_EQ(parsed.problems().substr(0, 5), "3:3: ");
  EXPECT_FALSE(parsed.trace.chunks[0].parsed);
  // What did not verify leaves nothing behind.
  ASSERT_EQ(parsed.trace.functions.size(), 1u);
  EXPECT_EQ(parsed.trace.functions[0].name, "g");
  EXPECT_EQ(parsed.trace.ops.size(), 3u);
  checkTags(parsed);
}

TEST(Document, NotesBelongToTheirProblem) {
  Parsed parsed("func.func @f() { return }\nfunc.func @f() { return }\n");
  ASSERT_EQ(parsed.trace.problems.size(), 1u);
  const trace::Problem &problem = parsed.trace.problems[0];
  EXPECT_EQ(parsed.problems(), "2:1: redefinition of symbol named 'f'\n");
  ASSERT_EQ(problem.notes.size(), 1u);
  EXPECT_EQ(problem.notes[0].severity, trace::Severity::note);
  EXPECT_EQ(parsed.text(problem.notes[0].range), "func.func");
  EXPECT_EQ(problem.notes[0].range.begin, 0u);
}

TEST(Document, ASingleModuleIsTheModule) {
  Parsed parsed("module @named { func.func @f() { return } }\n");
  ASSERT_EQ(parsed.problems(), "");
  mlir::ModuleOp module = *parsed.document.chunks[0].module;
  EXPECT_EQ(module.getName(), "named");
  EXPECT_EQ(parsed.text(parsed.trace.ops[0].nameRange), "module");
}

TEST(Document, LineEndsAndMarksDoNotMoveRanges) {
  for (std::string text :
       {"func.func @f(%abc: i1) {\r\n  return\r\n}",
        "\xEF\xBB\xBF"
        "func.func @f(%abc: i1) { return }",
        "// \xC3\xA9\nfunc.func @f(%abc: i1) { return }",
        "// -----\r\n\r\n// -----\r\nfunc.func @f(%abc: i1) { return }"}) {
    Parsed parsed(text);
    ASSERT_EQ(parsed.problems(), "");
    ASSERT_TRUE(parsed.value("abc"));
    EXPECT_EQ(parsed.text(parsed.value("abc")->range), "%abc");
    EXPECT_EQ(parsed.text(parsed.function("f")->nameRange), "@f");
  }
}

TEST(Document, WithoutSplittingAMarkerIsAComment) {
  ParseOptions options;
  options.splitInput = false;
  Parsed parsed("func.func @a() { return }\n// -----\n"
                "func.func @b() { return }\n",
                options);
  EXPECT_EQ(parsed.trace.chunks.size(), 1u);
  EXPECT_EQ(parsed.trace.functions.size(), 2u);
}

TEST(Document, EmptyTextIsAnEmptyModule) {
  for (std::string text : {"", "\n", "// nothing\n", "\xEF\xBB\xBF"}) {
    Parsed parsed(text);
    EXPECT_EQ(parsed.problems(), "");
    ASSERT_EQ(parsed.document.chunks.size(), 1u);
    EXPECT_TRUE(parsed.document.chunks[0].module);
  }
}
