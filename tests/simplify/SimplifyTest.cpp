//===- tests/simplify/SimplifyTest.cpp - the facts that the stage reports -===//

#include "core/pipeline/simplify/Simplify.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/BufferViewFlowOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace memreflens;
using trace::AliasRule;

namespace {

/// Keeps what it is told as lines of text.
struct Diary : SimplifyObserver {
  std::vector<AliasAnswer> answers;
  std::vector<std::string> attempts;
  unsigned distinctFromAll = 0;

  void onAliasQuery(const AliasAnswer &answer) override {
    answers.push_back(answer);
  }
  void onDistinctFromAll(mlir::Value, mlir::ValueRange) override {
    ++distinctFromAll;
  }
  void onPatternBegin(const mlir::Pattern &pattern,
                      mlir::bufferization::DeallocOp op) override {
    EXPECT_TRUE(op);
    attempts.push_back(nameOf(pattern).str());
  }
  void onPatternEnd(const mlir::Pattern &pattern, bool applied) override {
    EXPECT_TRUE(llvm::StringRef(attempts.back()) == nameOf(pattern));
    if (applied)
      attempts.back() += " applied";
  }

  bool has(std::optional<bool> same, AliasRule rule) const {
    return llvm::any_of(answers, [&](const AliasAnswer &answer) {
      return answer.same == same && answer.rule == rule;
    });
  }
  bool applied(const std::string &pattern) const {
    return llvm::is_contained(attempts, pattern + " applied");
  }
};

class SimplifyTest : public testing::Test {
protected:
  SimplifyTest() {
    mlir::DialectRegistry registry;
    registry.insert<mlir::arith::ArithDialect, mlir::func::FuncDialect,
                    mlir::memref::MemRefDialect, mlir::scf::SCFDialect,
                    mlir::bufferization::BufferizationDialect>();
    mlir::arith::registerBufferViewFlowOpInterfaceExternalModels(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// Runs the stage on a function's body and returns the IR.
  std::string simplify(const std::string &body, bool askEveryPair = false) {
    std::string text = "func.func @f(%m: memref<f32>, %n: memref<f32>, "
                       "%c: i1, %d: i1) -> i1 {\n" +
                       body + "\n}";
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    SimplifyOptions options;
    options.observer = &diary;
    options.askEveryPair = askEveryPair;
    EXPECT_TRUE(succeeded(simplifyDeallocations(*module, options)));
    std::string printed;
    llvm::raw_string_ostream(printed) << *module;
    return printed;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  Diary diary;
};

const char *const twoAllocs = R"(
  %a = memref.alloc() : memref<f32>
  %b = memref.alloc() : memref<f32>
  memref.copy %a, %m : memref<f32> to memref<f32>
  memref.copy %b, %m : memref<f32> to memref<f32>
)";

TEST_F(SimplifyTest, anUnknownAnswerNamesBothSetsOfTerminals) {
  simplify(std::string(twoAllocs) + R"(
  %s = arith.select %c, %a, %b : memref<f32>
  %r = bufferization.dealloc (%a : memref<f32>) if (%d)
      retain (%s : memref<f32>)
  return %r : i1)");
  ASSERT_FALSE(diary.answers.empty());
  const AliasAnswer &answer = diary.answers.front();
  EXPECT_EQ(answer.same, std::nullopt);
  EXPECT_EQ(answer.rule, AliasRule::overlappingTerminals);
  EXPECT_EQ(answer.firstTerminals.size(), 2u);
  ASSERT_EQ(answer.secondTerminals.size(), 1u);
  EXPECT_EQ(answer.secondTerminals[0], answer.second);
}

TEST_F(SimplifyTest, separateAllocationsAreSplitWithoutAskingPairs) {
  simplify(std::string(twoAllocs) + R"(
  bufferization.dealloc (%a, %b : memref<f32>, memref<f32>) if (%c, %d)
  return %c : i1)");
  EXPECT_TRUE(diary.applied("SplitDeallocWhenNotAliasingAnyOther"));
  EXPECT_TRUE(diary.answers.empty());
  EXPECT_GE(diary.distinctFromAll, 2u);
}

TEST_F(SimplifyTest, everyPairIsAskedOnDemand) {
  simplify(std::string(twoAllocs) + R"(
  bufferization.dealloc (%a, %b : memref<f32>, memref<f32>) if (%c, %d)
  return %c : i1)",
           /*askEveryPair=*/true);
  EXPECT_TRUE(diary.applied("SplitDeallocWhenNotAliasingAnyOther"));
  EXPECT_TRUE(diary.has(false, AliasRule::disjointAllocations));
  EXPECT_EQ(diary.distinctFromAll, 0u);
}

TEST_F(SimplifyTest, anAllocationIsNotAnArgumentOfAnOuterBlock) {
  simplify(R"(
  %zero = arith.constant 0 : index
  %r:2 = scf.for %i = %zero to %zero step %zero
      iter_args(%x = %m, %y = %d) -> (memref<f32>, i1) {
    %a = memref.alloc() : memref<f32>
    memref.copy %a, %x : memref<f32> to memref<f32>
    %o = bufferization.dealloc (%a : memref<f32>) if (%c)
        retain (%x : memref<f32>)
    scf.yield %n, %o : memref<f32>, i1
  }
  return %r#1 : i1)",
           /*askEveryPair=*/true);
  EXPECT_TRUE(diary.has(false, AliasRule::argumentOutlives));
  EXPECT_TRUE(diary.applied("RemoveRetainedMemrefsGuaranteedToNotAlias"));
}

TEST_F(SimplifyTest, aFailingPatternMayStillReplaceAResult) {
  std::string ir = simplify(R"(
  %t = arith.constant true
  %r:2 = bufferization.dealloc (%m : memref<f32>) if (%t)
      retain (%m, %n : memref<f32>, memref<f32>)
  return %r#0 : i1)");
  EXPECT_FALSE(diary.applied("RetainedMemrefAliasingAlwaysDeallocatedMemref"));
  EXPECT_NE(ir.find("return %true : i1"), std::string::npos) << ir;
  EXPECT_NE(ir.find("bufferization.dealloc"), std::string::npos) << ir;
  EXPECT_TRUE(diary.has(std::nullopt, AliasRule::notAllAllocations));
}

TEST_F(SimplifyTest, aVanishedValueIsNoTerminal) {
  simplify(std::string(twoAllocs) + R"(
  %no = arith.constant false
  %v = memref.cast %a : memref<f32> to memref<f32>
  %s = arith.select %no, %v, %b : memref<f32>
  %i = scf.if %c -> (memref<f32>) {
    scf.yield %s : memref<f32>
  } else {
    scf.yield %b : memref<f32>
  }
  %r = bufferization.dealloc (%b : memref<f32>) if (%d)
      retain (%i : memref<f32>)
  return %r : i1)");
  EXPECT_TRUE(diary.has(true, AliasRule::sameSingleTerminal));
}

} // namespace
