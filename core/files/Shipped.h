//===- core/files/Shipped.h - files that come with the program ------------===//
//
// A package without dependencies brings fonts along, in share/memref-lens
// beside the folder of its programs:
//
//   shippedFile("fonts.conf")   .../share/memref-lens/fonts.conf, or nothing
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_FILES_SHIPPED_H
#define MEMREFLENS_FILES_SHIPPED_H

#include <string>
#include <string_view>

namespace memreflens {

/// Its path; empty where this program came without it.
std::string shippedFile(std::string_view name);

/// A program in the same folder as this one; empty where there is none.
std::string programBeside(std::string_view name);

} // namespace memreflens

#endif // MEMREFLENS_FILES_SHIPPED_H
