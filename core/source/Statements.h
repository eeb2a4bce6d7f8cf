//===- core/source/Statements.h - statements beside a program, held to it -===//
//
// What is stated of external functions need stand neither in the program nor in
// each command: the file `memref-lens.assume`, in the program's folder or the
// nearest one above it, has a statement in each line.
//
//   # the runtime of our accelerator
//   fresh-results=@acc_alloc
//   releases-argument=@acc_free:0
//
// A statement that says nothing of the program is reported: a name that no
// function has, an argument that is no memref, an attribute that is misspelt,
// two that contradict each other.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_SOURCE_STATEMENTS_H
#define MEMREFLENS_SOURCE_STATEMENTS_H

#include "core/trace/Model.h"

#include "mlir/IR/BuiltinOps.h"

#include <set>

namespace memreflens {

/// The file that belongs to a program; empty where there is none, and for
/// standard input.
std::string statementFileOf(const std::string &program);

/// Adds what the program's file states to `run`, each statement once. Returns a
/// note that says so, and a warning for each line that is no statement.
std::vector<trace::Problem> addStatementsBeside(const std::string &program,
                                                trace::RunOptions &run);

/// Marks the functions of the module whose results are stated to be fresh.
void markFreshResults(mlir::ModuleOp module, trace::Trace &trace);

/// Warns of the statements, by option and attribute, that cannot be meant for
/// the external functions of this module. Adds those that are about one of its
/// functions to `met`.
void checkStatements(mlir::ModuleOp module, trace::Id chunk,
                     std::set<std::string> &met, trace::Trace &trace);

/// Warns of the statements that are not in `met`: no function has the name.
void reportUnmet(const std::set<std::string> &met, trace::Trace &trace);

} // namespace memreflens

#endif // MEMREFLENS_SOURCE_STATEMENTS_H
