//===- core/check/Remedies.h - what is known of each remedy ---------------===//
//
// The same in any program; Trial.h has what is applied to one.
//
//   knownRemedy(RemedyId::inlineCalls).before   // "inline"
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CHECK_REMEDIES_H
#define MEMREFLENS_CHECK_REMEDIES_H

#include "core/check/RemedyId.h"
#include "core/explain/Advice.h"

#include <optional>
#include <set>
#include <string>

namespace memreflens {

/// A change of the program itself.
enum class RemedyEdit : uint8_t {
  none,
  makePrivate,  ///< the functions
  returnCopies, ///< of what the functions return, where no op allocates it
  dropDeallocs  ///< the input's own frees, in the functions
};

struct KnownRemedy {
  /// As shown. In these and in the label, `$functions` and the like stand for
  /// what Trial.cpp puts there, `$(is|are)` for one or several of them.
  std::string words = {};
  /// In a few words; empty: the same.
  std::string label = {};
  /// Of those that advice may name.
  RemedyPasses passes = {};
  RemedyEdit edit = RemedyEdit::none;
  /// Passes in front of the pipeline and behind it.
  std::string before = {}, after = {};
  /// Of one-shot-bufferize, where it runs in front: one that it gets, too.
  std::string bufferizeOption = {};
  /// Passes in front of it, which see tensors.
  std::string beforeBufferize = {};
  /// Few programs have what it is for: of a large one, others are tried first.
  bool isForFew = false;
  /// It only moves allocations or deallocations.
  bool movesMemory = false;
  /// Removes deallocs that never deallocate, in front of their lowering.
  bool dropsIdle = false;
  /// Of external functions: that what they return is fresh, and that they keep
  /// no pointer to what they are passed.
  bool statesFresh = false, statesCapture = false;
  /// What becomes of private-function-dynamic-ownership; nothing: it stays.
  std::optional<bool> setsDynamic = {};
  /// Rules of the findings that it may help against.
  std::set<std::string> rules = {};
};

const KnownRemedy &knownRemedy(RemedyId id);

} // namespace memreflens

#endif // MEMREFLENS_CHECK_REMEDIES_H
