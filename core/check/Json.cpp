//===- core/check/Json.cpp - reports as JSON, and back --------------------===//

#include "core/check/Formats.h"
#include "core/text/Plain.h"
#include "core/trace/Names.h"

#include <nlohmann/json.hpp>

#include <map>
#include <type_traits>
#include <utility>

namespace memreflens {

using Json = nlohmann::ordered_json;

static constexpr int formatVersion = 1;

//===--- Out --------------------------------------------------------------===//

namespace {
/// As it goes: a report may have tens of megabytes, and as many again for each
/// copy of a document. A level is indented by one.
class Writer {
public:
  void write(const CheckOutput &output);
  std::string take() { return std::move(text) + "\n"; }

private:
  /// Begins an element of a list, or the key of an attribute.
  void beginLine() {
    if (hasElements)
      text += ',';
    hasElements = true;
    text += '\n';
    text.append(depth, ' ');
  }
  void between(char begin, char end, const auto &writeElements) {
    text += begin;
    ++depth;
    hasElements = false;
    writeElements();
    --depth;
    if (std::exchange(hasElements, true)) {
      text += '\n';
      text.append(depth, ' ');
    }
    text += end;
  }
  template <class T>
    requires std::is_arithmetic_v<T>
  void write(T number) {
    if constexpr (std::is_same_v<T, bool>)
      text += number ? "true" : "false";
    else
      text += std::to_string(number);
  }
  void write(std::string_view words);
  template <class T> void write(const std::vector<T> &list) {
    between('[', ']', [&] {
      for (const auto &element : list) {
        beginLine();
        write(element);
      }
    });
  }
  void beginAttribute(std::string_view key) {
    beginLine();
    write(key);
    text += ": ";
  }
  template <class T> void add(std::string_view key, const T &value) {
    beginAttribute(key);
    write(value);
  }
  /// Those of an object, in turn.
  template <class T, class... More>
  void add(std::string_view key, const T &value, const More &...more) {
    add(key, value);
    add(more...);
  }
  template <class... Attributes>
  void writeObject(const Attributes &...attributes) {
    between('{', '}', [&] { add(attributes...); });
  }

  void write(const Place &place);
  void write(const FindingNote &note);
  void write(const NumberChange &change);
  void write(const Acceptance &acceptance);
  void write(const SharedRemedy &tried);
  void write(const CauseRun &run);
  void write(const Cause &cause);
  void write(const Finding &finding);
  void addRemedies(const std::vector<Advice> &remedies);
  void write(const PeakPart &part);
  void write(const std::pair<std::string, uint64_t> &cause);
  void write(const PeakCosts &costs);
  void write(const std::optional<uint64_t> &number) {
    text += number ? std::to_string(*number) : "null";
  }
  void write(const SpaceCosts &costs);
  void write(const ExecutedCosts &costs);
  void write(const FunctionCosts &costs);
  void write(const Exploration &exploration);
  void write(const TensorCauseText &cause);
  void write(const TensorReport &tensors);
  void write(const FileReport &report, const std::string &overview);

  std::string text;
  size_t depth = 0;
  /// Of the list or object that is open.
  bool hasElements = false;
  /// Texts of those that thousands of findings may share.
  std::map<std::pair<const TriedRemedy *, size_t>, std::string> remedies;
};
} // namespace

/// Text of a user's file need not be UTF-8.
static std::string dump(const Json &json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

void Writer::write(std::string_view words) {
  if (plainBytes(words) == words.size())
    text.append("\"").append(words).append("\"");
  else
    text += dump(Json(words), -1);
}

void Writer::write(const Place &place) {
  writeObject("line", place.line, "column", place.column, "endLine",
              place.endLine, "endColumn", place.endColumn, "utf16Column",
              place.utf16Column, "utf16EndColumn", place.utf16EndColumn);
}

void Writer::write(const FindingNote &note) {
  writeObject("text", note.text, "place", note.place);
}

void Writer::write(const NumberChange &change) {
  writeObject("what", std::string(wordsOf(change.what)), "before",
              change.before, "after", change.after, "text", change.text, "now",
              change.now);
}

void Writer::write(const Acceptance &acceptance) {
  writeObject("wasRejected", acceptance.wasRejected, "clones",
              acceptance.clones, "runTimeChecks", acceptance.runTimeChecks,
              "helperCalls", acceptance.helperCalls);
}

static std::vector<std::string> namesOf(const RemedyPasses &passes) {
  std::vector<std::string> names;
  for (RemedyPass pass : passes)
    names.emplace_back(nameOf(pass));
  return names;
}

void Writer::write(const SharedRemedy &tried) {
  auto [known, isNew] = remedies.try_emplace({tried.get(), depth});
  if (!isNew) {
    text += known->second;
    return;
  }
  const size_t begin = text.size();
  between('{', '}', [&] {
    add("remedy", tried->remedy, "label", tried->label, "passes",
        namesOf(tried->passes), "outcome", tried->outcome, "pipeline",
        tried->pipeline, "commands", tried->commands, "code", tried->code,
        "edit", tried->edit, "helps", tried->helps, "allPaths", tried->allPaths,
        "changes", tried->changes);
    if (tried->acceptance)
      add("acceptance", *tried->acceptance);
  });
  known->second = text.substr(begin);
}

void Writer::write(const CauseRun &run) {
  writeObject("compared", run.compared, "same", run.same);
}

void Writer::write(const Cause &cause) {
  const CauseCosts &costs = cause.costs;
  between('{', '}', [&] {
    add("kind", nameOf(cause.kind), "function", cause.function, "chunk",
        cause.chunk, "rule", cause.rule, "sentence", cause.sentence,
        "namesPlace", cause.namesPlace, "place", cause.place, "evidence",
        cause.evidence, "clones", costs.clones, "cloneBytes", costs.cloneBytes,
        "runTimeChecks", costs.runTimeChecks, "helperCalls", costs.helperCalls,
        "compares", costs.compares, "conditionalDeallocs",
        costs.conditionalDeallocs, "lateDeallocs", costs.lateDeallocs,
        "lateBytes", costs.lateBytes, "loopAllocations", costs.loopAllocations,
        "executedAllocations", costs.executedAllocations, "executedBytes",
        costs.executedBytes, "findings", costs.findings, "growingClones",
        costs.growingClones, "alsoNeeded", cause.alsoNeeded);
    if (cause.run)
      add("run", *cause.run);
  });
}

void Writer::addRemedies(const std::vector<Advice> &remedies) {
  std::vector<std::string> words;
  std::vector<std::vector<std::string>> passes;
  std::vector<size_t> vain;
  for (const Advice &remedy : remedies) {
    if (remedy.isVain)
      vain.push_back(words.size());
    words.push_back(remedy.words);
    passes.push_back(namesOf(remedy.passes));
  }
  add("remedies", words, "remedyPasses", passes, "vainRemedies", vain);
}

void Writer::write(const Finding &finding) {
  between('{', '}', [&] {
    add("rule", finding.rule, "severity", trace::nameOf(finding.severity),
        "file", finding.file, "function", finding.function, "chunk",
        finding.chunk, "message", finding.message, "place", finding.place,
        "related", finding.related, "path", finding.path);
    addRemedies(finding.remedies);
    add("tried", finding.tried, "cause", finding.cause, "subject",
        finding.subject, "fingerprint", finding.fingerprint, "oldFingerprint",
        finding.oldFingerprint);
  });
}

void Writer::write(const PeakPart &part) {
  writeObject("name", part.name, "bytes", part.bytes, "place", part.place,
              "use", part.use, "why", part.why);
}

void Writer::write(const std::pair<std::string, uint64_t> &cause) {
  writeObject("cause", cause.first, "bytes", cause.second);
}

void Writer::write(const PeakCosts &costs) {
  writeObject("at", costs.at, "parts", costs.parts, "others", costs.others,
              "otherBytes", costs.otherBytes, "causes", costs.causes, "curve",
              costs.curve, "origin", costs.origin, "expression",
              costs.expression);
}

void Writer::write(const SpaceCosts &costs) {
  writeObject("space", costs.space, "name", costs.name, "peakBytes",
              costs.peakBytes, "peakIsLowerBound", costs.peakIsLowerBound,
              "globalBytes", costs.globalBytes, "capacityBytes", costs.capacity,
              "peak", costs.peak);
}

void Writer::write(const ExecutedCosts &costs) {
  writeObject("allocations", costs.allocations, "allocatedBytes",
              costs.allocatedBytes, "copies", costs.copies, "copiedBytes",
              costs.copiedBytes, "isAtMost", costs.isAtMost, "isCalled",
              costs.isCalled, "words", costs.words, "growth", costs.growth);
}

void Writer::write(const FunctionCosts &costs) {
  writeObject("function", costs.function, "place", costs.place, "clones",
              costs.clones, "runTimeChecks", costs.runTimeChecks, "helperCalls",
              costs.helperCalls, "peakBytes", costs.peakBytes, "unsizedBuffers",
              costs.unsizedBuffers, "peakIsLowerBound", costs.peakIsLowerBound,
              "peak", costs.peak, "spaces", costs.spaces, "aCall", costs.aCall,
              "allocations", costs.allocations, "frees", costs.frees,
              "conditionalFrees", costs.conditionalFrees, "ownershipResults",
              costs.ownershipResults, "status", costs.status, "digest",
              costs.digest, "decisions", costs.decisions);
}

void Writer::write(const Exploration &exploration) {
  writeObject("function", exploration.function, "bounds", exploration.bounds,
              "complete", exploration.complete, "assumed", exploration.assumed,
              "unfollowed", exploration.unfollowed, "place", exploration.place);
}

void Writer::write(const TensorCauseText &cause) {
  writeObject("rule", cause.rule, "sentence", cause.sentence, "costs",
              cause.costs, "place", cause.place, "advice", cause.advice);
}

void Writer::write(const TensorReport &tensors) {
  writeObject("counts", tensors.counts, "slow", tensors.slow, "bounded",
              tensors.bounded, "causes", tensors.causes);
}

void Writer::write(const FileReport &report, const std::string &overview) {
  between('{', '}', [&] {
    add("file", report.file, "unreadable", report.unreadable, "unparsed",
        report.unparsed);
    if (!report.tensors.counts.empty())
      add("tensors", report.tensors);
    add("findings", report.findings, "causes", report.causes, "costs",
        report.costs, "rejectedAllocations", report.rejectedAllocations,
        "explorations", report.explorations, "untried", report.untried);
    if (overview.empty())
      return;
    beginAttribute("overview");
    for (char c : dump(Json::parse(overview), 1)) {
      text += c;
      if (c == '\n')
        text.append(depth, ' ');
    }
  });
}

void Writer::write(const CheckOutput &output) {
  between('{', '}', [&] {
    add("format", "memref-lens check", "version", formatVersion, "toolVersion",
        output.toolVersion);
    beginAttribute("files");
    between('[', ']', [&] {
      for (size_t i = 0; i < output.reports.size(); ++i) {
        beginLine();
        write(output.reports[i],
              i < output.overviews.size() ? output.overviews[i] : "");
      }
    });
    if (!output.change)
      return;
    beginAttribute("baseline");
    writeObject("new", output.change->added, "fixed", output.change->fixed,
                "unchanged", output.change->unchanged);
  });
}

std::string asJson(const CheckOutput &output) {
  Writer writer;
  writer.write(output);
  return writer.take();
}

//===--- In ---------------------------------------------------------------===//

static Place placeFrom(const Json &json) {
  return {json.at("line"),
          json.at("column"),
          json.at("endLine"),
          json.at("endColumn"),
          json.value("utf16Column", 0u),
          json.value("utf16EndColumn", 0u)};
}

static std::vector<FindingNote> notesFrom(const Json &json) {
  std::vector<FindingNote> notes;
  for (const Json &entry : json)
    notes.push_back({placeFrom(entry.at("place")), entry.at("text")});
  return notes;
}

/// What reports of earlier versions do not have.
static Json listIn(const Json &json, const char *key) {
  return json.value(key, Json::array());
}

static Cause causeFrom(const Json &json) {
  Cause cause;
  cause.kind = causeKindNamed(json.at("kind").get<std::string>());
  cause.function = json.at("function");
  cause.chunk = json.at("chunk");
  cause.rule = json.at("rule");
  cause.sentence = json.at("sentence");
  cause.namesPlace = json.value("namesPlace", false);
  cause.place = placeFrom(json.at("place"));
  cause.evidence = notesFrom(json.at("evidence"));
  cause.costs = {json.at("clones"),
                 json.at("cloneBytes"),
                 json.at("runTimeChecks"),
                 json.at("helperCalls"),
                 json.at("compares"),
                 json.at("conditionalDeallocs"),
                 json.at("lateDeallocs"),
                 json.at("lateBytes"),
                 json.value("loopAllocations", uint64_t(0)),
                 json.value("executedAllocations", uint64_t(0)),
                 json.value("executedBytes", uint64_t(0)),
                 json.at("findings"),
                 json.value("growingClones", uint64_t(0))};
  cause.alsoNeeded = json.at("alsoNeeded");
  if (json.contains("run"))
    cause.run =
        CauseRun{json.at("run").at("compared"), json.at("run").at("same")};
  return cause;
}

static std::vector<NumberChange> changesFrom(const Json &json) {
  std::vector<NumberChange> changes;
  for (const Json &entry : json)
    if (const std::optional<Quantity> what =
            quantityNamed(entry.at("what").get<std::string>()))
      changes.push_back({*what, entry.at("before"), entry.at("after"),
                         entry.at("text"), entry.value("now", std::string())});
  return changes;
}

static std::optional<Acceptance> acceptanceFrom(const Json &remedy) {
  const auto json = remedy.find("acceptance");
  if (json == remedy.end())
    return std::nullopt;
  return Acceptance{json->at("wasRejected"), json->at("clones"),
                    json->at("runTimeChecks"), json->at("helperCalls")};
}

static PeakCosts peakFrom(const Json &json) {
  PeakCosts costs;
  costs.at = json.at("at");
  for (const Json &part : json.at("parts"))
    costs.parts.push_back({part.at("name"), part.at("bytes"),
                           placeFrom(part.at("place")), part.at("use"),
                           part.at("why")});
  costs.others = json.at("others");
  costs.otherBytes = json.at("otherBytes");
  for (const Json &cause : json.at("causes"))
    costs.causes.push_back({cause.at("cause"), cause.at("bytes")});
  costs.curve = json.at("curve").get<std::vector<uint64_t>>();
  costs.origin = json.value("origin", std::string());
  costs.expression = json.value("expression", std::string());
  return costs;
}

static std::optional<uint64_t> numberIn(const Json &json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<uint64_t>());
}

static SpaceCosts spaceFrom(const Json &json) {
  SpaceCosts costs;
  costs.space = json.at("space");
  costs.name = json.at("name");
  costs.peakBytes = json.at("peakBytes");
  costs.peakIsLowerBound = json.at("peakIsLowerBound");
  costs.globalBytes = json.at("globalBytes");
  costs.capacity = numberIn(json.at("capacityBytes"));
  costs.peak = peakFrom(json.at("peak"));
  return costs;
}

static ExecutedCosts executedFrom(const Json &json) {
  return {numberIn(json.at("allocations")),
          numberIn(json.at("allocatedBytes")),
          numberIn(json.at("copies")),
          numberIn(json.at("copiedBytes")),
          json.at("isAtMost"),
          json.at("isCalled"),
          json.at("words"),
          json.value("growth", std::string())};
}

static FunctionCosts costsFrom(const Json &json) {
  FunctionCosts costs;
  costs.function = json.at("function");
  costs.place = placeFrom(json.at("place"));
  costs.clones = json.at("clones");
  costs.runTimeChecks = json.at("runTimeChecks");
  costs.helperCalls = json.at("helperCalls");
  costs.peakBytes = json.at("peakBytes");
  costs.unsizedBuffers = json.value("unsizedBuffers", uint64_t(0));
  costs.peakIsLowerBound =
      json.value("peakIsLowerBound", costs.unsizedBuffers > 0);
  if (json.contains("peak"))
    costs.peak = peakFrom(json.at("peak"));
  if (json.contains("aCall"))
    costs.aCall = executedFrom(json.at("aCall"));
  for (const Json &space : json.value("spaces", Json::array()))
    costs.spaces.push_back(spaceFrom(space));
  costs.allocations = json.value("allocations", uint64_t(0));
  costs.frees = json.value("frees", uint64_t(0));
  costs.conditionalFrees = json.value("conditionalFrees", uint64_t(0));
  costs.ownershipResults = json.value("ownershipResults", uint64_t(0));
  costs.status = json.value("status", std::string());
  costs.digest = json.value("digest", std::string());
  costs.decisions = listIn(json, "decisions");
  return costs;
}

static RemedyPasses passesFrom(const Json &names) {
  RemedyPasses passes;
  for (const Json &name : names)
    if (auto pass = passNamed(name.get<std::string>()))
      passes.push_back(*pass);
  return passes;
}

static TensorReport tensorsFrom(const Json &json) {
  TensorReport tensors = {
      json.at("counts"), json.value("slow", ""), json.value("bounded", ""), {}};
  for (const Json &cause : json.at("causes"))
    tensors.causes.push_back({cause.at("rule"), cause.at("sentence"),
                              cause.at("costs"), placeFrom(cause.at("place")),
                              cause.at("advice")});
  return tensors;
}

static Finding findingFrom(const Json &json) {
  Finding finding;
  finding.rule = json.at("rule");
  finding.severity = trace::enumeratorNamed<trace::Severity>(
                         json.at("severity").get<std::string>())
                         .value_or(trace::Severity::error);
  finding.file = json.at("file");
  finding.function = json.at("function");
  finding.chunk = json.value("chunk", trace::none);
  finding.message = json.at("message");
  finding.place = placeFrom(json.at("place"));
  finding.related = notesFrom(json.at("related"));
  finding.path = notesFrom(json.at("path"));
  const Json passes = listIn(json, "remedyPasses");
  for (const Json &words : json.at("remedies")) {
    const size_t at = finding.remedies.size();
    Advice &advice = finding.remedies.emplace_back(words.get<std::string>());
    if (at < passes.size())
      advice.passes = passesFrom(passes.at(at));
  }
  for (const Json &at : listIn(json, "vainRemedies"))
    if (const size_t vain = at.get<size_t>(); vain < finding.remedies.size())
      finding.remedies[vain].isVain = true;
  for (const Json &entry : listIn(json, "tried"))
    finding.tried.push_back(std::make_shared<TriedRemedy>(TriedRemedy{
        entry.at("remedy"), entry.value("label", std::string()),
        passesFrom(listIn(entry, "passes")), entry.at("outcome"),
        entry.at("pipeline"), listIn(entry, "commands"), listIn(entry, "code"),
        listIn(entry, "edit"), entry.at("helps"), entry.value("allPaths", true),
        changesFrom(listIn(entry, "changes")), acceptanceFrom(entry)}));
  finding.cause = json.value("cause", int64_t(-1));
  finding.subject = json.value("subject", std::string());
  finding.fingerprint = json.at("fingerprint");
  // Of a version that had no other.
  finding.oldFingerprint = json.value("oldFingerprint", finding.fingerprint);
  return finding;
}

static FileReport reportFrom(const Json &json) {
  FileReport report;
  report.file = json.at("file");
  report.unreadable = json.at("unreadable");
  report.unparsed = json.value("unparsed", uint64_t(0));
  if (const auto tensors = json.find("tensors"); tensors != json.end())
    report.tensors = tensorsFrom(*tensors);
  for (const Json &entry : json.at("findings"))
    report.findings.push_back(findingFrom(entry));
  for (const Json &entry : listIn(json, "causes"))
    report.causes.push_back(causeFrom(entry));
  for (const Json &entry : json.at("costs"))
    report.costs.push_back(costsFrom(entry));
  for (const Json &entry : json.at("explorations"))
    report.explorations.push_back(
        {entry.at("function"), /*isInput=*/false, entry.at("bounds"),
         entry.at("complete"), listIn(entry, "assumed"),
         listIn(entry, "unfollowed"),
         entry.contains("place") ? placeFrom(entry.at("place")) : Place()});
  report.rejectedAllocations = json.value("rejectedAllocations", uint64_t(0));
  report.untried = listIn(json, "untried");
  return report;
}

std::optional<std::vector<FileReport>> readJsonReports(const std::string &text,
                                                       std::string &error) {
  try {
    Json root = Json::parse(text);
    if (root.at("format") != "memref-lens check" ||
        root.at("version") != formatVersion) {
      error = "not written by this version of 'memref-lens check'";
      return std::nullopt;
    }
    std::vector<FileReport> reports;
    for (const Json &file : root.at("files"))
      reports.push_back(reportFrom(file));
    return reports;
  } catch (const nlohmann::json::exception &problem) {
    error = problem.what();
    return std::nullopt;
  }
}

} // namespace memreflens
