// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#include <armilla/core/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/legendre/scalar_tables.cpp"

#include <armilla/legendre/scalar_tables.hpp>

#include <algorithm>
#include <type_traits>
#include <utility>

// foreach_target.h must be included first, and headers that it compiles repeatedly last.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <armilla/legendre/precision-inl.hpp>
// clang-format on

#ifndef ARMILLA_LEGENDRE_STEP_ARRAYS
#define ARMILLA_LEGENDRE_STEP_ARRAYS
namespace armilla::legendre {

// Step tables of one m, by step; rows_polar may be null.
struct StepArrays {
  double* alpha;
  double* low;   // alpha eps_{l+1}
  double* high;  // alpha eps_{l+2}
  double* rows;
  double* rows_polar;
};

}  // namespace armilla::legendre
#endif

HWY_BEFORE_NAMESPACE();
namespace armilla::legendre::HWY_NAMESPACE {

// Arrays are padded, so that whole vectors can be accessed at their ends.

// Factors of one m, including signs, that repeat every four steps. at(k): those from step k on, k a multiple of the
// lanes.
struct StepPattern {
  double factor[4 + hn::MaxLanes(Tag())];
  Vec first;

  HWY_INLINE StepPattern(double f0, double f1, double f2, double f3) {
    const double f[4] = {f0, f1, f2, f3};
    for (std::size_t i = 0; i < sizeof(factor) / sizeof(double); ++i) factor[i] = f[i % 4];
    first = hn::LoadU(Tag(), factor);
  }
  HWY_INLINE Vec at(Index k) const {
    if constexpr (hn::MaxLanes(Tag()) >= 4)
      return first;
    else
      return hn::LoadU(Tag(), factor + k % 4);
  }
};

// A DegreeTables::Product for one m, by step.
struct ProductOfSteps {
  const double* below;
  const double* above;
  const double* degree;

  ProductOfSteps(const DegreeTables::Product& product, Index m)
      : below(product.distance.data()),
        above(product.distance.data() + m),
        degree(product.degree[m % 2].data() + m / 2) {}
  HWY_INLINE Vec times(Vec factor, Index k) const {
    const Tag d;
    return hn::Mul(hn::Mul(hn::Mul(factor, hn::LoadU(d, below + k)), hn::LoadU(d, above + k)),
                   hn::LoadU(d, degree + k));
  }
};

// Repeats each element N times, N a power of two. One vector becomes N vectors; this is the one with index P.
template <Index N, Index P>
HWY_INLINE Vec repeated(Vec values) {
#if HWY_TARGET == HWY_SCALAR
  return values;
#else
  const auto place = hn::ShiftRight<N / 2>(hn::Iota(hn::RebindToSigned<Tag>(), P * lane_count()));
  return hn::TableLookupLanes(values, hn::IndicesFromVec(Tag(), place));
#endif
}
// Mask of the lanes of such vectors that are in the second, fourth, ... run of N.
template <Index N, Index P>
HWY_INLINE auto odd_numbers() {
  const hn::RebindToSigned<Tag> d;
  return hn::RebindMask(Tag(), hn::TestBit(hn::Iota(d, P * lane_count()), hn::Set(d, N)));
}

// Stores rows [a, b] of a vector of steps; a is given as repeated<2, 0> and repeated<2, 1>.
HWY_INLINE void store_rows(Vec a0, Vec a1, Vec b, double* rows) {
  const Tag d;
  hn::StoreU(hn::IfThenElse(odd_numbers<1, 0>(), repeated<2, 0>(b), a0), d, rows);
  hn::StoreU(hn::IfThenElse(odd_numbers<1, 1>(), repeated<2, 1>(b), a1), d, rows + lane_count());
}

// The tables of kTwoTerm for one m. With q = 1 / ((2 l + 1) (2 l + 5)): eps_{l+1}^2 + eps_{l+2}^2 = ((l - m) (2 (l + m)
// + 6) + 6 m + 3) q, and one minus that is (2 l (l + 3) + 2 m^2 + 2) q. Both numerators are integers.
void two_term_steps(const DegreeTables& degrees, Index m, Index steps, const StepArrays& out) {
  const Tag d;
  const ProductOfSteps alpha(degrees.alpha, m);
  const ProductOfSteps low(degrees.low, m);
  const ProductOfSteps high(degrees.high, m);
  const double* scale = &degrees.alpha_scale[static_cast<std::size_t>(2 * m)];
  const double* row = &degrees.row_scale[static_cast<std::size_t>(2 * m)];
  const StepPattern alpha_signs(scale[0], scale[1], -scale[0], -scale[1]);
  const StepPattern row_signs(row[0], -row[1], row[0], -row[1]);
  const ProductOfSteps a_of(degrees.row, m);
  const double* b_of = degrees.row_b[m % 2].data() + m / 2;
  const double order = static_cast<double>(m);
  const Vec two = hn::Set(d, 2.0);
  const Vec three = hn::Set(d, 3.0);
  const Vec m_vector = hn::Set(d, order);
  const Vec square_slope = hn::Set(d, 4 * order + 6);
  const Vec square_first = hn::Set(d, 6 * order + 3);
  const Vec polar_first = hn::Set(d, 2 * order * order + 2);
  Vec n = hn::Mul(two, hn::Iota(d, 0.0));
  const Vec advance = hn::Set(d, static_cast<double>(2 * lane_count()));
  for (Index k = 0; k < steps; k += lane_count(), n = hn::Add(n, advance)) {
    const Vec sign = alpha_signs.at(k);
    hn::StoreU(alpha.times(sign, k), d, out.alpha + k);
    hn::StoreU(low.times(sign, k), d, out.low + k);
    hn::StoreU(high.times(sign, k), d, out.high + k);
    const Vec common = hn::Mul(hn::Mul(hn::LoadU(d, a_of.below + k), hn::LoadU(d, a_of.above + k)), row_signs.at(k));
    const Vec a = hn::Mul(common, hn::LoadU(d, a_of.degree + k));
    const Vec b = hn::Mul(common, hn::LoadU(d, b_of + k));
    const Vec square = hn::MulAdd(n, hn::MulAdd(two, n, square_slope), square_first);
    const Vec a0 = repeated<2, 0>(a);
    const Vec a1 = repeated<2, 1>(a);
    store_rows(a0, a1, hn::Neg(hn::Mul(b, square)), out.rows + 2 * k);
    if (out.rows_polar == nullptr) continue;
    const Vec l = hn::Add(n, m_vector);
    const Vec rest = hn::MulAdd(hn::Mul(two, l), hn::Add(l, three), polar_first);
    store_rows(a0, a1, hn::Mul(b, rest), out.rows_polar + 2 * k);
  }
}

// Rows of kEquator: a = alpha^2, b = -(2 l + 3) (2 l + 5) / (a (l + 3 - m) (l + 3 + m)). `factor` is its alpha divided
// by that of kTwoTerm.
void equator_steps(const DegreeTables& degrees, Index m, Index steps, const double* two_term, double* factor,
                   double* rows) {
  const Tag d;
  const ProductOfSteps alpha(degrees.equator, m);
  const double scale = 1 / degrees.equator.distance[static_cast<std::size_t>(m)];
  const StepPattern signs(scale, -scale, scale, -scale);
  const Vec two = hn::Set(d, 2.0);
  const Vec three = hn::Set(d, 3.0);
  const Vec five = hn::Set(d, 5.0);
  const Vec m_vector = hn::Set(d, static_cast<double>(m));
  for (Index k = 0; k < steps; k += lane_count()) {
    const Vec n = hn::Mul(two, hn::Add(hn::Set(d, static_cast<double>(k)), hn::Iota(d, 0.0)));
    const Vec l = hn::Add(n, m_vector);
    const Vec own = alpha.times(signs.at(k), k);
    const Vec a = hn::Mul(own, own);
    const Vec above = hn::Mul(hn::MulAdd(two, l, three), hn::MulAdd(two, l, five));
    const Vec below = hn::Mul(hn::Add(n, three), hn::Add(hn::Add(l, m_vector), three));
    hn::StoreInterleaved2(a, hn::Neg(hn::Div(above, hn::Mul(a, below))), d, rows + 2 * k);
    hn::StoreU(hn::Div(own, hn::LoadU(d, two_term + k)), d, factor + k);
  }
}

// The four values of a step, [even re, even im, odd re, odd im], are stored like those of two degrees. The factors of a
// vector of steps, each repeated four times, make four vectors; this is the one with index P.
template <Index P>
HWY_INLINE Vec spread(const double* factors) {
  return repeated<4, P>(hn::LoadU(Tag(), factors));
}

// even_k = low_k c_l + high_k c_{l+2}, odd_k = alpha_k c_{l+1}: vector P of the four vectors for a vector of steps.
template <Index P>
HWY_INLINE Vec part_of_steps(const StepFactors& f, Index k, Vec own, Vec next) {
  const Vec even = hn::MulAdd(spread<P>(f.low + k), own, hn::Mul(spread<P>(f.high + k), next));
  return hn::IfThenElse(odd_numbers<2, P>(), hn::Mul(spread<P>(f.alpha + k), own), even);
}
// The transpose: c_l = low_k even_k + high_{k-1} even_{k-1}, c_{l+1} = alpha_k odd_k.
template <Index P>
HWY_INLINE Vec part_of_degrees(const StepFactors& f, Index k, Vec own, Vec last) {
  const Vec even = hn::MulAdd(spread<P>(f.low + k), own, hn::Mul(spread<P>(f.high + k - 1), last));
  return hn::IfThenElse(odd_numbers<2, P>(), hn::Mul(spread<P>(f.alpha + k), own), even);
}
// For vector P of the first steps: the values of the step before. The first step has no predecessor; zeros are used.
template <Index P>
HWY_INLINE Vec shifted_step(const double* in) {
  const Tag d;
  const Index lanes = lane_count();
  if (P * lanes >= 4) return hn::LoadU(d, in + P * lanes - 4);
#if HWY_TARGET != HWY_SCALAR
  if (lanes == 8) return hn::ConcatLowerLower(d, hn::LoadU(d, in), hn::Zero(d));
#endif
  return hn::Zero(d);
}

template <class Body>
HWY_INLINE void for_four_parts(const Body& body) {
  body.template operator()<0>();
  body.template operator()<1>();
  body.template operator()<2>();
  body.template operator()<3>();
}

// All steps from `count` values of coefficients; missing ones are zero.
template <class T>
void steps_of(const StepFactors& f, Index count, const T* in, double* out) {
  const Tag d;
  const Index lanes = lane_count();
  Index k = 0;
  for (; 4 * (k + lanes) + 4 <= count; k += lanes)
    for_four_parts([&]<Index P>() HWY_ATTR {
      const Index i = 4 * k + P * lanes;
      hn::StoreU(part_of_steps<P>(f, k, load_wide(in + i), load_wide(in + i + 4)), d, out + i);
    });
  for (; k < f.steps; k += lanes)
    for_four_parts([&]<Index P>() HWY_ATTR {
      const Index i = 4 * k + P * lanes;
      const Vec own = load_some(in + i, count - i);
      hn::StoreU(part_of_steps<P>(f, k, own, load_some(in + i + 4, count - i - 4)), d, out + i);
    });
}

// `count` values of coefficients from all steps.
template <class T>
void degrees_of(const StepFactors& f, Index count, const double* in, T* out) {
  const Tag d;
  const Index lanes = lane_count();
  for_four_parts([&]<Index P>() HWY_ATTR {
    const Index i = P * lanes;
    store_some(part_of_degrees<P>(f, 0, hn::LoadU(d, in + i), shifted_step<P>(in)), count - i, out + i);
  });
  Index k = lanes;
  for (; 4 * (k + lanes) <= count; k += lanes)
    for_four_parts([&]<Index P>() HWY_ATTR {
      const Index i = 4 * k + P * lanes;
      store_narrow(part_of_degrees<P>(f, k, hn::LoadU(d, in + i), hn::LoadU(d, in + i - 4)), out + i);
    });
  for (; 4 * k < count; k += lanes)
    for_four_parts([&]<Index P>() HWY_ATTR {
      const Index i = 4 * k + P * lanes;
      const Vec value = part_of_degrees<P>(f, k, hn::LoadU(d, in + i), hn::LoadU(d, in + i - 4));
      store_some(value, count - i, out + i);
    });
}

void steps_of_float(const StepFactors& f, Index count, const float* in, double* out) { steps_of(f, count, in, out); }
void steps_of_double(const StepFactors& f, Index count, const double* in, double* out) { steps_of(f, count, in, out); }
void degrees_of_float(const StepFactors& f, Index count, const double* in, float* out) {
  degrees_of(f, count, in, out);
}
void degrees_of_double(const StepFactors& f, Index count, const double* in, double* out) {
  degrees_of(f, count, in, out);
}

void multiply_steps(const double* factor, Index steps, Index row, const double* in, bool add, double* out) {
  const hn::CappedTag<double, 4> d;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  for (Index k = 0; k < steps; ++k) {
    const auto f = hn::Set(d, factor[k]);
    for (Index i = row * k; i < row * (k + 1); i += lanes) {
      const auto product = hn::Mul(f, hn::Load(d, in + i));
      hn::Store(add ? hn::Add(hn::Load(d, out + i), product) : product, d, out + i);
    }
  }
}

}  // namespace armilla::legendre::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla::legendre {

HWY_EXPORT(two_term_steps);
HWY_EXPORT(equator_steps);
HWY_EXPORT(steps_of_float);
HWY_EXPORT(steps_of_double);
HWY_EXPORT(degrees_of_float);
HWY_EXPORT(degrees_of_double);
HWY_EXPORT(multiply_steps);

namespace {

constexpr Index kFront = DegreeTables::kFront;
// Degrees after the last one that bands may access.
constexpr Index kBack = 16;

using core::at;

Index padded_steps(Index steps) {
  return (steps + DegreeTables::kStepPadding - 1) / DegreeTables::kStepPadding * DegreeTables::kStepPadding;
}

}  // namespace

ScalarTables::ScalarTables(const DegreeTables& degrees, Index least_m) : degrees_(degrees) {
  const Index steps = padded_steps((degrees.scalar_lmax - least_m) / 2 + 1) + DegreeTables::kStepPadding + kFront;
  for (Plane* plane : {&alpha_, &low_, &high_, &equator_}) plane->assign(at(steps), 0.0);
  for (Plane* plane : {&rows_, &rows_polar_, &rows_equator_}) plane->assign(at(2 * steps), 0.0);
  if (degrees.spin == 0) return;
  root_.assign(at(degrees.end - least_m + kFront), 0.0);
}

Index ScalarTables::numbers(Index scalar_lmax, Index least_m, Index spin) {
  const Index degrees = scalar_lmax - least_m + 1;
  const Index steps = degrees / 2 + 3 * DegreeTables::kStepPadding + kFront;
  return 10 * steps + (spin > 0 ? degrees + DegreeTables::kEnd + kFront : 0);
}

void ScalarTables::set(Index m, bool polar, bool equator) {
  m_ = m;
  steps_ = (degrees_.scalar_lmax - m) / 2 + 1;
  const Index padded = padded_steps(steps_);
  field_stride_ = 4 * padded;
  HWY_DYNAMIC_DISPATCH(two_term_steps)
  (degrees_, m, padded,
   {alpha_.data() + kFront, low_.data() + kFront, high_.data() + kFront, rows_.data(),
    polar ? rows_polar_.data() : nullptr});
  if (equator) HWY_DYNAMIC_DISPATCH(equator_steps)
  (degrees_, m, padded, alpha_.data() + kFront, equator_.data() + kFront, rows_equator_.data());
  if (degrees_.spin > 0) multiply_roots(degrees_.root.data() + kFront, m, 2 * padded + kBack, root_.data() + kFront);
}

StepFactors ScalarTables::step_factors() const {
  return {alpha_.data() + kFront, low_.data() + kFront, high_.data() + kFront, m_, degrees_.lmax, steps_};
}

template <class T>
void ScalarTables::load(const std::complex<T>* c, double* field) const {
  const T* in = reinterpret_cast<const T*>(c + m_);
  const Index count = 2 * (degrees_.lmax - m_ + 1);
  if constexpr (std::is_same_v<T, double>)
    HWY_DYNAMIC_DISPATCH(steps_of_double)(step_factors(), count, in, field);
  else
    HWY_DYNAMIC_DISPATCH(steps_of_float)(step_factors(), count, in, field);
}

template <class T>
void ScalarTables::store(const double* field, std::complex<T>* c) const {
  T* out = reinterpret_cast<T*>(c + m_);
  const Index count = 2 * (degrees_.lmax - m_ + 1);
  if constexpr (std::is_same_v<T, double>)
    HWY_DYNAMIC_DISPATCH(degrees_of_double)(step_factors(), count, field, out);
  else
    HWY_DYNAMIC_DISPATCH(degrees_of_float)(step_factors(), count, field, out);
}

BandArrays ScalarTables::band_arrays(std::size_t level) const {
  const DegreeTables::Band& band = degrees_.bands[level];
  return {band.a.data() + kFront + m_, band.b.data() + kFront + m_, band.c.data() + kFront + m_, root_.data() + kFront,
          static_cast<double>(m_)};
}

SpinPlanes ScalarTables::planes(SpinScratch& scratch, int first) const {
  const auto plane = [&](int i) {
    Plane& values = scratch.planes[first + i];
    if (std::ssize(values) < degrees_.end + kFront) values.assign(at(degrees_.end + kFront), 0.0);
    return values.data() + kFront;
  };
  return {{plane(0), plane(1)}, {plane(2), plane(3)}};
}

// Copies degrees m .. lmax to planes, with zeros for degrees without coefficients.
template <class T>
void ScalarTables::split(const std::complex<T>* c, double sign_re, double sign_im, double* re, double* im) const {
  const Index extent = 2 * padded_steps(steps_) + kBack;
  const Index first = std::min(std::max<Index>(0, degrees_.spin - m_), extent);
  const Index count = std::max(first, degrees_.lmax - m_ + 1);
  for (double* plane : {re, im}) {
    std::fill_n(plane, first, 0.0);
    std::fill(plane + count, plane + extent, 0.0);
  }
  split_planes(c + m_ + first, count - first, sign_re, sign_im, re + first, im + first);
}

// s = E, t = i B. Then Q = -s and U = i t (math/spin.hpp).
template <class T>
void ScalarTables::load(const std::complex<T>* e, const std::complex<T>* b, SpinScratch& scratch, double* field_q,
                        double* field_u) const {
  SpinPlanes from = planes(scratch, 0);
  SpinPlanes to = planes(scratch, 4);
  split(e, 1.0, 1.0, from.s[0], from.s[1]);
  split(b, 1.0, -1.0, from.t[1], from.t[0]);
  for (std::size_t level = 0; level < degrees_.bands.size(); ++level) {
    lower_spin(band_arrays(level), 2 * padded_steps(steps_) + kBack, from, to);
    std::swap(from, to);
  }
  steps_of_planes(step_factors(), from.s[0], from.s[1], -1.0, -1.0, field_q);
  steps_of_planes(step_factors(), from.t[1], from.t[0], -1.0, 1.0, field_u);
}

template <class T>
void ScalarTables::store(const double* field_q, const double* field_u, SpinScratch& scratch, std::complex<T>* e,
                         std::complex<T>* b) const {
  SpinPlanes from = planes(scratch, 0);
  SpinPlanes to = planes(scratch, 4);
  planes_of_steps(step_factors(), field_q, -1.0, -1.0, from.s[0], from.s[1]);
  planes_of_steps(step_factors(), field_u, -1.0, 1.0, from.t[1], from.t[0]);
  for (std::size_t level = degrees_.bands.size(); level-- > 0;) {
    raise_spin(band_arrays(level), 2 * padded_steps(steps_) + kBack, from, to);
    std::swap(from, to);
  }
  const Index degrees = degrees_.lmax - m_ + 1;
  join_planes(from.s[0], from.s[1], degrees, 1.0, 1.0, e + m_);
  join_planes(from.t[1], from.t[0], degrees, 1.0, -1.0, b + m_);
}

void ScalarTables::scale_equator(const double* coefficients, Index row, double* out, bool add) const {
  HWY_DYNAMIC_DISPATCH(multiply_steps)(equator_.data() + kFront, steps_, row, coefficients, add, out);
}

template void ScalarTables::load<float>(const std::complex<float>*, double*) const;
template void ScalarTables::load<double>(const std::complex<double>*, double*) const;
template void ScalarTables::load<float>(const std::complex<float>*, const std::complex<float>*, SpinScratch&, double*,
                                        double*) const;
template void ScalarTables::load<double>(const std::complex<double>*, const std::complex<double>*, SpinScratch&,
                                         double*, double*) const;
template void ScalarTables::store<float>(const double*, std::complex<float>*) const;
template void ScalarTables::store<double>(const double*, std::complex<double>*) const;
template void ScalarTables::store<float>(const double*, const double*, SpinScratch&, std::complex<float>*,
                                         std::complex<float>*) const;
template void ScalarTables::store<double>(const double*, const double*, SpinScratch&, std::complex<double>*,
                                          std::complex<double>*) const;

}  // namespace armilla::legendre
#endif
