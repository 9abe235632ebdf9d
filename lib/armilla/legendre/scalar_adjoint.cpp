// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#include <armilla/core/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/legendre/scalar_adjoint.cpp"

#include <armilla/legendre/scalar_kernel.hpp>

#include <algorithm>

// foreach_target.h must be included first, and headers that it compiles repeatedly last.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <armilla/legendre/scalar_recurrence-inl.hpp>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace armilla::legendre::HWY_NAMESPACE {

// Steps per tile, for G fields that share values of y. The partial sums of a tile, 4 G vectors per step, stay in the L1
// cache: 24 KiB with AVX-512.
template <int G>
constexpr Index kTile = G == 1 ? 96 : 48;

// Ring values rings[vector][4 G] by which the values of a step at V vectors of pairs are multiplied; they are read from
// the L1 cache. The first vectors of a tile (kFirst) overwrite the sums, later ones add to them.
template <int V, int G, bool kFirst>
struct RingValues {
  const double* rings;

  static HWY_INLINE Vec begin(const double* sums) { return kFirst ? hn::Zero(Tag()) : hn::Load(Tag(), sums); }

  HWY_INLINE Vec ring(int q, int v) const { return hn::Load(Tag(), rings + (4 * G * v + q) * lane_count()); }
  // sums[4 G] += sum over vectors of y times rings, for one step.
  HWY_INLINE void add(const Vec* y, double* sums) const {
    const Tag d;
    for (int q = 0; q < 4 * G; ++q) {
      Vec s = begin(sums + q * lane_count());
      for (int v = 0; v < V; ++v) s = hn::MulAdd(y[v], ring(q, v), s);
      hn::Store(s, d, sums + q * lane_count());
    }
  }
  // The same for two steps, which share the loads of ring values. Two sums at a time give four independent chains.
  HWY_INLINE void add_two(const Vec* even, const Vec* odd, double* sums) const {
    const Tag d;
    double* next = sums + 4 * G * lane_count();
    HWY_UNROLL(4)
    for (int q = 0; q < 4 * G; q += 2) {
      Vec s[2], t[2];
      for (int i = 0; i < 2; ++i) {
        s[i] = begin(sums + (q + i) * lane_count());
        t[i] = begin(next + (q + i) * lane_count());
      }
      for (int v = 0; v < V; ++v)
        for (int i = 0; i < 2; ++i) {
          Vec r = ring(q + i, v);
          keep_loaded(r);
          s[i] = hn::MulAdd(even[v], r, s[i]);
          t[i] = hn::MulAdd(odd[v], r, t[i]);
        }
      for (int i = 0; i < 2; ++i) {
        hn::Store(s[i], d, sums + (q + i) * lane_count());
        hn::Store(t[i], d, next + (q + i) * lane_count());
      }
    }
  }
};

// Steps from even `k` to `end` at V vectors of which all lanes contribute.
template <ScalarForm F, int V, int G, bool kFirst>
HWY_INLINE void add_counting(const double* row, Index k, Index end, RingValues<V, G, kFirst> values, Pairs<F, V>& pairs,
                             double* sums) {
  for (; k + 2 <= end; k += 2, sums += 8 * G * lane_count(), row += 4) {
    Vec even[V];
    pairs.pass_even(row, even);
    values.add_two(even, &pairs.at_odd(0), sums);
    pairs.advance_odd(row + 2);
  }
  if (k < end) values.add(&pairs.at_even(0), sums);
}

// Steps begin .. end - 1 at V vectors starting at pair `first`, of which all lanes contribute; begin is even. The state
// is read from step 1 on, and saved unless these steps are the last.
template <ScalarForm F, int V, int G, bool kFirst>
void adjoint_counting(const ScalarKernelTask& task, Index first, Index begin, Index end, const double* rings,
                      double* state, double* sums) {
  Pairs<F, V> pairs = begin == 0 ? Pairs<F, V>(task, first) : Pairs<F, V>(task, first, state);
  add_counting<F, V, G, kFirst>(task.rows + 2 * begin, begin, end, {rings + 4 * G * first}, pairs, sums);
  if (end < task.steps) pairs.save_values(task, first, state);
}

// The step at which a block of vectors continues is replaced by this value once all its lanes contribute.
constexpr Index kAllCount = -1;

// Variant for blocks of which some lanes may not contribute. Returns the step at which the block continues, or
// kAllCount.
template <ScalarForm F, int V, int G, bool kFirst>
Index adjoint_some(const ScalarKernelTask& task, Index first, Index begin, Index end, const double* rings,
                   double* state, double* sums) {
  const Index stride = 4 * G * lane_count();
  Pairs<F, V> pairs(task, first, state);
  const RingValues<V, G, kFirst> values{rings + 4 * G * first};
  const double* row = task.rows + 2 * begin;
  Index k = begin;
  while (k < end && pairs.any_below()) {
    const Index until = HWY_MIN(next_look(k), end);
    Vec y[V];
    for (; k < until; k += 2, sums += 2 * stride, row += 4) {
      pairs.pass_even_counting(row, y);
      values.add(y, sums);
      if (k + 1 == until) break;
      pairs.pass_odd_counting(row + 2, y);
      values.add(y, sums + stride);
    }
    k = until;
    pairs.rescale();
  }
  const bool all = !pairs.any_below();
  add_counting<F, V, G, kFirst>(row, k, end, values, pairs, sums);
  pairs.save(task, first, state);
  return all ? kAllCount : end;
}

// Sums the lanes of the partial sums of steps begin .. end - 1, [step][4 G], to sums[field][step][4].
template <int G>
HWY_INLINE void finish_tile(const ScalarKernelTask& task, Index begin, Index end, const double* partial, double* sums) {
  if constexpr (G == 1) return sum_lanes(partial, 4 * (end - begin), sums + 4 * begin);
  double total[kTile<G> * 4 * G];
  sum_lanes(partial, 4 * G * (end - begin), total);
  for (Index g = 0; g < G; ++g) {
    double* out = sums + g * task.field_stride + 4 * begin;
    for (Index k = 0; k < end - begin; ++k)
      for (int q = 0; q < 4; ++q) out[4 * k + q] = total[4 * (G * k + g) + q];
  }
}

// G fields. Tiles of steps are the outer loop, pairs the inner one; the state of the recurrences is kept in memory
// between tiles.
template <ScalarForm F, int G>
void adjoint_fields(const ScalarKernelTask& task, const double* rings, double* sums, ScalarKernelWorkspace& work) {
  constexpr Index kSums = kTile<G> * 4 * G;
  const Index lanes = lane_count();
  work.state.resize(static_cast<std::size_t>(3 * task.pairs));
  work.lanes.resize(static_cast<std::size_t>(kSums * lanes));
  work.steps.resize(static_cast<std::size_t>(task.pairs / lanes));
  double* state = work.state.data();
  const ScalarKernelTask low = with_low_rows(task);
  // Calls body<W>(task, first, step) for each block, where `step` is the step at which it continues.
  const auto for_all = [&](const auto& body) HWY_ATTR {
    const auto part = [&](const ScalarKernelTask& own, Index first, Index last) HWY_ATTR {
      const auto block = [&]<int W>(Index pair) HWY_ATTR {
        body.template operator()<W>(own, pair, work.steps[static_cast<std::size_t>(pair / lanes)]);
      };
      if constexpr (kManyRegisters)
        for_each_block<6, 5, 4, 3, 2, 1>(first, last, block);
      else
        for_each_block<4, 3, 2, 1>(first, last, block);
    };
    part(low, 0, task.low_pairs);
    part(task, task.low_pairs, task.pairs);
  };
  if (task.contributes)
    std::ranges::fill(work.steps, kAllCount);
  else
    for_all([&]<int W>(const ScalarKernelTask& own, Index pair, Index& step)
                HWY_ATTR { step = run_up<F, W>(own, pair, state); });

  for (Index begin = 0; begin < task.steps; begin += kTile<G>) {
    const Index end = HWY_MIN(begin + kTile<G>, task.steps);
    double* partial = work.lanes.data();
    // Adds the sums of a block, starting at the step at which it continues.
    const auto add = [&]<int W, bool kFirst>(const ScalarKernelTask& own, Index pair, Index& step) HWY_ATTR {
      if (step == kAllCount)
        adjoint_counting<F, W, G, kFirst>(own, pair, begin, end, rings, state, partial);
      else
        step =
            adjoint_some<F, W, G, kFirst>(own, pair, step, end, rings, state, partial + 4 * G * (step - begin) * lanes);
    };
    bool begun = false;
    for_all([&]<int W>(const ScalarKernelTask& own, Index pair, Index& step) HWY_ATTR {
      if (step >= end) return;
      if (begun) return add.template operator()<W, false>(own, pair, step);
      begun = true;
      if (step != kAllCount) std::fill_n(partial, 4 * G * (step - begin) * lanes, 0.0);
      add.template operator()<W, true>(own, pair, step);
    });
    if (!begun) std::fill_n(partial, 4 * G * (end - begin) * lanes, 0.0);
    finish_tile<G>(task, begin, end, partial, sums);
  }
}

// S steps of G fields from step k on, with values that were computed before. Writes vectors of partial sums.
template <int S, int G>
HWY_INLINE void adjoint_steps(const ScalarKernelTask& task, Index k, const double* rings, double* partial) {
  const Tag d;
  Vec sum[S][4 * G];
  for (int s = 0; s < S; ++s)
    for (int q = 0; q < 4 * G; ++q) sum[s][q] = hn::Zero(d);
  const double* values = task.values + k * task.pairs;
  for (Index pair = 0; pair < task.pairs; pair += lane_count(), rings += 4 * G * lane_count()) {
    Vec y[S];
    for (int s = 0; s < S; ++s) y[s] = hn::Load(d, values + s * task.pairs + pair);
    for (int q = 0; q < 4 * G; ++q) {
      const Vec ring = hn::Load(d, rings + q * lane_count());
      for (int s = 0; s < S; ++s) sum[s][q] = hn::MulAdd(y[s], ring, sum[s][q]);
    }
  }
  for (int s = 0; s < S; ++s)
    for (int q = 0; q < 4 * G; ++q) hn::Store(sum[s][q], d, partial + (4 * G * s + q) * lane_count());
}

template <int G>
void adjoint_of_values(const ScalarKernelTask& task, const double* rings, double* sums, ScalarKernelWorkspace& work) {
  // The sums of a group of steps stay in registers.
  constexpr int kSteps = (kManyRegisters ? 4 : 2) / G;
  const Index lanes = lane_count();
  work.lanes.resize(static_cast<std::size_t>(kTile<G> * 4 * G * lanes));
  for (Index begin = 0; begin < task.steps; begin += kTile<G>) {
    const Index end = HWY_MIN(begin + kTile<G>, task.steps);
    double* partial = work.lanes.data();
    Index k = begin;
    for (; k + kSteps <= end; k += kSteps, partial += kSteps * 4 * G * lanes)
      adjoint_steps<kSteps, G>(task, k, rings, partial);
    for (; k < end; ++k, partial += 4 * G * lanes) adjoint_steps<1, G>(task, k, rings, partial);
    finish_tile<G>(task, begin, end, work.lanes.data(), sums);
  }
}

template <ScalarForm F>
void adjoint_of(const ScalarKernelTask& task, const double* rings, double* sums, ScalarKernelWorkspace& work) {
  if (task.fields == 1)
    adjoint_fields<F, 1>(task, rings, sums, work);
  else
    adjoint_fields<F, 2>(task, rings, sums, work);
}

void adjoint(const ScalarKernelTask& task, const double* rings, double* sums, ScalarKernelWorkspace& work) {
  if (task.values != nullptr) {
    task.fields == 1 ? adjoint_of_values<1>(task, rings, sums, work) : adjoint_of_values<2>(task, rings, sums, work);
    return;
  }
  if (task.form == ScalarForm::kEquator)
    adjoint_of<ScalarForm::kEquator>(task, rings, sums, work);
  else
    adjoint_of<ScalarForm::kTwoTerm>(task, rings, sums, work);
}

}  // namespace armilla::legendre::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla::legendre {

HWY_EXPORT(adjoint);

void scalar_adjoint(const ScalarKernelTask& task, const double* rings, double* sums, ScalarKernelWorkspace& work) {
  HWY_DYNAMIC_DISPATCH(adjoint)(task, rings, sums, work);
}

}  // namespace armilla::legendre
#endif
