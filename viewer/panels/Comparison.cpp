//===- viewer/panels/Comparison.cpp - two stages of a function, line by line
//-----===//

#include "viewer/panels/Comparison.h"

#include "core/graph/LineDiff.h"

#include <algorithm>
#include <cctype>

namespace memreflens::viewer {

static bool isWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' ||
         c == '.' || c == '-' || c == '#';
}

/// What is left between the common begin and end, by whole words. Nothing where
/// the lines have little in common: then all of it is new.
static void markWithin(std::string_view left, std::string_view right,
                       ComparedRow &row) {
  size_t most = std::min(left.size(), right.size()), head = 0, tail = 0;
  while (head < most && left[head] == right[head])
    ++head;
  while (head > 0 && head < std::max(left.size(), right.size()) &&
         isWordCharacter(left[head - 1]))
    --head;
  while (tail < most - head &&
         left[left.size() - 1 - tail] == right[right.size() - 1 - tail])
    ++tail;
  while (tail > 0 && isWordCharacter(left[left.size() - tail]))
    --tail;
  if ((head + tail) * 3 < most)
    head = tail = 0;
  row.leftSpan = {head, left.size() - tail};
  row.rightSpan = {head, right.size() - tail};
}

static void align(Comparison &made) {
  graph::LineDiff diff = graph::diffLines(made.left, made.right);
  size_t i = 0, j = 0;
  while (i < made.left.size() || j < made.right.size()) {
    size_t endLeft = i, endRight = j;
    while (endLeft < made.left.size() && diff.removed[endLeft])
      ++endLeft;
    while (endRight < made.right.size() && diff.added[endRight])
      ++endRight;
    if (i == endLeft && j == endRight) {
      // A pair; one side alone cannot be left without a mark.
      made.rows.push_back({i < made.left.size() ? int(i) : -1,
                           j < made.right.size() ? int(j) : -1,
                           false,
                           {},
                           {}});
      ++i;
      ++j;
      continue;
    }
    made.removed += endLeft - i;
    made.added += endRight - j;
    made.changes.push_back(made.rows.size());
    while (i < endLeft || j < endRight) {
      ComparedRow row;
      row.isChanged = true;
      row.left = i < endLeft ? int(i++) : -1;
      row.right = j < endRight ? int(j++) : -1;
      if (row.left >= 0 && row.right >= 0)
        markWithin(made.left[size_t(row.left)], made.right[size_t(row.right)],
                   row);
      made.rows.push_back(row);
    }
  }
}

Comparison compare(const Program &program, const ComparisonKey &key) {
  Comparison made;
  made.key = key;
  made.functions = std::make_shared<graph::StageFunctions>(program.trace);
  auto first = made.functions->find(key.function, key.before);
  auto second = made.functions->find(key.function, key.after);
  made.isLeftThere = first.found;
  made.isRightThere = second.found;
  made.left = std::move(first.lines);
  made.right = std::move(second.lines);
  align(made);
  for (const auto *lines : {&made.left, &made.right})
    for (std::string_view line : *lines)
      made.longest = std::max(made.longest, line.size());
  const trace::Index &index = program.lookup.getIndex();
  for (const trace::Value &value : program.trace.values)
    if (index.functionOfValue(value.id) == key.function)
      made.values.emplace(value.name, value.id);
  return made;
}

//===--- Words of a line --------------------------------------------------===//

static TokenKind kindOfWord(std::string_view word) {
  if (word.ends_with("dealloc") || word.ends_with("dealloc_helper"))
    return TokenKind::freeing;
  if (word == "memref" || word == "index" || word == "tensor" ||
      word == "vector" ||
      ((word[0] == 'i' || word[0] == 'f') && word.size() > 1 &&
       std::ranges::all_of(word.substr(1),
                           [](unsigned char c) { return std::isdigit(c); })))
    return TokenKind::type;
  if (std::isdigit(static_cast<unsigned char>(word[0])))
    return TokenKind::number;
  if (word.find('.') != word.npos || word == "call" || word == "return")
    return TokenKind::op;
  return TokenKind::plain;
}

std::vector<Token> tokensOf(std::string_view line) {
  std::vector<Token> tokens;
  for (size_t i = 0; i < line.size();) {
    size_t begin = i;
    char c = line[i++];
    auto word = [&] {
      while (i < line.size() && isWordCharacter(line[i]))
        ++i;
    };
    TokenKind kind = TokenKind::plain;
    if (c == '%' || c == '^' || c == '@') {
      word();
      kind = c == '%'   ? TokenKind::value
             : c == '^' ? TokenKind::block
                        : TokenKind::symbol;
    } else if (c == '"') {
      while (i < line.size() && line[i] != '"')
        i += line[i] == '\\' ? 2 : 1;
      i = std::min(line.size(), i + 1);
      kind = TokenKind::quoted;
    } else if (isWordCharacter(c) && c != '#' && c != '-') {
      word();
      kind = kindOfWord(line.substr(begin, i - begin));
    } else if (!tokens.empty() && tokens.back().kind == TokenKind::plain &&
               tokens.back().end == begin) {
      tokens.back().end = i;
      continue;
    }
    tokens.push_back({kind, begin, i});
  }
  return tokens;
}

//===--- The thread -------------------------------------------------------===//

const Comparison *ComparisonCache::get(const Program &program,
                                       const ComparisonKey &key, bool wait) {
  if (pending.valid() &&
      pending.wait_for(std::chrono::seconds(0)) == std::future_status::ready)
    made = pending.get();
  if (made.key == key)
    return &made;
  if (pending.valid())
    return nullptr;
  auto shared = program.weak_from_this().lock();
  if (wait || !shared) {
    kept = shared;
    made = compare(program, key);
    return &made;
  }
  // The lines are views: the program stays as long as they do.
  kept = shared;
  pending = std::async(std::launch::async,
                       [shared, key] { return compare(*shared, key); });
  return nullptr;
}

} // namespace memreflens::viewer
