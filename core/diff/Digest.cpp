//===- core/diff/Digest.cpp -----------------------------------------------===//

#include "core/diff/Digest.h"
#include "core/text/Comments.h"

#include <cctype>

namespace memreflens::diff {

using trace::Id;
using trace::none;

static bool isNameLetter(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_' ||
         letter == '$' || letter == '.' || letter == '-' || letter == '#' ||
         letter == ':';
}

std::string withoutNames(std::string_view text) {
  std::string plain;
  for (size_t at = 0; at < text.size(); ++at) {
    char letter = text[at];
    if (letter == '"') { // A string stays as it is.
      size_t end = at + 1;
      while (end < text.size() && text[end] != '"')
        end += text[end] == '\\' ? 2 : 1;
      end = std::min(end, text.size() - 1);
      plain += text.substr(at, end - at + 1);
      at = end;
    } else if (text.substr(at, 2) == "//") {
      at = endOfComment(text, at) - 1;
    } else if (std::isspace(static_cast<unsigned char>(letter))) {
      if (!plain.empty() && plain.back() != ' ')
        plain += ' ';
    } else if (letter == '%' || letter == '^') {
      plain += letter;
      while (at + 1 < text.size() && isNameLetter(text[at + 1]))
        ++at;
    } else {
      plain += letter;
    }
  }
  return plain;
}

/// Of an op without regions: those are looked at by themselves.
static uint64_t textDigest(const trace::Trace &trace, const trace::Op &op) {
  constexpr uint32_t longest = 1 << 14;
  if (op.range.empty() || !op.regions.empty() ||
      op.range.end - op.range.begin > longest)
    return 0;
  std::string_view text = trace.source.text;
  // From the op's name on: what stands before are its results.
  uint32_t begin = op.nameRange.empty() ? op.range.begin : op.nameRange.begin;
  begin = std::min(begin, op.range.end);
  return Hash()
      .add(withoutNames(text.substr(begin, op.range.end - begin)))
      .get();
}

static uint64_t valueDigest(const trace::Trace &trace,
                            const std::vector<OpDigest> &digests, Id id,
                            Id user) {
  if (id == none)
    return 1;
  const trace::Value &value = trace.values[size_t(id)];
  Hash hash;
  hash.add(value.type).add(value.index);
  // What is made further down comes in over a loop of a graph region.
  if (value.op != none && value.op < user)
    hash.add(digests[size_t(value.op)].made);
  else if (value.op == none && value.block != none)
    hash.add(trace.blocks[size_t(value.block)].isEntry ? 3 : 2);
  return hash.get();
}

static uint64_t madeDigest(const trace::Trace &trace,
                           const std::vector<OpDigest> &digests,
                           const trace::Op &op) {
  Hash hash;
  hash.add(op.name).add(op.successors.size());
  for (Id operand : op.operands)
    hash.add(valueDigest(trace, digests, operand, op.id));
  for (Id result : op.results)
    hash.add(result == none
                 ? std::string_view()
                 : std::string_view(trace.values[size_t(result)].type));
  for (const std::vector<Id> &region : op.regions) {
    hash.add(region.size());
    if (!region.empty() && region.front() != none)
      hash.add(trace.blocks[size_t(region.front())].ops.size());
  }
  return hash.get();
}

std::vector<OpDigest> digestsOf(const trace::Trace &trace) {
  std::vector<OpDigest> digests(trace.ops.size());
  for (const trace::Op &op : trace.ops) {
    OpDigest &digest = digests[size_t(op.id)];
    digest.made = madeDigest(trace, digests, op);
    if (!op.generated)
      digest.text = textDigest(trace, op);
  }
  std::vector<Hash> used(trace.ops.size());
  for (const trace::Op &op : trace.ops) {
    if (op.generated)
      continue;
    for (size_t i = 0; i < op.operands.size(); ++i) {
      Id operand = op.operands[i];
      Id by = operand == none ? none : trace.values[size_t(operand)].op;
      if (by != none)
        used[size_t(by)]
            .add(trace.values[size_t(operand)].index)
            .add(op.name)
            .add(i)
            .add(digests[size_t(op.id)].text);
    }
  }
  for (size_t i = 0; i < used.size(); ++i)
    digests[i].used = used[i].get();
  return digests;
}

} // namespace memreflens::diff
