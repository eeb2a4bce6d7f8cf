//===- core/symexec/FaultReporter.h - faults, with the way there ----------===//
//
// Keeps what was decided and what happened on each path, and makes of a fault
// one of `ExploreResult::faults`, each once. Says also which buffers may be
// used unseen behind their deallocation.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SYMEXEC_FAULTREPORTER_H
#define MEMREFLENS_SYMEXEC_FAULTREPORTER_H

#include "core/symexec/Context.h"
#include "core/symexec/Observer.h"
#include "core/symexec/StateMerging.h"

namespace memreflens::symexec {

/// A step of a path: a decision, or what happened to an object.
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

class FaultReporter : public Observer, Part {
public:
  FaultReporter(Context &context, Meetings &meetings)
      : Part(context), meetings(meetings) {}

  void forked(State &state, mlir::Operation *op, SymbolicExpr condition,
              bool truth) override;
  void deallocated(State &state, int32_t object, mlir::Operation *op) override;
  void happened(State &state, mlir::Operation *op, const char *verb,
                int32_t object) override;
  void fault(State &state, FaultKind kind, mlir::Operation *op,
             const Object &object) override;
  void lostWrite(const LostWrite &lost, mlir::Operation *op, const Twin &twin,
                 bool isSure) override;
  void finish() override;

private:
  PathStep stepAt(mlir::Operation *op, std::string text);
  std::string nameOf(mlir::Value value);
  std::string memoryName(const Object &object);
  std::string describe(SymbolicExpr condition, bool truth);
  std::vector<PathStep> pathOf(const State &state, const Object &object);
  EscapeFinder *escapesAround(mlir::Value value);
  bool mayBeUsedUnseen(mlir::Value buffer, mlir::Operation *release);
  void noteUnfollowed(mlir::Value buffer);

  Meetings &meetings;
  std::vector<LogEntry> log;
  std::set<std::tuple<FaultKind, mlir::Operation *, mlir::Operation *>>
      reported;
  /// Reads and the writes that they do not see.
  std::set<std::pair<mlir::Operation *, mlir::Operation *>> lostReported;
  std::set<std::string> unfollowed;
  /// Allocations whose memory was freed on some path, and where each reported
  /// fault's memory came from.
  std::set<mlir::Operation *> freedSites;
  std::vector<mlir::Operation *> faultSites;
};

} // namespace memreflens::symexec

#endif // MEMREFLENS_SYMEXEC_FAULTREPORTER_H
