//===- core/execute/RunText.cpp - a run in words --------------------------===//

#include "core/execute/Record.h"
#include "core/execute/RunTables.h"
#include "core/explain/Words.h"
#include "core/query/Lifetimes.h"
#include "core/text/Bytes.h"

#include <algorithm>
#include <csignal>

namespace memreflens::execute {

std::string_view nameOf(SiteKind kind) {
  static constexpr std::string_view names[] = {
      "allocation", "deallocation", "condition", "comparison",
      "call",       "block",        "other"};
  return size_t(kind) < std::size(names) ? names[size_t(kind)] : "";
}

std::string_view nameOf(RunEnd end) {
  static constexpr std::string_view names[] = {"returned", "notRun", "crashed",
                                               "timedOut", "outOfMemory"};
  return size_t(end) < std::size(names) ? names[size_t(end)] : "";
}

std::string Site::title() const {
  std::string text = value.empty() ? opName : value;
  if (line > 0)
    text += " (" + std::to_string(line) + ":" + std::to_string(column) + ")";
  return text;
}

/// "memref.load (12:5)": what an op does is told by its name.
static std::string opTitle(const Site &site) {
  Site op = site;
  op.value.clear();
  return op.title();
}

static std::string times(uint64_t count) {
  return count == 1 ? "once" : counted(count, "time");
}

//===--- Faults -----------------------------------------------------------===//

namespace {
class FaultWords {
public:
  FaultWords(const Record &record, const Fault &fault)
      : record(record), fault(fault) {}
  std::string sentence() const;
  std::string buffer() const;

private:
  /// "deallocated at 12:5"; with the op where it has no place.
  std::string by(int64_t site) const {
    return site < 0 ? std::string("an unknown op")
                    : opTitle(record.sites[size_t(site)]);
  }
  std::string access() const {
    const bool isAccess = fault.size > 0 || fault.offset != 0;
    return std::string(fault.isWrite ? "written"
                       : isAccess    ? "read"
                                     : "used") +
           " by " + by(fault.site);
  }

  const Record &record;
  const Fault &fault;
};
} // namespace

std::string FaultWords::buffer() const {
  if (!fault.argument.empty())
    return fault.argument;
  if (fault.allocation >= 0)
    return record.sites[size_t(fault.allocation)].title();
  return "a buffer";
}

std::string FaultWords::sentence() const {
  const std::string again =
      fault.times > 1 ? ", " + times(fault.times) : std::string();
  switch (fault.kind) {
  case FaultKind::leak:
    return buffer() + " is never deallocated" + again + ", " +
           bytesText(uint64_t(fault.size)) + " in all";
  case FaultKind::doubleFree:
    return buffer() + " is deallocated again by " + by(fault.site) + again +
           (fault.deallocation < 0 ? "" : ", after " + by(fault.deallocation));
  case FaultKind::useAfterFree:
    return buffer() + " is " + access() + " after it was deallocated" +
           (fault.deallocation < 0 ? "" : " by " + by(fault.deallocation)) +
           again;
  case FaultKind::outOfBounds:
    return buffer() + " is " + access() + " at byte " +
           std::to_string(fault.offset) + " of " + std::to_string(fault.size) +
           again;
  case FaultKind::freeOfBorrowed:
    return buffer() + " is deallocated by " + by(fault.site) + again +
           (fault.keeper.empty() ? ", but belongs to the caller"
            : fault.allocation >= 0
                ? ", but " + fault.keeper + " keeps a pointer to it"
                : ", but belongs to " + fault.keeper);
  case FaultKind::freeOfUnknown:
    return by(fault.site) + " deallocates what was not allocated" + again;
  case FaultKind::returnedFreed:
    return buffer() + " is returned as " + fault.result +
           " after it was deallocated" +
           (fault.deallocation < 0 ? "" : " by " + by(fault.deallocation));
  case FaultKind::returnedUnowned:
    return fault.result + " is not the function's to return: " +
           (!fault.keeper.empty() ? "it belongs to " + fault.keeper
            : fault.argument.empty() && fault.allocation < 0
                ? std::string("it is no allocation of its own")
            : fault.argument.empty() ? buffer() + " is returned twice"
                                     : "it is " + fault.argument);
  default: // No fault of a run.
    return {};
  }
}

std::string textOf(const Record &record, const Fault &fault) {
  return std::string(nameOf(fault.kind)) + ": " +
         FaultWords(record, fault).sentence();
}

//===--- The verdict ------------------------------------------------------===//

std::string callOf(const Record &record) {
  std::string text = "@" + record.entry + "(";
  for (size_t i = 0; i < record.arguments.size(); ++i) {
    const Argument &argument = record.arguments[i];
    text += (i ? ", " : "") + argument.name + " = " + argument.value;
  }
  return text + ")";
}

static std::string figures(const Record &record) {
  const RunTotals &totals = record.totals;
  if (totals.allocations == 0 && totals.deallocations == 0)
    return "no allocation";
  uint64_t lists = 0;
  for (const Site &site : record.sites)
    if (site.kind == SiteKind::allocation && site.isForHelper)
      lists += site.counts.ran;
  return counted(totals.allocations, "allocation") +
         (lists == 0 ? ""
                     : " (" + std::to_string(lists) +
                           " of them lists for dealloc_helper)") +
         ", " + counted(totals.deallocations, "deallocation") + ", peak " +
         bytesText(uint64_t(totals.peakBytes));
}

static std::string lastWords(const Record &record) {
  return record.lastSite < 0
             ? std::string()
             : " after " + opTitle(record.sites[size_t(record.lastSite)]);
}

/// What a run without a fault says nothing about.
static std::string boundsOf(const Record &record) {
  if (record.serialized.empty())
    return {};
  return "; " + record.serialized +
         " ran its iterations in turn, so races are not found";
}

/// Of code that ran unwatched, nothing is said but that.
static std::string cleanWords(const Record &record) {
  if (record.libraries.empty())
    return "no leak, no use after free";
  return "no fault seen, but what " + listed(record.libraries) +
         (record.libraries.size() == 1 ? " allocates and deallocates"
                                       : " allocate and deallocate") +
         " is not watched: not whether a buffer of the program is deallocated "
         "there, too";
}

/// Where the op itself is known.
static std::string atWords(const Record &record) {
  return record.lastSite < 0
             ? std::string()
             : " at " + opTitle(record.sites[size_t(record.lastSite)]);
}

/// What a signal means of a program that may only compute.
static std::string crashWords(const Record &record) {
  switch (record.signal) {
  case SIGFPE:
    return "an integer is divided by zero, or the quotient overflows";
  case SIGABRT:
    return "it calls abort()";
  case SIGILL:
  case SIGTRAP:
    return "it reaches a trap, or code that was said to be unreachable";
  case SIGSEGV:
  case SIGBUS:
    return "it reads or writes memory that is not there";
  case SIGSYS:
    return "it asks the system for something that a run may not do";
  default:
    return record.failure;
  }
}

std::string verdictOf(const Record &record) {
  switch (record.end) {
  case RunEnd::notRun:
    return "@" + record.entry + " is not run: " + record.failure +
           (record.lastSite < 0
                ? ""
                : ", " + opTitle(record.sites[size_t(record.lastSite)]));
  case RunEnd::crashed:
    return callOf(record) + " crashes" +
           (record.signal == SIGFPE ? atWords(record) : lastWords(record)) +
           ": " + crashWords(record) + "; until then " + figures(record);
  case RunEnd::timedOut:
    return callOf(record) + " does not end within " + record.failure +
           lastWords(record) + "; until then " + figures(record);
  case RunEnd::outOfMemory:
    return callOf(record) + " needs more memory than it may have" +
           lastWords(record) + "; until then " + figures(record);
  case RunEnd::returned:
    break;
  }
  std::string text = "ran " + callOf(record) + ": " + figures(record) + "; ";
  if (record.faults.empty())
    return text + cleanWords(record) + boundsOf(record);
  std::vector<std::string> kinds;
  for (FaultKind kind : kindsOfRun)
    if (record.has(kind))
      kinds.push_back(std::string(nameOf(kind)));
  return text + listed(kinds);
}

//===--- Sites ------------------------------------------------------------===//

static std::string column(uint64_t count) {
  std::string text = std::to_string(count) + "x";
  return text.size() < 7 ? std::string(7 - text.size(), ' ') + text : text;
}

/// " at 9:3", ": 30x at 9:3, 9x at 12:5"; empty where it is not known.
static std::string placesOf(const Record &record, const Site &site) {
  static constexpr size_t most = 4;
  // An op that became several is told once.
  std::vector<std::pair<std::string, uint64_t>> places;
  uint64_t told = 0;
  for (const SiteEnd &end : site.ends) {
    const Site &by = record.sites[size_t(end.deallocation)];
    const std::string place = by.line > 0 ? "at " + std::to_string(by.line) +
                                                ":" + std::to_string(by.column)
                                          : "by " + by.opName;
    auto known =
        std::ranges::find(places, place, [](auto &one) { return one.first; });
    if (known == places.end())
      known = places.insert(places.end(), {place, 0});
    known->second += end.times;
    told += end.times;
  }
  if (places.size() == 1 && told == site.counts.deallocated)
    return " " + places.front().first;
  std::string text;
  for (size_t i = 0; i < std::min(places.size(), most); ++i)
    text += (i ? ", " : ": ") + std::to_string(places[i].second) + "x " +
            places[i].first;
  if (places.size() > most)
    text += " and at " + counted(places.size() - most, "other place");
  return text;
}

/// ", deallocated 39x, left 1x"; with a record, where.
static std::string endsOf(const Site &site, const Record *record = nullptr) {
  const SiteCounts &counts = site.counts;
  std::string text;
  if (counts.deallocated > 0)
    text += ", deallocated " + std::to_string(counts.deallocated) + "x" +
            (record ? placesOf(*record, site) : "");
  if (counts.returned > 0)
    text += ", returned " + std::to_string(counts.returned) + "x";
  if (counts.live > 0)
    text += ", left " + std::to_string(counts.live) + "x";
  return text;
}

static std::string ofAllocation(const Site &site, const Record *record) {
  const SiteCounts &counts = site.counts;
  // Older records have the sum alone.
  std::string text =
      counts.leastEach != counts.mostEach
          ? bytesText(counts.leastEach) + " to " + bytesText(counts.mostEach)
          : bytesText(counts.bytes / std::max<uint64_t>(counts.ran, 1));
  if (counts.ran > 1)
    text += " each, at most " + std::to_string(counts.mostLive) + " at once";
  return text + endsOf(site, record);
}

/// Whether it was the same each time.
static bool isConstant(const SiteCounts &counts) {
  return counts.yes == 0 || counts.yes == counts.ran;
}

static std::string ofTruth(const SiteCounts &counts, std::string_view yes,
                           std::string_view no) {
  if (isConstant(counts))
    return "always " + std::string(counts.yes == 0 ? no : yes);
  return std::string(yes) + " " + std::to_string(counts.yes) + "x, " +
         std::string(no) + " " + std::to_string(counts.ran - counts.yes) + "x";
}

static std::string wordsOf(const Site &site, const Record *record) {
  const SiteCounts &counts = site.counts;
  switch (site.kind) {
  case SiteKind::allocation:
    return ofAllocation(site, record) +
           (site.isForHelper ? ", a list for dealloc_helper" : "");
  case SiteKind::condition:
    return ofTruth(counts, "true", "false");
  case SiteKind::comparison:
    return counts.yes == 0 ? "never the same buffer"
                           : ofTruth(counts, "the same buffer", "another one");
  case SiteKind::call:
    return counts.compares == 0
               ? std::string()
               : counted(counts.compares, "compare") +
                     (counts.equal == 0
                          ? ", never the same buffer"
                          : ", the same buffer " +
                                std::to_string(counts.equal) + "x");
  case SiteKind::deallocation:
    return site.isForHelper ? "a list for dealloc_helper" : std::string();
  case SiteKind::block:
  case SiteKind::other:
    return {};
  }
  return {};
}

std::string wordsOf(const Site &site) { return wordsOf(site, nullptr); }

std::string wordsOf(const Record &record, const Site &site) {
  return wordsOf(site, &record);
}

std::string noteOf(const Record &record, const Site &site) {
  const std::string ran = std::to_string(site.counts.ran) + "x";
  const std::string words = wordsOf(record, site);
  const std::string name = site.value.empty() ? site.opName : site.value;
  if (site.isForHelper)
    return {};
  switch (site.kind) {
  case SiteKind::allocation:
    return name + " allocated " + ran + ", " + words;
  case SiteKind::deallocation:
    return name + " deallocated " + ran;
  case SiteKind::condition:
    // Without a name it is the lowering's own.
    return site.value.empty()
               ? std::string()
               : name + " " + words +
                     (isConstant(site.counts) ? ", " + ran : std::string());
  case SiteKind::comparison:
    return "compared " + ran + ", " + words;
  case SiteKind::call:
    return site.counts.compares == 0
               ? std::string()
               : "dealloc_helper called " + ran + ", " + words;
  case SiteKind::block:
  case SiteKind::other:
    break;
  }
  return {};
}

std::string shortNoteOf(const Record &record, const Site &site) {
  if (site.kind != SiteKind::allocation || site.isForHelper)
    return noteOf(record, site);
  return std::to_string(site.counts.ran) + "x" + endsOf(site);
}

static std::string rowText(const Record &record, const Site &site) {
  const std::string more = wordsOf(site);
  const bool isElsewhere = site.function != record.entry;
  return "  " + column(site.counts.ran) + "  " + site.title() +
         (isElsewhere && !site.function.empty() ? " in @" + site.function
                                                : "") +
         (more.empty() ? "" : "  " + more) + "\n";
}

static std::string tableText(const Record &record, const SiteTable &table,
                             size_t most) {
  std::string text = "\n" + std::string(table.title) + "\n";
  for (size_t i = 0; i < table.sites.size(); ++i) {
    if (i == most)
      return text + "  and " + counted(table.sites.size() - i, "other") +
             "; --all shows them\n";
    text += rowText(record, record.sites[table.sites[i]]);
  }
  return text;
}

std::vector<std::string> remarksOf(const Record &record) {
  std::vector<std::string> remarks;
  if (record.has(FaultKind::outOfBounds))
    remarks.push_back(
        "an access out of bounds can hit any memory, deallocated memory too: "
        "give arguments that fit with --arg");
  if (record.totals.otherFaults > 0)
    remarks.push_back("and " +
                      counted(record.totals.otherFaults, "other fault"));
  for (const std::string &claim : record.contradictions)
    remarks.push_back(claim);
  for (const std::string &change : record.changed)
    remarks.push_back("the pipeline may change the result: " + change);
  if (record.restsOnPoison)
    remarks.push_back(
        "what is deallocated depends on the pointer of ub.poison, which may be "
        "any: compiled otherwise, the program may end otherwise");
  if (!record.stage.empty())
    remarks.push_back("program after stage " + record.stage + ", seed " +
                      std::to_string(record.seed));
  if (!record.stubs.empty())
    remarks.push_back("external functions: " + listed(record.stubs) +
                      " (--stub changes that)");
  if (record.end != RunEnd::notRun && record.predictedPeak &&
      record.totals.peakBytes > 0)
    remarks.push_back(std::string("predicted peak: ") +
                      (record.isPredictionLowerBound ? "at least " : "") +
                      bytesText(uint64_t(*record.predictedPeak)));
  return remarks;
}

std::string textOf(const Record &record, bool all) {
  static constexpr size_t fewRows = 12;
  std::string text = verdictOf(record) + "\n";
  for (const Fault &fault : record.faults)
    text += "  " + textOf(record, fault) + "\n";
  for (const std::string &remark : remarksOf(record))
    text += "  " + remark + "\n";
  if (record.end == RunEnd::notRun)
    return text;
  for (const SiteTable &table : tablesOf(record))
    text += tableText(record, table, all ? SIZE_MAX : fewRows);
  return text;
}

} // namespace memreflens::execute
