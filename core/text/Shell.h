//===- core/text/Shell.h - words of a command line ------------------------===//

#ifndef MEMREFLENS_TEXT_SHELL_H
#define MEMREFLENS_TEXT_SHELL_H

#include <string>
#include <string_view>

namespace memreflens {

/// The word as a POSIX shell has to be given it: quoted where it must be.
std::string shellWord(std::string_view word);

} // namespace memreflens

#endif // MEMREFLENS_TEXT_SHELL_H
