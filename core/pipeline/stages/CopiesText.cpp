//===- core/pipeline/stages/CopiesText.cpp --------------------------------===//

#include "core/pipeline/stages/CopiesText.h"
#include "core/pipeline/bufferize/Marks.h"
#include "core/pipeline/record/Recorder.h"
#include "core/pipeline/record/SourceNames.h"
#include "core/source/Identity.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace memreflens {

using trace::Id;
using trace::none;

namespace {
/// Gives the ops that are new numbers behind those of the trace, and names.
class NewNames {
public:
  explicit NewNames(const trace::Trace &trace) : trace(trace) {}

  std::vector<NewOp> in(ModuleOp module) {
    module->walk<WalkOrder::PreOrder>([&](Operation *op) {
      const Id id = taggedOp(op->getLoc());
      if (id != none && isNew(op, id))
        add(op, id);
    });
    return std::move(made);
  }

private:
  /// It has the location of the op that it was made for.
  bool isNew(Operation *op, Id id) const {
    return bufferize::markIn(op->getLoc(), bufferize::Mark::asked) ||
           op->getName().getStringRef() != trace.ops[size_t(id)].name;
  }

  void add(Operation *op, Id madeFor) {
    made.push_back({trace.ops[size_t(madeFor)].block, nameOf(op, madeFor)});
    op->setLoc(
        tagOp(stripTag(op->getLoc()), Id(trace.ops.size() + made.size() - 1)));
  }

  std::string nameOf(Operation *op, Id madeFor) const {
    if (auto copy = dyn_cast<bufferization::AllocTensorOp>(op)) {
      if (copy.getCopy())
        return "copy" + baseOf(copy.getCopy());
      const std::vector<Id> &results = trace.ops[size_t(madeFor)].results;
      return "new" +
             (results.empty() || results.front() == none
                  ? ""
                  : "_" + roleBase(trace.values[size_t(results.front())].name));
    }
    if (auto size = dyn_cast<tensor::DimOp>(op))
      return "size" + baseOf(size.getSource());
    return "made";
  }

  std::string baseOf(Value value) const {
    const Id id = taggedValue(value, trace);
    return id == none ? "" : "_" + roleBase(trace.values[size_t(id)].name);
  }

  const trace::Trace &trace;
  std::vector<NewOp> made;
};
} // namespace

std::string copiesText(ModuleOp module, const trace::Trace &trace,
                       const CopiesTextOptions &options) {
  if (options.text == StageText::none || module->getParentOp())
    return {};
  const PrintFacts facts{.resources = options.resources};
  if (options.text == StageText::upstream)
    return printAsUpstream(module, facts);
  // The tags of the module itself are what bufferization's record needs.
  OwningOpRef<ModuleOp> copy = module.clone();
  const std::vector<NewOp> made = NewNames(trace).in(*copy);
  return SourceNames(*copy, trace, options.start, made)
      .putInto(printTagged(*copy, facts));
}

} // namespace memreflens
