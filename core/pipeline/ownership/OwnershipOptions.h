//===- core/pipeline/ownership/OwnershipOptions.h -------------------------===//
//
// Options of the ownership pass.

#ifndef MEMREFLENS_PIPELINE_OWNERSHIP_OWNERSHIPOPTIONS_H
#define MEMREFLENS_PIPELINE_OWNERSHIP_OWNERSHIPOPTIONS_H

namespace memreflens {

/// Options of the pass, as upstream names them.
struct OwnershipOptions {
  bool privateFunctionDynamicOwnership = false;
  /// Not upstream's: a result of memref.distinct_objects has the ownership of
  /// the operand that it is.
  bool refineDistinctObjects = false;
  /// Of the record: what a handler of another dialect changed is looked for in
  /// all of the function, and not only where handlers change things.
  bool looksEverywhere = false;
};

} // namespace memreflens

#endif // MEMREFLENS_PIPELINE_OWNERSHIP_OWNERSHIPOPTIONS_H
