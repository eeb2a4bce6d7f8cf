//===- tests/compare/CopiesTest.cpp - what differs in front of the stages -===//
//
// An attribute that bufferization drops is in the program between its steps,
// and in no stage: only who looks there sees it.
//
//===----------------------------------------------------------------------===//

#include "core/pipeline/upstream/Compare.h"

#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace memreflens;

namespace {

const DialectRegistry &registry() {
  static const DialectRegistry dialects = [] {
    DialectRegistry all;
    registerAllDialects(all);
    registerAllExtensions(all);
    bufferization::registerBufferizationPasses();
    return all;
  }();
  return dialects;
}

constexpr const char *text = R"(
func.func @f(%t: tensor<8xf32>, %x: f32, %i: index) -> (tensor<8xf32>, f32) {
  %w = tensor.insert %x into %t[%i] : tensor<8xf32>
  %old = tensor.extract %t[%i] : tensor<8xf32>
  return %w, %old : tensor<8xf32>, f32
}
func.func @g(%t: tensor<8xf32>) -> tensor<8xf32> {
  return %t : tensor<8xf32>
}
)";

FileComparison compared(bool isMarked) {
  trace::Source source;
  source.path = "t.mlir";
  source.text = text;
  CompareOptions options;
  options.analysis.run.bufferize = true;
  if (isMarked)
    options.analysis.edit = [](trace::Id, ModuleOp module,
                               const trace::Trace &) {
      module->walk([](tensor::InsertOp op) {
        op->setAttr("mark", UnitAttr::get(op->getContext()));
      });
    };
  return compareFile(source, registry(), options);
}

TEST(Copies, ofTheSameProgramAreTheSame) {
  const FileComparison comparison = compared(/*isMarked=*/false);
  ASSERT_EQ(comparison.functions.size(), 2u);
  for (const FunctionVerdict &one : comparison.functions)
    EXPECT_EQ(one.verdict, Verdict::identical) << one.detail;
  // What is held is there.
  ASSERT_EQ(comparison.trace.bufferizations.size(), 1u);
  EXPECT_NE(comparison.trace.bufferizations[0].copiesText.find("alloc_tensor"),
            std::string::npos);
}

TEST(Copies, differenceThatNoStageHasIsSeen) {
  const FileComparison comparison = compared(/*isMarked=*/true);
  ASSERT_EQ(comparison.functions.size(), 2u);
  EXPECT_TRUE(comparison.isDifferent());
  for (const FunctionVerdict &one : comparison.functions) {
    EXPECT_EQ(one.verdict, Verdict::different);
    EXPECT_EQ(one.stage, trace::tensorCopiesStage);
    EXPECT_NE(one.detail.find("mark"), std::string::npos) << one.detail;
  }
}

} // namespace
