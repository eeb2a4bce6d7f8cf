//===- tests/thirdparty/ThirdPartyTest.cpp - handlers of other dialects ---===//
//
// Three ops get models of BufferDeallocationOpInterface that no dialect ships:
// one whose result is to be freed, one that hands out unknown ownership and
// materializes it itself, one that fails. They are called, the trace says so,
// and every stage equals that of MLIR's own pass with the same models.
//
//===----------------------------------------------------------------------===//

#include "core/pipeline/Analysis.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferDeallocationOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace memreflens;
using bufferization::BufferDeallocationOpInterface;
using bufferization::DeallocationOptions;
using bufferization::DeallocationState;
using bufferization::Ownership;

namespace {
int processed = 0, materialized = 0;

Value makeTrue(OpBuilder &builder, Location loc) {
  return arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
}

/// Its result is owned and must be freed in its block.
struct FreedModel
    : BufferDeallocationOpInterface::ExternalModel<FreedModel,
                                                   memref::GetGlobalOp> {
  FailureOr<Operation *> process(Operation *op, DeallocationState &state,
                                 const DeallocationOptions &) const {
    ++processed;
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    Value owned = makeTrue(builder, op->getLoc());
    state.updateOwnership(op->getResult(0), Ownership::getUnique(owned));
    state.addMemrefToDeallocate(op->getResult(0), op->getBlock());
    return op;
  }
};

/// Nobody knows who owns its result, and it has its own way to find out.
struct UnknownModel
    : BufferDeallocationOpInterface::ExternalModel<UnknownModel,
                                                   memref::TransposeOp> {
  FailureOr<Operation *> process(Operation *op, DeallocationState &state,
                                 const DeallocationOptions &) const {
    ++processed;
    state.updateOwnership(op->getResult(0), Ownership::getUnknown());
    return op;
  }
  std::pair<Value, Value>
  materializeUniqueOwnershipForMemref(Operation *op, DeallocationState &state,
                                      const DeallocationOptions &,
                                      OpBuilder &builder, Value memref) const {
    ++materialized;
    Value copy = bufferization::CloneOp::create(builder, op->getLoc(), memref);
    Value owned = makeTrue(builder, op->getLoc());
    state.updateOwnership(copy, Ownership::getUnique(owned));
    state.addMemrefToDeallocate(copy, copy.getParentBlock());
    return {copy, owned};
  }
};

struct FailingModel
    : BufferDeallocationOpInterface::ExternalModel<FailingModel,
                                                   memref::AssumeAlignmentOp> {
  FailureOr<Operation *> process(Operation *op, DeallocationState &,
                                 const DeallocationOptions &) const {
    ++processed;
    return op->emitError("this op cannot say who owns its buffer");
  }
};

class ThirdParty : public ::testing::Test {
protected:
  void SetUp() override {
    static bool registered = (registerAllPasses(), true);
    (void)registered;
    registerAllDialects(registry);
    registry.addExtension(+[](MLIRContext *context, memref::MemRefDialect *) {
      memref::GetGlobalOp::attachInterface<FreedModel>(*context);
      memref::TransposeOp::attachInterface<UnknownModel>(*context);
      memref::AssumeAlignmentOp::attachInterface<FailingModel>(*context);
    });
    processed = materialized = 0;
  }

  Analysis ours(llvm::StringRef text) {
    AnalysisOptions options;
    options.text = StageText::upstream;
    return analyse({"test.mlir", text.str()}, registry, options);
  }

  /// What MLIR's own passes print after the first `count` stages.
  std::string upstream(llvm::StringRef text, size_t count) {
    static constexpr std::array<llvm::StringLiteral, 8> passes = {
        "expand-realloc{emit-deallocs=false}",
        "canonicalize",
        "ownership-based-buffer-deallocation",
        "canonicalize",
        "buffer-deallocation-simplification",
        "bufferization-lower-deallocations",
        "cse",
        "canonicalize"};
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    context.loadAllAvailableDialects();
    auto module = parseSourceString<ModuleOp>(text, &context);
    PassManager manager(&context);
    for (size_t i = 0; i < count; ++i)
      EXPECT_TRUE(succeeded(parsePassPipeline(passes[i], manager)));
    EXPECT_TRUE(succeeded(manager.run(*module)));
    std::string printed;
    llvm::raw_string_ostream os(printed);
    module->print(os);
    return printed + "\n";
  }

  void expectUpstreamsStages(llvm::StringRef text, const Analysis &analysis) {
    ASSERT_EQ(analysis.upstreamTexts.size(), 1u);
    const std::vector<std::string> &stages = analysis.upstreamTexts[0];
    ASSERT_EQ(stages.size(), 9u);
    for (size_t stage = 0; stage < stages.size(); ++stage)
      EXPECT_EQ(stages[stage], upstream(text, stage)) << "stage " << stage;
  }

  DialectRegistry registry;
};

size_t countRule(const trace::Trace &trace, trace::OwnershipRule rule) {
  return llvm::count_if(trace.events, [&](const trace::Event &event) {
    auto *ownership = std::get_if<trace::OwnershipEvent>(&event.detail);
    return ownership && ownership->rule == rule;
  });
}

size_t countSource(const trace::Trace &trace, trace::CandidateSource source) {
  return llvm::count_if(trace.events, [&](const trace::Event &event) {
    auto *candidate = std::get_if<trace::CandidateEvent>(&event.detail);
    return candidate && candidate->source == source;
  });
}
} // namespace

TEST_F(ThirdParty, ProcessIsCalledAndItsResultIsFreed) {
  const char *text = R"(
memref.global "private" @g : memref<4xf32>
func.func @f(%x: f32, %i: index) {
  %a = memref.get_global @g : memref<4xf32>
  memref.store %x, %a[%i] : memref<4xf32>
  return
}
)";
  Analysis analysis = ours(text);
  EXPECT_EQ(processed, 1);
  EXPECT_EQ(countRule(analysis.trace, trace::OwnershipRule::interfaceProcess),
            1u);
  EXPECT_EQ(
      countSource(analysis.trace, trace::CandidateSource::interfaceProcess),
      1u);
  expectUpstreamsStages(text, analysis);
  EXPECT_NE(upstream(text, 8).find("memref.dealloc"), std::string::npos);
}

TEST_F(ThirdParty, MaterializeIsCalledForUnknownOwnership) {
  const char *text = R"(
func.func @f(%m: memref<4x8xf32>)
    -> memref<8x4xf32, strided<[1, 8]>> {
  %t = memref.transpose %m (i, j) -> (j, i)
      : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>
  return %t : memref<8x4xf32, strided<[1, 8]>>
}
)";
  Analysis analysis = ours(text);
  EXPECT_EQ(processed, 1);
  EXPECT_EQ(materialized, 1);
  EXPECT_GE(countRule(analysis.trace, trace::OwnershipRule::interfaceProcess),
            1u);
  EXPECT_GE(
      countRule(analysis.trace, trace::OwnershipRule::interfaceMaterialize),
      1u);
  expectUpstreamsStages(text, analysis);
}

TEST_F(ThirdParty, ItsErrorIsTheRejection) {
  Analysis analysis = ours(R"(
func.func @f(%m: memref<4xf32>, %x: f32, %i: index) {
  %a = memref.assume_alignment %m, 8 : memref<4xf32>
  memref.store %x, %a[%i] : memref<4xf32>
  return
}
func.func @g() {
  return
}
)");
  EXPECT_EQ(processed, 1);
  ASSERT_EQ(analysis.trace.functions.size(), 2u);
  EXPECT_EQ(analysis.trace.functions[0].status,
            trace::FunctionStatus::rejected);
  EXPECT_NE(analysis.trace.functions[1].status,
            trace::FunctionStatus::rejected);
  bool said = llvm::any_of(analysis.trace.events, [](const auto &event) {
    auto *rejection = std::get_if<trace::RejectionEvent>(&event.detail);
    return rejection &&
           rejection->cause == trace::RejectionCause::interfaceProcess &&
           rejection->message == "this op cannot say who owns its buffer";
  });
  EXPECT_TRUE(said);
}
