//===- core/explain/DecisionParts.h - one function for each kind of event -===//

#ifndef MEMREFLENS_EXPLAIN_DECISIONPARTS_H
#define MEMREFLENS_EXPLAIN_DECISIONPARTS_H

#include "core/explain/Explanation.h"
#include "core/query/Lookup.h"

namespace memreflens {

Explanation wordsFor(const Lookup &, const trace::Event &,
                     const trace::StageEvent &);
Explanation wordsFor(const Lookup &, const trace::Event &,
                     const trace::LivenessEvent &);
Explanation wordsFor(const Lookup &, const trace::Event &,
                     const trace::OwnershipEvent &);
Explanation wordsFor(const Lookup &, const trace::Event &,
                     const trace::CandidateEvent &);
Explanation wordsFor(const Lookup &, const trace::Event &,
                     const trace::RetainEvent &);
Explanation wordsFor(const Lookup &, const trace::Event &,
                     const trace::DeallocEvent &);
Explanation wordsFor(const Lookup &, const trace::Event &,
                     const trace::CloneEvent &);
Explanation wordsFor(const Lookup &, const trace::Event &,
                     const trace::SignatureEvent &);
Explanation wordsFor(const Lookup &, const trace::Event &,
                     const trace::RejectionEvent &);
Explanation wordsFor(const Lookup &, const trace::Event &,
                     const trace::RewriteEvent &);
Explanation wordsFor(const Lookup &, const trace::Event &,
                     const trace::LoweringEvent &);

Explanation wordsFor(const Lookup &, const trace::Event &,
                     const trace::AliasEvent &);
Explanation wordsFor(const Lookup &, const trace::Event &,
                     const trace::CriticalEvent &);
Explanation wordsFor(const Lookup &, const trace::Event &,
                     const trace::CopyEvent &);
Explanation wordsFor(const Lookup &, const trace::Event &,
                     const trace::FreeEvent &);
Explanation wordsFor(const Lookup &, const trace::Event &,
                     const trace::MoveEvent &);
Explanation wordsFor(const Lookup &, const trace::Event &,
                     const trace::WarningEvent &);
Explanation wordsFor(const Lookup &, const trace::Event &,
                     const trace::InterfaceEvent &);

/// "forwarded as operand 1 of cf.br", "live into ^bb2", "returned", ...
std::string retainReasonWords(const Lookup &, const trace::Event &,
                              const trace::RetainEvent &);
/// The terminator that passes the retained value on; the value itself where it
/// is live only.
trace::Range rangeOfRetain(const Lookup &, const trace::Event &,
                           const trace::RetainEvent &);
/// The use that keeps a retained value alive, if that is why.
void addUseThatKeepsAlive(const Lookup &, const trace::Event &,
                          Explanation &explanation);
/// As `wordsFor`, with only what is about one of the buffers, if given.
/// Whether the event is a `dealloc_helper` call that has this memref first and
/// retains nothing: then it deallocates it where it is owned.
bool isFirstOfHelper(const Lookup &, const trace::Event &, trace::Id memref);
Explanation loweringWords(const Lookup &, const trace::Event &,
                          const trace::LoweringEvent &, trace::Id about);
/// Several rewrites of deallocs in one, with what each kind of them is for.
Explanation foldedRewrites(const Lookup &,
                           const std::vector<trace::Id> &events);
/// Whether nothing was rewritten: it holds the questions left open.
bool isOnlyKept(const trace::RewriteEvent &);
/// "%a and %b share no allocation: ...".
std::string aliasWords(const Lookup &, const trace::AliasFact &);
/// The note that the op is not registered, and what is assumed of it; null if
/// nothing is.
const trace::Problem *assumptionAbout(const Lookup &, trace::Id op);
/// The call into another dialect that made the op; null if none did.
const trace::Event *callThatMade(const Lookup &, trace::Id op);
/// "canonicalize" for an event of stage 4.
std::string stageName(const Lookup &, const trace::Event &);

} // namespace memreflens

#endif // MEMREFLENS_EXPLAIN_DECISIONPARTS_H
