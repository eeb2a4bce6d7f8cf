//===- viewer/state/Sentences.h - decisions in words, each worked out once ===//

#ifndef MEMREFLENS_VIEWER_STATE_SENTENCES_H
#define MEMREFLENS_VIEWER_STATE_SENTENCES_H

#include "viewer/state/State.h"

namespace memreflens::viewer {

/// The sentence of a decision, worked out once.
const std::string &sentenceOf(const Program &program, ViewState &state,
                              Id event);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_STATE_SENTENCES_H
