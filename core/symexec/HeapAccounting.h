//===- core/symexec/HeapAccounting.h - bytes that a path holds ------------===//
//
// Counts what is live at each op, into a `HeapWatch`. Reports no fault: where
// one ends a path, what is live there is not known.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SYMEXEC_HEAPACCOUNTING_H
#define MEMREFLENS_SYMEXEC_HEAPACCOUNTING_H

#include "core/symexec/HeapWatch.h"
#include "core/symexec/Observer.h"
#include "core/symexec/Values.h"

namespace memreflens::symexec {

class HeapAccounting : public Observer, Part {
public:
  HeapAccounting(Context &context, Values &values, HeapWatch &watch)
      : Part(context), values(values), watch(watch) {}

  void atOp(State &state, mlir::Operation *op) override { see(state, op); }
  void passedOver(State &state, mlir::Operation *op) override;
  void iterates(mlir::Operation *loop, unsigned iteration,
                const State &state) override {
    watch.iterates(loop, iteration, state.live);
  }
  void repeats(mlir::Operation *loop, unsigned first, unsigned again) override {
    watch.repeats.insert({loop, first, again});
  }
  void passesRounds() override { watch.passesRounds = true; }

  void allocated(State &state, int32_t object, mlir::Operation *op) override;
  void allocatedOnStack(State &state, int32_t object,
                        mlir::Operation *op) override;
  void deallocated(State &state, int32_t object, mlir::Operation *op) override;
  void fault(State &state, FaultKind kind, mlir::Operation *op,
             const Object &object) override;

  bool runsBody(mlir::FunctionOpInterface callee) override {
    return !isStandIn(callee);
  }
  void calledUnrun(State &state, mlir::Operation *op,
                   mlir::FunctionOpInterface callee) override;
  void returned(State &state, mlir::Value result,
                const PathValue &value) override;
  void gap(trace::PeakGapKind kind, mlir::Operation *op) override {
    watch.gaps.insert({kind, op});
  }

private:
  void see(State &state, mlir::Operation *op, int64_t more = 0,
           mlir::Operation *callee = nullptr);
  bool isStandIn(mlir::FunctionOpInterface callee);
  int64_t bytesOf(const Object &object, mlir::Operation *op);

  Values &values;
  HeapWatch &watch;
  llvm::DenseMap<mlir::Operation *, bool> standIns;
};

} // namespace memreflens::symexec

#endif // MEMREFLENS_SYMEXEC_HEAPACCOUNTING_H
