#pragma once

#include <complex>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace armilla::perf {

/// Fills an array with normally distributed numbers, the same for each seed.
template <class T>
void fill_with_noise(std::span<T> numbers, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise;
  for (T& number : numbers) number = static_cast<T>(noise(random));
}

/// `count` complex numbers of this kind.
template <class T>
std::vector<std::complex<T>> complex_noise(std::size_t count, std::uint64_t seed) {
  std::vector<std::complex<T>> numbers(count);
  fill_with_noise(std::span(reinterpret_cast<T*>(numbers.data()), 2 * count), seed);
  return numbers;
}

}  // namespace armilla::perf
