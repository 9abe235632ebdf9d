#pragma once

#include <cstddef>
#include <new>
#include <utility>
#include <vector>

namespace armilla::core {

/// Allocates memory aligned to a cache line of 64 bytes, which is the size of the widest vectors.
template <class T>
struct AlignedAllocator {
  using value_type = T;
  static constexpr std::align_val_t kAlignment{64};

  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}  // NOLINT: the standard requires it to be implicit

  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), kAlignment)); }
  /// Leaves elements added by resize() uninitialised.
  template <class U>
  void construct(U* place) {
    ::new (static_cast<void*>(place)) U;
  }
  template <class U, class... Arguments>
  void construct(U* place, Arguments&&... arguments) {
    ::new (static_cast<void*>(place)) U(std::forward<Arguments>(arguments)...);
  }

  void deallocate(T* pointer, std::size_t) { ::operator delete(pointer, kAlignment); }

  template <class U>
  friend bool operator==(const AlignedAllocator&, const AlignedAllocator<U>&) {
    return true;
  }
};

/// A std::vector of a trivial type whose data begin on a cache line, for scratch memory that grows as needed. Elements
/// added by resize() are uninitialised. Use AlignedBuffer for large fields.
template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace armilla::core
