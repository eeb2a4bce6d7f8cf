//===- core/upstream/BufferizeErrors.h - why tensors stay tensors ---------===//
//
// The messages with which one-shot-bufferize and the interfaces of its ops
// reject a program, and what the writer of the program can do.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_UPSTREAM_BUFFERIZEERRORS_H
#define MEMREFLENS_UPSTREAM_BUFFERIZEERRORS_H

#include <string_view>

namespace memreflens::upstream {

struct BufferizeError {
  /// What its message holds, and no other's.
  std::string_view signature;
  /// What it means; empty where the message says it.
  std::string_view meaning;
  std::string_view advice;
};

/// Null where the message is none of them.
const BufferizeError *bufferizeErrorOf(std::string_view message);

} // namespace memreflens::upstream

#endif // MEMREFLENS_UPSTREAM_BUFFERIZEERRORS_H
