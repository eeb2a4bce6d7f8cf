//===- core/pipeline/record/Difference.cpp --------------------------------===//

#include "core/pipeline/record/Difference.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <algorithm>
#include <iterator>

using namespace mlir;

namespace memreflens {

using trace::Id;
using trace::none;

Difference::Ops Difference::collect(Operation *root, Recorder &recorder) {
  Ops ops;
  root->walk([&](FunctionOpInterface function) {
    Id id = recorder.functionOf(function);
    if (id == none || recorder.isIgnored(function))
      return;
    std::set<Id> &inside = ops[id];
    function->walk([&](Operation *op) {
      if (Id found = recorder.findId(op); found != none)
        inside.insert(found);
    });
  });
  return ops;
}

Difference::Difference(Operation *root, Recorder &recorder)
    : before(collect(root, recorder)) {}

void Difference::record(Operation *root, Recorder &recorder) const {
  Ops after = collect(root, recorder);
  for (const auto &[function, was] : before) {
    const std::set<Id> &is = after[function];
    trace::RewriteEvent event;
    event.kind = trace::RewriteKind::difference;
    std::ranges::set_difference(was, is, std::back_inserter(event.erased));
    std::ranges::set_difference(is, was, std::back_inserter(event.inserted));
    if (event.erased.empty() && event.inserted.empty())
      continue;
    trace::Event &added = recorder.add(nullptr, nullptr, {}, std::move(event));
    added.function = function;
    added.op = recorder.getTrace().functions[size_t(function)].op;
  }
}

} // namespace memreflens
