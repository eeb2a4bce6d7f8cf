//===- core/symexec/Executor.h - runs one op on one path ------------------===//
//
// Takes paths from a list, runs each op by op, and puts a copy on the list
// where a condition is unknown. What an op does is in Scalars.cpp, Memory.cpp,
// Control.cpp, HelperCall.cpp and Regions.cpp; what they hold in Heap.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SYMEXEC_EXECUTOR_H
#define MEMREFLENS_SYMEXEC_EXECUTOR_H

#include "core/source/Contracts.h"
#include "core/symexec/Explore.h"
#include "core/symexec/HeapWatch.h"
#include "core/symexec/SharedFacts.h"
#include "core/symexec/State.h"
#include "core/symexec/StateMerging.h"
#include "core/trace/Sizes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include <chrono>
#include <map>
#include <set>
#include <unordered_map>

namespace memreflens::symexec {

/// How it goes on after an op.
enum class Step : uint8_t {
  advance, ///< to the next op
  moved,   ///< elsewhere, already set
  entered, ///< the same, where no path is looked for to meet
  fork,    ///< `forkOn` must be decided first; nothing has changed
  end      ///< the path is over
};

struct LogEntry {
  int32_t previous = -1;
  mlir::Operation *op = nullptr;
  /// Object that it is about; none: a decision.
  int32_t serial = -1;
  SymbolicExpr condition = noExpr;
  bool truth = false;
  /// "deallocated", "used", "called".
  const char *verb = nullptr;
};

/// A state that a path was in.
struct Seen {
  /// Of the first path, or of one with fewer.
  llvm::SmallVector<unsigned, 4> iterations;
  /// For `Meetings`.
  unsigned number = 0;
};

/// A path that goes on later.
struct Waiting {
  State state;
  /// In words.
  uint64_t size = 0;
};

class Executor {
public:
  Executor(mlir::FunctionOpInterface function, const trace::Trace &trace,
           const ExploreOptions &options)
      : function(function), trace(trace), options(options),
        facts(options.facts ? *options.facts : ownFacts), ir(facts.ir) {}
  ExploreResult run();

private:
  mlir::SymbolTableCollection &symbols() {
    return options.symbols ? *options.symbols : ownSymbols;
  }

  //===--- Paths (Executor.cpp) ---===//
  State start();
  void wait(State state);
  void runPath(State &state);
  void fork(State &state, mlir::Operation *op);
  bool isOver();
  bool mayMeetAnother(const State &state) const;
  const LiveContents &liveContents();
  bool wasHere(State &state);
  void noteRepeats(const State &state, llvm::ArrayRef<unsigned> before);
  Step execute(State &state, mlir::Operation *op, Action action);
  void advance(State &state, mlir::Operation *op, const IrFacts::Known &known);
  void advance(State &state, mlir::Operation *op) {
    advance(state, op, ir.of(op));
  }
  Step assertion(State &state, mlir::cf::AssertOp op);
  Step choice(State &state, mlir::Operation *op);
  void noteFailing(State &state, mlir::cf::AssertOp assertion);

  //===--- Values (Scalars.cpp) ---===//
  SymbolicExpr constantExpr(unsigned number, int64_t value);
  PathValue valueOf(State &state, mlir::Value value);
  SymbolicExpr exprOf(State &state, mlir::Value value);
  SymbolicExpr exprOf(State &state, mlir::OpFoldResult value);
  PathValue memrefOf(State &state, mlir::Value value);
  void set(State &state, mlir::Value value, PathValue what);
  std::optional<bool> truth(State &state, SymbolicExpr condition);
  void executeScalar(State &state, mlir::Operation *op);
  SymbolicExpr compare(State &state, mlir::Operation *op);
  bool isPoison(const State &state, const PathValue &pointer) const;
  void notePoison(const State &state, const PathValue &left,
                  const PathValue &right);
  SymbolicExpr samePointer(State &state, const PathValue &left,
                           const PathValue &right);
  std::optional<int64_t> numberOf(State &state, mlir::Value value);

  //===--- Sizes that the user states (StatedSizes.cpp) ---===//
  void readStated();
  void addStatedShape(State &state, int32_t argument);
  int64_t statedSize(mlir::Value value);
  int64_t statedDimension(mlir::Value buffer, int64_t dimension) const;

  //===--- Memory (Memory.cpp) ---===//
  int32_t addObject(State &state, ObjectKind kind, mlir::Operation *site,
                    mlir::Value value);
  SymbolicExpr dimensionOf(State &state, mlir::Value buffer, int64_t dimension);
  PathValue allocate(State &state, ObjectKind kind, mlir::Operation *op,
                     mlir::Value result);
  bool use(State &state, const PathValue &value, mlir::Operation *op);
  bool release(State &state, const PathValue &value, mlir::Operation *op);
  EscapeFinder *escapesAround(mlir::Value value);
  bool mayBeUsedUnseen(mlir::Value buffer, mlir::Operation *release);
  void noteUnfollowed(mlir::Value buffer);
  SymbolicExpr isSame(State &state, int32_t left, int32_t right);
  void see(State &state, mlir::Operation *op, int64_t more = 0,
           mlir::Operation *callee = nullptr);
  void sizeResult(State &state, mlir::Value result, const PathValue &value);
  bool isStandIn(mlir::FunctionOpInterface callee);
  void addGap(trace::PeakGapKind kind, mlir::Operation *op);
  int64_t bytesOf(const Object &object, mlir::Operation *op);
  void grow(State &state, int32_t object, mlir::Operation *op);
  void growStack(State &state, int32_t object, mlir::Operation *op);
  void shrink(State &state, int32_t object, mlir::Operation *op);
  void countCallee(State &state, mlir::Operation *op,
                   mlir::FunctionOpInterface callee);
  void executeView(State &state, mlir::Operation *op);
  Step load(State &state, mlir::memref::LoadOp op);
  Step store(State &state, mlir::memref::StoreOp op);
  Step dealloc(State &state, mlir::bufferization::DeallocOp op);
  Step realloc(State &state, mlir::memref::ReallocOp op);
  Step clone(State &state, mlir::bufferization::CloneOp op);
  void dim(State &state, mlir::memref::DimOp op);
  Step executeByEffects(State &state, mlir::Operation *op);
  void assumeResults(State &state, mlir::Operation *op);
  std::optional<CellKey> cellOf(State &state, mlir::ValueRange indices);

  //===--- Copies that stand for what they copy (Copies.cpp) ---===//
  bool hasTwin(const State &state, const PathValue &value) const;
  void link(State &state, const PathValue &source, const PathValue &copy,
            mlir::Operation *op);
  std::optional<AccessPlace> placeOf(State &state, const PathValue &value,
                                     mlir::ValueRange indices);
  void wrote(State &state, const PathValue &value, mlir::Operation *op,
             std::optional<AccessPlace> place, mlir::Value stored = {});
  void read(State &state, const PathValue &value, mlir::Operation *op,
            std::optional<AccessPlace> place);
  void noteBoth(State &state, mlir::Operation *op);
  bool copyAmongTwins(State &state, mlir::memref::CopyOp op);
  void readAndWrite(State &state, mlir::Operation *op);
  void readAtExit(State &state, mlir::Operation *op);
  void reportLost(State &state, const LostWrite &lost, mlir::Operation *op,
                  const Twin &twin, bool isSure);

  //===--- Branches, calls, returns (Control.cpp) ---===//
  Step branch(State &state, mlir::Operation *op);
  Step goTo(State &state, mlir::Operation *op, unsigned successor);
  Step call(State &state, mlir::CallOpInterface op);
  bool runsBody(mlir::FunctionOpInterface callee);
  bool keepAndRelease(State &state, mlir::CallOpInterface op,
                      const Contract &contract);
  Step bindCallResults(State &state, mlir::CallOpInterface op,
                       mlir::FunctionOpInterface callee);
  bool callHelper(State &state, mlir::CallOpInterface op,
                  mlir::Operation *callee);
  Step leaveFunction(State &state, mlir::Operation *op);
  Step checkExit(State &state, mlir::Operation *op);
  Step terminate(State &state, mlir::Operation *op);

  //===--- Regions (Regions.cpp) ---===//
  Step enterOp(State &state, mlir::Operation *op);
  bool hasOneWay(State &state, mlir::Operation *op);
  bool passOver(State &state, mlir::Operation *op);
  bool setChoices(State &state, mlir::Operation *op);
  std::optional<int64_t> tripsOf(State &state, mlir::LoopLikeOpInterface op,
                                 std::vector<SymbolicExpr> &bounds);
  Step enter(State &state, mlir::Operation *op, mlir::Region &region,
             unsigned iteration, const std::vector<PathValue> &arguments,
             unsigned firstArgument = 0);
  void leave(State &state);
  static Step behindOp(const State &state);
  Step finish(State &state, mlir::Operation *op,
              const std::vector<PathValue> &results);
  std::vector<PathValue> valuesOf(State &state, mlir::ValueRange values);
  Step loop(State &state, mlir::LoopLikeOpInterface op, unsigned iteration,
            SymbolicExpr induction, const std::vector<PathValue> &carried);
  std::optional<bool> goesOn(State &state, mlir::LoopLikeOpInterface op,
                             unsigned iteration, SymbolicExpr induction,
                             bool &isExact);
  void forget(std::vector<PathValue> &carried, mlir::ValueRange values);
  bool forgetsRounds(mlir::Operation *op);
  bool isEachRoundAlike(mlir::Operation *op);
  SymbolicExpr laterInduction(State &state, mlir::LoopLikeOpInterface op);
  void forgetRound(std::vector<PathValue> &carried);
  Step whileCondition(State &state, mlir::Operation *terminator);
  Step
  follow(State &state, mlir::Operation *op,
         llvm::ArrayRef<mlir::RegionSuccessor> successors,
         llvm::function_ref<mlir::ValueRange(mlir::RegionSuccessor)> operands,
         unsigned iteration);

  //===--- Reports (Report.cpp) ---===//
  void note(State &state, mlir::Operation *op, const char *verb,
            int32_t object);
  void report(State &state, FaultKind kind, mlir::Operation *op,
              const Object &object);
  PathStep stepAt(mlir::Operation *op, std::string text);
  std::string nameOf(mlir::Value value);
  std::string memoryName(const Object &object);
  std::string describe(SymbolicExpr condition, bool truth);
  std::vector<PathStep> pathOf(const State &state, const Object &object);

  mlir::FunctionOpInterface function;
  const trace::Trace &trace;
  const ExploreOptions &options;
  SharedFacts ownFacts;
  SharedFacts &facts;
  IrFacts &ir;
  SymbolicExprs exprs;
  /// By number of the value; `noExpr` for those that are not asked for yet.
  std::vector<SymbolicExpr> constants;
  SymbolicExpr forkOn = noExpr;
  std::vector<Waiting> waiting;
  /// Of the states that wait now, and of all that were copied or compared.
  uint64_t waitingWords = 0, words = 0;
  std::vector<LogEntry> log;
  std::unordered_map<Hash, Seen, HashOfHash> seen;
  std::set<std::tuple<FaultKind, mlir::Operation *, mlir::Operation *>>
      reported;
  /// Reads and the writes that they do not see.
  std::set<std::pair<mlir::Operation *, mlir::Operation *>> lostReported;
  std::set<std::string> assumed, unfollowed;
  llvm::DenseMap<mlir::Operation *, bool> standIns;
  /// Of `trace::RunOptions::sizes`, and by value what they say; -1 for nothing.
  std::vector<trace::StatedSize> stated;
  llvm::DenseMap<mlir::Value, int64_t> statedValues;
  bool comparesPoison = false;
  /// There has been more than one path.
  bool hasForked = false;
  /// Kept only where sites are not told apart.
  Meetings meetings;
  mlir::SymbolTableCollection ownSymbols;
  /// Allocations whose memory was freed on some path, and where each reported
  /// fault's memory came from.
  std::set<mlir::Operation *> freedSites;
  std::vector<mlir::Operation *> faultSites;
  unsigned serials = 0;
  std::chrono::steady_clock::time_point begun;
  ExploreResult result;
};

} // namespace memreflens::symexec

#endif // MEMREFLENS_SYMEXEC_EXECUTOR_H
