//===- core/faults/FaultKind.cpp --- --------------------------------------===//

#include "core/faults/FaultKind.h"

namespace memreflens {

std::string_view nameOf(FaultKind kind) {
  switch (kind) {
  case FaultKind::leak:
    return "leak";
  case FaultKind::doubleFree:
    return "double free";
  case FaultKind::useAfterFree:
    return "use after free";
  case FaultKind::freeOfUnowned:
    return "free of what is not the function's";
  case FaultKind::returnedFreed:
    return "returned after free";
  case FaultKind::returnedUnowned:
    return "returned as if owned";
  case FaultKind::returnedTwice:
    return "returned twice";
  case FaultKind::escapedFreed:
    return "deallocated but reachable";
  case FaultKind::indicatorWrong:
    return "wrong ownership result";
  case FaultKind::allocatorMismatch:
    return "allocator mismatch";
  case FaultKind::lostWrite:
    return "lost write";
  case FaultKind::constantWritten:
    return "write of a constant";
  case FaultKind::outOfBounds:
    return "access out of bounds";
  case FaultKind::freeOfBorrowed:
    return "free of a borrowed buffer";
  case FaultKind::freeOfUnknown:
    return "free of what was not allocated";
  }
  return {};
}

} // namespace memreflens
