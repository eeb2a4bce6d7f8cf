//===- viewer/work/Excerpt.h - the part of a program that one function needs
//---===//
//
// A large program with all other functions blanked: what is decided in the
// function is the same, since it, and all that it names, is still there, at the
// same bytes. MLIR reads it in no time.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_VIEWER_WORK_EXCERPT_H
#define MEMREFLENS_VIEWER_WORK_EXCERPT_H

#include <string>
#include <string_view>

namespace memreflens::viewer {

/// As long as the text, with its lines and its parts; each part keeps the
/// function of the name, if it has one. Empty where none has, where it needs
/// most of the program, or where the text cannot be told apart.
std::string excerptOf(std::string_view text, std::string_view function);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_WORK_EXCERPT_H
