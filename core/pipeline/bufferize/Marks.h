//===- core/pipeline/bufferize/Marks.h - numbers that ops carry along -----===//
//
// An op gets a number that it keeps through passes: a name inside of the tag
// in its location (core/source/Identity.h). Locations change no IR.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_PIPELINE_BUFFERIZE_MARKS_H
#define MEMREFLENS_PIPELINE_BUFFERIZE_MARKS_H

#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"

#include <optional>

namespace memreflens::bufferize {

enum class Mark : uint8_t {
  asked, ///< a decision that an alloc_tensor was made for
  made   ///< an allocation or a copy
};

/// The location with that number, below its tag.
mlir::Location withMark(mlir::Location location, Mark mark, unsigned number);
/// The number of that kind, if it has one.
std::optional<unsigned> markIn(mlir::Location location, Mark mark);
/// Takes all marks out of the locations of the ops below `root`.
void dropMarks(mlir::Operation *root);

} // namespace memreflens::bufferize

#endif // MEMREFLENS_PIPELINE_BUFFERIZE_MARKS_H
