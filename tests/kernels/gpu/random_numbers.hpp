#pragma once

#include <armilla/core/types.hpp>

#include <random>
#include <vector>

namespace armilla::kernels {

/// Uniform between -1 and 1.
template <class T>
std::vector<T> random_numbers(core::Index count, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<T> numbers;
  for (core::Index i = 0; i < count; ++i) numbers.push_back(static_cast<T>(uniform(engine)));
  return numbers;
}

}  // namespace armilla::kernels
