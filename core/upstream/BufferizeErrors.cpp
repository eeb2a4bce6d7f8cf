//===- core/upstream/BufferizeErrors.cpp ----------------------------------===//

#include "core/upstream/BufferizeErrors.h"

#include <algorithm>
#include <iterator>

namespace memreflens::upstream {

static constexpr BufferizeError errors[] = {
    {"is not equivalent to the corresponding iter bbArg",
     "the loop yields another buffer than the one that it began with",
     "let the loop write into the tensor that it carries (outs on the "
     "iter_arg), so that it yields that one"},
    {"to_tensor ops without `restrict`",
     "only with `restrict` is it certain that no other memref reaches the "
     "memory of the tensor",
     "write 'restrict' on it, where no other memref of the program reaches "
     "that memory while the tensor is in use"},
    {"op was not bufferized",
     "the op does not implement BufferizableOpInterface",
     "lower the op before one-shot-bufferize: of tosa, with tosa-to-linalg"},
    {"inconsistent memory space",
     "the tensors that may be its value are in different memory spaces, and a "
     "memref has one",
     "copy one of them into the memory space of the other: "
     "bufferization.alloc_tensor() copy(...) {memory_space = ...}"},
    {"op without unique scf.yield", "several of its blocks end in scf.yield",
     "let all its blocks branch to one that has the only scf.yield"},
    {"cannot bufferize func.func without func.return",
     "the types of its results are found at its returns, and it has none",
     "end the function with func.return, or take the tensors out of its "
     "results"},
    {"block references that do not implement BranchOpInterface", "",
     "lower the branch to the cf dialect before one-shot-bufferize"},
    {"could not infer memory space",
     "with must-infer-memory-space each memory space has to follow from one "
     "that is written",
     "write memory_space on the bufferization.alloc_tensor that the tensor "
     "begins as"},
    {"could not infer buffer type of block argument",
     "nothing passes the argument a tensor of which the buffer is known",
     "remove the block if nothing branches to it"},
    {"'memref.alloc' op incorrect number of dynamic sizes",
     "the function that is called here returns one of its arguments as a "
     "tensor of dynamic size; the copy of its result is allocated with the "
     "sizes of the argument, which are in its type",
     "let the function return the type of its argument, and write tensor.cast "
     "behind the call"},
    {"body must bufferize in-place", "",
     "run lower-vector-mask before one-shot-bufferize"},
};

const BufferizeError *bufferizeErrorOf(std::string_view message) {
  const auto *found = std::find_if(
      std::begin(errors), std::end(errors), [&](const BufferizeError &error) {
        return message.find(error.signature) != message.npos;
      });
  return found == std::end(errors) ? nullptr : found;
}

} // namespace memreflens::upstream
