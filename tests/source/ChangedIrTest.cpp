#include "tests/source/Parsing.h"

#include "core/source/Identity.h"
#include "core/source/TraceIr.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace memreflens;
using memreflens::test::Parsed;

/// Parses, runs the pipeline on chunk 0, and lists what came of it.
static std::unique_ptr<Parsed> changed(std::string text,
                                       const std::string &pipeline) {
  auto parsed = std::make_unique<Parsed>(std::move(text));
  EXPECT_EQ(parsed->problems(), "");
  mlir::ModuleOp module = *parsed->document.chunks[0].module;
  EXPECT_TRUE(test::runPipeline(module, pipeline));
  addIrToTrace(module, 0, parsed->trace, /*tagged=*/true);
  return parsed;
}

static std::string bytecodeOf(mlir::ModuleOp module) {
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  EXPECT_TRUE(mlir::succeeded(mlir::writeBytecodeToFile(module, stream)));
  return bytes;
}

TEST(ChangedIr, UntouchedIrKeepsEveryId) {
  std::string text = "func.func @f(%a: memref<2xf32>) {\n"
                     "  %b:2 = \"x.y\"(%a) : (memref<2xf32>) -> (i1, i1)\n"
                     "  cf.br ^next\n^next:\n  return\n}\n";
  Parsed before(text);
  auto after = changed(text, "");
  EXPECT_EQ(after->trace.ops.size(), before.trace.ops.size());
  EXPECT_EQ(after->trace.values.size(), before.trace.values.size());
  EXPECT_EQ(after->trace.blocks.size(), before.trace.blocks.size());
  EXPECT_EQ(after->trace.functions.size(), 1u);
  EXPECT_EQ(after->trace.functions[0].blocks, before.trace.functions[0].blocks);
  EXPECT_EQ(after->trace.chunks[0].functions.size(), 1u);
}

TEST(ChangedIr, BuffersAreNamedAfterTheirTensors) {
  auto parsed =
      changed("func.func @f(%t: tensor<4xf32>, %i: index, %v: f32) "
              "-> tensor<4xf32> {\n"
              "  %e = tensor.empty() : tensor<4xf32>\n"
              "  %r = linalg.add ins(%t, %t : tensor<4xf32>, tensor<4xf32>) "
              "outs(%e : tensor<4xf32>) -> tensor<4xf32>\n"
              "  return %r : tensor<4xf32>\n}\n",
              "one-shot-bufferize{bufferize-function-boundaries=true}");
  const trace::Value *tensor = parsed->value("t");
  const trace::Value *buffer = parsed->value("t_buf");
  ASSERT_TRUE(tensor && buffer);
  EXPECT_TRUE(buffer->generated);
  EXPECT_TRUE(buffer->isMemref);
  EXPECT_EQ(buffer->standsFor, tensor->id);
  EXPECT_EQ(parsed->text(buffer->range), "%t");
  const trace::Value *alloc = parsed->value("e_buf");
  ASSERT_TRUE(alloc);
  EXPECT_EQ(alloc->standsFor, parsed->value("e")->id);
  const trace::Op &op = parsed->trace.ops[alloc->op];
  EXPECT_EQ(op.name, "memref.alloc");
  EXPECT_TRUE(op.generated);
  EXPECT_EQ(parsed->trace.ops[op.origin].name, "tensor.empty");
  // The function and the add are the user's own still.
  const trace::Function *function = parsed->function("f");
  EXPECT_FALSE(parsed->trace.ops[function->op].generated);
  const trace::Block &entry = parsed->trace.blocks[function->blocks[0]];
  EXPECT_EQ(parsed->trace.values[entry.arguments[0]].name, "t_buf");
  EXPECT_EQ(parsed->trace.values[entry.arguments[1]].name, "i");
  bool addKept = false;
  for (trace::Id id : entry.ops)
    addKept |= parsed->trace.ops[id].name == "linalg.add" &&
               !parsed->trace.ops[id].generated;
  EXPECT_TRUE(addKept);
}

TEST(ChangedIr, GeneratedNamesNeverEqualTheUsers) {
  auto parsed =
      changed("func.func @f(%t: tensor<4xf32>, %t_buf: index) -> f32 {\n"
              "  %x = tensor.extract %t[%t_buf] : tensor<4xf32>\n"
              "  return %x : f32\n}\n",
              "one-shot-bufferize{bufferize-function-boundaries=true}");
  std::vector<std::string> names;
  for (const trace::Value &value : parsed->trace.values)
    names.push_back(value.name);
  std::sort(names.begin(), names.end());
  EXPECT_TRUE(std::adjacent_find(names.begin(), names.end()) == names.end());
  EXPECT_FALSE(parsed->value("t_buf")->generated);
  EXPECT_TRUE(parsed->value("t_buf_0"));
}

TEST(ChangedIr, CopiesOfAnOpAreNotTheOp) {
  auto parsed = changed("func.func private @g(i1)\n"
                        "func.func @f(%c: i1) {\n"
                        "  call @h(%c) : (i1) -> ()\n"
                        "  call @h(%c) : (i1) -> ()\n"
                        "  return\n}\n"
                        "func.func private @h(%d: i1) {\n"
                        "  call @g(%d) : (i1) -> ()\n  return\n}\n",
                        "inline,symbol-dce");
  const trace::Function *f = parsed->function("f");
  ASSERT_EQ(f->blocks.size(), 1u);
  const trace::Block &entry = parsed->trace.blocks[f->blocks[0]];
  ASSERT_EQ(entry.ops.size(), 3u);
  EXPECT_TRUE(parsed->trace.ops[entry.ops[0]].generated);
  EXPECT_TRUE(parsed->trace.ops[entry.ops[1]].generated);
  EXPECT_FALSE(parsed->trace.ops[entry.ops[2]].generated);
  EXPECT_EQ(parsed->function("h")->status, trace::FunctionStatus::skipped);
  EXPECT_EQ(parsed->trace.chunks[0].functions.size(), 2u);
}

TEST(ChangedIr, TagsAreRightAfterwards) {
  auto parsed = changed("func.func @f(%c: i1, %a: memref<1xi8>) {\n"
                        "  cf.cond_br %c, ^l, ^r\n"
                        "^l:\n  \"x.l\"(%a) : (memref<1xi8>) -> ()\n"
                        "  cf.br ^e\n"
                        "^r:\n  \"x.r\"(%a) : (memref<1xi8>) -> ()\n"
                        "  cf.br ^e\n^e:\n  return\n}\n",
                        "lift-cf-to-scf");
  mlir::ModuleOp module = *parsed->document.chunks[0].module;
  std::set<trace::Id> seen;
  module->walk([&](mlir::Operation *op) {
    trace::Id id = taggedOp(op->getLoc());
    ASSERT_NE(id, trace::none);
    EXPECT_TRUE(seen.insert(id).second) << "two ops carry one tag";
    EXPECT_EQ(parsed->trace.ops[id].name, op->getName().getStringRef().str());
  });
  EXPECT_FALSE(parsed->op("x.l")->generated);
  EXPECT_TRUE(parsed->op("scf.if")->generated);
}

/// The block behind a region that is inlined has arguments in place of results.
static const char *const branching =
    "func.func @f(%c: i1, %i: index, %a: memref<4xf32>) -> f32 {\n"
    "  %r:2 = scf.execute_region -> (memref<4xf32>, memref<4xf32>) {\n"
    "    cf.cond_br %c, ^x, ^y\n"
    "  ^x:\n"
    "    %m = memref.alloc() : memref<4xf32>\n"
    "    BRANCH\n"
    "  ^y:\n"
    "    scf.yield %a, %a : memref<4xf32>, memref<4xf32>\n"
    "  ^z(%v: memref<4xf32>):\n"
    "    scf.yield %v, %a : memref<4xf32>, memref<4xf32>\n"
    "  }\n"
    "  %x = memref.load %r#0[%i] : memref<4xf32>\n"
    "  return %x : f32\n}\n";

TEST(ChangedIr, ArgumentsTakeThePlaceOfInlinedResults) {
  std::string text = branching;
  text.replace(text.find("BRANCH"), 6,
               "scf.yield %m, %a : memref<4xf32>, memref<4xf32>");
  text.erase(text.find("  ^z("), text.find("  }\n") - text.find("  ^z("));
  auto parsed = changed(text, "canonicalize");
  const trace::Value *argument = parsed->value("r_0");
  ASSERT_TRUE(argument);
  EXPECT_EQ(argument->kind, trace::ValueKind::argument);
  EXPECT_TRUE(argument->generated);
  EXPECT_EQ(parsed->text(argument->range), "%r");
}

TEST(ChangedIr, ArgumentsOfLaterBlocksStayTheUsers) {
  std::string text = branching;
  text.replace(text.find("BRANCH"), 6, "cf.br ^z(%m : memref<4xf32>)");
  text.replace(text.find("scf.yield %a, %a : memref<4xf32>, memref<4xf32>"), 47,
               "cf.br ^z(%a : memref<4xf32>)");
  Parsed before(text);
  auto after = changed(text, "canonicalize");
  const trace::Value *argument = after->value("v");
  ASSERT_TRUE(argument);
  EXPECT_EQ(argument->id, before.value("v")->id);
  EXPECT_FALSE(argument->generated);
  const trace::Op *load = after->op("memref.load");
  ASSERT_TRUE(load);
  EXPECT_EQ(after->trace.ops[load->id].operands[0], argument->id);
}

TEST(Bytecode, IsListedWithPrintedNames) {
  Parsed text("func.func @f(%x: memref<2xf32>) -> memref<2xf32> {\n"
              "  %y = memref.alloc() : memref<2xf32>\n"
              "  return %y : memref<2xf32>\n}\n");
  Parsed parsed(bytecodeOf(*text.document.chunks[0].module));
  EXPECT_EQ(parsed.problems(), "");
  EXPECT_TRUE(parsed.trace.source.text.empty());
  ASSERT_TRUE(parsed.function("f"));
  EXPECT_TRUE(parsed.value("arg0"));
  ASSERT_TRUE(parsed.value("alloc"));
  EXPECT_TRUE(parsed.value("alloc")->range.empty());
  EXPECT_EQ(parsed.trace.ops.size(), 4u);
}

TEST(Bytecode, DamageIsAProblem) {
  Parsed text("func.func @f(%x: memref<2xf32>) {\n  return\n}\n");
  std::string bytes = bytecodeOf(*text.document.chunks[0].module);
  for (size_t length = 4; length < bytes.size(); ++length) {
    Parsed parsed(bytes.substr(0, length));
    EXPECT_FALSE(parsed.document.anyParsed());
    EXPECT_FALSE(parsed.trace.problems.empty());
  }
}
