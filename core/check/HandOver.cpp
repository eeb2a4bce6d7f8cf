//===- core/check/HandOver.cpp --------------------------------------------===//
//
// What a record has is listed once, for both directions: `each` shows the
// fields to a writer or a reader.
//
//===----------------------------------------------------------------------===//

#include "core/check/HandOver.h"
#include "core/trace/Utf8.h"

#include <nlohmann/json.hpp>

#include <cstring>
#include <map>
#include <type_traits>

namespace memreflens {

static constexpr std::string_view begin = "memref-lens report\n";
/// What was cut off does not end so.
static constexpr std::string_view end = "\nwhole";

//===--- What there is ----------------------------------------------------===//

/// With the place where it was made: whoever asks for that asks the parent.
static void each(auto &show, Sentence &sentence) {
  std::string &words = sentence;
  std::string file = sentence.madeAt().getFile();
  uint32_t line = sentence.madeAt().getLine();
  show(words, file, line);
  // Who writes has its place already.
  if (file != sentence.madeAt().getFile() ||
      line != sentence.madeAt().getLine())
    sentence.setMadeAt(SentencePlace::of(file, line));
}

static void each(auto &show, Place &place) {
  show(place.line, place.column, place.endLine, place.endColumn,
       place.utf16Column, place.utf16EndColumn);
}

static void each(auto &show, FindingNote &note) { show(note.place, note.text); }

static void each(auto &show, Advice &advice) {
  show(advice.words, advice.passes, advice.isVain);
}

static void each(auto &show, NumberChange &change) {
  show(change.what, change.before, change.after, change.text, change.now);
}

static void each(auto &show, Acceptance &acceptance) {
  show(acceptance.wasRejected, acceptance.clones, acceptance.runTimeChecks,
       acceptance.helperCalls);
}

static void each(auto &show, TriedRemedy &tried) {
  show(tried.remedy, tried.label, tried.passes, tried.outcome, tried.pipeline,
       tried.commands, tried.code, tried.edit, tried.helps, tried.allPaths,
       tried.changes, tried.acceptance);
}

static void each(auto &show, Finding &finding) {
  show(finding.rule, finding.severity, finding.file, finding.function,
       finding.chunk, finding.message, finding.place, finding.related,
       finding.path, finding.remedies, finding.tried, finding.subject,
       finding.fingerprint, finding.oldFingerprint, finding.cause);
}

static void each(auto &show, CauseRun &run) { show(run.compared, run.same); }

static void each(auto &show, CauseCosts &costs) {
  show(costs.clones, costs.cloneBytes, costs.runTimeChecks, costs.helperCalls,
       costs.compares, costs.conditionalDeallocs, costs.lateDeallocs,
       costs.lateBytes, costs.loopAllocations, costs.executedAllocations,
       costs.executedBytes, costs.findings, costs.growingClones);
}

static void each(auto &show, Cause &cause) {
  show(cause.kind, cause.function, cause.chunk, cause.rule, cause.sentence,
       cause.namesPlace, cause.place, cause.evidence, cause.costs, cause.run,
       cause.alsoNeeded);
}

static void each(auto &show, PeakPart &part) {
  show(part.name, part.bytes, part.place, part.use, part.why);
}

static void each(auto &show, PeakCosts &peak) {
  show(peak.at, peak.parts, peak.others, peak.otherBytes, peak.causes,
       peak.curve, peak.origin, peak.expression);
}

static void each(auto &show, ExecutedCosts &costs) {
  show(costs.allocations, costs.allocatedBytes, costs.copies, costs.copiedBytes,
       costs.isAtMost, costs.isCalled, costs.words);
}

static void each(auto &show, SpaceCosts &costs) {
  show(costs.space, costs.name, costs.peakBytes, costs.peakIsLowerBound,
       costs.globalBytes, costs.capacity, costs.peak);
}

static void each(auto &show, FunctionCosts &costs) {
  show(costs.function, costs.place, costs.clones, costs.runTimeChecks,
       costs.helperCalls, costs.peakBytes, costs.unsizedBuffers,
       costs.peakIsLowerBound, costs.peak, costs.spaces, costs.aCall,
       costs.allocations, costs.frees, costs.conditionalFrees,
       costs.ownershipResults, costs.digest, costs.decisions, costs.status);
}

static void each(auto &show, Exploration &exploration) {
  show(exploration.function, exploration.bounds, exploration.complete,
       exploration.assumed, exploration.unfollowed, exploration.place);
}

static void each(auto &show, TensorCauseText &cause) {
  show(cause.rule, cause.sentence, cause.costs, cause.place, cause.advice);
}

static void each(auto &show, TensorReport &tensors) {
  show(tensors.counts, tensors.slow, tensors.bounded, tensors.causes);
}

static void each(auto &show, FileReport &report) {
  show(report.file, report.tensors, report.findings, report.causes,
       report.costs, report.rejectedAllocations, report.explorations,
       report.untried, report.unreadable, report.unparsed);
}

template <typename First, typename Second>
static void each(auto &show, std::pair<First, Second> &pair) {
  show(pair.first, pair.second);
}

//===--- Out and in -------------------------------------------------------===//

template <typename Type>
concept Plain = std::is_arithmetic_v<Type> || std::is_enum_v<Type>;

/// Text of a user's file need not be UTF-8, and the JSON that may be made of it
/// has to be.
static std::string asUtf8(const std::string &text) {
  using nlohmann::json;
  return json::parse(
      json(text).dump(-1, ' ', false, json::error_handler_t::replace));
}

namespace {
class Packer {
public:
  void operator()(auto &...fields) { (write(fields), ...); }
  std::string take() { return std::move(bytes); }

private:
  template <Plain Type> void write(Type value) {
    bytes.append(reinterpret_cast<const char *>(&value), sizeof(value));
  }
  void write(std::string &text) {
    if (!trace::isValidUtf8(text))
      text = asUtf8(text);
    write(text.size());
    bytes += text;
  }
  template <typename Type> void write(std::vector<Type> &list) {
    write(list.size());
    for (Type &one : list)
      write(one);
  }
  template <typename Type> void write(std::optional<Type> &value) {
    write(value.has_value());
    if (value)
      write(*value);
  }
  /// Many findings share it: what comes again is its number.
  void write(SharedRemedy &remedy) {
    auto [at, isNew] = remedies.try_emplace(remedy.get(), remedies.size());
    write(at->second);
    if (isNew) {
      TriedRemedy copy = *remedy;
      write(copy);
    }
  }
  template <typename Type>
  void write(Type &record)
    requires std::is_class_v<Type>
  {
    each(*this, record);
  }

  std::string bytes;
  std::map<const TriedRemedy *, size_t> remedies;
};

class Reader {
public:
  explicit Reader(std::string_view bytes) : rest(bytes) {}
  void operator()(auto &...fields) { (read(fields), ...); }
  bool isWhole() const { return !isCut && rest.empty(); }

private:
  bool has(size_t size) {
    isCut |= size > rest.size();
    return !isCut;
  }
  template <Plain Type> void read(Type &value) {
    if (!has(sizeof(value)))
      return;
    std::memcpy(&value, rest.data(), sizeof(value));
    rest.remove_prefix(sizeof(value));
  }
  void read(std::string &text) {
    size_t size = 0;
    read(size);
    if (!has(size))
      return;
    text = rest.substr(0, size);
    rest.remove_prefix(size);
  }
  template <typename Type> void read(std::vector<Type> &list) {
    size_t size = 0;
    read(size);
    // Each has a byte at least.
    if (!has(size))
      return;
    list.reserve(size);
    for (size_t i = 0; i < size && !isCut; ++i)
      read(list.emplace_back());
  }
  template <typename Type> void read(std::optional<Type> &value) {
    bool isThere = false;
    read(isThere);
    if (isThere)
      read(value.emplace());
  }
  void read(SharedRemedy &remedy) {
    size_t number = 0;
    read(number);
    if (number == remedies.size()) {
      TriedRemedy made;
      read(made);
      remedies.push_back(std::make_shared<TriedRemedy>(std::move(made)));
    }
    isCut |= number >= remedies.size();
    if (!isCut)
      remedy = remedies[number];
  }
  template <typename Type>
  void read(Type &record)
    requires std::is_class_v<Type>
  {
    each(*this, record);
  }

  std::string_view rest;
  bool isCut = false;
  std::vector<SharedRemedy> remedies;
};
} // namespace

std::string asBytes(FileReport report) {
  Packer writer;
  writer(report);
  return std::string(begin) + writer.take() + std::string(end);
}

std::optional<FileReport> reportFromBytes(std::string_view bytes) {
  if (!bytes.starts_with(begin) || !bytes.ends_with(end) ||
      bytes.size() < begin.size() + end.size())
    return std::nullopt;
  bytes.remove_prefix(begin.size());
  bytes.remove_suffix(end.size());
  FileReport report;
  Reader reader(bytes);
  reader(report);
  return reader.isWhole() ? std::optional(std::move(report)) : std::nullopt;
}

} // namespace memreflens
