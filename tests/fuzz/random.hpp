#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>
#include <span>
#include <string_view>

namespace armilla::fuzz {

/// Choices of a mutation; the same seed gives the same choices everywhere.
class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}

  /// 0 .. count - 1; 0 where count is 0.
  std::size_t below(std::size_t count) { return count == 0 ? 0 : engine_() % count; }
  /// True once in `count` times.
  bool one_in(std::size_t count) { return below(count) == 0; }
  template <class T>
  const T& of(std::span<const T> choices) {
    return choices[below(choices.size())];
  }
  template <class T>
  T of(std::initializer_list<T> choices) {
    return choices.begin()[below(choices.size())];
  }
  /// A whole number as headers hold it: small, or at a limit of a type or of a format.
  std::int64_t whole();
  /// A number: ordinary, not finite, or at a limit of a type.
  double number();

 private:
  std::mt19937 engine_;
};

}  // namespace armilla::fuzz
