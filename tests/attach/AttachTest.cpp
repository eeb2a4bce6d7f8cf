//===- tests/attach/AttachTest.cpp - attach as a library call -------------===//
//
// Pass managers of all shapes, in a program that registers no pass: what they
// make stays the same, and the trace says what each stage is.
//
//===----------------------------------------------------------------------===//

#include "core/attach/Attach.h"
#include "core/query/Index.h"
#include "core/trace/Plan.h"
#include "tests/deadly/Deadly.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/FileSystem.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <cstdlib>

using namespace mlir;
using namespace memreflens;
using trace::Agreement;

namespace {

//===--- Passes that no registry knows ------------------------------------===//

/// Erases the ops that carry the attribute "mine.gone".
struct ErasePass : PassWrapper<ErasePass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ErasePass)
  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (op->hasAttr("mine.gone"))
        op->erase();
    });
  }
};

/// Runs the canonicalizer by itself, as frameworks do.
struct DynamicPass : PassWrapper<DynamicPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DynamicPass)
  void getDependentDialects(DialectRegistry &) const override {}
  void runOnOperation() override {
    OpPassManager inner("builtin.module");
    inner.addPass(createCanonicalizerPass());
    inner.nest<func::FuncOp>().addPass(createCSEPass());
    if (failed(runPipeline(inner, getOperation())))
      signalPassFailure();
  }
};

struct FailPass : PassWrapper<FailPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FailPass)
  void runOnOperation() override { signalPassFailure(); }
};

/// A name with a comma in it, where it is printed.
template <class First, class Second>
struct NamedPass
    : PassWrapper<NamedPass<First, Second>, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(NamedPass)
  void runOnOperation() override {}
};

//===--- A tool -----------------------------------------------------------===//

constexpr const char *program = R"(
func.func private @use(memref<?xf32>)
func.func @f(%n: index, %c: i1) -> memref<?xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  memref.store %one, %a[%zero] {mine.gone} : memref<?xf32>
  %s = arith.select %c, %a, %b : memref<?xf32>
  func.call @use(%s) : (memref<?xf32>) -> ()
  return %s : memref<?xf32>
}
func.func @g(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  func.call @use(%a) : (memref<?xf32>) -> ()
  return
}
)";

class Attach : public testing::Test {
protected:
  Attach() {
    registerAllDialects(registry);
    registerAllExtensions(registry);
    context.appendDialectRegistry(registry);
  }

  /// Runs `fill`'s passes with and without us; both must make the same.
  void run(llvm::function_ref<void(PassManager &)> fill,
           const char *text = program) {
    std::string plain = runOnce(fill, text, /*attached=*/false);
    std::string attached = runOnce(fill, text, /*attached=*/true);
    EXPECT_EQ(plain, attached);
  }

  std::string runOnce(llvm::function_ref<void(PassManager &)> fill,
                      const char *text, bool attached) {
    // Each in a context of its own: one that reads a program again gives its
    // resources other names.
    MLIRContext own(registry);
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &own);
    EXPECT_TRUE(module);
    PassManager passes(&own);
    if (attached)
      attachTo(passes);
    fill(passes);
    ended = passes.run(*module);
    std::string result;
    llvm::raw_string_ostream stream(result);
    module->print(stream, OpPrintingFlags().enableDebugInfo());
    return result;
  }

  void attachTo(PassManager &passes) {
    options.onTrace = [this](const trace::Trace &trace) {
      traces.push_back(trace);
    };
    attach(passes, options);
  }

  std::vector<Agreement> agreements(size_t index = 0) const {
    std::vector<Agreement> result;
    if (index < traces.size())
      for (const trace::Stage &stage : traces[index].chunks[0].stages)
        if (stage.number > 0)
          result.push_back(stage.agreement);
    return result;
  }

  DialectRegistry registry;
  MLIRContext context;
  AttachOptions options;
  std::vector<trace::Trace> traces;
  LogicalResult ended = success();
};

void addPipeline(PassManager &passes) {
  bufferization::BufferDeallocationPipelineOptions options;
  bufferization::buildBufferDeallocationPipeline(passes, options);
}

std::vector<Agreement> times(size_t count, Agreement agreement) {
  return std::vector<Agreement>(count, agreement);
}

} // namespace

TEST_F(Attach, stockPipelineIsIdentical) {
  run(addPipeline);
  ASSERT_EQ(traces.size(), 1u);
  EXPECT_EQ(agreements(), times(8, Agreement::identical));
  EXPECT_THAT(traces[0].options.passes, testing::IsEmpty());
}

TEST_F(Attach, resourcesKeepTheirKeys) {
  // One key ends as those do that MLIR makes up.
  run(addPipeline, R"(
    memref.global "private" constant @a : memref<2xf32> = dense_resource<w>
    memref.global "private" constant @b : memref<2xf32> = dense_resource<w_1>
    func.func @f() -> memref<2xf32> {
      %a = memref.get_global @a : memref<2xf32>
      return %a : memref<2xf32>
    }
    {-# dialect_resources: { builtin: {
      w: "0x040000000000803F00000040",
      w_1: "0x04000000000080400000A040"
    } } #-})");
  ASSERT_EQ(traces.size(), 1u);
  EXPECT_EQ(agreements(), times(8, Agreement::identical));
  EXPECT_THAT(traces[0].problems, testing::IsEmpty());
}

TEST_F(Attach, unknownPassIsTakenAndOpsStayThemselves) {
  run([](PassManager &passes) {
    passes.addPass(std::make_unique<ErasePass>());
    addPipeline(passes);
  });
  ASSERT_EQ(traces.size(), 1u);
  const trace::Trace &trace = traces[0];
  std::vector<Agreement> expected = times(8, Agreement::identical);
  expected.insert(expected.begin(), Agreement::taken);
  EXPECT_EQ(agreements(), expected);
  // The erased store is told of, and nothing else.
  int differences = 0;
  for (const trace::Event &event : trace.events)
    if (const auto *rewrite = std::get_if<trace::RewriteEvent>(&event.detail);
        rewrite && event.stage == 1) {
      ++differences;
      ASSERT_EQ(rewrite->erased.size(), 1u);
      EXPECT_EQ(trace.ops[size_t(rewrite->erased[0])].name, "memref.store");
      EXPECT_TRUE(rewrite->inserted.empty());
    }
  EXPECT_EQ(differences, 1);
  // The first alloc of @f is still the user's, by the name it is printed with.
  bool found = false;
  for (const trace::Event &event : trace.events)
    if (std::holds_alternative<trace::OwnershipEvent>(event.detail) &&
        event.value != trace::none)
      found |= trace.values[size_t(event.value)].name == "alloc";
  EXPECT_TRUE(found);
}

TEST_F(Attach, nestedPassesOnManyThreads) {
  std::string text = "func.func private @use(memref<?xf32>)\n";
  for (int i = 0; i < 60; ++i) {
    std::string number = std::to_string(i);
    text += "func.func @f" + number +
            "(%n: index) { %x = memref.alloc(%n) {mine.gone} : memref<?xf32>\n"
            "%a = memref.alloc(%n) : memref<?xf32>\n"
            "func.call @use(%a) : (memref<?xf32>) -> ()\n return }\n";
  }
  run(
      [](PassManager &passes) {
        OpPassManager &nested = passes.nest<func::FuncOp>();
        nested.addPass(std::make_unique<ErasePass>());
        nested.addPass(createCanonicalizerPass());
        nested.addPass(createCSEPass());
        addPipeline(passes);
      },
      text.c_str());
  ASSERT_EQ(traces.size(), 1u);
  std::vector<Agreement> expected = times(10, Agreement::identical);
  expected.insert(expected.begin(), Agreement::taken);
  EXPECT_EQ(agreements(), expected);
}

TEST_F(Attach, passNamedByItsTypeIsOneStage) {
  run([](PassManager &passes) {
    passes.addNestedPass<func::FuncOp>(
        std::make_unique<NamedPass<int, float>>());
    addPipeline(passes);
  });
  ASSERT_EQ(traces.size(), 1u);
  std::vector<Agreement> expected = times(8, Agreement::identical);
  expected.insert(expected.begin(), Agreement::taken);
  EXPECT_EQ(agreements(), expected);
}

TEST_F(Attach, dynamicPipelineIsPartOfItsPass) {
  run([](PassManager &passes) {
    passes.addPass(std::make_unique<DynamicPass>());
    passes.addPass(createCanonicalizerPass());
    addPipeline(passes);
  });
  ASSERT_EQ(traces.size(), 1u);
  std::vector<Agreement> expected = times(9, Agreement::identical);
  expected.insert(expected.begin(), Agreement::taken);
  EXPECT_EQ(agreements(), expected);
}

TEST_F(Attach, passesAfterOneThatFailsAreNotReached) {
  run([](PassManager &passes) {
    passes.addPass(createCanonicalizerPass());
    passes.addPass(std::make_unique<FailPass>());
    addPipeline(passes);
  });
  EXPECT_TRUE(failed(ended));
  ASSERT_EQ(traces.size(), 1u);
  // The failing pass is not ours to run: there the trace ends.
  EXPECT_EQ(agreements(), times(1, Agreement::identical));
}

TEST_F(Attach, rejectedFunctionHidesNoOther) {
  run(addPipeline, R"(
    func.func @bad(%a: memref<4xf32>) {
      memref.dealloc %a : memref<4xf32>
      return
    }
    func.func @good() {
      %a = memref.alloc() : memref<4xf32>
      return
    })");
  EXPECT_TRUE(failed(ended));
  ASSERT_EQ(traces.size(), 1u);
  std::vector<Agreement> expected = times(8, Agreement::notReached);
  expected[0] = expected[1] = Agreement::identical;
  EXPECT_EQ(agreements(), expected);
  EXPECT_EQ(traces[0].functions[0].status, trace::FunctionStatus::rejected);
  EXPECT_EQ(traces[0].functions[1].status, trace::FunctionStatus::traced);
}

TEST_F(Attach, passesOnOneFunction) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(program, &context);
  PassManager passes(&context, func::FuncOp::getOperationName());
  attachTo(passes);
  passes.addPass(createCanonicalizerPass());
  passes.addPass(bufferization::createOwnershipBasedBufferDeallocationPass());
  auto function = module->lookupSymbol<func::FuncOp>("g");
  EXPECT_TRUE(succeeded(passes.run(function)));
  ASSERT_EQ(traces.size(), 1u);
  EXPECT_EQ(agreements(), times(2, Agreement::identical));
  // With what it calls.
  ASSERT_EQ(traces[0].functions.size(), 2u);
  EXPECT_EQ(traces[0].functions[0].name, "g");
  EXPECT_EQ(traces[0].functions[1].status, trace::FunctionStatus::declaration);
}

TEST_F(Attach, eachRunIsATrace) {
  PassManager passes(&context);
  attachTo(passes);
  addPipeline(passes);
  for (int i = 0; i < 2; ++i) {
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(program, &context);
    EXPECT_TRUE(succeeded(passes.run(*module)));
  }
  ASSERT_EQ(traces.size(), 2u);
  EXPECT_EQ(agreements(1), times(8, Agreement::identical));
}

TEST_F(Attach, whereNothingCanBeWrittenTheToolGoesOn) {
  llvm::SmallString<128> file;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("attach", "txt", file));
  options.directory = (file + "/below").str();
  testing::internal::CaptureStderr();
  run(addPipeline);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::HasSubstr("cannot make"));
  EXPECT_TRUE(succeeded(ended));
  EXPECT_EQ(traces.size(), 1u);
  llvm::sys::fs::remove(file);
}

//===--- A handler that dies when we call it ------------------------------===//

TEST_F(Attach, whatDiesInOurRunDoesNotKillTheTool) {
  deadly::registerDialect(registry);
  options.writeEarly = false;
  options.stageSeconds = 1;
  for (const std::string way : {"abort", "signal", "loop", "memory", "exit"}) {
    traces.clear();
    const std::string text = R"(
func.func @f() {
  %a = memref.alloc() : memref<4xf32>
  deadly.op(%a) {at = "ownership", when = "child", by = ")" +
                             way + R"("} : (memref<4xf32>) -> ()
  return
}
func.func @g(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  deadly.op(%a) : (memref<?xf32>) -> ()
  return
})";
    std::string result = runOnce(addPipeline, text.c_str(), /*attached=*/true);
    EXPECT_TRUE(succeeded(ended)) << way;
    EXPECT_NE(result.find("memref.dealloc"), std::string::npos) << way;
    ASSERT_EQ(traces.size(), 1u) << way;
    // The function that kills it is set aside, and the other is traced.
    const std::vector<trace::Function> &functions = traces[0].functions;
    ASSERT_EQ(functions.size(), 2u) << way;
    EXPECT_EQ(functions[0].status, trace::FunctionStatus::crashedStage) << way;
    EXPECT_EQ(functions[1].status, trace::FunctionStatus::traced) << way;
    EXPECT_EQ(agreements()[2], Agreement::different) << way;
  }
}
