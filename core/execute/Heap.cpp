//===- core/execute/Heap.cpp ----------------------------------------------===//

#include "core/execute/Heap.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

namespace memreflens::execute {

/// In front of each block, in a granule of its own.
struct Heap::Block {
  uint64_t mark = 0, bytes = 0;
  uint32_t allocation = nowhere, deallocation = nowhere;
  bool isLive = false;
  /// In which run of a function it was made, and its place in the table.
  uint32_t frame = 0, life = nowhere;
  /// Of the external function that keeps a pointer to it.
  uint32_t keeper = nowhere;

  char *data() { return reinterpret_cast<char *>(this) + granule; }
  const char *data() const {
    return reinterpret_cast<const char *>(this) + granule;
  }

  static constexpr uint64_t granule = 64, ofBlock = 0x6d656d7265666c6e;
};

static constexpr uint64_t granule = 64, piece = uint64_t(4) << 20;
static constexpr uint64_t mostAddresses = uint64_t(1) << 37;
static constexpr char freedPattern = char(0xdb);
static constexpr int outOfMemoryStatus = 75;
static constexpr size_t mostFrames = size_t(1) << 22, usesKept = 4096;

static void *reserve(uint64_t bytes) {
  void *made = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return made == MAP_FAILED ? nullptr : made;
}

Heap::Heap(const SharedCounts &counts, std::vector<Owner> owners,
           uint64_t mostBytes, bool hasLibraries)
    : counts(counts), totals(counts.totals()), sites(counts.sites()),
      owners(std::move(owners)), mostBytes(mostBytes),
      hasLibraries(hasLibraries), latestUses(usesKept, UINT64_MAX),
      scratch(size_t(64) << 10, freedPattern) {
  // Systems that promise no more than they have give fewer.
  for (uint64_t wanted = mostAddresses; wanted >= (uint64_t(64) << 20);
       wanted /= 2) {
    auto *addresses = static_cast<char *>(reserve(wanted));
    void *index =
        addresses ? reserve(wanted / granule * sizeof(uint32_t)) : nullptr;
    if (index) {
      arena = addresses;
      heads = static_cast<uint32_t *>(index);
      size = wanted;
      liveInPiece.resize(size / piece + 1);
      return;
    }
    if (addresses)
      munmap(addresses, wanted);
  }
}

Heap::~Heap() {
  if (!arena)
    return;
  munmap(arena, size);
  munmap(heads, size / granule * sizeof(uint32_t));
}

bool Heap::isOurs(const void *pointer) const {
  return pointer >= arena && pointer < arena + next;
}

/// May be of a library's heap: neither ours, nor of a file's code or data.
bool Heap::isLibrarys(const void *pointer) const {
  Dl_info where;
  return hasLibraries && pointer && !isOurs(pointer) &&
         dladdr(pointer, &where) == 0;
}

/// Null where its block is forgotten.
Heap::Block *Heap::blockAt(const void *pointer) const {
  const uint64_t at =
      uint64_t(static_cast<const char *>(pointer) - arena) / granule;
  if (heads[at] == 0)
    return nullptr;
  auto *block =
      reinterpret_cast<Block *>(arena + (uint64_t(heads[at]) - 1) * granule);
  return block->mark == Block::ofBlock ? block : nullptr;
}

void Heap::fault(FaultKind kind, uint32_t site, const Block *block,
                 FaultCount more) {
  more.kind = kind;
  more.site = site;
  if (block) {
    more.allocation = block->allocation;
    more.deallocation = block->isLive ? nowhere : block->deallocation;
    more.size = int64_t(block->bytes);
  }
  const std::span<FaultCount> known = counts.faults().first(totals.faults);
  for (FaultCount &one : known)
    if (one.kind == kind && one.site == site && one.result == more.result &&
        one.allocation == more.allocation && one.isWrite == more.isWrite) {
      ++one.times;
      return;
    }
  if (totals.faults == mostFaults) {
    ++totals.otherFaults;
    return;
  }
  more.times = 1;
  counts.faults()[totals.faults++] = more;
}

//===--- Live bytes -------------------------------------------------------===//

/// What is live at the peak: looked at when something ends it.
void Heap::keepPeak() {
  if (!isAtNewPeak)
    return;
  isAtNewPeak = false;
  for (SiteCounts &one : sites) {
    one.peakLive = one.live;
    one.peakBytes = one.liveBytes;
  }
}

void Heap::noteLive(int64_t change, uint32_t site) {
  totals.liveBytes += change;
  if (totals.liveBytes > totals.peakBytes) {
    totals.peakBytes = totals.liveBytes;
    totals.peakSite = site;
    isAtNewPeak = true;
  }
  const std::span<LivePoint> points = counts.points();
  const uint64_t step = steps++;
  if (totals.points > 0 && step % totals.stepsAPoint != 0) {
    LivePoint &last = points[totals.points - 1];
    if (totals.liveBytes > last.bytes)
      last = {step, totals.liveBytes, site};
    return;
  }
  if (totals.points == mostPoints) {
    for (uint32_t i = 0; i < mostPoints / 2; ++i) {
      const LivePoint &one = points[2 * i], &other = points[2 * i + 1];
      points[i] = other.bytes > one.bytes ? other : one;
    }
    totals.points = mostPoints / 2;
    totals.stepsAPoint *= 2;
  }
  points[totals.points++] = {step, totals.liveBytes, site};
}

void Heap::noteEnd(uint32_t allocation, uint32_t deallocation) {
  auto [known, isNew] = knownEnds.try_emplace(
      uint64_t(allocation) << 32 | deallocation, totals.ends);
  if (!isNew) {
    ++counts.ends()[known->second].times;
  } else if (totals.ends == mostEnds) {
    // That it ended is counted by the allocation.
    knownEnds.erase(known);
  } else {
    counts.ends()[totals.ends] = {allocation, deallocation, 1};
    ++totals.ends;
  }
}

//===--- Who uses what ----------------------------------------------------===//

void Heap::enter(uint32_t site) {
  totals.areUsesCut |= frames.size() == mostFrames;
  if (totals.areUsesCut)
    return;
  frames.push_back({site, frame, frames[frame].depth + 1, false});
  frame = uint32_t(frames.size() - 1);
}

void Heap::leave() {
  if (totals.areUsesCut)
    return;
  const Frame &left = frames[frame];
  const uint32_t parent = left.parent;
  if (!left.isKept && frame + 1 == frames.size())
    frames.pop_back();
  frame = parent;
}

void Heap::noteUse(uint32_t allocation, uint32_t use) {
  const uint64_t pair = uint64_t(allocation) << 32 | use;
  uint64_t &latest = latestUses[(allocation * 31 + use) % usesKept];
  if (latest == pair)
    return;
  latest = pair;
  if (!knownUses.insert(pair).second)
    return;
  if (totals.uses == mostUses)
    totals.areUsesCut = true;
  else
    counts.uses()[totals.uses++] = {allocation, use};
}

/// Told of the function that both are in: of one that calls where the other
/// is, the call.
void Heap::noteUse(const Block &block, uint32_t site) {
  ++clock;
  if (totals.areUsesCut || owners[site] != Owner::program ||
      owners[block.allocation] != Owner::program)
    return;
  uint32_t made = block.frame, used = frame;
  uint32_t allocation = block.allocation, use = site;
  while (made != used) {
    const bool isMadeDeeper = frames[made].depth >= frames[used].depth;
    const bool isUsedDeeper = frames[used].depth >= frames[made].depth;
    if (isMadeDeeper) {
      allocation = frames[made].site;
      made = frames[made].parent;
    }
    if (isUsedDeeper) {
      use = frames[used].site;
      used = frames[used].parent;
    }
  }
  if (block.life != nowhere) {
    LifeCount &life = counts.lives()[block.life];
    if (life.first == 0)
      life.first = clock;
    life.last = clock;
    if (frames[made].depth < frames[life.frame].depth) {
      life.frame = made;
      life.site = allocation;
    }
  }
  noteUse(allocation, use);
}

void Heap::forgetOldest() {
  // The latest quarter stays known.
  const uint64_t end = next / piece - next / piece / 4;
  for (uint64_t i = 0; i < end; ++i) {
    if (liveInPiece[i] != 0 || liveInPiece[i] == UINT32_MAX)
      continue;
    madvise(arena + i * piece, piece, MADV_DONTNEED);
    madvise(heads + i * piece / granule, piece / granule * sizeof(uint32_t),
            MADV_DONTNEED);
    liveInPiece[i] = UINT32_MAX;
    forgotten += piece;
  }
}

//===--- What a program calls ---------------------------------------------===//

void *Heap::allocate(uint64_t bytes, uint64_t alignment, uint32_t site) {
  totals.lastSite = site;
  alignment = std::max(alignment, granule);
  uint64_t at = next + granule;
  at = (at + alignment - 1) / alignment * alignment;
  // A granule behind it is nobody's.
  const uint64_t end = (at + bytes + granule - 1) / granule * granule + granule;
  if (bytes < mostBytes && end - forgotten > mostBytes)
    forgetOldest();
  if (bytes >= mostBytes || end - forgotten > mostBytes || end > size) {
    totals.isOutOfMemory = true;
    _exit(outOfMemoryStatus);
  }
  const uint64_t head = at - granule;
  auto *block = reinterpret_cast<Block *>(arena + head);
  *block = {Block::ofBlock, bytes, site, nowhere, true, 0, nowhere, nowhere};
  std::fill(heads + head / granule, heads + end / granule,
            uint32_t(head / granule + 1));
  for (uint64_t i = head / piece; i <= (end - 1) / piece; ++i)
    ++liveInPiece[i];
  next = end;
  if (owners[site] != Owner::program)
    return block->data();
  ++clock;
  block->frame = frame;
  frames[frame].isKept = true;
  if (totals.lives == mostLives) {
    ++totals.otherLives;
  } else {
    block->life = totals.lives++;
    counts.lives()[block->life] = {site, frame, bytes, clock, 0, 0, 0};
  }
  SiteCounts &count = sites[site];
  count.leastEach = count.ran == 0 ? bytes : std::min(count.leastEach, bytes);
  count.mostEach = std::max(count.mostEach, bytes);
  ++count.ran;
  count.bytes += bytes;
  count.liveBytes += int64_t(bytes);
  count.mostLive = std::max(count.mostLive, ++count.live);
  ++totals.allocations;
  noteLive(int64_t(bytes), site);
  return block->data();
}

void Heap::free(void *pointer, uint32_t site, uint32_t result) {
  totals.lastSite = site;
  const Owner by = owners[site];
  const bool isOfProgram = by == Owner::program || by == Owner::keeper;
  if (isOfProgram) {
    // A realloc deallocates, too: its runs are counted as it allocates.
    sites[site].ran += sites[site].mostLive == 0;
    ++totals.deallocations;
  }
  FaultCount about;
  about.result = result;
  if (isLibrarys(pointer)) {
    auto [known, isFirst] = freedOfLibraries.try_emplace(pointer, site);
    if (isFirst)
      return;
    about.deallocation = known->second;
    fault(isOfProgram ? FaultKind::doubleFree : FaultKind::returnedFreed, site,
          nullptr, about);
    return;
  }
  Block *block = isOurs(pointer) ? blockAt(pointer) : nullptr;
  const bool isForgotten = isOurs(pointer) && !block;
  const bool isStart = block && block->data() == pointer;
  if (by == Owner::caller && !(isStart && block->isLive))
    return;
  if (isForgotten || (isStart && !block->isLive)) {
    const bool isTwice = block && block->deallocation != nowhere &&
                         owners[block->deallocation] == Owner::result;
    fault(isOfProgram ? FaultKind::doubleFree
          : isTwice   ? FaultKind::returnedUnowned
                      : FaultKind::returnedFreed,
          site, block, about);
    return;
  }
  const Owner of = isStart ? owners[block->allocation] : Owner::program;
  const bool isOthers = (of == Owner::caller && by != Owner::caller) ||
                        (of == Owner::keeper && by != Owner::keeper);
  const bool isKept =
      isStart && block->keeper != nowhere && by == Owner::program;
  if (!isStart || isOthers || isKept) {
    about.keeper = isKept                ? block->keeper
                   : of == Owner::keeper ? block->allocation
                                         : nowhere;
    fault(by == Owner::result  ? FaultKind::returnedUnowned
          : isOthers || isKept ? FaultKind::freeOfBorrowed
                               : FaultKind::freeOfUnknown,
          site, block, about);
    // Whose it is deallocates it, as it must.
    return;
  }
  block->isLive = false;
  block->deallocation = site;
  const uint64_t head = uint64_t(reinterpret_cast<char *>(block) - arena);
  const uint64_t end =
      (head + granule + block->bytes + granule - 1) / granule * granule +
      granule;
  for (uint64_t i = head / piece; i <= (end - 1) / piece; ++i)
    --liveInPiece[i];
  std::memset(block->data(), freedPattern, block->bytes);
  if (of != Owner::program)
    return;
  if (block->keeper != nowhere) {
    --kept[block->allocation].first;
    kept[block->allocation].second -= int64_t(block->bytes);
  }
  ++clock;
  if (block->life != nowhere && isOfProgram)
    counts.lives()[block->life].ended = clock;
  keepPeak();
  SiteCounts &count = sites[block->allocation];
  const int64_t bytes = int64_t(block->bytes);
  if (by == Owner::result) {
    ++count.returned;
    --count.live;
    count.liveBytes -= bytes;
    return;
  }
  ++count.deallocated;
  noteEnd(block->allocation, site);
  noteLive(-bytes, site);
  --count.live;
  count.liveBytes -= bytes;
}

void *Heap::access(void *pointer, const void *base, uint64_t bytes,
                   uint32_t site, bool isWrite) {
  ++totals.accesses;
  // Stack and globals are not looked at.
  if (bytes == 0 || (!isOurs(pointer) && !isOurs(base)))
    return pointer;
  // Whatever lies there: it is the base's buffer that is meant.
  const Block *block = isOurs(base) ? blockAt(base) : nullptr;
  if (!block && isOurs(pointer))
    block = blockAt(pointer);
  FaultCount about;
  about.isWrite = isWrite;
  if (block) {
    about.offset = static_cast<const char *>(pointer) - block->data();
    if (block->isLive && about.offset >= 0 &&
        uint64_t(about.offset) + bytes <= block->bytes) {
      noteUse(*block, site);
      return pointer;
    }
  }
  totals.lastSite = site;
  fault(block && block->isLive ? FaultKind::outOfBounds
                               : FaultKind::useAfterFree,
        site, block, about);
  std::fill(scratch.begin(), scratch.end(), freedPattern);
  return bytes <= scratch.size() ? scratch.data() : pointer;
}

void Heap::touch(const void *pointer, uint32_t site) {
  totals.lastSite = site;
  if (!isOurs(pointer))
    return;
  const Block *block = blockAt(pointer);
  if (!block || !block->isLive)
    fault(FaultKind::useAfterFree, site, block, {});
}

void Heap::keep(const void *pointer, uint32_t site) {
  Block *block = isOurs(pointer) ? blockAt(pointer) : nullptr;
  if (!block || !block->isLive || block->keeper != nowhere)
    return;
  block->keeper = site;
  if (owners[block->allocation] != Owner::program)
    return;
  ++kept[block->allocation].first;
  kept[block->allocation].second += int64_t(block->bytes);
}

void Heap::finish() {
  keepPeak();
  for (uint32_t site = 0; site < sites.size(); ++site) {
    const SiteCounts &count = sites[site];
    const auto [others, othersBytes] = kept[site];
    if (count.live <= others || owners[site] != Owner::program)
      continue;
    FaultCount leak;
    leak.allocation = site;
    leak.size = count.liveBytes - othersBytes;
    fault(FaultKind::leak, nowhere, nullptr, leak);
    for (FaultCount &one : counts.faults().first(totals.faults))
      if (one.kind == FaultKind::leak && one.allocation == site)
        one.times = uint64_t(count.live - others);
  }
}

} // namespace memreflens::execute
