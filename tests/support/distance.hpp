#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/transform/field.hpp>

#include <cmath>
#include <complex>
#include <span>

#include <gtest/gtest.h>

namespace armilla::test {

/// Collective. sqrt(sum |a - b|^2 / sum |b|^2) over all ranks, of which some may own nothing; b must not be 0.
template <class T>
double distance(const comm::Communicator& comm, std::span<const T> a, std::span<const T> b) {
  double sums[2] = {0, 0};
  for (std::size_t i = 0; i < a.size(); ++i) {
    sums[0] += std::norm(a[i] - b[i]);
    sums[1] += std::norm(b[i]);
  }
  comm.sum(sums);
  EXPECT_GT(sums[1], 0);
  return std::sqrt(sums[0] / sums[1]);
}

/// Collective. Likewise of all maps and components, each m once.
template <class T>
double distance(const comm::Communicator& comm, const transform::AlmField<T>& a, const transform::AlmField<T>& b) {
  return distance<std::complex<T>>(comm, a.data(), b.data());
}

/// Collective. Likewise of pixels.
template <class T>
double distance(const comm::Communicator& comm, const transform::MapField<T>& a, const transform::MapField<T>& b) {
  return distance<T>(comm, a.data(), b.data());
}

}  // namespace armilla::test
