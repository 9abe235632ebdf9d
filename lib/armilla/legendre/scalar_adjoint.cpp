// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#include <armilla/core/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/legendre/scalar_adjoint.cpp"

#include <armilla/legendre/scalar_kernel.hpp>

#include <algorithm>

// foreach_target.h comes first, and what it compiles again and again last.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <armilla/legendre/scalar_recurrence-inl.hpp>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace armilla::legendre::HWY_NAMESPACE {

// Vectors of pairs whose recurrences run side by side.
constexpr int kSideBySide = kManyRegisters ? 4 : 2;
// Fields that share values of y, and steps of a tile, whose sums, 4 G vectors each, wait in the first-level cache: 24
// KiB of AVX-512.
constexpr int kMostFields = 2;
template <int G>
constexpr Index kTile = G == 1 ? 96 : 48;

// Rings of V vectors of pairs and G fields: what the values of a step are multiplied with. In registers, as many as
// there are.
template <int V, int G>
struct RingValues {
  Vec ring[4 * G][V];

  HWY_INLINE RingValues(const double* rings, Index pairs) {
    for (int q = 0; q < 4 * G; ++q)
      for (int v = 0; v < V; ++v) ring[q][v] = hn::Load(Tag(), rings + q * pairs + v * lane_count());
  }
  // sums[4 G] += sum over vectors of y times rings, for one step.
  HWY_INLINE void add(const Vec* y, double* sums) const {
    const Tag d;
    for (int q = 0; q < 4 * G; ++q) {
      Vec s = hn::Load(d, sums + q * lane_count());
      for (int v = 0; v < V; ++v) s = hn::MulAdd(y[v], ring[q][v], s);
      hn::Store(s, d, sums + q * lane_count());
    }
  }
  HWY_INLINE void add_two(const Vec* even, const Vec* odd, double* sums) const {
    const Tag d;
    double* next = sums + 4 * G * lane_count();
    for (int q = 0; q < 4 * G; ++q) {
      Vec s = hn::Load(d, sums + q * lane_count());
      Vec t = hn::Load(d, next + q * lane_count());
      for (int v = 0; v < V; ++v) {
        s = hn::MulAdd(even[v], ring[q][v], s);
        t = hn::MulAdd(odd[v], ring[q][v], t);
      }
      hn::Store(s, d, sums + q * lane_count());
      hn::Store(t, d, next + q * lane_count());
    }
  }
};

// Steps begin .. end - 1 at V vectors from pair `first` on; begin is even.
template <ScalarForm F, int V, int G>
void adjoint_block(const ScalarKernelTask& task, Index first, Index begin, Index end, const double* rings,
                   double* state, double* sums) {
  const Index stride = 4 * G * lane_count();
  Pairs<F, V> pairs(task, first, state);
  Index k = pairs.all_below() ? skip(task, begin, end, pairs) : begin;
  if (k < end) {
    const RingValues<V, G> values(rings + first, task.pairs);
    sums += (k - begin) * stride;
    const double* row = task.rows + 2 * k;
    while (k < end && pairs.any_below()) {
      const Index until = HWY_MIN(next_look(k), end);
      Vec y[V];
      for (; k < until; k += 2, sums += 2 * stride, row += 4) {
        for (int v = 0; v < V; ++v) y[v] = hn::IfThenElseZero(pairs.counts(v), pairs.at_even(v));
        values.add(y, sums);
        pairs.advance_even(row);
        if (k + 1 == until) break;
        for (int v = 0; v < V; ++v) y[v] = hn::IfThenElseZero(pairs.counts(v), pairs.at_odd(v));
        values.add(y, sums + stride);
        pairs.advance_odd(row + 2);
      }
      k = until;
      pairs.rescale();
    }
    for (; k + 2 <= end; k += 2, sums += 2 * stride, row += 4) {
      if constexpr (G == 1) {
        values.add(&pairs.at_even(0), sums);
        pairs.advance_even(row);
        values.add(&pairs.at_odd(0), sums + stride);
      } else {
        Vec even[V];
        for (int v = 0; v < V; ++v) even[v] = pairs.at_even(v);
        pairs.advance_even(row);
        values.add_two(even, &pairs.at_odd(0), sums);
      }
      pairs.advance_odd(row + 2);
    }
    if (k < end) values.add(&pairs.at_even(0), sums);
  }
  pairs.save(task, first, state);
}

// Blocks of V vectors as long as there are so many, then of half as many.
template <ScalarForm F, int V, int G>
void adjoint_blocks(const ScalarKernelTask& task, Index first, Index last, Index begin, Index end, const double* rings,
                    double* state, double* sums) {
  for (; first + V * lane_count() <= last; first += V * lane_count())
    adjoint_block<F, V, G>(task, first, begin, end, rings, state, sums);
  if constexpr (V > 1) adjoint_blocks<F, V / 2, G>(task, first, last, begin, end, rings, state, sums);
}

// G fields, tile by tile of steps, all pairs in each; the state of the recurrences waits in memory between tiles.
template <ScalarForm F, int G>
void adjoint_fields(const ScalarKernelTask& task, Index field, const double* rings, double* sums,
                    ScalarKernelWorkspace& work) {
  constexpr Index kSums = kTile<G> * 4 * G;
  work.state.resize(static_cast<std::size_t>(3 * task.pairs));
  work.lanes.resize(static_cast<std::size_t>(kSums * lane_count()));
  double* state = work.state.data();
  std::copy_n(task.start, task.pairs, state);
  std::fill_n(state + task.pairs, task.pairs, 0.0);
  std::copy_n(task.start_scale, task.pairs, state + 2 * task.pairs);
  double total[kSums];
  const ScalarKernelTask low = with_low_rows(task);
  for (Index begin = 0; begin < task.steps; begin += kTile<G>) {
    const Index end = HWY_MIN(begin + kTile<G>, task.steps);
    std::fill_n(work.lanes.data(), 4 * G * (end - begin) * lane_count(), 0.0);
    const double* own = rings + 4 * field * task.pairs;
    adjoint_blocks<F, kSideBySide, G>(low, 0, task.low_pairs, begin, end, own, state, work.lanes.data());
    adjoint_blocks<F, kSideBySide, G>(task, task.low_pairs, task.pairs, begin, end, own, state, work.lanes.data());
    sum_lanes(work.lanes.data(), 4 * G * (end - begin), total);
    const double* next = total;
    for (Index k = begin; k < end; ++k)
      for (Index g = field; g < field + G; ++g)
        for (int q = 0; q < 4; ++q) sums[g * task.field_stride + 4 * k + q] += *next++;
  }
}

template <ScalarForm F>
void adjoint_of(const ScalarKernelTask& task, const double* rings, double* sums, ScalarKernelWorkspace& work) {
  Index field = 0;
  for (; field + kMostFields <= task.fields; field += kMostFields)
    adjoint_fields<F, kMostFields>(task, field, rings, sums, work);
  if (field < task.fields) adjoint_fields<F, 1>(task, field, rings, sums, work);
}

void adjoint(const ScalarKernelTask& task, const double* rings, double* sums, ScalarKernelWorkspace& work) {
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
