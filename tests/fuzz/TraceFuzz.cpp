//===- tests/fuzz/TraceFuzz.cpp - a trace from anywhere -------------------===//
//
// Whatever the text, the reader takes it or says where it is wrong, from memory
// and from a stream alike. What it takes holds together, answers every query,
// and is read back equal, with equal bytes, from what is written of it.
//
// Input: the JSON. Mutations replace numbers and whole records as well as
// bytes.
//
//===----------------------------------------------------------------------===//

#include "core/query/Fate.h"
#include "core/query/PassBlocks.h"
#include "core/trace/Json.h"
#include "core/trace/StageTexts.h"
#include "core/trace/Text.h"
#include "core/trace/Validate.h"
#include "tests/fuzz/Fuzz.h"
#include "tests/support/EveryField.h"
#include "viewer/work/Salvage.h"

#include <algorithm>
#include <random>
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
    index.functionAt(at);
    ownershipAt(index, value, at);
  }
}

void askEverything(const Trace &trace) {
  Index index(trace);
  require(!toText(trace).empty(), "a trace has a text");
  for (const Value &value : trace.values) {
    require(fateOf(index, value.id).value == value.id, "a value has a fate");
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

//===--- Mutations that keep it JSON --------------------------------------===//

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most)
    __attribute__((weak));

/// Another number, or another line, in the place of one.
static std::string changed(std::string json, std::mt19937 &random) {
  if (random() % 3) {
    size_t at = json.find_first_of("0123456789", random() % json.size());
    if (at == std::string::npos)
      return json;
    size_t end =
        std::min(json.find_first_not_of("0123456789", at), json.size());
    static const char *numbers[] = {"0", "1",  "2",  "3", "4",
                                    "7", "11", "-1", "8", "4294967295"};
    return json.replace(at, end - at, numbers[random() % 10]);
  }
  size_t begin = json.find('\n', random() % json.size());
  if (begin == std::string::npos)
    return json;
  size_t end = std::min(json.find('\n', begin + 1), json.size());
  std::string line = json.substr(begin, end - begin);
  if (random() % 2)
    return json.erase(begin, line.size());
  size_t to = json.find('\n', random() % json.size());
  return json.insert(to == std::string::npos ? begin : to, line);
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t most, unsigned seed) {
  std::mt19937 random(seed);
  if (size == 0 || random() % 2)
    return LLVMFuzzerMutate(data, size, most);
  std::string json(reinterpret_cast<char *>(data), size);
  for (unsigned rounds = random() % 3 + 1; rounds && !json.empty(); --rounds)
    json = changed(std::move(json), random);
  size_t kept = std::min(json.size(), most);
  std::copy_n(json.data(), kept, reinterpret_cast<char *>(data));
  return kept;
}
