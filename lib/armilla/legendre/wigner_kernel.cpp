// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#include <armilla/core/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/legendre/wigner_kernel.cpp"

#include <armilla/legendre/scalar_kernel.hpp>
#include <armilla/legendre/wigner_kernel.hpp>

// foreach_target.h must be included first, and headers that it compiles repeatedly last.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <armilla/legendre/simd-inl.hpp>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace armilla::legendre::HWY_NAMESPACE {

// Implements the formulas of math::RisingStep.
void fill_steps(Index spin, Index m, Index count, RisingSteps& steps) {
  const Tag d;
  const double lowest = static_cast<double>(math::lowest_degree(spin, m));
  const double other = static_cast<double>(HWY_MIN(spin, m));
  const Vec one = hn::Set(d, 1.0);
  const Vec a = hn::Set(d, lowest);
  const Vec b = hn::Set(d, other);
  for (Index k = 0; k < count; k += lane_count()) {
    const Vec l = hn::Add(a, hn::Iota(d, static_cast<double>(k)));
    const Vec next = hn::Add(l, one);
    const Vec square = hn::Mul(next, next);
    const Vec both = hn::Mul(hn::Mul(hn::Sub(next, a), hn::Add(next, a)), hn::Mul(hn::Sub(next, b), hn::Add(next, b)));
    const Vec slope = hn::Mul(next, hn::Sqrt(hn::Div(hn::MulSub(hn::Set(d, 4.0), square, one), both)));
    const Vec twice = hn::MulAdd(hn::Set(d, 2.0), l, one);
    const Vec rise = hn::Div(hn::Mul(slope, hn::Add(next, a)), hn::Mul(next, twice));
    // The first step has no predecessor, and l may be zero there.
    const Vec back =
        hn::IfThenElse(hn::Gt(l, a), hn::Div(hn::Mul(slope, hn::Sub(l, a)), hn::Mul(l, twice)), hn::Zero(d));
    hn::StoreU(slope, d, steps.slope.data() + k);
    hn::StoreU(hn::Mul(rise, hn::Add(next, b)), d, steps.rise_plus.data() + k);
    hn::StoreU(hn::Mul(back, hn::Sub(l, b)), d, steps.back_plus.data() + k);
    if (spin == 0) continue;
    hn::StoreU(hn::Mul(rise, hn::Sub(next, b)), d, steps.rise_minus.data() + k);
    hn::StoreU(hn::Mul(back, hn::Add(l, b)), d, steps.back_minus.data() + k);
  }
}

// slambda for one sign of the spin at one vector of pairs (math::RisingStep).
struct Function {
  Vec value;
  Vec rest;
  Vec scale;

  HWY_INLINE Function(const double* start, const double* start_scale)
      : value(hn::LoadU(Tag(), start)), rest(hn::Zero(Tag())), scale(hn::LoadU(Tag(), start_scale)) {}

  HWY_INLINE void advance(Vec fall, double rise, double back) {
    const Tag d;
    rest = hn::NegMulAdd(fall, value, hn::Mul(hn::Set(d, back), rest));
    value = hn::MulAdd(hn::Set(d, rise), value, rest);
  }
  HWY_INLINE void rescale() {
    const Tag d;
    const auto grown = hn::And(hn::Lt(scale, hn::Zero(d)), hn::Gt(hn::Abs(value), hn::Set(d, kThreshold)));
    value = hn::IfThenElse(grown, hn::Mul(value, hn::Set(d, kDown)), value);
    rest = hn::IfThenElse(grown, hn::Mul(rest, hn::Set(d, kDown)), rest);
    scale = hn::IfThenElse(grown, hn::Add(scale, hn::Set(d, 1.0)), scale);
  }
  HWY_INLINE Vec counted() const { return hn::IfThenElseZero(hn::Ge(scale, hn::Zero(Tag())), value); }
  HWY_INLINE bool all_below() const { return hn::AllTrue(Tag(), hn::Lt(scale, hn::Zero(Tag()))); }
};

// The functions at one vector of pairs, and the factors that a transform needs (math/spin.hpp); for a scalar only
// `same`.
template <bool kSpin>
struct Pair {
  Function plus;
  Function minus;
  Vec one_minus_cos;
  Vec same;
  Vec mixed;

  HWY_INLINE Pair(const WignerKernelTask& task, Index first)
      : plus(task.start_plus + first, task.scale_plus + first),
        minus(kSpin ? task.start_minus + first : task.start_plus + first,
              kSpin ? task.scale_minus + first : task.scale_plus + first),
        one_minus_cos(hn::LoadU(Tag(), task.one_minus_cos + first)),
        same(hn::Zero(Tag())),
        mixed(hn::Zero(Tag())) {}

  HWY_INLINE void mix(Vec minus_half, Vec signed_half) {
    if constexpr (kSpin) {
      const Vec p = hn::Mul(minus_half, plus.counted());
      const Vec q = minus.counted();
      same = hn::MulAdd(signed_half, q, p);
      mixed = hn::NegMulAdd(signed_half, q, p);
    } else {
      same = plus.counted();
    }
  }
  HWY_INLINE void advance(const RisingSteps& steps, Index k) {
    const Vec fall = hn::Mul(hn::Set(Tag(), steps.slope.data()[k]), one_minus_cos);
    plus.advance(fall, steps.rise_plus.data()[k], steps.back_plus.data()[k]);
    if constexpr (kSpin) minus.advance(fall, steps.rise_minus.data()[k], steps.back_minus.data()[k]);
  }
  HWY_INLINE void rescale() {
    plus.rescale();
    if constexpr (kSpin) minus.rescale();
  }
  HWY_INLINE bool all_below() const { return plus.all_below() && (!kSpin || minus.all_below()); }
};

// Steps are single degrees here. Checks occur at the same degrees as in the scalar kernel.
HWY_INLINE Index next_look_of_degrees(Index step) { return 2 * next_look(step / 2); }

// Calls body(k, parity of k) for all steps that contribute, with same and mixed of each.
template <bool kSpin, class Body>
HWY_INLINE void over_steps(const WignerKernelTask& task, Pair<kSpin>& pair, Body&& body) {
  const Tag d;
  const Vec minus_half = hn::Set(d, -0.5);
  const Vec signed_half = hn::Set(d, task.spin % 2 == 0 ? -0.5 : 0.5);
  bool counts = !pair.all_below();
  for (Index k = 0; k < task.steps;) {
    const Index until = HWY_MIN(next_look_of_degrees(k), task.steps);
    for (; k < until; ++k) {
      if (counts) {
        pair.mix(minus_half, signed_half);
        body(k, static_cast<int>((k + task.first_parity) & 1));
      }
      if (k + 1 < task.steps) pair.advance(*task.table, k);
    }
    pair.rescale();
    counts = counts || !pair.all_below();
  }
}

// Sums of one map at one vector of pairs, [half][re, im] of each component; half 0 is even.
struct Sums {
  Vec q[2][2];
  Vec u[2][2];
};

template <bool kSpin, int P>
HWY_INLINE void add_degree(const Pair<kSpin>& pair, const double* c, Sums& s) {
  const Tag d;
  const Vec e_re = hn::Set(d, c[0]);
  const Vec e_im = hn::Set(d, c[1]);
  s.q[P][0] = hn::MulAdd(e_re, pair.same, s.q[P][0]);
  s.q[P][1] = hn::MulAdd(e_im, pair.same, s.q[P][1]);
  if constexpr (kSpin) {
    const Vec b_re = hn::Set(d, c[2]);
    const Vec b_im = hn::Set(d, c[3]);
    s.q[1 - P][0] = hn::NegMulAdd(b_im, pair.mixed, s.q[1 - P][0]);
    s.q[1 - P][1] = hn::MulAdd(b_re, pair.mixed, s.q[1 - P][1]);
    s.u[P][0] = hn::MulAdd(b_re, pair.same, s.u[P][0]);
    s.u[P][1] = hn::MulAdd(b_im, pair.same, s.u[P][1]);
    s.u[1 - P][0] = hn::MulAdd(e_im, pair.mixed, s.u[1 - P][0]);
    s.u[1 - P][1] = hn::NegMulAdd(e_re, pair.mixed, s.u[1 - P][1]);
  }
}

template <bool kSpin>
void synthesis_of(const WignerKernelTask& task, const double* coefficients, double* sums) {
  constexpr Index kNumbers = kSpin ? 4 : 2;
  const Tag d;
  for (Index map = 0; map < task.maps; ++map)
    for (Index first = 0; first < task.pairs; first += lane_count()) {
      Pair<kSpin> pair(task, first);
      const Vec zero = hn::Zero(d);
      Sums s{{{zero, zero}, {zero, zero}}, {{zero, zero}, {zero, zero}}};
      over_steps<kSpin>(task, pair, [&](Index k, int parity) HWY_ATTR {
        const double* c = coefficients + kNumbers * (k * task.maps + map);
        if (parity == 0)
          add_degree<kSpin, 0>(pair, c, s);
        else
          add_degree<kSpin, 1>(pair, c, s);
      });
      for (int half = 0; half < 2; ++half)
        for (int part = 0; part < 2; ++part) {
          const Index row = 2 * half + part;
          hn::StoreU(s.q[half][part], d, sums + (4 * map + row) * task.pairs + first);
          if constexpr (kSpin)
            hn::StoreU(s.u[half][part], d, sums + (4 * (task.maps + map) + row) * task.pairs + first);
        }
    }
}

// Adds same * a + mixed * b to the partial sums of each value of one degree.
template <bool kSpin, int P>
HWY_INLINE void add_rings(const Pair<kSpin>& pair, const Sums& r, double* sum) {
  const Tag d;
  const auto update = [&](Index number, Vec same, Vec mixed) HWY_ATTR {
    double* place = sum + number * lane_count();
    Vec s = hn::Load(d, place);
    s = hn::MulAdd(pair.same, same, s);
    if constexpr (kSpin) s = hn::MulAdd(pair.mixed, mixed, s);
    hn::Store(s, d, place);
  };
  update(0, r.q[P][0], hn::Neg(r.u[1 - P][1]));
  update(1, r.q[P][1], r.u[1 - P][0]);
  if constexpr (kSpin) {
    update(2, r.u[P][0], r.q[1 - P][1]);
    update(3, r.u[P][1], hn::Neg(r.q[1 - P][0]));
  }
}

template <bool kSpin>
void adjoint_of(const WignerKernelTask& task, const double* rings, double* sums, core::AlignedVector<double>& work) {
  constexpr Index kNumbers = kSpin ? 4 : 2;
  const Tag d;
  const Index numbers = task.steps * task.maps * kNumbers;
  work.assign(static_cast<std::size_t>((numbers + kSumBlock) * lane_count()), 0.0);
  for (Index map = 0; map < task.maps; ++map)
    for (Index first = 0; first < task.pairs; first += lane_count()) {
      Pair<kSpin> pair(task, first);
      const auto ring = [&](Index component, Index row) HWY_ATTR {
        return kSpin || component == 0
                   ? hn::LoadU(d, rings + (4 * (component * task.maps + map) + row) * task.pairs + first)
                   : hn::Zero(d);
      };
      const Sums r{{{ring(0, 0), ring(0, 1)}, {ring(0, 2), ring(0, 3)}},
                   {{ring(1, 0), ring(1, 1)}, {ring(1, 2), ring(1, 3)}}};
      over_steps<kSpin>(task, pair, [&](Index k, int parity) HWY_ATTR {
        double* sum = work.data() + kNumbers * (k * task.maps + map) * lane_count();
        if (parity == 0)
          add_rings<kSpin, 0>(pair, r, sum);
        else
          add_rings<kSpin, 1>(pair, r, sum);
      });
    }
  sum_lanes(work.data(), numbers, sums);
}

void synthesis(const WignerKernelTask& task, const double* coefficients, double* sums) {
  if (task.spin > 0)
    synthesis_of<true>(task, coefficients, sums);
  else
    synthesis_of<false>(task, coefficients, sums);
}

void adjoint(const WignerKernelTask& task, const double* rings, double* sums, core::AlignedVector<double>& work) {
  if (task.spin > 0)
    adjoint_of<true>(task, rings, sums, work);
  else
    adjoint_of<false>(task, rings, sums, work);
}

}  // namespace armilla::legendre::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla::legendre {

HWY_EXPORT(fill_steps);
HWY_EXPORT(synthesis);
HWY_EXPORT(adjoint);

void rising_steps(Index spin, Index m, Index count, RisingSteps& steps) {
  const auto room = static_cast<std::size_t>(count + kPairPadding);
  for (auto* array : {&steps.slope, &steps.rise_plus, &steps.rise_minus, &steps.back_plus, &steps.back_minus})
    if (array->size() < room) array->resize(room);
  HWY_DYNAMIC_DISPATCH(fill_steps)(spin, m, count, steps);
}

void wigner_synthesis(const WignerKernelTask& task, const double* coefficients, double* sums) {
  HWY_DYNAMIC_DISPATCH(synthesis)(task, coefficients, sums);
}

void wigner_adjoint(const WignerKernelTask& task, const double* rings, double* sums,
                    core::AlignedVector<double>& work) {
  HWY_DYNAMIC_DISPATCH(adjoint)(task, rings, sums, work);
}

}  // namespace armilla::legendre
#endif
