#pragma once

#include <armilla/core/types.hpp>

#include <cstdint>

#include <kernels/core/device_pointer.hpp>
#include <kernels/core/stream.hpp>

namespace armilla::kernels {

// Stable sorting of numbers by their keys, one digit of the keys after the other from the lowest. There are no atomics,
// so a sort is the same in every run.

/// Bits of a digit.
inline constexpr int kDigitBits = 6;
inline constexpr int kDigits = 1 << kDigitBits;
/// Keys of a tile, which a block sorts.
inline constexpr int kSortThreads = 128;
inline constexpr int kSortPerThread = 16;
inline constexpr Index kSortTile = Index{kSortThreads} * kSortPerThread;

/// Number of tiles of `count` keys.
HOST_DEVICE constexpr Index sort_tiles(Index count) { return (count + kSortTile - 1) / kSortTile; }
/// Number of entries of DigitSortOf::places.
constexpr Index sort_places(Index count) { return kDigits * sort_tiles(count); }
/// Number of passes for keys 0 .. end - 1.
constexpr int sort_passes(Index end) {
  int passes = 1;
  for (Index rest = (end - 1) >> kDigitBits; rest > 0; rest >>= kDigitBits) ++passes;
  return passes;
}

/// Sorts fewer than 2^32 keys, and the numbers that belong to them, by the digit that begins at bit `shift`.
template <template <class> class Pointer>
struct DigitSortOf {
  Pointer<const std::uint32_t> keys;
  Pointer<const std::uint32_t> numbers;  ///< null: 0, 1, ...
  Index count;
  int shift;
  Pointer<std::uint32_t> sorted_keys, sorted_numbers;  ///< overwritten
  Pointer<std::uint32_t> places;                       ///< [digit][tile], workspace
};
using DigitSort = DigitSortOf<KernelPointer>;
using DeviceDigitSort = DigitSortOf<DevicePointer>;
void sort_by_digit(const DeviceDigitSort& task, StreamHandle stream);

/// begins[key] = the index of the first of the sorted keys that is at least `key`, for key = 0 .. end.
template <template <class> class Pointer>
struct KeyBeginsOf {
  Pointer<const std::uint32_t> keys;  ///< ascending, below `end`
  Index count;
  Index end;
  Pointer<std::uint32_t> begins;
};
using KeyBegins = KeyBeginsOf<KernelPointer>;
using DeviceKeyBegins = KeyBeginsOf<DevicePointer>;
void find_key_begins(const DeviceKeyBegins& task, StreamHandle stream);

}  // namespace armilla::kernels
