//===- core/trace/List.h - a vector in eight bytes ------------------------===//
//
// A trace has a million events, whose lists are most often empty or of one id.
// So the size is with the elements, an empty list is a null pointer, and a
// single id stands in the pointer's place.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TRACE_LIST_H
#define MEMREFLENS_TRACE_LIST_H

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace memreflens::trace {

/// Its members are those that std::vector has of that name. Converts from
/// std::vector and, where asked to, to it, which copies.
template <class T> class List {
public:
  using value_type = T;
  using iterator = T *;
  using const_iterator = const T *;

  List() = default;
  List(std::initializer_list<T> elements)
      : List(elements.begin(), elements.end()) {}
  List(const std::vector<T> &elements)
      : List(elements.begin(), elements.end()) {}
  template <std::forward_iterator Iterator>
  List(Iterator first, Iterator last) {
    reserve(static_cast<size_t>(std::distance(first, last)));
    for (; first != last; ++first)
      emplace_back(*first);
  }
  List(const List &other) : List(other.begin(), other.end()) {}
  List(List &&other) noexcept { swap(other); }
  List &operator=(List other) noexcept {
    swap(other);
    return *this;
  }
  ~List() { clear(); }

  /// Explicit: a list may be long.
  explicit operator std::vector<T>() const { return {begin(), end()}; }

  bool empty() const { return size() == 0; }
  size_t size() const {
    const Block *elements = block();
    return isInPlace() ? 1 : elements ? elements->size : 0;
  }
  T *data() { return const_cast<T *>(std::as_const(*this).data()); }
  const T *data() const {
    if (isInPlace())
      return std::launder(reinterpret_cast<const T *>(word + place));
    const Block *elements = block();
    return elements ? elements->first() : nullptr;
  }
  T *begin() { return data(); }
  T *end() { return data() + size(); }
  const T *begin() const { return data(); }
  const T *end() const { return data() + size(); }
  T &operator[](size_t i) { return data()[i]; }
  const T &operator[](size_t i) const { return data()[i]; }
  T &front() { return *begin(); }
  const T &front() const { return *begin(); }
  T &back() { return end()[-1]; }
  const T &back() const { return end()[-1]; }
  bool operator==(const List &other) const {
    return std::equal(begin(), end(), other.begin(), other.end());
  }

  void push_back(T element) { emplace_back(std::move(element)); }
  template <class... Args> T &emplace_back(Args &&...args) {
    // Made first: it may be made from an element of this list.
    T element(std::forward<Args>(args)...);
    if constexpr (fitsInPlace)
      if (empty() && !block()) {
        word[0] = inPlaceMark;
        return *new (word + place) T(std::move(element));
      }
    Block *elements = withRoom(size() + 1);
    return *new (elements->first() + elements->size++) T(std::move(element));
  }
  void reserve(size_t count) {
    if (count > (fitsInPlace ? 1 : 0))
      withRoom(count);
  }
  void resize(size_t count) {
    if (count == 0)
      return clear();
    while (size() < count)
      emplace_back();
    if (Block *elements = isInPlace() ? nullptr : block())
      for (; elements->size > count; --elements->size)
        std::destroy_at(elements->first() + elements->size - 1);
  }
  void clear() {
    std::destroy(begin(), end());
    if (!isInPlace())
      ::operator delete(block());
    std::memset(word, 0, sizeof word);
  }
  /// An element in place is a plain number, which moves as bytes.
  void swap(List &other) noexcept { std::swap(word, other.word); }

private:
  struct Block {
    uint32_t size = 0, capacity = 0;
    T *first() { return reinterpret_cast<T *>(this + 1); }
    const T *first() const { return reinterpret_cast<const T *>(this + 1); }
  };
  static_assert(alignof(T) <= sizeof(Block));
  static constexpr bool fitsInPlace =
      std::is_trivially_copyable_v<T> && sizeof(T) == 4;
  static constexpr size_t place = 4;
  /// In the byte in which a pointer has its lowest bits, which are 0.
  static constexpr unsigned char inPlaceMark = 1;
  static_assert(std::endian::native == std::endian::little &&
                sizeof(void *) == 8);

  bool isInPlace() const { return word[0] & inPlaceMark; }
  Block *block() const {
    Block *pointer = nullptr;
    if (!isInPlace())
      std::memcpy(&pointer, word, sizeof pointer);
    return pointer;
  }

  /// The elements in a block that has room for `count`.
  Block *withRoom(size_t count) {
    Block *old = block();
    if (old && old->capacity >= count)
      return old;
    const size_t capacity = std::max<size_t>(count, old ? old->size * 2 : 2);
    void *memory = ::operator new(sizeof(Block) + capacity * sizeof(T));
    auto *made = new (memory)
        Block{static_cast<uint32_t>(size()), static_cast<uint32_t>(capacity)};
    std::uninitialized_move(begin(), end(), made->first());
    clear();
    std::memcpy(word, &made, sizeof made);
    return made;
  }

  alignas(8) unsigned char word[8] = {};
};

} // namespace memreflens::trace

#endif // MEMREFLENS_TRACE_LIST_H
