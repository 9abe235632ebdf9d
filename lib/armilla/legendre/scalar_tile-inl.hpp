// Tiles of values of the scalar recurrence, compiled once per instruction set.
#if defined(ARMILLA_LEGENDRE_SCALAR_TILE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ARMILLA_LEGENDRE_SCALAR_TILE_INL
#undef ARMILLA_LEGENDRE_SCALAR_TILE_INL
#else
#define ARMILLA_LEGENDRE_SCALAR_TILE_INL
#endif

#include <armilla/legendre/scalar_recurrence-inl.hpp>

HWY_BEFORE_NAMESPACE();
namespace armilla::legendre::HWY_NAMESPACE {

// Steps from even `begin` to `end`. From the first step at which a lane contributes, stores the contributing values of
// y_k at values[(k - begin) stride + v lanes]. Returns that step, or `end`; earlier rows are not touched.
template <ScalarForm F, int V>
HWY_INLINE Index fill_tile(const ScalarKernelTask& task, Index begin, Index end, Pairs<F, V>& pairs, double* values,
                           Index stride) {
  const Tag d;
  Index k = pairs.all_below() ? skip(task, begin, end, pairs) : begin;
  const Index from = k;
  double* out = values + (k - begin) * stride;
  const double* row = task.rows + 2 * k;
  while (k < end && pairs.any_below()) {
    const Index look = next_look(k);
    const Index until = HWY_MIN(look, end);
    for (; k < until; k += 2, out += 2 * stride, row += 4) {
      for (int v = 0; v < V; ++v)
        hn::Store(hn::IfThenElseZero(pairs.counts(v), pairs.at_even(v)), d, out + v * lane_count());
      pairs.advance_even(row);
      if (k + 1 == until) break;
      for (int v = 0; v < V; ++v)
        hn::Store(hn::IfThenElseZero(pairs.counts(v), pairs.at_odd(v)), d, out + stride + v * lane_count());
      pairs.advance_odd(row + 2);
    }
    k = until;
    if (until == look) pairs.rescale();
  }
  for (; k + 2 <= end; k += 2, out += 2 * stride, row += 4) {
    for (int v = 0; v < V; ++v) hn::Store(pairs.at_even(v), d, out + v * lane_count());
    pairs.advance_even(row);
    for (int v = 0; v < V; ++v) hn::Store(pairs.at_odd(v), d, out + stride + v * lane_count());
    pairs.advance_odd(row + 2);
  }
  if (k < end)
    for (int v = 0; v < V; ++v) hn::Store(pairs.at_even(v), d, out + v * lane_count());
  return from;
}

}  // namespace armilla::legendre::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
