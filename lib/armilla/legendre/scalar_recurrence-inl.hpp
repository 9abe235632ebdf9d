// The scalar recurrences of one m at several vectors of ring pairs, compiled once per instruction set.
#if defined(ARMILLA_LEGENDRE_SCALAR_RECURRENCE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ARMILLA_LEGENDRE_SCALAR_RECURRENCE_INL
#undef ARMILLA_LEGENDRE_SCALAR_RECURRENCE_INL
#else
#define ARMILLA_LEGENDRE_SCALAR_RECURRENCE_INL
#endif

#include <armilla/legendre/scalar_kernel.hpp>
#include <armilla/legendre/simd-inl.hpp>

HWY_BEFORE_NAMESPACE();
namespace armilla::legendre::HWY_NAMESPACE {

// The same task, with the rows of its low pairs.
HWY_INLINE ScalarKernelTask with_low_rows(const ScalarKernelTask& task) {
  ScalarKernelTask low = task;
  low.rows = task.rows_low;
  return low;
}

// y_k at V vectors of ring pairs, with the state for the next step and the scale of each lane. `odd` in a name denotes
// the step from an odd to an even k, where the two values of the two-term recurrence are swapped.
template <ScalarForm F, int V>
struct Pairs {
  Vec value[V];  // y_k for even k; the equator form: y_k for all k
  Vec other[V];  // y_{k-1} and y_k alternately; the equator form: the sum of A y
  Vec x2[V];
  Vec scale[V];

  HWY_INLINE Pairs(const ScalarKernelTask& task, Index first) {
    const Tag d;
    for (int v = 0; v < V; ++v) {
      const Index at = first + v * lane_count();
      value[v] = hn::LoadU(d, task.start + at);
      other[v] = hn::Zero(d);
      x2[v] = hn::LoadU(d, task.x2 + at);
      scale[v] = hn::LoadU(d, task.start_scale + at);
    }
  }

  // Restores the state [value, other, scale][pair] saved by an earlier tile with an even number of steps.
  HWY_INLINE Pairs(const ScalarKernelTask& task, Index first, const double* state) {
    const Tag d;
    for (int v = 0; v < V; ++v) {
      const Index at = first + v * lane_count();
      value[v] = hn::LoadU(d, state + at);
      other[v] = hn::LoadU(d, state + task.pairs + at);
      x2[v] = hn::LoadU(d, task.x2 + at);
      scale[v] = hn::LoadU(d, state + 2 * task.pairs + at);
    }
  }
  HWY_INLINE void save(const ScalarKernelTask& task, Index first, double* state) const {
    const Tag d;
    save_values(task, first, state);
    for (int v = 0; v < V; ++v) hn::StoreU(scale[v], d, state + 2 * task.pairs + first + v * lane_count());
  }
  // Saves all but the scales, which stay 0 once a lane contributes.
  HWY_INLINE void save_values(const ScalarKernelTask& task, Index first, double* state) const {
    const Tag d;
    for (int v = 0; v < V; ++v) {
      const Index at = first + v * lane_count();
      hn::StoreU(value[v], d, state + at);
      hn::StoreU(other[v], d, state + task.pairs + at);
    }
  }

  HWY_INLINE const Vec& at_even(int v) const { return value[v]; }
  HWY_INLINE const Vec& at_odd(int v) const {
    if constexpr (F == ScalarForm::kEquator)
      return value[v];
    else
      return other[v];
  }

  // Passes y_k and advances to k + 1, for even k, then for odd k. Sums with y_k come after the recurrence. In the other
  // order, the recurrence, which is a dependency chain, delays the next step (by 10% with two fields).
  HWY_INLINE void pass_even(const double* row, Vec* y) {
    for (int v = 0; v < V; ++v) y[v] = at_even(v);
    advance_even(row);
  }
  HWY_INLINE void pass_odd(const double* row, Vec* y) {
    for (int v = 0; v < V; ++v) y[v] = at_odd(v);
    advance_odd(row);
  }
  // Like pass_even() and pass_odd(), with zero for lanes that do not contribute.
  HWY_INLINE void pass_even_counting(const double* row, Vec* y) {
    for (int v = 0; v < V; ++v) y[v] = hn::IfThenElseZero(counts(v), at_even(v));
    advance_even(row);
  }
  HWY_INLINE void pass_odd_counting(const double* row, Vec* y) {
    for (int v = 0; v < V; ++v) y[v] = hn::IfThenElseZero(counts(v), at_odd(v));
    advance_odd(row);
  }

  // Advances from k to k + 1, for even k, then for odd k. `row` holds the two coefficients of step k.
  HWY_INLINE void advance_even(const double* row) { advance(row, value, other); }
  HWY_INLINE void advance_odd(const double* row) {
    if constexpr (F == ScalarForm::kEquator)
      advance(row, value, other);
    else
      advance(row, other, value);
  }

  // Call at even k. Moves lanes that have grown beyond the threshold up by one scale.
  HWY_INLINE void rescale() {
    const Tag d;
    for (int v = 0; v < V; ++v) {
      const auto grown = hn::And(hn::Lt(scale[v], hn::Zero(d)), hn::Gt(hn::Abs(value[v]), hn::Set(d, kThreshold)));
      value[v] = hn::IfThenElse(grown, hn::Mul(value[v], hn::Set(d, kDown)), value[v]);
      other[v] = hn::IfThenElse(grown, hn::Mul(other[v], hn::Set(d, kDown)), other[v]);
      scale[v] = hn::IfThenElse(grown, hn::Add(scale[v], hn::Set(d, 1.0)), scale[v]);
    }
  }
  // True if rescale() would change something.
  HWY_INLINE bool any_grown() const {
    const Tag d;
    Vec most = hn::Abs(value[0]);
    for (int v = 1; v < V; ++v) most = hn::Max(most, hn::Abs(value[v]));
    return !hn::AllFalse(d, hn::Gt(most, hn::Set(d, kThreshold)));
  }
  HWY_INLINE auto counts(int v) const { return hn::Ge(scale[v], hn::Zero(Tag())); }
  HWY_INLINE bool all_below() const {
    const Tag d;
    Vec most = scale[0];
    for (int v = 1; v < V; ++v) most = hn::Max(most, scale[v]);
    return hn::AllTrue(d, hn::Lt(most, hn::Zero(d)));
  }
  HWY_INLINE bool any_below() const {
    const Tag d;
    Vec least = scale[0];
    for (int v = 1; v < V; ++v) least = hn::Min(least, scale[v]);
    return !hn::AllTrue(d, hn::Ge(least, hn::Zero(d)));
  }

 private:
  HWY_INLINE void advance(const double* row, Vec* now, Vec* last) const {
    const Tag d;
    const Vec a = hn::Set(d, row[0]);
    const Vec b = hn::Set(d, row[1]);
    if constexpr (F == ScalarForm::kEquator) {
      for (int v = 0; v < V; ++v) last[v] = hn::MulAdd(a, now[v], last[v]);
      for (int v = 0; v < V; ++v) now[v] = hn::MulAdd(hn::Mul(b, x2[v]), last[v], now[v]);
    } else {
      for (int v = 0; v < V; ++v) last[v] = hn::MulAdd(hn::MulAdd(a, x2[v], b), now[v], last[v]);
    }
  }
};

// Advances from even k, at which no lane contributes, to the first check at which one does, or to `end`. Returns the
// step reached: an even step, or `end`.
template <ScalarForm F, int V>
HWY_INLINE Index skip(const ScalarKernelTask& task, Index k, Index end, Pairs<F, V>& pairs) {
  while (k < end) {
    const Index look = next_look(k);
    const Index until = HWY_MIN(look, end);
    const double* row = task.rows + 2 * k;
    for (; k + 2 <= until; k += 2, row += 4) {
      pairs.advance_even(row);
      pairs.advance_odd(row + 2);
    }
    if (k < until) {
      pairs.advance_even(row);
      return end;
    }
    if (until < look) return end;
    if (!pairs.any_grown()) continue;
    pairs.rescale();
    if (!pairs.all_below()) return k;
  }
  return k;
}

// Calls body.operator()<W>(pair) for blocks of W vectors of pairs from pair `first` to `last`, with widths in
// descending order down to 1. One or two vectors alone are limited by the latency of their chains, so they are merged
// into other blocks if possible.
template <int... kWidths, class Body>
HWY_INLINE void for_each_block(Index first, Index last, const Body& body) {
  while (first < last) {
    const Index rest = (last - first) / lane_count();
    bool taken = false;
    const auto take = [&]<int W>() HWY_ATTR {
      if (taken || (rest != W && rest < W + 3)) return;
      taken = true;
      body.template operator()<W>(first);
      first += W * lane_count();
    };
    (take.template operator()<kWidths>(), ...);
  }
}

// Advances from step 0 to the first check at which a lane of W vectors contributes, or to the end. Returns that step
// and saves the state.
template <ScalarForm F, int W>
HWY_INLINE Index run_up(const ScalarKernelTask& task, Index first, double* state) {
  Pairs<F, W> pairs(task, first);
  const Index k = pairs.all_below() ? skip(task, 0, task.steps, pairs) : 0;
  pairs.save(task, first, state);
  return k;
}

}  // namespace armilla::legendre::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
