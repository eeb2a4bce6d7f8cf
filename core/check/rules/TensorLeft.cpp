//===- core/check/rules/TensorLeft.cpp ------------------------------------===//

#include "core/check/rules/Finders.h"
#include "core/explain/FateText.h"
#include "core/explain/RejectionText.h"

namespace memreflens {

/// Tensors where buffers are expected, once a function.
void addTensors(FindingMaker &maker, const CheckInputs &) {
  for (const auto &[function, value] : firstTensors(maker.lookup))
    maker
        .add(ruleIds::tensorLeft, function,
             maker.lookup.rangeOfValue(value->id),
             maker.lookup.name(value->id) +
                 " is a tensor: " + functionOf(maker.lookup, function) +
                 " is not bufferized, and only buffers are deallocated")
        .remedies = {tensorRemedy};
}

} // namespace memreflens
