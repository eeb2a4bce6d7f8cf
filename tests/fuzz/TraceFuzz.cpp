//===- tests/fuzz/TraceFuzz.cpp - a trace from anywhere -------------------===//
//
// Whatever the text, the reader takes it or says where it is wrong, from memory
// and from a stream alike. What it takes holds together, answers every query,
// and is read back equal, with equal bytes, from what is written of it.
//
// Input: the JSON, changed by JsonMutations.cpp.
//
//===----------------------------------------------------------------------===//

#include "core/trace/Fate.h"
#include "core/trace/Json.h"
#include "core/trace/Origin.h"
#include "core/trace/PassBlocks.h"
#include "core/trace/StageTexts.h"
#include "core/trace/Text.h"
#include "core/trace/Validate.h"
#include "tests/fuzz/Fuzz.h"
#include "tests/support/EveryField.h"
#include "viewer/Salvage.h"

#include <sstream>

using namespace memreflens;
using namespace memreflens::trace;
using fuzz::require;

namespace {

std::string written(const Trace &trace) {
  std::ostringstream out;
  writeJson(trace, out);
  return out.str();
}

void askAtOffsets(const Trace &trace, const Index &index) {
  auto size = uint32_t(trace.source.text.size());
  uint32_t step = size / 64 + 1;
  for (uint32_t at = 0; at <= size + step; at += step) {
    Id value = index.valueAt(at);
    require(value == none || size_t(value) < trace.values.size(),
            "a value at a place is one of the trace's");
    index.opAt(at);
    index.blockAt(at);
    index.chunkAt(at);
    index.functionAt(at);
    ownershipAt(index, value, at);
  }
}

void askEverything(const Trace &trace) {
  Index index(trace);
  require(!toText(trace).empty(), "a trace has a text");
  for (const Value &value : trace.values) {
    require(fateOf(index, value.id).value == value.id, "a value has a fate");
    require(!indicatorOrigin(index, value.id).empty(), "and an origin");
    for (const Block &block : trace.blocks)
      ownershipAtEnd(index, value.id, block.id);
    index.functionOfValue(value.id);
    index.usersOf(value.id);
  }
  for (const Op &op : trace.ops) {
    require(index.beginOf(op.id) <= trace.source.text.size(),
            "an op begins in the text");
    for (const ForwardedOperand &one : forwardedOperands(trace, op))
      require(one.operand == none || size_t(one.operand) < trace.values.size(),
              "a forwarded operand is a value");
    index.generatedFor(op.id);
  }
  for (const Block &block : trace.blocks) {
    index.enclosingBlock(block.id);
    index.functionOfBlock(block.id);
  }
  for (const Chunk &chunk : trace.chunks)
    for (int number = -1; number < 10; ++number)
      stageText(trace, chunk.id, number);
  askAtOffsets(trace, index);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view text(reinterpret_cast<const char *>(data), size);
  ReadResult result = readJson(text);
  require(result.trace.has_value() == result.error.empty(),
          "a trace or an error", result.error);
  std::istringstream stream{std::string(text)};
  ReadResult streamed = readJson(stream);
  require(streamed.error == result.error, "a stream gives the same",
          streamed.error + "\n" + result.error);
  if (!result) {
    if (std::optional<Trace> saved = viewer::salvageTrace(text, result.error))
      require(!validate(*saved), "what is saved holds together",
              validate(*saved).value_or(""));
    return 0;
  }
  const Trace &trace = *result.trace;
  require(test::sameTrace(trace, *streamed.trace), "a stream gives the same");
  require(!validate(trace), "what is taken holds together");
  std::string bytes = written(trace);
  ReadResult again = readJson(bytes);
  require(again.trace.has_value(), "what is written is read", again.error);
  require(test::sameTrace(*again.trace, trace), "and is equal");
  require(written(*again.trace) == bytes, "and has equal bytes");
  askEverything(trace);
  return 0;
}
