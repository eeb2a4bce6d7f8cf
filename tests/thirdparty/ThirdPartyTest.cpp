//===- tests/thirdparty/ThirdPartyTest.cpp - handlers of other dialects ---===//
//
// Ops get models of BufferDeallocationOpInterface that no dialect ships: one
// whose result is to be freed, one that hands out unknown ownership and
// materializes it itself, one that puts another op in its place, one that is
// rebuilt, a terminator, one that fails. They are called, the trace says what
// they did, and every stage equals that of MLIR's own pass with these models.
//
//===----------------------------------------------------------------------===//

#include "core/explain/Render.h"
#include "core/pipeline/ownership/OwnershipPass.h"
#include "core/pipeline/run/Analysis.h"
#include "core/trace/Json.h"
#include "core/trace/Text.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferDeallocationOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

#include "gtest/gtest.h"

#include <set>
#include <span>
#include <sstream>

using namespace mlir;
using namespace memreflens;
using bufferization::BufferDeallocationOpInterface;
using bufferization::DeallocationOptions;
using bufferization::DeallocationState;
using bufferization::Ownership;

namespace {
int processed = 0, materialized = 0;
/// What QueryingModel was told of the successors of its block.
std::vector<size_t> liveInSuccessors;
bool withEndModel = false;

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

/// Puts another op in its place, which is to be freed.
struct ReplacingModel
    : BufferDeallocationOpInterface::ExternalModel<ReplacingModel,
                                                   memref::ReinterpretCastOp> {
  FailureOr<Operation *> process(Operation *op, DeallocationState &state,
                                 const DeallocationOptions &) const {
    ++processed;
    OpBuilder builder(op);
    auto type = cast<MemRefType>(op->getResult(0).getType());
    Operation *now = memref::AllocOp::create(builder, op->getLoc(), type);
    Value owned = makeTrue(builder, now->getLoc());
    op->replaceAllUsesWith(now);
    op->erase();
    state.updateOwnership(now->getResult(0), Ownership::getUnique(owned));
    state.addMemrefToDeallocate(now->getResult(0), now->getBlock());
    return now;
  }
};

/// Rebuilds itself, as one does to get another result; changes no ownership.
struct RebuildingModel
    : BufferDeallocationOpInterface::ExternalModel<RebuildingModel,
                                                   memref::LoadOp> {
  FailureOr<Operation *> process(Operation *op, DeallocationState &,
                                 const DeallocationOptions &) const {
    ++processed;
    OpBuilder builder(op);
    Operation *now = builder.clone(*op);
    op->replaceAllUsesWith(now);
    op->erase();
    return now;
  }
};

/// Does at the end of a region what the pass itself does there.
struct EndModel
    : BufferDeallocationOpInterface::ExternalModel<EndModel, scf::YieldOp> {
  FailureOr<Operation *> process(Operation *op, DeallocationState &state,
                                 const DeallocationOptions &) const {
    ++processed;
    SmallVector<Value> owned;
    auto done = bufferization::deallocation_impl::insertDeallocOpForReturnLike(
        state, op, op->getOperands(), owned);
    if (failed(done))
      return failure();
    op->insertOperands(op->getNumOperands(), owned);
    return op;
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

/// Asks what is live behind its block, and looks at each of it.
struct QueryingModel
    : BufferDeallocationOpInterface::ExternalModel<
          QueryingModel, memref::ExtractAlignedPointerAsIndexOp> {
  FailureOr<Operation *> process(Operation *op, DeallocationState &state,
                                 const DeallocationOptions &) const {
    ++processed;
    for (Block *successor : op->getBlock()->getSuccessors()) {
      SmallVector<Value> live;
      state.getLiveMemrefsIn(successor, live);
      for (Value memref : live)
        EXPECT_TRUE(isa<MemRefType>(memref.getType()));
      liveInSuccessors.push_back(live.size());
    }
    return op;
  }
};

/// Changes what is far from it, in the way that its attribute says.
struct FarModel
    : BufferDeallocationOpInterface::ExternalModel<FarModel,
                                                   memref::PrefetchOp> {
  FailureOr<Operation *> process(Operation *op, DeallocationState &state,
                                 const DeallocationOptions &) const {
    ++processed;
    Block *block = op->getBlock();
    Operation *first = &block->front();
    OpBuilder builder(first);
    const llvm::StringRef way = op->getAttrOfType<StringAttr>("way").getValue();
    if (way == "op" || way == "gone")
      makeTrue(builder, op->getLoc());
    if (way == "ownership")
      state.updateOwnership(first->getResult(0), Ownership::getUnknown());
    if (way == "list")
      state.addMemrefToDeallocate(first->getResult(0), block);
    if (way != "gone")
      return op;
    op->erase();
    return static_cast<Operation *>(nullptr);
  }
};

class ThirdParty : public ::testing::Test {
protected:
  void SetUp() override {
    static bool registered = (registerAllPasses(), true);
    (void)registered;
    registerAllDialects(registry);
    registry.addExtension(+[](MLIRContext *context, scf::SCFDialect *) {
      if (withEndModel)
        scf::YieldOp::attachInterface<EndModel>(*context);
    });
    withEndModel = false;
    registry.addExtension(+[](MLIRContext *context, memref::MemRefDialect *) {
      memref::GetGlobalOp::attachInterface<FreedModel>(*context);
      memref::TransposeOp::attachInterface<UnknownModel>(*context);
      memref::AssumeAlignmentOp::attachInterface<FailingModel>(*context);
      memref::ReinterpretCastOp::attachInterface<ReplacingModel>(*context);
      memref::LoadOp::attachInterface<RebuildingModel>(*context);
      memref::PrefetchOp::attachInterface<FarModel>(*context);
      memref::ExtractAlignedPointerAsIndexOp::attachInterface<QueryingModel>(
          *context);
    });
    processed = materialized = 0;
    liveInSuccessors.clear();
  }

  Analysis ours(llvm::StringRef text, bool isRecorded = true) {
    AnalysisOptions options;
    options.isRecorded = isRecorded;
    options.text = StageText::upstream;
    return analyse({"test.mlir", text.str()}, registry, options);
  }

  /// The whole record.
  std::string recorded(llvm::StringRef text, bool looksEverywhere) {
    AnalysisOptions options;
    options.looksEverywhere = looksEverywhere;
    const trace::Trace trace =
        analyse({"test.mlir", text.str()}, registry, options).trace;
    EXPECT_TRUE(trace.problems.empty());
    std::ostringstream json;
    trace::writeJson(trace, json);
    return json.str();
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

  /// What our ownership pass makes where nothing is recorded.
  std::string unrecorded(llvm::StringRef text) {
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    context.loadAllAvailableDialects();
    auto module = parseSourceString<ModuleOp>(text, &context);
    SymbolTableCollection symbols;
    Recorder silent;
    module->walk([&](FunctionOpInterface function) {
      if (function.isExternal())
        return;
      EXPECT_TRUE(runOwnershipPass(function, {}, symbols, silent).accepted);
    });
    std::string printed;
    llvm::raw_string_ostream os(printed);
    module->print(os);
    return printed;
  }

  /// What MLIR's own ownership pass makes of it.
  std::string upstreamsPass(llvm::StringRef text) {
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    context.loadAllAvailableDialects();
    auto module = parseSourceString<ModuleOp>(text, &context);
    PassManager manager(&context);
    EXPECT_TRUE(succeeded(
        parsePassPipeline("ownership-based-buffer-deallocation", manager)));
    EXPECT_TRUE(succeeded(manager.run(*module)));
    std::string printed;
    llvm::raw_string_ostream os(printed);
    module->print(os);
    return printed;
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

/// The calls of handlers, in order.
std::vector<trace::Event> callsIn(const trace::Trace &trace) {
  std::vector<trace::Event> calls;
  llvm::copy_if(trace.events, std::back_inserter(calls), [](const auto &event) {
    return std::holds_alternative<trace::InterfaceEvent>(event.detail);
  });
  return calls;
}

const trace::InterfaceEvent &callOf(const trace::Event &event) {
  return std::get<trace::InterfaceEvent>(event.detail);
}

std::vector<std::string> namesOf(const trace::Trace &trace,
                                 std::span<const trace::Id> ops) {
  std::vector<std::string> names;
  for (trace::Id op : ops)
    names.push_back(trace.ops[op].name);
  return names;
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
  std::vector<trace::Event> calls = callsIn(analysis.trace);
  ASSERT_EQ(calls.size(), 1u);
  const trace::InterfaceEvent &call = callOf(calls[0]);
  EXPECT_EQ(call.call, trace::InterfaceCall::process);
  EXPECT_EQ(analysis.trace.ops[calls[0].op].name, "memref.get_global");
  EXPECT_EQ(call.now, calls[0].op);
  EXPECT_EQ(namesOf(analysis.trace, call.made),
            std::vector<std::string>{"arith.constant"});
  // The ownership and the place on the list, right before the call.
  EXPECT_EQ(call.changes,
            (std::vector<trace::Id>{calls[0].id - 2, calls[0].id - 1}));
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
  const trace::Trace &trace = analysis.trace;
  std::vector<trace::Event> calls = callsIn(trace);
  ASSERT_EQ(calls.size(), 2u);
  const trace::InterfaceEvent &call = callOf(calls[1]);
  EXPECT_EQ(call.call, trace::InterfaceCall::materialize);
  EXPECT_EQ(trace.values[calls[1].value].name, "t");
  EXPECT_EQ(
      namesOf(trace, call.made),
      (std::vector<std::string>{"bufferization.clone", "arith.constant"}));
  ASSERT_NE(call.indicator, trace::none);
  EXPECT_EQ(trace.values[call.indicator].constant, 1);
  EXPECT_EQ(call.changes.size(), 2u);
  // The copy is one, and bears the buffer's name.
  auto copy = llvm::find_if(trace.events, [](const trace::Event &event) {
    return std::holds_alternative<trace::CloneEvent>(event.detail);
  });
  ASSERT_NE(copy, trace.events.end());
  const auto &clone = std::get<trace::CloneEvent>(copy->detail);
  EXPECT_EQ(copy->value, calls[1].value);
  EXPECT_EQ(trace.values[clone.result].name, "clone_t");
  EXPECT_FALSE(clone.conditional);
  expectUpstreamsStages(text, analysis);
}

TEST_F(ThirdParty, AnOpThatReplacesItselfIsSaidToDoSo) {
  const char *text = R"(
func.func @f(%m: memref<4xf32>, %x: f32, %i: index) {
  %a = memref.reinterpret_cast %m to offset: [0], sizes: [2], strides: [1]
      : memref<4xf32> to memref<2xf32>
  memref.store %x, %a[%i] : memref<2xf32>
  return
}
)";
  Analysis analysis = ours(text);
  const trace::Trace &trace = analysis.trace;
  std::vector<trace::Event> calls = callsIn(trace);
  ASSERT_EQ(calls.size(), 1u);
  const trace::InterfaceEvent &call = callOf(calls[0]);
  EXPECT_EQ(trace.ops[calls[0].op].name, "memref.reinterpret_cast");
  ASSERT_NE(call.now, trace::none);
  EXPECT_EQ(trace.ops[call.now].name, "memref.alloc");
  EXPECT_EQ(trace.ops[call.now].origin, calls[0].op);
  EXPECT_EQ(namesOf(trace, call.made),
            (std::vector<std::string>{"memref.alloc", "arith.constant"}));
  expectUpstreamsStages(text, analysis);
}

TEST_F(ThirdParty, AnOpThatIsRebuiltStaysTheUsers) {
  const char *text = R"(
func.func @f(%m: memref<4xf32>, %i: index) -> f32 {
  %x = memref.load %m[%i] : memref<4xf32>
  return %x : f32
}
)";
  Analysis analysis = ours(text);
  std::vector<trace::Event> calls = callsIn(analysis.trace);
  ASSERT_EQ(calls.size(), 1u);
  const trace::InterfaceEvent &call = callOf(calls[0]);
  EXPECT_EQ(call.now, calls[0].op);
  EXPECT_TRUE(call.made.empty());
  EXPECT_TRUE(call.changes.empty());
  expectUpstreamsStages(text, analysis);
}

TEST_F(ThirdParty, ATerminatorsOwnHandlerIsToldLikeThePassesOwn) {
  const char *text = R"(
func.func @f(%c: i1, %n: index, %x: f32) -> memref<?xf32> {
  %r = scf.if %c -> memref<?xf32> {
    %a = memref.alloc(%n) : memref<?xf32>
    %b = memref.alloc(%n) : memref<?xf32>
    memref.store %x, %b[%n] : memref<?xf32>
    memref.copy %b, %a : memref<?xf32> to memref<?xf32>
    scf.yield %a : memref<?xf32>
  } else {
    %d = memref.alloc(%n) : memref<?xf32>
    scf.yield %d : memref<?xf32>
  }
  return %r : memref<?xf32>
}
)";
  Analysis plain = ours(text);
  EXPECT_EQ(processed, 0);
  withEndModel = true;
  Analysis own = ours(text);
  EXPECT_EQ(processed, 2);
  EXPECT_EQ(callsIn(own.trace).size(), 2u);
  // The same deallocs, retained values and i1s, and the same fates.
  auto facts = [](const trace::Trace &trace) {
    std::multiset<std::string> lines;
    for (const trace::Event &event : trace.events)
      if (std::holds_alternative<trace::DeallocEvent>(event.detail) ||
          std::holds_alternative<trace::RetainEvent>(event.detail) ||
          std::holds_alternative<trace::SignatureEvent>(event.detail) ||
          std::holds_alternative<trace::LoweringEvent>(event.detail))
        lines.insert(trace::toText(trace, event));
    return lines;
  };
  EXPECT_EQ(facts(plain.trace), facts(own.trace));
  EXPECT_GE(facts(own.trace).size(), 8u);
  EXPECT_EQ(renderReport(plain.trace, {}), renderReport(own.trace, {}));
  expectUpstreamsStages(text, own);
}

TEST_F(ThirdParty, ItsErrorIsTheRejection) {
  const char *text = R"(
func.func @f(%m: memref<4xf32>, %x: f32, %i: index) {
  %a = memref.assume_alignment %m, 8 : memref<4xf32>
  memref.store %x, %a[%i] : memref<4xf32>
  return
}
func.func @g() {
  return
}
)";
  // What is rejected is recorded, though it was not asked for.
  Analysis unasked = ours(text, /*isRecorded=*/false);
  EXPECT_EQ(unasked.trace.functions[0].status, trace::FunctionStatus::rejected);
  EXPECT_FALSE(unasked.trace.events.empty());
  processed = 0;
  Analysis analysis = ours(text);
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

/// So many of each op with a handler, in two blocks.
static std::string manyOps(int count) {
  std::string text = R"(
memref.global "private" @g : memref<4xf32>
func.func @f(%m: memref<4x8xf32>, %i: index) {
)";
  for (int k = 0; k < count; ++k) {
    const std::string id = std::to_string(k);
    text += "%g" + id + " = memref.get_global @g : memref<4xf32>\n" + "%t" +
            id +
            " = memref.transpose %m (i, j) -> (j, i) : memref<4x8xf32> to "
            "memref<8x4xf32, strided<[1, 8]>>\n"
            "%r" +
            id + " = memref.reinterpret_cast %g" + id +
            " to offset: [0], sizes: [2], strides: [1] : memref<4xf32> to "
            "memref<2xf32>\n"
            "%l" +
            id + " = memref.load %r" + id + "[%i] : memref<2xf32>\n" +
            "memref.store %l" + id + ", %g" + id + "[%i] : memref<4xf32>\n";
    if (k == count / 2)
      text += "cf.br ^next\n^next:\n";
  }
  return text + "memref.copy %g0, %g1 : memref<4xf32> to memref<4xf32>\n"
                "return\n}\n";
}

TEST_F(ThirdParty, ThousandHandlersAreUpstreams) {
  const std::string text = manyOps(250);
  EXPECT_EQ(unrecorded(text), upstreamsPass(text));
  EXPECT_EQ(processed, 2 * 4 * 250);
}

/// Each call once cost what the function has: 16 s.
TEST_F(ThirdParty, FourThousandHandlersAreUpstreams) {
  const std::string text = manyOps(1000);
  EXPECT_EQ(unrecorded(text), upstreamsPass(text));
}

TEST_F(ThirdParty, WhatIsRecordedIsWhatIsNot) {
  const std::string text = manyOps(20);
  Analysis analysis = ours(text);
  expectUpstreamsStages(text, analysis);
  Analysis bare = ours(text, /*isRecorded=*/false);
  EXPECT_TRUE(bare.trace.events.empty());
  EXPECT_EQ(bare.upstreamTexts[0].back(), analysis.upstreamTexts[0].back());
}

/// What is near a handler is all that has to be looked at.
TEST_F(ThirdParty, WhatIsRecordedIsWhatASearchOfTheWholeFinds) {
  for (bool hasEnd : {false, true}) {
    withEndModel = hasEnd;
    const std::string text = manyOps(20) + R"(
func.func @h(%c: i1, %m: memref<4x8xf32>) -> memref<8x4xf32, strided<[1, 8]>> {
  %t = memref.transpose %m (i, j) -> (j, i) : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>
  %r = scf.if %c -> memref<8x4xf32, strided<[1, 8]>> {
    %u = memref.transpose %m (i, j) -> (j, i) : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>
    scf.yield %u : memref<8x4xf32, strided<[1, 8]>>
  } else {
    scf.yield %t : memref<8x4xf32, strided<[1, 8]>>
  }
  return %r : memref<8x4xf32, strided<[1, 8]>>
}
)";
    const std::string near = recorded(text, /*looksEverywhere=*/false);
    const int once = std::exchange(processed, 0);
    EXPECT_EQ(near, recorded(text, /*looksEverywhere=*/true));
    EXPECT_GT(once, 60);
    EXPECT_EQ(once, processed);
    processed = 0;
  }
}

/// A handler may do anything: then all is looked at, in a second run.
TEST_F(ThirdParty, WhatAHandlerDoesElsewhereIsRecorded) {
  for (llvm::StringRef way : {"op", "ownership", "list", "gone"}) {
    const std::string text = R"(
memref.global "private" @g : memref<4xf32>
func.func @f(%x: f32, %i: index) {
  %a = memref.get_global @g : memref<4xf32>
  memref.store %x, %a[%i] : memref<4xf32>
  %b = memref.get_global @g : memref<4xf32>
  "memref.prefetch"(%b, %i) {isWrite = false, localityHint = 3 : i32, isDataCache = true, way = ")" +
                             way.str() +
                             R"("} : (memref<4xf32>, index) -> ()
  memref.store %x, %b[%i] : memref<4xf32>
  %c = memref.get_global @g : memref<4xf32>
  memref.store %x, %c[%i] : memref<4xf32>
  return
}
)";
    const std::string near = recorded(text, /*looksEverywhere=*/false);
    const int processedFirst = std::exchange(processed, 0);
    EXPECT_EQ(near, recorded(text, /*looksEverywhere=*/true)) << way.str();
    EXPECT_EQ(processed, 4) << way.str();
    EXPECT_EQ(processedFirst, way == "list" ? processed : 2 * processed)
        << way.str();
    processed = 0;
  }
}

/// Upstream reads freed memory here: %r is another value by then.
TEST_F(ThirdParty, LivenessNamesNoValueThatIsGone) {
  const char *text = R"(
func.func @f(%c: i1, %n: index, %x: f32) -> index {
  %a = memref.alloc(%n) : memref<?xf32>
  %first = memref.extract_aligned_pointer_as_index %a : memref<?xf32> -> index
  %r = scf.if %c -> (memref<?xf32>) {
    %b = memref.alloc(%n) : memref<?xf32>
    scf.yield %b : memref<?xf32>
  } else {
    %d = memref.alloc(%n) : memref<?xf32>
    scf.yield %d : memref<?xf32>
  }
  %second = memref.extract_aligned_pointer_as_index %a : memref<?xf32> -> index
  cf.br ^next
^next:
  memref.copy %a, %r : memref<?xf32> to memref<?xf32>
  memref.store %x, %r[%n] : memref<?xf32>
  %sum = arith.addi %first, %second : index
  return %sum : index
}
)";
  const std::string made = unrecorded(text);
  EXPECT_EQ(liveInSuccessors, (std::vector<size_t>{2, 2}));
  EXPECT_NE(made.find("retain"), std::string::npos);
}
