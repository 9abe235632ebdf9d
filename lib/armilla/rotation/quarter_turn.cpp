// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#include <armilla/core/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/rotation/quarter_turn.cpp"

#include <armilla/rotation/quarter_turn.hpp>

#include <algorithm>
#include <cmath>

// foreach_target.h must be included first, and headers that it compiles repeatedly last.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace armilla::rotation::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Vectors have at least two lanes; even m are stored in even lanes.
using Tag = hn::ScalableTag<double>;
using Vec = hn::Vec<Tag>;

HWY_INLINE Index lane_count() { return static_cast<Index>(hn::Lanes(Tag())); }

// Number of vectors of m that start at the same k, for any number of fields.
constexpr int kMaxBlock = 4;

#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
constexpr bool kManyRegisters = true;
#else
constexpr bool kManyRegisters = false;
#endif

// Number of vectors of m that are processed concurrently: V (3 + 2 F) of 32 or 16 registers.
constexpr int kVectors = kManyRegisters ? 4 : 2;

// Loads the two values of one k into every pair of lanes.
HWY_INLINE Vec load_pair(const double* pair) { return hn::LoadDup128(Tag(), pair); }

// Vector of the values at place, place - 1, ...
HWY_INLINE Vec load_down(const double* place) {
  const Tag d;
  return hn::Reverse(d, hn::LoadU(d, place - (lane_count() - 1)));
}

// The even k at which to start. At this and earlier k, d_mm' of all m >= first_m is below exp(-kDepth) relative to its
// later size. Beyond the turning point m_t, the exponent is the integral of atanh(sqrt(x^2 - m_t^2) / m) from m_t to x.
// With delta = x - m_t it exceeds both (2/3) sqrt(2 m_t) delta^1.5 / m and delta^2 / (2 m).
HWY_INLINE Index first_step(Index degree, Index first_m) {
  constexpr double kDepth = 40;
  const double l = static_cast<double>(degree) + 0.5;
  const double m = static_cast<double>(first_m);
  const double turn = std::sqrt((l - m) * (l + m));
  const double far = std::cbrt(1.5 * kDepth * m);
  const double delta = HWY_MIN(far * far / std::cbrt(2 * turn), std::sqrt(2 * kDepth * m));
  const double k = l - turn - delta;
  return k < 2 ? 0 : static_cast<Index>(k) / 2 * 2;
}

// Start value of the recurrence, which grows by less than 2^400.
constexpr double kStart = 0x1p-100;

struct Call {
  const DegreeRows& rows;
  const DoubleFactorials& factorials;
  const Phases& phases;
  QuarterTurnWorkspace& work;
};

void fill_coupling(const DegreeRows& rows, const DoubleFactorials& factorials, QuarterTurnWorkspace& work) {
  const Tag d;
  const double* up = factorials.ratio();
  const double* down = factorials.ratio() + 2 * rows.degree;
  for (Index k = 0; k <= rows.degree; k += lane_count()) {
    const Vec product = hn::Mul(hn::LoadU(d, up + k), load_down(down - k));
    hn::StoreU(hn::Add(product, product), d, work.coupling.data() + k);
  }
}

// Coefficients of one row times the scale of their k, including a factor 2 for m' and -m', ordered by k: (re, im) at
// even k and (im, re) at odd k, as required by even and odd m.
void fill_pairs(const Call& call, Index field) {
  const Tag d;
  alignas(64) static constexpr double kSigns[] = {2, -2, -2, 2, 2, -2, -2, 2, 2, -2, -2, 2};
  const Index degree = call.rows.degree;
  const double* up = call.factorials.root();
  const double* down = up + 2 * degree;
  const double* re = call.rows.real + field * call.rows.stride + degree;
  const double* im = call.rows.imag + field * call.rows.stride + degree;
  double* out = call.work.pairs.data() + field * call.work.stride;
  for (Index k = 0; k <= degree; k += lane_count()) {
    const Vec scale = hn::Mul(hn::LoadU(d, kSigns + (k & 3)), hn::Mul(hn::LoadU(d, up + k), load_down(down - k)));
    const Vec r = hn::Mul(scale, load_down(re - k));
    const Vec i = hn::Mul(scale, load_down(im - k));
    hn::StoreInterleaved2(hn::OddEven(i, r), hn::OddEven(r, i), d, out + 2 * k);
  }
  double* last = out + 2 * degree;  // m' = 0 counts once, and is real
  last[degree & 1] *= 0.5;
  last[1 - (degree & 1)] = 0;
}

// The functions for V vectors of m from first_m on, at even k and the following odd one: v_k, and v_{k+1} / m.
template <int V>
struct Recurrence {
  Vec square[V], even[V], odd[V];
  const double* g;

  HWY_INLINE Recurrence(const Call& call, Index first_m) : g(call.work.coupling.data()) {
    const Tag d;
    for (int v = 0; v < V; ++v) {
      const Vec m = hn::Iota(d, static_cast<double>(first_m + v * lane_count()));
      square[v] = hn::Mul(m, m);
      even[v] = hn::Set(d, kStart);
      odd[v] = hn::Zero(d);
    }
  }
  HWY_INLINE void step_odd(Index k) {
    const Vec c = hn::Set(Tag(), g[k]);
    for (int v = 0; v < V; ++v) odd[v] = hn::MulAdd(c, even[v], odd[v]);
  }
  HWY_INLINE void step_even(Index k) {
    const Vec c = hn::Set(Tag(), g[k]);
    for (int v = 0; v < V; ++v) even[v] = hn::NegMulAdd(hn::Mul(c, square[v]), odd[v], even[v]);
  }
  // Runs from k to the end, and calls add_even(k) or add_odd(k) at each k.
  template <class AddEven, class AddOdd>
  HWY_INLINE void run(Index k, Index degree, AddEven&& add_even, AddOdd&& add_odd) {
    for (; k + 1 < degree; k += 2) {
      add_even(k);
      step_odd(k);
      add_odd(k + 1);
      step_even(k + 1);
    }
    add_even(k);
    if (k < degree) {
      step_odd(k);
      add_odd(k + 1);
    }
  }
};

// Normalisation factors, from the known end values d_m0 (l + m even) or d_m1 (l + m odd).
template <int V>
HWY_INLINE void norms_of_end(const Call& call, Index first_m, const Recurrence<V>& functions, Vec* norms) {
  const Tag d;
  const Index degree = call.rows.degree;
  const double* root = call.factorials.root();
  const bool odd_degree = (degree & 1) != 0;
  const Index last_even = degree & ~Index{1};
  const Index last_odd = odd_degree ? degree : degree - 1;
  const Vec even_scale = hn::Set(d, root[last_even] * root[2 * degree - last_even]);
  const Vec odd_scale = hn::Set(d, root[last_odd] * root[2 * degree - last_odd]);
  const Vec couple = hn::Set(d, std::sqrt(static_cast<double>(degree) * static_cast<double>(degree + 1)));
  const Vec one = hn::Set(d, 1.0);
  for (int v = 0; v < V; ++v) {
    const Index here = first_m + v * lane_count();
    const Vec m = hn::Iota(d, static_cast<double>(here));
    const Vec arrived =
        hn::OddEven(hn::Mul(hn::Mul(odd_scale, m), functions.odd[v]), hn::Mul(even_scale, functions.even[v]));
    const Vec ends = hn::Mul(hn::LoadU(d, root + degree + here), load_down(root + degree - here));
    const Vec rest = hn::Mul(couple, ends);
    const Vec numerator = odd_degree ? hn::OddEven(ends, one) : hn::OddEven(one, ends);
    const Vec denominator = odd_degree ? hn::OddEven(one, rest) : hn::OddEven(rest, one);
    norms[v] = hn::Div(numerator, hn::Mul(denominator, arrived));
  }
}

// For m close to l, d_m1 is a small part of the function and has lost digits. The sum of squares over m' then gives the
// norm, and the end value only the sign.
HWY_INLINE bool by_squares(Index degree, Index first_m) {
  return static_cast<double>(first_m + kMaxBlock * lane_count()) > 0.97 * static_cast<double>(degree);
}

template <int V>
HWY_INLINE void norms_of_squares(const Call& call, Index first_m, Index k, Vec* norms) {
  const Tag d;
  const Index degree = call.rows.degree;
  Vec even_sum[V], odd_sum[V];
  for (int v = 0; v < V; ++v) even_sum[v] = odd_sum[v] = hn::Zero(d);
  Recurrence<V> functions(call, first_m);
  const auto add = [&](Index at, const Vec* y, Vec* sum) HWY_ATTR {
    const Vec c = hn::Set(d, at == degree ? 0.5 * functions.g[at] : functions.g[at]);
    for (int v = 0; v < V; ++v) sum[v] = hn::MulAdd(hn::Mul(c, y[v]), y[v], sum[v]);
  };
  functions.run(
      k, degree, [&](Index at) HWY_ATTR { add(at, functions.even, even_sum); },
      [&](Index at) HWY_ATTR { add(at, functions.odd, odd_sum); });
  norms_of_end<V>(call, first_m, functions, norms);
  for (int v = 0; v < V; ++v) {
    const Vec sum = hn::MulAdd(functions.square[v], odd_sum[v], even_sum[v]);
    norms[v] = hn::CopySign(hn::Div(hn::Set(d, 1.0), hn::Sqrt(sum)), norms[v]);
  }
}

// Processes V vectors of m from first_m on, for F fields.
template <int V, int F>
HWY_INLINE void turn_block(const Call& call, Index first_m, Index k, bool squares) {
  const Tag d;
  const Index degree = call.rows.degree;
  const double* x = call.work.pairs.data();
  const Index stride = call.work.stride;

  Vec even_sum[V][F], odd_sum[V][F];
  for (int v = 0; v < V; ++v)
    for (int f = 0; f < F; ++f) even_sum[v][f] = odd_sum[v][f] = hn::Zero(d);
  Recurrence<V> functions(call, first_m);
  const auto add = [&](Index at, const Vec* y, Vec(*sum)[F]) HWY_ATTR {
    for (int f = 0; f < F; ++f) {
      const Vec pair = load_pair(x + f * stride + 2 * at);
      for (int v = 0; v < V; ++v) sum[v][f] = hn::MulAdd(pair, y[v], sum[v][f]);
    }
  };
  functions.run(
      k, degree, [&](Index at) HWY_ATTR { add(at, functions.even, even_sum); },
      [&](Index at) HWY_ATTR { add(at, functions.odd, odd_sum); });

  Vec norms[V];
  if (squares)
    norms_of_squares<V>(call, first_m, k, norms);
  else
    norms_of_end<V>(call, first_m, functions, norms);
  for (int v = 0; v < V; ++v) {
    const Index here = first_m + v * lane_count();
    const Vec norm_odd = hn::Mul(norms[v], hn::Iota(d, static_cast<double>(here)));
    const Vec c = hn::LoadU(d, call.phases.cosine.data() + here);
    const Vec s = hn::LoadU(d, call.phases.minus_sine.data() + here);
    for (int f = 0; f < F; ++f) {
      const Vec e = hn::Mul(norms[v], even_sum[v][f]);
      const Vec o = hn::Mul(norm_odd, odd_sum[v][f]);
      const Vec re = hn::OddEven(o, e);
      const Vec im = hn::OddEven(e, o);
      hn::StoreU(hn::NegMulAdd(im, s, hn::Mul(re, c)), d, call.rows.real + f * call.rows.stride + here);
      hn::StoreU(hn::MulAdd(re, s, hn::Mul(im, c)), d, call.rows.imag + f * call.rows.stride + here);
    }
  }
}

// Processes the remaining `left` vectors, in blocks of V, V / 2, ...
template <int V, int F>
HWY_INLINE void turn_vectors(const Call& call, Index first_m, Index k, bool squares, Index left) {
  for (; left >= V; left -= V, first_m += V * lane_count()) turn_block<V, F>(call, first_m, k, squares);
  if constexpr (V > 1)
    if (left > 0) turn_vectors<V / 2, F>(call, first_m, k, squares, left);
}

template <int F>
void turn(const Call& call) {
  for (Index field = 0; field < F; ++field) fill_pairs(call, field);
  const Index degree = call.rows.degree;
  const Index lanes = lane_count();
  for (Index m = 0; m <= degree; m += kMaxBlock * lanes) {
    const Index vectors = HWY_MIN(kMaxBlock, (degree - m) / lanes + 1);
    turn_vectors<kVectors, F>(call, m, first_step(degree, m), by_squares(degree, m), vectors);
  }
}

template <int F>
void rotate_fields(const DegreeRows& rows, const DoubleFactorials& factorials, const Phases& between,
                   const Phases& after, QuarterTurnWorkspace& work) {
  fill_coupling(rows, factorials, work);
  turn<F>({rows, factorials, between, work});
  turn<F>({rows, factorials, after, work});
}

void rotate(const DegreeRows& rows, const DoubleFactorials& factorials, const Phases& between, const Phases& after,
            QuarterTurnWorkspace& work) {
  if (rows.fields == 1)
    rotate_fields<1>(rows, factorials, between, after, work);
  else
    rotate_fields<2>(rows, factorials, between, after, work);
}

}  // namespace armilla::rotation::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla::rotation {

HWY_EXPORT(rotate);

DoubleFactorials::DoubleFactorials(Index lmax) {
  const auto room = static_cast<std::size_t>(2 * lmax + 2 + 2 * kRowPadding);
  ratio_.assign(room, 0.0);
  root_.assign(room, 0.0);
  long double h = 1;
  for (Index n = 0; n <= 2 * lmax + 1; ++n) {
    if (n > 0) h = 1 / (static_cast<long double>(n) * h);  // h(n) h(n - 1) = 1 / n
    ratio_[static_cast<std::size_t>(n + kRowPadding)] = static_cast<double>(h);
    root_[static_cast<std::size_t>(n + kRowPadding)] = static_cast<double>(std::sqrt(h));
  }
}

QuarterTurnWorkspace::QuarterTurnWorkspace(Index lmax) : stride(2 * (lmax + 1 + kRowPadding)) {
  coupling.assign(static_cast<std::size_t>(lmax + 1 + kRowPadding), 0.0);
  pairs.assign(static_cast<std::size_t>(kMaxFields * stride), 0.0);
}

void rotate_degree(const DegreeRows& rows, const DoubleFactorials& factorials, const Phases& between,
                   const Phases& after, QuarterTurnWorkspace& work) {
  HWY_DYNAMIC_DISPATCH(rotate)(rows, factorials, between, after, work);
}

double quarter_turn_fma(Index lmax, Index fields) {
  const double per_element = (3.0 / static_cast<double>(fields) + 2.0) / 2.0;
  double elements = 0;  // area of a quarter of a disc for each degree
  for (Index l = 0; l <= lmax; ++l) {
    const double radius = static_cast<double>(l) + 0.5;
    elements += 0.78539816339744831 * radius * radius;
  }
  return 2 * per_element * elements;
}

}  // namespace armilla::rotation
#endif
