//===- core/check/Json.cpp - reports as JSON, and back --------------------===//

#include "core/check/Formats.h"
#include "core/trace/Names.h"

#include <nlohmann/json.hpp>

#include <map>
#include <tuple>

namespace memreflens {

using Json = nlohmann::ordered_json;

static constexpr int formatVersion = 1;

//===--- Out --------------------------------------------------------------===//

static Json toJson(const Place &place) {
  return {{"line", place.line},
          {"column", place.column},
          {"endLine", place.endLine},
          {"endColumn", place.endColumn},
          {"utf16Column", place.utf16Column},
          {"utf16EndColumn", place.utf16EndColumn}};
}

static Json toJson(const std::vector<FindingNote> &notes) {
  Json list = Json::array();
  for (const FindingNote &note : notes)
    list.push_back({{"text", note.text}, {"place", toJson(note.place)}});
  return list;
}

static Json toJson(const std::vector<NumberChange> &changes) {
  Json list = Json::array();
  for (const NumberChange &change : changes)
    list.push_back({{"what", change.what},
                    {"before", change.before},
                    {"after", change.after},
                    {"text", change.text}});
  return list;
}

static Json toJson(const Acceptance &acceptance) {
  return {{"wasRejected", acceptance.wasRejected},
          {"clones", acceptance.clones},
          {"runTimeChecks", acceptance.runTimeChecks},
          {"helperCalls", acceptance.helperCalls}};
}

static Json toJson(const std::vector<SharedRemedy> &tried) {
  Json list = Json::array();
  for (const SharedRemedy &entry : tried) {
    list.push_back({{"remedy", entry->remedy},
                    {"label", entry->label},
                    {"outcome", entry->outcome},
                    {"pipeline", entry->pipeline},
                    {"commands", entry->commands},
                    {"code", entry->code},
                    {"edit", entry->edit},
                    {"helps", entry->helps},
                    {"allPaths", entry->allPaths},
                    {"changes", toJson(entry->changes)}});
    if (entry->acceptance)
      list.back()["acceptance"] = toJson(*entry->acceptance);
  }
  return list;
}

static Json toJson(const Cause &cause) {
  const CauseCosts &costs = cause.costs;
  Json json = {{"kind", std::string(nameOf(cause.kind))},
               {"function", cause.function},
               {"chunk", cause.chunk},
               {"rule", cause.rule},
               {"sentence", cause.sentence},
               {"place", toJson(cause.place)},
               {"evidence", toJson(cause.evidence)},
               {"clones", costs.clones},
               {"cloneBytes", costs.cloneBytes},
               {"runTimeChecks", costs.runTimeChecks},
               {"helperCalls", costs.helperCalls},
               {"compares", costs.compares},
               {"conditionalDeallocs", costs.conditionalDeallocs},
               {"lateDeallocs", costs.lateDeallocs},
               {"lateBytes", costs.lateBytes},
               {"findings", costs.findings},
               {"alsoNeeded", cause.alsoNeeded}};
  if (cause.run)
    json["run"] = {{"compared", cause.run->compared},
                   {"same", cause.run->same}};
  return json;
}

static Json toJson(const Finding &finding) {
  Json remedies = Json::array(), passes = Json::array(), vain = Json::array();
  for (const Advice &remedy : finding.remedies) {
    if (remedy.isVain)
      vain.push_back(remedies.size());
    remedies.push_back(remedy.words);
    Json &names = passes.emplace_back(Json::array());
    for (RemedyPass pass : remedy.passes)
      names.push_back(std::string(nameOf(pass)));
  }
  return {{"rule", finding.rule},
          {"severity", std::string(trace::nameOf(finding.severity))},
          {"file", finding.file},
          {"function", finding.function},
          {"chunk", finding.chunk},
          {"message", finding.message},
          {"place", toJson(finding.place)},
          {"related", toJson(finding.related)},
          {"path", toJson(finding.path)},
          {"remedies", remedies},
          {"remedyPasses", passes},
          {"vainRemedies", vain},
          {"tried", toJson(finding.tried)},
          {"cause", finding.cause},
          {"subject", finding.subject},
          {"fingerprint", finding.fingerprint},
          {"oldFingerprint", finding.oldFingerprint}};
}

static Json toJson(const PeakCosts &costs) {
  Json parts = Json::array(), causes = Json::array();
  for (const PeakPart &part : costs.parts)
    parts.push_back({{"name", part.name},
                     {"bytes", part.bytes},
                     {"place", toJson(part.place)},
                     {"use", part.use},
                     {"why", part.why}});
  for (const auto &[words, bytes] : costs.causes)
    causes.push_back({{"cause", words}, {"bytes", bytes}});
  return {{"at", costs.at},
          {"parts", std::move(parts)},
          {"others", costs.others},
          {"otherBytes", costs.otherBytes},
          {"causes", std::move(causes)},
          {"curve", costs.curve}};
}

static Json toJson(const FileReport &report) {
  Json findings = Json::array(), costs = Json::array(), paths = Json::array(),
       causes = Json::array();
  for (const Finding &finding : report.findings)
    findings.push_back(toJson(finding));
  for (const Cause &cause : report.causes)
    causes.push_back(toJson(cause));
  for (const FunctionCosts &entry : report.costs)
    costs.push_back({{"function", entry.function},
                     {"place", toJson(entry.place)},
                     {"clones", entry.clones},
                     {"runTimeChecks", entry.runTimeChecks},
                     {"helperCalls", entry.helperCalls},
                     {"peakBytes", entry.peakBytes},
                     {"unsizedBuffers", entry.unsizedBuffers},
                     {"peakIsLowerBound", entry.peakIsLowerBound},
                     {"peak", toJson(entry.peak)},
                     {"allocations", entry.allocations},
                     {"frees", entry.frees},
                     {"conditionalFrees", entry.conditionalFrees},
                     {"ownershipResults", entry.ownershipResults},
                     {"status", entry.status},
                     {"digest", entry.digest},
                     {"decisions", entry.decisions}});
  for (const Exploration &entry : report.explorations)
    paths.push_back({{"function", entry.function},
                     {"bounds", entry.bounds},
                     {"complete", entry.complete},
                     {"assumed", entry.assumed},
                     {"unfollowed", entry.unfollowed},
                     {"place", toJson(entry.place)}});
  return {{"file", report.file},
          {"unreadable", report.unreadable},
          {"unparsed", report.unparsed},
          {"findings", findings},
          {"causes", causes},
          {"costs", costs},
          {"explorations", paths},
          {"untried", report.untried}};
}

/// Text of a user's file need not be UTF-8.
static std::string dump(const Json &json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string asJson(const CheckOutput &output) {
  Json root = {{"format", "memref-lens check"},
               {"version", formatVersion},
               {"toolVersion", output.toolVersion}};
  root["files"] = Json::array();
  for (size_t i = 0; i < output.reports.size(); ++i) {
    root["files"].push_back(toJson(output.reports[i]));
    if (i < output.overviews.size())
      root["files"].back()["overview"] = Json::parse(output.overviews[i]);
  }
  if (output.change) {
    Json added = Json::array(), fixed = Json::array();
    for (const Finding &finding : output.change->added)
      added.push_back(toJson(finding));
    for (const Finding &finding : output.change->fixed)
      fixed.push_back(toJson(finding));
    root["baseline"] = {{"new", added},
                        {"fixed", fixed},
                        {"unchanged", output.change->unchanged}};
  }
  return dump(root);
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
  cause.place = placeFrom(json.at("place"));
  cause.evidence = notesFrom(json.at("evidence"));
  cause.costs = {json.at("clones"),        json.at("cloneBytes"),
                 json.at("runTimeChecks"), json.at("helperCalls"),
                 json.at("compares"),      json.at("conditionalDeallocs"),
                 json.at("lateDeallocs"),  json.at("lateBytes"),
                 json.at("findings")};
  cause.alsoNeeded = json.at("alsoNeeded");
  if (json.contains("run"))
    cause.run =
        CauseRun{json.at("run").at("compared"), json.at("run").at("same")};
  return cause;
}

static std::vector<NumberChange> changesFrom(const Json &json) {
  std::vector<NumberChange> changes;
  for (const Json &entry : json)
    changes.push_back({entry.at("what"), entry.at("before"), entry.at("after"),
                       entry.at("text")});
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
  return costs;
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
  costs.allocations = json.value("allocations", uint64_t(0));
  costs.frees = json.value("frees", uint64_t(0));
  costs.conditionalFrees = json.value("conditionalFrees", uint64_t(0));
  costs.ownershipResults = json.value("ownershipResults", uint64_t(0));
  costs.status = json.value("status", std::string());
  costs.digest = json.value("digest", std::string());
  costs.decisions = listIn(json, "decisions");
  return costs;
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
      for (const Json &name : passes.at(at))
        if (auto pass = passNamed(name.get<std::string>()))
          advice.passes.push_back(*pass);
  }
  for (const Json &at : listIn(json, "vainRemedies"))
    if (const size_t vain = at.get<size_t>(); vain < finding.remedies.size())
      finding.remedies[vain].isVain = true;
  for (const Json &entry : listIn(json, "tried"))
    finding.tried.push_back(std::make_shared<TriedRemedy>(
        TriedRemedy{entry.at("remedy"),
                    entry.value("label", std::string()),
                    {},
                    entry.at("outcome"),
                    entry.at("pipeline"),
                    listIn(entry, "commands"),
                    listIn(entry, "code"),
                    listIn(entry, "edit"),
                    entry.at("helps"),
                    entry.value("allPaths", true),
                    changesFrom(listIn(entry, "changes")),
                    acceptanceFrom(entry)}));
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
