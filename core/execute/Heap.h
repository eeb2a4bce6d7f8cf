//===- core/execute/Heap.h - the heap of a program that is watched --------===//
//
// Gives memory that is never used twice, so that whoever still holds an address
// after its deallocation is found; freed memory is filled with a pattern. Every
// load, store, allocation and deallocation of the program goes through here.
// One thread, one heap in a process.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_EXECUTE_HEAP_H
#define MEMREFLENS_EXECUTE_HEAP_H

#include "core/execute/Counts.h"

#include <map>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace memreflens::execute {

/// Whose an allocation or deallocation is; `keeper`: an external function's.
enum class Owner : uint8_t { program, caller, result, keeper };

class Heap {
public:
  /// `owners`: by site. At most `mostBytes` are live, or kept after their
  /// deallocation. Where there are libraries, theirs may be deallocated, too.
  Heap(const SharedCounts &counts, std::vector<Owner> owners,
       uint64_t mostBytes, bool hasLibraries);
  ~Heap();
  Heap(const Heap &) = delete;
  Heap &operator=(const Heap &) = delete;

  /// False if the system gave no addresses.
  bool isOpen() const { return arena != nullptr; }

  void *allocate(uint64_t bytes, uint64_t alignment, uint32_t site);
  void free(void *pointer, uint32_t site, uint32_t result);
  /// What to use in the place of the address: the same, or a page of its own
  /// where the access would do harm. `base`: the buffer's, that the address was
  /// made of; or the address.
  void *access(void *pointer, const void *base, uint64_t bytes, uint32_t site,
               bool isWrite);
  /// That of a buffer which is passed on: it must be live.
  void touch(const void *pointer, uint32_t site);
  /// The external function of that site keeps a pointer to it: whoever else
  /// deallocates it leaves that dangling.
  void keep(const void *pointer, uint32_t site);
  /// An op calls a function of the program, and comes back from it.
  void enter(uint32_t site);
  void leave();
  /// Notes what is left as leaks.
  void finish();

private:
  struct Block;
  /// A run of a function, by the call that it comes from.
  struct Frame {
    uint32_t site = nowhere, parent = 0, depth = 0;
    /// A buffer was made in it.
    bool isKept = false;
  };

  Block *blockAt(const void *pointer) const;
  bool isOurs(const void *pointer) const;
  bool isLibrarys(const void *pointer) const;
  void fault(FaultKind kind, uint32_t site, const Block *block,
             FaultCount more);
  void keepPeak();
  void noteLive(int64_t change, uint32_t site);
  void noteEnd(uint32_t allocation, uint32_t deallocation);
  void noteUse(const Block &block, uint32_t site);
  void noteUse(uint32_t allocation, uint32_t use);
  void forgetOldest();

  const SharedCounts &counts;
  RunTotals &totals;
  std::span<SiteCounts> sites;
  std::vector<Owner> owners;
  uint64_t mostBytes;
  bool hasLibraries;
  /// What libraries allocated and the program deallocated; nobody gets it
  /// again.
  std::map<const void *, uint32_t> freedOfLibraries;
  /// Buffers and bytes that external functions keep, by allocation: no leaks.
  std::map<uint32_t, std::pair<int64_t, int64_t>> kept;
  /// Places in the table of ends, by allocation and deallocation.
  std::unordered_map<uint64_t, uint32_t> knownEnds;
  /// Addresses, and for each granule of them the granule of its block's head.
  char *arena = nullptr;
  uint32_t *heads = nullptr;
  uint64_t size = 0, next = 0, forgotten = 0;
  /// Live and kept bytes, and live blocks, by piece of the arena.
  std::vector<uint32_t> liveInPiece;
  uint64_t heldBytes = 0;
  uint64_t steps = 0;
  /// Numbers what happens to memory.
  uint64_t clock = 0;
  std::vector<Frame> frames = {{}};
  uint32_t frame = 0;
  std::unordered_set<uint64_t> knownUses;
  /// The latest of them, by a part of the pair.
  std::vector<uint64_t> latestUses;
  bool isAtNewPeak = false;
  std::vector<char> scratch;
};

} // namespace memreflens::execute

#endif // MEMREFLENS_EXECUTE_HEAP_H
