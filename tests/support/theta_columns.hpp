#pragma once

#include <armilla/backend/source_rings.hpp>
#include <armilla/resample/theta_resampler.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <random>
#include <vector>

#include "support/ring_task.hpp"

namespace armilla::test {

/// What no number of a test is: places that stay untouched have it.
constexpr double kNever = 1e30;
/// Working space that is enough for all columns at once.
constexpr Index kMuch = Index{1} << 30;

/// Delta on source rings, the same for a map in any batch; not a number where a pair does not feel m.
inline Numbers<double> random_source(const backend::SourceRings& source) {
  Numbers<double> numbers(static_cast<std::size_t>(source.delta_size()), std::nan(""));
  const legendre::Task& task = source.task();
  for (Index map = 0; map < task.maps; ++map) {
    std::mt19937_64 random(static_cast<std::uint64_t>(211 + map));
    std::normal_distribution<double> normal;
    for (std::size_t k = 0; k < task.m.size(); ++k)
      for (Index p = task.first_pair[k]; p < task.pairs(); ++p)
        for (Index i = 0; i < 2 * task.components; ++i) {
          const Index w = i / 2 * task.maps + map;
          const double re = normal(random);
          const auto place = static_cast<std::size_t>(task.delta_position(static_cast<Index>(k), p, 2 * p + i % 2) + w);
          numbers[place] = {re, normal(random)};
        }
  }
  return numbers;
}

/// Rings of a task, a resampler that carries Delta there, and its source rings.
struct ResampledRings {
  explicit ResampledRings(const RingTask& rings_)
      : rings(rings_),
        resampler(rings.task.lmax, rings.task.cos_theta, rings.task.sin_theta),
        source(rings.task, resampler.source_cos(), resampler.source_sin()) {}

  /// The rings are those of a fine grid.
  ResampledRings(const RingTask& rings_, const resample::FineGrid& fine)
      : rings(rings_),
        resampler(rings.task.lmax, fine),
        source(rings.task, resampler.source_cos(), resampler.source_sin()) {}

  Numbers<double> random_source() const { return test::random_source(source); }

  const RingTask& rings;
  resample::ThetaResampler resampler;
  backend::SourceRings source;
};

/// Largest difference, in units of the largest number of the column.
inline double distance(const Numbers<double>& a, const Numbers<double>& b) {
  double most = 0;
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(b[i]));
    worst = std::isnan(std::abs(a[i] - b[i])) ? 1e300 : std::max(worst, std::abs(a[i] - b[i]));
  }
  return most == 0 ? worst : worst / most;
}

/// Calls body(k, w) for all columns.
template <class Body>
void for_each_column(const legendre::Task& task, Body&& body) {
  for (Index k = 0; k < static_cast<Index>(task.m.size()); ++k)
    for (Index w = 0; w < task.width(); ++w) body(k, w);
}

/// One column of the source, zero where it is not felt.
inline Numbers<double> source_column(const backend::SourceRings& source, const Numbers<double>& numbers, Index k,
                                     Index w, bool all = false) {
  const legendre::Task& task = source.task();
  Numbers<double> column(static_cast<std::size_t>(2 * task.pairs()));
  for (Index p = all ? 0 : task.first_pair[static_cast<std::size_t>(k)]; p < task.pairs(); ++p)
    for (const Index slot : {2 * p, 2 * p + 1})
      column[static_cast<std::size_t>(slot)] = numbers[static_cast<std::size_t>(task.delta_position(k, p, slot) + w)];
  return column;
}

}  // namespace armilla::test
