//===- lsp/analysis/Hover.cpp - who owns what is under the cursor ---------===//
//
//   `%data`: deallocated at the end of `^join` if `%own_data`
//   `%own_data` is a block argument of `^join`: true via `^copy` (9:3)
//   ---
//   - 9:3 facts, each with its place
//
//===----------------------------------------------------------------------===//

#include "lsp/analysis/Features.h"

#include "core/explain/AliasText.h"
#include "core/explain/FateText.h"
#include "core/explain/OpText.h"
#include "core/explain/PositionText.h"
#include "core/explain/RejectionText.h"
#include "core/explain/Totals.h"

#include <algorithm>
#include <cctype>

namespace memreflens::lsp {

using trace::Id;
using trace::none;

static bool isMarkup(std::string_view text, size_t at) {
  char c = text[at];
  if (std::string_view("\\`*[]<>&~|").find(c) != std::string_view::npos)
    return true;
  if (c == '_') {
    // Inside a word it is only itself.
    auto isWord = [&](size_t i) {
      return i < text.size() && (std::isalnum((unsigned char)text[i]) != 0);
    };
    return !(at > 0 && isWord(at - 1) && isWord(at + 1));
  }
  bool startsLine = at == 0 || text[at - 1] == '\n';
  return startsLine && (c == '#' || c == '-' || c == '+' || c == '=');
}

static bool isNameChar(char c) {
  return std::isalnum((unsigned char)c) != 0 ||
         std::string_view("_$.#-").find(c) != std::string_view::npos;
}

/// Length of what is code at the start of `text`: %data, ^join, @f, scf.for.
/// Nothing in it has a meaning in Markdown behind a backtick.
static size_t codeAt(std::string_view text) {
  const bool isSigil =
      std::string_view("%^@").find(text[0]) != std::string_view::npos;
  size_t end = isSigil ? 1 : 0;
  while (end < text.size() && isNameChar(text[end]))
    ++end;
  while (end > 0 &&
         std::string_view(".-").find(text[end - 1]) != std::string_view::npos)
    --end;
  const std::string_view name = text.substr(0, end);
  if (isSigil)
    return end > 1 ? end : 0;
  const size_t dot = name.find('.');
  const bool isOp = dot != std::string_view::npos && dot > 1 &&
                    std::islower((unsigned char)name[0]) != 0 &&
                    std::ranges::all_of(name, [](char c) {
                      return std::islower((unsigned char)c) != 0 ||
                             std::isdigit((unsigned char)c) != 0 || c == '_' ||
                             c == '.';
                    });
  return isOp ? end : 0;
}

/// Length of "9:3" at the start of `text`; 0 for anything else.
static size_t placeAt(std::string_view text) {
  const size_t colon = text.find_first_not_of("0123456789");
  if (colon == 0 || colon == std::string_view::npos || text[colon] != ':')
    return 0;
  const size_t end =
      std::min(text.find_first_not_of("0123456789", colon + 1), text.size());
  return end > colon + 1 ? end : 0;
}

namespace {
/// The verdict and its reasons first, in a few lines; then all facts.
class Writer {
public:
  explicit Writer(const View &view) : view(view) {}

  void add(const Explanation &explanation) {
    if (!explanation.empty())
      all.push_back(explanation);
  }

  std::string take() {
    constexpr size_t most = 5;
    std::string head, facts;
    for (size_t i = 0; i < all.size(); ++i)
      (i < most ? head : facts) += line(all[i].sentence);
    for (const Explanation &explanation : all)
      for (const Advice &remedy : explanation.remedies)
        facts += (markdown() ? "- → " : "  → ") + marked(remedy.words) + "\n";
    for (const Explanation &explanation : all)
      for (const Evidence &fact : explanation.evidence)
        facts += (markdown() ? "- " : "  ") + place(fact.range) +
                 marked(fact.text) + "\n";
    if (markdown() && !head.empty() && !facts.empty())
      head += "\n---\n\n";
    return head + facts;
  }

private:
  bool markdown() const { return view.options.markdown; }

  /// A line of its own, not one paragraph with the next.
  std::string line(const std::string &sentence) const {
    return marked(sentence) + (markdown() ? "  \n" : "\n");
  }

  /// Names and ops as code, places as links.
  std::string marked(const std::string &text) const {
    if (!markdown())
      return text;
    const std::string_view whole = text;
    std::string made;
    for (size_t at = 0; at < whole.size();) {
      const bool isStart = at == 0 || !isNameChar(whole[at - 1]);
      const size_t code = isStart ? codeAt(whole.substr(at)) : 0;
      const size_t place = isStart ? placeAt(whole.substr(at)) : 0;
      const size_t next = at + std::max<size_t>({code, place, 1});
      const std::string part(whole.substr(at, next - at));
      if (code > 0)
        made += "`" + part + "`";
      else if (place > 0)
        made += "[" + part + "](<" + view.uri + "#L" +
                part.substr(0, part.find(':')) + "," +
                part.substr(part.find(':') + 1) + ">)";
      else if (isMarkup(whole, at))
        made += "\\" + part;
      else
        made += part == "\n" ? " " : part;
      at = next;
    }
    return made;
  }

  std::string place(trace::Range range) const {
    std::string at = view.lookup().position(range);
    if (at.empty() || range.begin >= view.range.end)
      return "";
    if (!markdown())
      return at + "  ";
    Position start = view.position(range.begin);
    std::string line = std::to_string(start.line + 1);
    std::string column = std::to_string(start.character + 1);
    return "[" + at + "](<" + view.uri + "#L" + line + "," + column + ">) ";
  }

  const View &view;
  std::vector<Explanation> all;
};
} // namespace

/// Function whose `@name` stands here.
static Id functionNamedAt(const View &view, uint32_t offset) {
  for (Id id : view.functions()) {
    const trace::Function &function = view.trace().functions[size_t(id)];
    if (function.nameRange.contains(offset))
      return id;
  }
  return none;
}

static void addFunction(const View &view, Id function, Writer &writer) {
  Explanation totals;
  totals.sentence = totalsLine(totalsOf(view.lookup(), function));
  writer.add(totals);
  for (Id event : view.lookup().eventsOfFunction(function))
    writer.add(explainRejection(view.lookup(), event));
  for (Id buffer : buffersOf(view.lookup(), function)) {
    Explanation line;
    line.sentence = explainFate(view.lookup(), buffer).headline;
    writer.add(line);
  }
}

/// Op whose name stands here.
static Id opNamedAt(const View &view, uint32_t offset) {
  const trace::Index &index = view.lookup().getIndex();
  Id id = index.valueAt(offset) == none ? index.opAt(offset) : none;
  bool isNamed =
      id != none && view.trace().ops[size_t(id)].nameRange.contains(offset);
  return isNamed ? id : none;
}

/// What the sentences are about, for the client to mark.
static trace::Range rangeAt(const View &view, uint32_t offset) {
  const trace::Index &index = view.lookup().getIndex();
  if (Id id = index.valueAt(offset); id != none) {
    const trace::Value &value = view.trace().values[size_t(id)];
    for (trace::Range use : value.uses)
      if (use.begin <= offset && offset <= use.end)
        return use;
    return value.range;
  }
  Id id = opNamedAt(view, offset);
  return id == none ? trace::Range() : view.trace().ops[size_t(id)].nameRange;
}

/// Whether a memref, or an op that may access one, is under the cursor.
static bool hoversAccess(const View &view, uint32_t offset) {
  auto isMemref = [&](Id id) {
    return id != none && view.trace().values[size_t(id)].isMemref;
  };
  Id op = opNamedAt(view, offset);
  return op == none ? isMemref(view.lookup().getIndex().valueAt(offset))
                    : std::ranges::any_of(view.trace().ops[size_t(op)].operands,
                                          isMemref);
}

/// What is under the cursor may be, and may touch.
static void addAliases(const View &view, uint32_t offset, Writer &writer) {
  const trace::Index &index = view.lookup().getIndex();
  const trace::FunctionAliases *aliases =
      aliasesOf(view.trace(), index.functionAt(offset));
  if (!aliases)
    return;
  if (Id value = index.valueAt(offset); value != none)
    writer.add(explainAliases(view.lookup(), *aliases, value));
  else
    writer.add(explainAccess(view.lookup(), *aliases, index.opAt(offset)));
}

/// What the pass makes of such an op, unless its rejection is told already.
static void addFacts(const View &view, uint32_t offset,
                     const trace::OpFacts &facts, Writer &writer) {
  const Lookup &lookup = view.lookup();
  const trace::OpCondition *rejection = rejectionIn(facts);
  const Id op = lookup.getIndex().opAt(offset);
  auto isTold = [&](Id id) {
    const trace::Event &event = *lookup.event(id);
    const auto *told = std::get_if<trace::RejectionEvent>(&event.detail);
    const trace::Op *at = told ? lookup.op(event.op) : nullptr;
    return at && (at->id == op || at->origin == op) &&
           told->message == rejection->message;
  };
  const trace::Op *known = lookup.op(op);
  if (rejection && known &&
      std::ranges::any_of(lookup.eventsOfFunction(
                              lookup.getIndex().functionOfBlock(known->block)),
                          isTold))
    return;
  writer.add(explainOp(facts));
}

/// `aliases` is the unit's alias view, if what is hovered is an access or a
/// memref; null for none. `facts` are those of the op whose name is hovered;
/// null for none.
static std::optional<Hover> hoverAt(const View &view, Position position,
                                    const View *aliases,
                                    const trace::OpFacts *facts) {
  uint32_t offset = view.offsetOf(position);
  Writer writer(view);
  if (Id function = functionNamedAt(view, offset); function != none)
    addFunction(view, function, writer);
  else
    for (const Explanation &found : explainAt(view.lookup(), offset))
      writer.add(found);
  if (facts)
    addFacts(view, offset, *facts, writer);
  std::string text = writer.take();
  if (aliases) {
    // Its places are of a trace of its own.
    Writer more(*aliases);
    addAliases(*aliases, aliases->offsetOf(position), more);
    std::string told = more.take();
    text += (text.empty() || told.empty() ? "" : "\n") + told;
  }
  if (text.empty())
    return std::nullopt;
  Hover hover = {std::move(text), view.options.markdown, std::nullopt};
  if (trace::Range range = rangeAt(view, offset); !range.empty())
    hover.range = view.toRange(range);
  return hover;
}

/// In place of what is not known yet, on a name of a value.
static std::optional<Hover> unfinishedHover(const Document &document,
                                            const ServerOptions &options,
                                            Position at) {
  std::string_view line = document.lines.line(document.text, at.line);
  auto isName = [&](size_t i) {
    return std::isalnum(static_cast<unsigned char>(line[i])) != 0 ||
           std::string_view("_$.-%").find(line[i]) != std::string_view::npos;
  };
  size_t begin =
      std::min(bytesOf(line, at.character, options.encoding), line.size());
  while (begin > 0 && isName(begin - 1) &&
         (begin == line.size() || line[begin] != '%'))
    --begin;
  if (begin == line.size() || line[begin] != '%')
    return std::nullopt;
  return Hover{"memref-lens is still analysing this function; who owns this "
               "is told here once that is done.\n",
               options.markdown, std::nullopt, /*isUnfinished=*/true};
}

std::optional<Hover> onHover(Request &request) {
  Analyst &analyst = request.analyst;
  Document &document = *request.document;
  Position at = request.position;
  const Unit *unit = analyst.unitAt(document, at.line);
  if (unit && analyst.isComing(document, *unit))
    return unfinishedHover(document, analyst.options, at);
  std::optional<View> view =
      unit ? viewOf(analyst, document, *unit) : std::nullopt;
  if (!view)
    return std::nullopt;
  const uint32_t offset = view->offsetOf(at);
  const bool isAccess = hoversAccess(*view, offset);
  const bool isOp = opNamedAt(*view, offset) != none;
  std::shared_ptr<const UnitRun> kept;
  std::optional<View> input;
  if (isAccess || isOp) {
    kept = analyst.keptInput(document, *unit);
    input.emplace(View{document.uri, *kept->batch, analyst.options,
                       Analyst::placeAlone(*unit).range});
  }
  std::optional<Hover> found =
      hoverAt(*view, at, isAccess ? &*input : nullptr,
              isOp ? kept->factsAt(input->offsetOf(at)) : nullptr);
  if (found && view->batch.isChunkParsed() && analyst.isAnyBroken(document))
    found->text +=
        "\nThis function parses; another part of the file does not.\n";
  return found;
}

} // namespace memreflens::lsp
