// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#include <armilla/core/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/legendre/scalar_values.cpp"

#include <armilla/legendre/scalar_kernel.hpp>

#include <algorithm>

// foreach_target.h must be included first, and headers that it compiles repeatedly last.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <armilla/legendre/scalar_tile-inl.hpp>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace armilla::legendre::HWY_NAMESPACE {

template <ScalarForm F>
void values_of(const ScalarKernelTask& task, Index first, Index last, double* values) {
  for (; first < last; first += lane_count()) {
    Pairs<F, 1> pairs(task, first);
    fill_tile<F, 1>(task, 0, task.steps, pairs, values + first, task.pairs);
  }
}

void all_values(const ScalarKernelTask& task, double* values) {
  std::fill_n(values, task.steps * task.pairs, 0.0);
  if (task.form == ScalarForm::kEquator) return values_of<ScalarForm::kEquator>(task, 0, task.pairs, values);
  values_of<ScalarForm::kTwoTerm>(with_low_rows(task), 0, task.low_pairs, values);
  values_of<ScalarForm::kTwoTerm>(task, task.low_pairs, task.pairs, values);
}

}  // namespace armilla::legendre::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla::legendre {

HWY_EXPORT(all_values);

void scalar_values(const ScalarKernelTask& task, double* values) { HWY_DYNAMIC_DISPATCH(all_values)(task, values); }

}  // namespace armilla::legendre
#endif
