//===- core/trace/TensorNames.cpp - enumerators as words ------------------===//

#include "core/trace/Names.h"

namespace memreflens::trace {

std::string_view nameOf(TensorPlacement name) {
  switch (name) {
  case TensorPlacement::undecided:
    return "undecided";
  case TensorPlacement::inPlace:
    return "inPlace";
  case TensorPlacement::outOfPlace:
    return "outOfPlace";
  }
  return {};
}

std::string_view nameOf(TensorReasonKind name) {
  switch (name) {
  case TensorReasonKind::readAfterWrite:
    return "readAfterWrite";
  case TensorReasonKind::notWritable:
    return "notWritable";
  case TensorReasonKind::parallel:
    return "parallel";
  case TensorReasonKind::copyBeforeWrite:
    return "copyBeforeWrite";
  case TensorReasonKind::unknownOp:
    return "unknownOp";
  case TensorReasonKind::unexplained:
    return "unexplained";
  }
  return {};
}

std::string_view nameOf(TensorReadOnly name) {
  switch (name) {
  case TensorReadOnly::no:
    return "no";
  case TensorReadOnly::constant:
    return "constant";
  case TensorReadOnly::argument:
    return "argument";
  case TensorReadOnly::toTensor:
    return "toTensor";
  case TensorReadOnly::other:
    return "other";
  }
  return {};
}

std::string_view nameOf(TensorCostOrigin name) {
  switch (name) {
  case TensorCostOrigin::operand:
    return "operand";
  case TensorCostOrigin::result:
    return "result";
  case TensorCostOrigin::newBuffer:
    return "newBuffer";
  case TensorCostOrigin::loopValue:
    return "loopValue";
  case TensorCostOrigin::opResult:
    return "opResult";
  case TensorCostOrigin::writtenBack:
    return "writtenBack";
  case TensorCostOrigin::layout:
    return "layout";
  case TensorCostOrigin::boundaryLayout:
    return "boundaryLayout";
  case TensorCostOrigin::copyBeforeWrite:
    return "copyBeforeWrite";
  case TensorCostOrigin::program:
    return "program";
  case TensorCostOrigin::unknown:
    return "unknown";
  }
  return {};
}

} // namespace memreflens::trace
