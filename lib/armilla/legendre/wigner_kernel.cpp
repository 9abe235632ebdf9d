// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/legendre/wigner_kernel.cpp"

#include <armilla/legendre/scalar_kernel.hpp>
#include <armilla/legendre/wigner_kernel.hpp>

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace armilla::legendre::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
using Tag = hn::CappedTag<double, 1>;
#else
using Tag = hn::ScalableTag<double>;
#endif
using Vec = hn::Vec<Tag>;
using Step = math::WignerStep<double>;

// As in the scalar kernel: a lane starts to count below 2^-58.
constexpr Index kLookEvery = 4;
constexpr double kThreshold = 0x1p730;
constexpr double kDown = 0x1p-800;

// slambda of one sign of the spin at one vector of pairs.
struct Function {
  Vec now;
  Vec before;
  Vec scale;

  HWY_INLINE Function(const double* start, const double* start_scale)
      : now(hn::LoadU(Tag(), start)), before(hn::Zero(Tag())), scale(hn::LoadU(Tag(), start_scale)) {}

  HWY_INLINE void advance(Vec factor, Vec back) {
    const Vec next = hn::NegMulAdd(back, before, hn::Mul(factor, now));
    before = now;
    now = next;
  }
  HWY_INLINE void rescale() {
    const Tag d;
    const auto grown = hn::And(hn::Lt(scale, hn::Zero(d)), hn::Gt(hn::Abs(now), hn::Set(d, kThreshold)));
    now = hn::IfThenElse(grown, hn::Mul(now, hn::Set(d, kDown)), now);
    before = hn::IfThenElse(grown, hn::Mul(before, hn::Set(d, kDown)), before);
    scale = hn::IfThenElse(grown, hn::Add(scale, hn::Set(d, 1.0)), scale);
  }
  HWY_INLINE Vec counted() const { return hn::IfThenElseZero(hn::Ge(scale, hn::Zero(Tag())), now); }
  HWY_INLINE bool all_below() const { return hn::AllTrue(Tag(), hn::Lt(scale, hn::Zero(Tag()))); }
};

// Both signs of the spin at one vector of pairs, with what a transform multiplies by (math/spin.hpp).
struct Pair {
  Function plus;
  Function minus;
  Vec one_minus_cos;
  Vec same;
  Vec mixed;

  HWY_INLINE Pair(const WignerKernelTask& task, Index first)
      : plus(task.start_plus + first, task.scale_plus + first),
        minus(task.start_minus + first, task.scale_minus + first),
        one_minus_cos(hn::LoadU(Tag(), task.one_minus_cos + first)),
        same(hn::Zero(Tag())),
        mixed(hn::Zero(Tag())) {}

  HWY_INLINE void mix(Vec minus_half, Vec signed_half) {
    const Vec p = hn::Mul(minus_half, plus.counted());
    const Vec q = minus.counted();
    same = hn::MulAdd(signed_half, q, p);
    mixed = hn::NegMulAdd(signed_half, q, p);
  }
  HWY_INLINE void advance(const Step& step) {
    const Tag d;
    const Vec slope = hn::Set(d, step.slope);
    const Vec back = hn::Set(d, step.back);
    plus.advance(hn::NegMulAdd(slope, one_minus_cos, hn::Set(d, step.head_plus)), back);
    minus.advance(hn::NegMulAdd(slope, one_minus_cos, hn::Set(d, step.head_minus)), back);
  }
  HWY_INLINE void rescale() {
    plus.rescale();
    minus.rescale();
  }
  HWY_INLINE bool all_below() const { return plus.all_below() && minus.all_below(); }
};

// Steps over what counts nothing; returns the first step that does.
HWY_INLINE Index skip(const WignerKernelTask& task, Pair& pair) {
  Index k = 0;
  while (k + kLookEvery < task.steps && pair.all_below()) {
    for (Index i = 0; i < kLookEvery; ++i) pair.advance(task.table[k++]);
    pair.rescale();
  }
  return k;
}

// Calls body(k, parity of k) for all steps that count, with same and mixed of each.
template <class Body>
HWY_INLINE void over_steps(const WignerKernelTask& task, Pair& pair, Body&& body) {
  const Tag d;
  const Vec minus_half = hn::Set(d, -0.5);
  const Vec signed_half = hn::Set(d, -0.5 * task.spin_sign);
  const Index begin = skip(task, pair);
  for (Index k = begin; k < task.steps; ++k) {
    pair.mix(minus_half, signed_half);
    body(k, static_cast<int>((k + task.first_parity) & 1));
    if (k + 1 < task.steps) pair.advance(task.table[k]);
    if ((k - begin) % kLookEvery == kLookEvery - 1) pair.rescale();
  }
}

// Sums of one map at one vector of pairs, [half][re, im] of Q and U: half 0 is even.
struct Sums {
  Vec q[2][2];
  Vec u[2][2];
};

template <int P>
HWY_INLINE void add_degree(const Pair& pair, const double* c, Sums& s) {
  const Tag d;
  const Vec e_re = hn::Set(d, c[0]);
  const Vec e_im = hn::Set(d, c[1]);
  const Vec b_re = hn::Set(d, c[2]);
  const Vec b_im = hn::Set(d, c[3]);
  s.q[P][0] = hn::MulAdd(e_re, pair.same, s.q[P][0]);
  s.q[P][1] = hn::MulAdd(e_im, pair.same, s.q[P][1]);
  s.q[1 - P][0] = hn::NegMulAdd(b_im, pair.mixed, s.q[1 - P][0]);
  s.q[1 - P][1] = hn::MulAdd(b_re, pair.mixed, s.q[1 - P][1]);
  s.u[P][0] = hn::MulAdd(b_re, pair.same, s.u[P][0]);
  s.u[P][1] = hn::MulAdd(b_im, pair.same, s.u[P][1]);
  s.u[1 - P][0] = hn::MulAdd(e_im, pair.mixed, s.u[1 - P][0]);
  s.u[1 - P][1] = hn::NegMulAdd(e_re, pair.mixed, s.u[1 - P][1]);
}

void synthesis(const WignerKernelTask& task, const double* coefficients, double* sums) {
  const Tag d;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  for (Index map = 0; map < task.maps; ++map)
    for (Index first = 0; first < task.pairs; first += lanes) {
      Pair pair(task, first);
      const Vec zero = hn::Zero(d);
      Sums s{{{zero, zero}, {zero, zero}}, {{zero, zero}, {zero, zero}}};
      over_steps(task, pair, [&](Index k, int parity) HWY_ATTR {
        const double* c = coefficients + 4 * (k * task.maps + map);
        if (parity == 0)
          add_degree<0>(pair, c, s);
        else
          add_degree<1>(pair, c, s);
      });
      for (int half = 0; half < 2; ++half)
        for (int part = 0; part < 2; ++part) {
          const Index row = 2 * half + part;
          hn::StoreU(s.q[half][part], d, sums + (4 * map + row) * task.pairs + first);
          hn::StoreU(s.u[half][part], d, sums + (4 * (task.maps + map) + row) * task.pairs + first);
        }
    }
}

// Adds a * x + b * y, the first with a sign, to the partial sums of one number.
template <int P>
HWY_INLINE void add_rings(const Pair& pair, const Sums& r, double* sum, Index lanes) {
  const Tag d;
  const auto update = [&](Index number, Vec same, Vec mixed) HWY_ATTR {
    Vec s = hn::LoadU(d, sum + number * lanes);
    s = hn::MulAdd(pair.same, same, s);
    s = hn::MulAdd(pair.mixed, mixed, s);
    hn::StoreU(s, d, sum + number * lanes);
  };
  update(0, r.q[P][0], hn::Neg(r.u[1 - P][1]));
  update(1, r.q[P][1], r.u[1 - P][0]);
  update(2, r.u[P][0], r.q[1 - P][1]);
  update(3, r.u[P][1], hn::Neg(r.q[1 - P][0]));
}

void adjoint(const WignerKernelTask& task, const double* rings, double* sums, std::vector<double>& work) {
  const Tag d;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  const Index numbers = task.steps * task.maps * 4;
  work.assign(static_cast<std::size_t>(numbers * lanes), 0.0);
  for (Index map = 0; map < task.maps; ++map)
    for (Index first = 0; first < task.pairs; first += lanes) {
      Pair pair(task, first);
      const auto ring = [&](Index component, Index row) HWY_ATTR {
        return hn::LoadU(d, rings + (4 * (component * task.maps + map) + row) * task.pairs + first);
      };
      const Sums r{{{ring(0, 0), ring(0, 1)}, {ring(0, 2), ring(0, 3)}},
                   {{ring(1, 0), ring(1, 1)}, {ring(1, 2), ring(1, 3)}}};
      over_steps(task, pair, [&](Index k, int parity) HWY_ATTR {
        double* sum = work.data() + 4 * (k * task.maps + map) * lanes;
        if (parity == 0)
          add_rings<0>(pair, r, sum, lanes);
        else
          add_rings<1>(pair, r, sum, lanes);
      });
    }
  for (Index i = 0; i < numbers; ++i) {
    double sum = 0;
    for (Index lane = 0; lane < lanes; ++lane) sum += work[static_cast<std::size_t>(i * lanes + lane)];
    sums[i] = sum;
  }
}

}  // namespace armilla::legendre::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla::legendre {

HWY_EXPORT(synthesis);
HWY_EXPORT(adjoint);

void wigner_synthesis(const WignerKernelTask& task, const double* coefficients, double* sums) {
  HWY_DYNAMIC_DISPATCH(synthesis)(task, coefficients, sums);
}

void wigner_adjoint(const WignerKernelTask& task, const double* rings, double* sums, std::vector<double>& work) {
  HWY_DYNAMIC_DISPATCH(adjoint)(task, rings, sums, work);
}

}  // namespace armilla::legendre
#endif
