//===- core/source/Locations.cpp - from chunk locations to the file -------===//

#include "core/source/Locations.h"

#include "core/source/Document.h"
#include "core/source/Identity.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/SaveAndRestore.h"

#include <algorithm>

using namespace mlir;
using namespace memreflens;

static constexpr unsigned maxLocationDepth = 256;

LocationMover::LocationMover(MLIRContext &context, StringRef path,
                             unsigned lines, unsigned columns)
    : path(StringAttr::get(&context, path)),
      chunkName(lines == 0 && columns == 0
                    ? this->path
                    : StringAttr::get(&context, "<memref-lens chunk>")),
      lines(lines), columns(columns) {}

Location LocationMover::move(Location location) {
  if (chunkName == path)
    return location;
  if (auto file = dyn_cast<FileLineColLoc>(location)) {
    if (file.getFilename() != chunkName)
      return location;
    unsigned shift = file.getLine() == 1 ? columns : 0;
    return FileLineColLoc::get(path, file.getLine() + lines,
                               file.getColumn() + shift);
  }
  if (!isa<NameLoc, CallSiteLoc, FusedLoc>(location) ||
      depth >= maxLocationDepth)
    return location;
  if (auto known = moved.find(location); known != moved.end())
    return known->second;
  llvm::SaveAndRestore<unsigned> deeper(depth, depth + 1);
  Location result = moveNested(location);
  moved.try_emplace(location, result);
  return result;
}

Location LocationMover::moveNested(Location location) {
  if (auto named = dyn_cast<NameLoc>(location))
    return NameLoc::get(named.getName(), move(named.getChildLoc()));
  if (auto call = dyn_cast<CallSiteLoc>(location))
    return CallSiteLoc::get(move(call.getCallee()), move(call.getCaller()));
  auto fused = cast<FusedLoc>(location);
  SmallVector<Location> parts;
  for (Location part : fused.getLocations())
    parts.push_back(move(part));
  return FusedLoc::get(parts, fused.getMetadata(), location.getContext());
}

/// Offset of a 1-based line and byte column; -1 past the text.
static int64_t offsetOfLine(std::string_view text, unsigned line,
                            unsigned column) {
  size_t begin = 0;
  for (unsigned i = 1; i < line; ++i) {
    size_t end = text.find('\n', begin);
    if (end == std::string_view::npos)
      return -1;
    begin = end + 1;
  }
  size_t end = std::min(text.find('\n', begin), text.size());
  return int64_t(std::min(begin + std::max(column, 1u) - 1, end));
}

/// Place of the op or argument that a tag names; -1 where it has none.
static int64_t offsetOfTag(Location location, const trace::Trace &trace) {
  trace::Id op = taggedOp(location);
  // A generated op stands at the op that it was made from.
  for (int hops = 0; hops < 2 && op >= 0 && size_t(op) < trace.ops.size();
       ++hops, op = trace.ops[op].origin)
    if (!trace.ops[op].nameRange.empty())
      return trace.ops[op].nameRange.begin;
  trace::Id value = taggedArgument(location);
  if (value >= 0 && size_t(value) < trace.values.size() &&
      !trace.values[value].range.empty())
    return trace.values[value].range.begin;
  return -1;
}

/// The locations that `location` is made of, the nearest one last.
static void appendParts(Location location, SmallVectorImpl<Location> &parts) {
  if (auto named = dyn_cast<NameLoc>(location)) {
    parts.push_back(named.getChildLoc());
  } else if (auto call = dyn_cast<CallSiteLoc>(location)) {
    parts.push_back(call.getCaller());
    parts.push_back(call.getCallee());
  } else if (auto fused = dyn_cast<FusedLoc>(location)) {
    llvm::append_range(parts, llvm::reverse(fused.getLocations()));
  }
}

int64_t memreflens::offsetOf(Location location, const trace::Trace &trace) {
  // Locations may share parts, so each is looked at once.
  llvm::DenseSet<Location> seen;
  SmallVector<Location> pending = {location};
  while (!pending.empty()) {
    Location next = pending.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    int64_t offset = -1;
    if (auto file = dyn_cast<FileLineColLoc>(next)) {
      if (file.getFilename() == StringRef(trace.source.path))
        offset =
            offsetOfLine(trace.source.text, file.getLine(), file.getColumn());
    } else {
      offset = offsetOfTag(next, trace);
    }
    if (offset >= 0)
      return offset;
    appendParts(next, pending);
  }
  return -1;
}
