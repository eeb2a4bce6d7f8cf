//===- core/reduce/Edits.h - ways to make a program smaller ---------------===//
//
// Each is a list of places where it could be done. An edit of the places
// [begin, end) need not keep what the program means, nor even be valid: what it
// makes is verified and run before it counts.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_REDUCE_EDITS_H
#define MEMREFLENS_REDUCE_EDITS_H

#include "core/reduce/Program.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <span>

namespace memreflens {

struct EditKind {
  /// What is being tried, for the progress line: "functions".
  const char *name;
  /// Number of places in the program.
  size_t (*count)(Program &program);
  /// Edits places [begin, end); false if that changes nothing.
  bool (*apply)(Program &program, size_t begin, size_t end);
};

/// The coarse ones first.
std::span<const EditKind> allEdits();

//===----------------------------------------------------------------------===//
// The parts, for Edits.cpp
//===----------------------------------------------------------------------===//

size_t countSymbols(Program &program);
bool removeSymbols(Program &program, size_t begin, size_t end);
size_t countBodies(Program &program);
bool removeBodies(Program &program, size_t begin, size_t end);
size_t countOps(Program &program);
bool removeOps(Program &program, size_t begin, size_t end);
/// The op with all in it becomes an allocation of its first result.
size_t countMade(Program &program);
bool allocateInstead(Program &program, size_t begin, size_t end);

/// An op with regions that makes nothing becomes a copy of one buffer that it
/// uses.
size_t countUses(Program &program);
bool copyInstead(Program &program, size_t begin, size_t end);

size_t countRegions(Program &program);
bool unwrapRegions(Program &program, size_t begin, size_t end);
size_t countRegionResults(Program &program);
bool dropRegionResults(Program &program, size_t begin, size_t end);

size_t countEdges(Program &program);
/// A branch takes one of its edges, always.
bool takeEdges(Program &program, size_t begin, size_t end);
/// An edge goes where the first edge of its branch goes.
bool joinEdges(Program &program, size_t begin, size_t end);
size_t countBranches(Program &program);
/// A branch becomes a return.
bool returnEarly(Program &program, size_t begin, size_t end);
size_t countBlocks(Program &program);
/// A block is merged into the one that leads to it, or gone around.
bool mergeBlocks(Program &program, size_t begin, size_t end);
size_t countBlockArguments(Program &program);
bool dropBlockArguments(Program &program, size_t begin, size_t end);

size_t countArguments(Program &program);
bool dropArguments(Program &program, size_t begin, size_t end);
/// An argument takes the place of a later one of its type.
bool mergeArguments(Program &program, size_t begin, size_t end);
size_t countResults(Program &program);
bool dropResults(Program &program, size_t begin, size_t end);

size_t countTypes(Program &program);
bool shrinkTypes(Program &program, size_t begin, size_t end);
bool flattenTypes(Program &program, size_t begin, size_t end);
size_t countAttributes(Program &program);
bool dropAttributes(Program &program, size_t begin, size_t end);

/// A value of the type that takes the place of `value`, whose op goes: a buffer
/// that it was made of, or an argument of the function. Null if there is none.
mlir::Value substituteFor(mlir::Value value);
/// An argument of the function around, new for memrefs; calls pass one of their
/// own function's. Null where the function cannot take one.
mlir::Value argumentFor(mlir::Operation *inside, mlir::Type type);
/// Calls of the function by name.
std::vector<mlir::func::CallOp> callsOf(mlir::func::FuncOp function);
bool isTerminator(mlir::Operation *op);
/// Erases the blocks of a region that nothing leads to.
void eraseUnreachable(mlir::Region &region);

} // namespace memreflens

#endif // MEMREFLENS_REDUCE_EDITS_H
