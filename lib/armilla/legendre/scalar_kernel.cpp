// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#include <armilla/core/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/legendre/scalar_kernel.cpp"

#include <armilla/legendre/scalar_kernel.hpp>

// foreach_target.h must be included first, and headers that it compiles repeatedly last.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <armilla/legendre/scalar_recurrence-inl.hpp>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace armilla::legendre::HWY_NAMESPACE {

// Vectors per block, so that the sums of V vectors of pairs and G fields stay in registers: V (3 + 4 G) of 32 or 16.
template <int G>
constexpr int kFusedVectors = kManyRegisters ? (G == 1 ? 4 : 2) : (G == 1 ? 2 : 1);

template <int V, int G>
struct RingSums {
  Vec sum[V][4 * G];

  HWY_INLINE RingSums() {
    for (int v = 0; v < V; ++v)
      for (int q = 0; q < 4 * G; ++q) sum[v][q] = hn::Zero(Tag());
  }
  // Stores the sums; those of different coefficients are `stride` apart.
  HWY_INLINE void store(double* sums, Index stride) const {
    for (int v = 0; v < V; ++v)
      for (int q = 0; q < 4 * G; ++q) hn::StoreU(sum[v][q], Tag(), sums + q * stride + v * lane_count());
  }
  // Adds y times the coefficients of one step; fields are `stride` apart.
  HWY_INLINE void add(const double* coefficients, Index stride, const Vec* y) {
    const Tag d;
    for (int g = 0; g < G; ++g)
      for (int q = 0; q < 4; ++q) {
        const Vec c = hn::Set(d, coefficients[g * stride + q]);
        for (int v = 0; v < V; ++v) sum[v][4 * g + q] = hn::MulAdd(c, y[v], sum[v][4 * g + q]);
      }
  }
};

// Sums G fields from even step k on, for which `state` holds the recurrence; without a state, from step 0 on. All sums
// stay in registers until the last step.
template <ScalarForm F, int V, int G>
void synthesis_block(const ScalarKernelTask& task, Index first, Index k, const double* coefficients, double* sums,
                     const double* state) {
  const Index stride = task.field_stride;
  RingSums<V, G> total;
  if (k < task.steps) {
    Pairs<F, V> pairs = state == nullptr ? Pairs<F, V>(task, first) : Pairs<F, V>(task, first, state);
    if (pairs.all_below()) k = skip(task, k, task.steps, pairs);
    const double* c = coefficients + 4 * k;
    const double* row = task.rows + 2 * k;
    while (k + 2 <= task.steps && pairs.any_below()) {
      const Index until = HWY_MIN(next_look(k), task.steps);
      for (; k + 2 <= until; k += 2, c += 8, row += 4) {
        Vec even[V], odd[V];
        pairs.pass_even_counting(row, even);
        total.add(c, stride, even);
        pairs.pass_odd_counting(row + 2, odd);
        total.add(c + 4, stride, odd);
      }
      if (k < until) break;
      pairs.rescale();
    }
    for (; k + 2 <= task.steps; k += 2, c += 8, row += 4) {
      Vec even[V], odd[V];
      pairs.pass_even(row, even);
      total.add(c, stride, even);
      pairs.pass_odd(row + 2, odd);
      total.add(c + 4, stride, odd);
    }
    if (k < task.steps) {
      Vec even[V];
      pairs.pass_even_counting(row, even);
      total.add(c, stride, even);
    }
  }
  total.store(sums + first, task.pairs);
}

// W vectors that have been advanced to step k, in blocks of V; the last block may be smaller.
template <ScalarForm F, int W, int V, int G>
HWY_INLINE void synthesis_blocks(const ScalarKernelTask& task, Index first, Index k, const double* coefficients,
                                 double* sums, const double* state) {
  constexpr int kFirst = W < V ? W : V;
  synthesis_block<F, kFirst, G>(task, first, k, coefficients, sums, state);
  if constexpr (W > kFirst)
    synthesis_blocks<F, W - kFirst, V, G>(task, first + kFirst * lane_count(), k, coefficients, sums, state);
}

// V vectors of pairs and G fields, with values that were computed before.
template <int V, int G>
HWY_INLINE void synthesis_of_values(const ScalarKernelTask& task, Index first, const double* coefficients,
                                    double* sums) {
  const Tag d;
  RingSums<V, G> total;
  const double* values = task.values + first;
  for (Index k = 0; k < task.steps; ++k, values += task.pairs, coefficients += 4) {
    Vec y[V];
    for (int v = 0; v < V; ++v) y[v] = hn::Load(d, values + v * lane_count());
    total.add(coefficients, task.field_stride, y);
  }
  total.store(sums + first, task.pairs);
}

// Calls body.operator()<W>() with W == width <= kMost.
template <int kMost, class Body>
HWY_INLINE void with_width(Index width, const Body& body) {
  if constexpr (kMost > 1)
    if (width < kMost) return with_width<kMost - 1>(width, body);
  body.template operator()<kMost>();
}

// Calls body.operator()<W>(pair) for blocks of W <= kMost vectors of pairs from pair `first` to `last`. The last two
// blocks have about the same width, because the sums of a single vector are limited by latency.
template <int kMost, class Body>
HWY_INLINE void for_even_blocks(Index first, Index last, const Body& body) {
  for (Index width = 0; first < last; first += width * lane_count()) {
    const Index rest = (last - first) / lane_count();
    width = rest <= kMost ? rest : rest < 2 * kMost ? (rest + 1) / 2 : kMost;
    with_width<kMost>(width, [&]<int W>() HWY_ATTR { body.template operator()<W>(first); });
  }
}

template <int G>
void synthesis_of_all_values(const ScalarKernelTask& task, const double* coefficients, double* sums) {
  for_even_blocks<kFusedVectors<G>>(
      0, task.pairs, [&]<int W>(Index first) HWY_ATTR { synthesis_of_values<W, G>(task, first, coefficients, sums); });
}

// Pairs first .. last - 1, which use the same rows and contribute from the first step on.
template <ScalarForm F, int G>
void synthesis_of_contributing(const ScalarKernelTask& task, Index first, Index last, const double* coefficients,
                               double* sums) {
  for_even_blocks<kFusedVectors<G>>(first, last, [&]<int W>(Index pair) HWY_ATTR {
    synthesis_block<F, W, G>(task, pair, 0, coefficients, sums, nullptr);
  });
}

// Pairs first .. last - 1, which use the same rows.
template <ScalarForm F>
void synthesis_of(const ScalarKernelTask& task, Index first, Index last, const double* coefficients, double* sums,
                  ScalarKernelWorkspace& work) {
  if (task.contributes) {
    task.fields == 1 ? synthesis_of_contributing<F, 1>(task, first, last, coefficients, sums)
                     : synthesis_of_contributing<F, 2>(task, first, last, coefficients, sums);
    return;
  }
  work.state.resize(static_cast<std::size_t>(3 * task.pairs));
  double* state = work.state.data();
  const auto block = [&]<int W>(Index pair) HWY_ATTR {
    const Index k = run_up<F, W>(task, pair, state);
    if (task.fields == 1)
      synthesis_blocks<F, W, kFusedVectors<1>, 1>(task, pair, k, coefficients, sums, state);
    else
      synthesis_blocks<F, W, kFusedVectors<2>, 2>(task, pair, k, coefficients, sums, state);
  };
  if constexpr (kManyRegisters)
    for_each_block<8, 4, 3, 2, 1>(first, last, block);
  else
    for_each_block<4, 3, 2, 1>(first, last, block);
}

void synthesis(const ScalarKernelTask& task, const double* coefficients, double* sums, ScalarKernelWorkspace& work) {
  if (task.values != nullptr) {
    task.fields == 1 ? synthesis_of_all_values<1>(task, coefficients, sums)
                     : synthesis_of_all_values<2>(task, coefficients, sums);
    return;
  }
  if (task.form == ScalarForm::kEquator) {
    synthesis_of<ScalarForm::kEquator>(task, 0, task.pairs, coefficients, sums, work);
    return;
  }
  synthesis_of<ScalarForm::kTwoTerm>(with_low_rows(task), 0, task.low_pairs, coefficients, sums, work);
  synthesis_of<ScalarForm::kTwoTerm>(task, task.low_pairs, task.pairs, coefficients, sums, work);
}

}  // namespace armilla::legendre::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla::legendre {

HWY_EXPORT(synthesis);

void scalar_synthesis(const ScalarKernelTask& task, const double* coefficients, double* sums,
                      ScalarKernelWorkspace& work) {
  HWY_DYNAMIC_DISPATCH(synthesis)(task, coefficients, sums, work);
}

std::string kernel_instruction_set() {
  const int64_t best = hwy::SupportedTargets() & HWY_TARGETS;
  return hwy::TargetName(best & -best);
}

}  // namespace armilla::legendre
#endif
