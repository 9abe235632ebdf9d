#pragma once

#include <cmath>

#include <kernels/core/inner_products.hpp>

namespace armilla::kernels {

inline constexpr int kInnerThreads = 256;

/// Each thread's share of the terms of a block, then a tree over the threads.
template <int kNumbers, class Derived>
struct InnerBody {
  struct Lane {};
  struct Shared {
    double numbers[kInnerThreads][kNumbers];
  };

  InnerSystems systems;

  template <class Team>
  HOST_DEVICE void run(Team& team, Index number) const {
    const auto& body = static_cast<const Derived&>(*this);
    const Index system = number / systems.blocks;
    const Index begin = systems.begin[system];
    const Index length = systems.length[system];
    const Index first = number % systems.blocks * kInnerThreads;
    auto& numbers = team.shared().numbers;
    team.each([&](Lane&, int thread) {
      double own[kNumbers] = {};
      Index ring = 0;
      for (Index i = first + thread; i < length; i += systems.blocks * kInnerThreads)
        body.take(body.terms(system, begin, i, ring), system, own);
      for (int n = 0; n < kNumbers; ++n) numbers[thread][n] = own[n];
    });
    for (int half = kInnerThreads / 2; half > 0; half /= 2) {
      team.barrier();
      team.each([&](Lane&, int thread) {
        if (thread < half) body.join(numbers[thread + half], numbers[thread]);
      });
    }
    team.barrier();
    team.each([&](Lane&, int thread) {
      if (thread < kNumbers) body.out()[number * kNumbers + thread] = numbers[0][thread];
    });
  }
};

template <class Terms>
struct LargestBody : InnerBody<1, LargestBody<Terms>> {
  Terms terms;
  double* largest;

  HOST_DEVICE void take(double term, Index, double* own) const {
    const double size = std::fabs(term);
    join(&size, own);
  }
  HOST_DEVICE void join(const double* from, double* to) const { *to = *to < *from ? *from : *to; }
  HOST_DEVICE double* out() const { return largest; }
};

template <class Terms>
struct PartsBody : InnerBody<math::kSumLevels, PartsBody<Terms>> {
  Terms terms;
  const double* grids;
  double* parts;

  HOST_DEVICE void take(double term, Index system, double* own) const {
    math::add_parts(grids + system * math::kSumLevels, term, own);
  }
  HOST_DEVICE void join(const double* from, double* to) const {
    for (int level = 0; level < math::kSumLevels; ++level) to[level] += from[level];
  }
  HOST_DEVICE double* out() const { return parts; }
};

}  // namespace armilla::kernels
