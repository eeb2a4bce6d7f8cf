//===- lsp/wire/OwnMethods.h - the requests that LSP does not have --------===//
//
// PROTOCOL.md describes them. The supervisor routes by these names, and the
// analysis answers by them.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_WIRE_OWNMETHODS_H
#define MEMREFLENS_LSP_WIRE_OWNMETHODS_H

namespace memreflens::lsp::ownMethods {

inline constexpr char trace[] = "memrefLens/trace";
inline constexpr char stages[] = "memrefLens/stages";
inline constexpr char stageText[] = "memrefLens/stageText";
inline constexpr char cfg[] = "memrefLens/cfg";
inline constexpr char events[] = "memrefLens/events";
inline constexpr char eventsAt[] = "memrefLens/eventsAt";
inline constexpr char eventPlace[] = "memrefLens/eventPlace";
inline constexpr char explain[] = "memrefLens/explain";
inline constexpr char memory[] = "memrefLens/memory";
inline constexpr char causes[] = "memrefLens/causes";
/// Answered by the supervisor, which asks the analysis for its part.
inline constexpr char status[] = "memrefLens/status";

inline constexpr const char *all[] = {trace,  stages,   stageText,  cfg,
                                      events, eventsAt, eventPlace, explain,
                                      memory, causes,   status};

} // namespace memreflens::lsp::ownMethods

#endif // MEMREFLENS_LSP_WIRE_OWNMETHODS_H
