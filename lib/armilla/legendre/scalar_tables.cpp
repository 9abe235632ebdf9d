// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#include <armilla/core/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/legendre/scalar_tables.cpp"

#include <armilla/legendre/scalar_tables.hpp>

#include <algorithm>
#include <cmath>

// foreach_target.h comes first, and what it compiles again and again last.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <armilla/legendre/simd-inl.hpp>
// clang-format on

#ifndef ARMILLA_LEGENDRE_BAND_ARRAYS
#define ARMILLA_LEGENDRE_BAND_ARRAYS
namespace armilla::legendre {

// A band of one m; pointers are to degree m.
struct BandArrays {
  const double* a;
  const double* b;
  const double* c;
  const double* root;
  double m;
};

}  // namespace armilla::legendre
#endif

HWY_BEFORE_NAMESPACE();
namespace armilla::legendre::HWY_NAMESPACE {

// Arrays have room for whole vectors past their ends.

// root[i] = sqrt(l^2 - m^2), eps[i] = root inverse_root[l], l = m + i.
void roots(Index m, Index count, const double* inverse_root, double* root, double* eps) {
  const Tag d;
  const Vec twice_m = hn::Set(d, 2 * static_cast<double>(m));
  for (Index i = 0; i < count; i += lane_count()) {
    const Vec n = hn::Iota(d, static_cast<double>(i));
    const Vec r = hn::Sqrt(hn::Mul(n, hn::Add(n, twice_m)));
    hn::StoreU(r, d, root + i);
    hn::StoreU(hn::Mul(r, hn::LoadU(d, inverse_root + i)), d, eps + i);
  }
}

// eps of degrees l, l + 1, l + 2, l + 3 for the steps k .. k + lanes - 1.
struct FourEps {
  Vec e0, e1, e2, e3;
  HWY_INLINE FourEps(const double* eps, Index k) {
    const Tag d;
    hn::LoadInterleaved2(d, eps + 2 * k, e0, e1);
    hn::LoadInterleaved2(d, eps + 2 * k + 2, e2, e3);
  }
};

// eps_l eps_{l+1} / (eps_{l+2} eps_{l+3}) and eps_{l+1} / eps_{l+2}.
void ratios(const double* eps, Index steps, double* both, double* one) {
  const Tag d;
  for (Index k = 0; k < steps; k += lane_count()) {
    const FourEps e(eps, k);
    hn::StoreU(hn::Div(hn::Mul(e.e0, e.e1), hn::Mul(e.e2, e.e3)), d, both + k);
    hn::StoreU(hn::Div(e.e1, e.e2), d, one + k);
  }
}

void two_term_rows(const double* eps, const double* alpha, Index steps, double* rows, double* polar, double* low,
                   double* high) {
  const Tag d;
  for (Index k = 0; k < steps; k += lane_count()) {
    const FourEps e(eps, k);
    const Vec here = hn::LoadU(d, alpha + k);
    const Vec a = hn::Div(here, hn::Mul(hn::LoadU(d, alpha + k + 1), hn::Mul(e.e2, e.e3)));
    const Vec square = hn::MulAdd(e.e1, e.e1, hn::Mul(e.e2, e.e2));
    hn::StoreInterleaved2(a, hn::Neg(hn::Mul(a, square)), d, rows + 2 * k);
    hn::StoreInterleaved2(a, hn::Mul(a, hn::Sub(hn::Set(d, 1.0), square)), d, polar + 2 * k);
    hn::StoreU(hn::Mul(here, e.e1), d, low + k);
    hn::StoreU(hn::Mul(here, e.e2), d, high + k);
  }
}

// `equator` comes in as lambda_l at the equator and leaves as the factor between the two alpha.
void equator_rows(Index m, const double* eps, const double* alpha, Index steps, double* equator, double* rows) {
  const Tag d;
  for (Index k = 0; k < steps; k += lane_count()) {
    const Vec l = hn::Add(hn::Set(d, static_cast<double>(m + 2 * k)), hn::Mul(hn::Set(d, 2.0), hn::Iota(d, 0.0)));
    const auto own = [&](Vec degree, Vec e, Vec value) HWY_ATTR {
      return hn::Mul(hn::Mul(hn::MulAdd(hn::Set(d, 2.0), degree, hn::Set(d, 3.0)), e), value);
    };
    const FourEps e(eps, k);
    const Vec here = own(l, e.e1, hn::LoadU(d, equator + k));
    const Vec next = own(hn::Add(l, hn::Set(d, 2.0)), e.e3, hn::LoadU(d, equator + k + 1));
    const Vec b = hn::Div(hn::Set(d, 1.0), hn::Mul(hn::Mul(here, next), hn::Mul(e.e2, e.e3)));
    hn::StoreInterleaved2(hn::Mul(here, here), b, d, rows + 2 * k);
    // Values of steps below are not read again.
    hn::StoreU(hn::Div(here, hn::LoadU(d, alpha + k)), d, equator + k);
  }
}

// even_k = low_k c_l + high_k c_{l+2}, odd_k = alpha_k c_{l+1}, real and imaginary parts times their signs.
void to_steps(const double* alpha, const double* low, const double* high, Index steps, const double* re,
              const double* im, double sign_re, double sign_im, double* out) {
  const Tag d;
  const Vec s_re = hn::Set(d, sign_re);
  const Vec s_im = hn::Set(d, sign_im);
  for (Index k = 0; k < steps; k += lane_count()) {
    const Vec w0 = hn::LoadU(d, low + k);
    const Vec w2 = hn::LoadU(d, high + k);
    const Vec w1 = hn::LoadU(d, alpha + k);
    Vec re0, re1, re2, im0, im1, im2, unused;
    hn::LoadInterleaved2(d, re + 2 * k, re0, re1);
    hn::LoadInterleaved2(d, re + 2 * k + 2, re2, unused);
    hn::LoadInterleaved2(d, im + 2 * k, im0, im1);
    hn::LoadInterleaved2(d, im + 2 * k + 2, im2, unused);
    hn::StoreInterleaved4(hn::Mul(s_re, hn::MulAdd(w0, re0, hn::Mul(w2, re2))),
                          hn::Mul(s_im, hn::MulAdd(w0, im0, hn::Mul(w2, im2))), hn::Mul(s_re, hn::Mul(w1, re1)),
                          hn::Mul(s_im, hn::Mul(w1, im1)), d, out + 4 * k);
  }
}

// The transpose: c_l = low_k even_k + high_{k-1} even_{k-1}, c_{l+1} = alpha_k odd_k. high has a zero before its first.
void from_steps(const double* alpha, const double* low, const double* high, Index steps, const double* in, double* re,
                double* im) {
  const Tag d;
  Vec last_re = hn::Zero(d);
  Vec last_im = hn::Zero(d);
  HWY_ALIGN double shifted[2][2 * hn::MaxLanes(Tag())];
  const Index lanes = lane_count();
  for (Index k = 0; k < steps; k += lanes) {
    Vec even_re, even_im, odd_re, odd_im;
    hn::LoadInterleaved4(d, in + 4 * k, even_re, even_im, odd_re, odd_im);
    // even_{k-1}: the last value of the vector before, then all but the last of this one.
    hn::Store(last_re, d, shifted[0]);
    hn::Store(even_re, d, shifted[0] + lanes);
    hn::Store(last_im, d, shifted[1]);
    hn::Store(even_im, d, shifted[1] + lanes);
    last_re = even_re;
    last_im = even_im;
    const Vec w0 = hn::LoadU(d, low + k);
    const Vec w2 = hn::LoadU(d, high + k - 1);
    const Vec w1 = hn::LoadU(d, alpha + k);
    hn::StoreInterleaved2(hn::MulAdd(w0, even_re, hn::Mul(w2, hn::LoadU(d, shifted[0] + lanes - 1))),
                          hn::Mul(w1, odd_re), d, re + 2 * k);
    hn::StoreInterleaved2(hn::MulAdd(w0, even_im, hn::Mul(w2, hn::LoadU(d, shifted[1] + lanes - 1))),
                          hn::Mul(w1, odd_im), d, im + 2 * k);
  }
}

// Of one part (real or imaginary) for l = m + i: with s, t the half sum and half difference of the coefficients of spin
// and m and of -spin and -m, s'_l = C_{l+1} s_{l+1} - A_{l-1} s_{l-1} + B_l t_l, and likewise with s, t exchanged.
void lower(const BandArrays& band, Index count, const double* s, const double* t, double* s_out, double* t_out) {
  const Tag d;
  const Vec m = hn::Set(d, band.m);
  for (Index i = 0; i < count; i += lane_count()) {
    const Vec above = hn::Mul(hn::LoadU(d, band.c + i + 1), hn::LoadU(d, band.root + i + 1));
    const Vec below = hn::Mul(hn::LoadU(d, band.a + i - 1), hn::LoadU(d, band.root + i));
    const Vec here = hn::Mul(hn::LoadU(d, band.b + i), m);
    const auto apply = [&](const double* x, const double* y, double* out) HWY_ATTR {
      const Vec sum = hn::NegMulAdd(below, hn::LoadU(d, x + i - 1), hn::Mul(above, hn::LoadU(d, x + i + 1)));
      hn::StoreU(hn::MulAdd(here, hn::LoadU(d, y + i), sum), d, out + i);
    };
    apply(s, t, s_out);
    apply(t, s, t_out);
  }
}

// s_l = C_l s'_{l-1} - A_l s'_{l+1} + B_l d'_l.
void raise(const BandArrays& band, Index count, const double* s, const double* t, double* s_out, double* t_out) {
  const Tag d;
  const Vec m = hn::Set(d, band.m);
  for (Index i = 0; i < count; i += lane_count()) {
    const Vec below = hn::Mul(hn::LoadU(d, band.c + i), hn::LoadU(d, band.root + i));
    const Vec above = hn::Mul(hn::LoadU(d, band.a + i), hn::LoadU(d, band.root + i + 1));
    const Vec here = hn::Mul(hn::LoadU(d, band.b + i), m);
    const auto apply = [&](const double* x, const double* y, double* out) HWY_ATTR {
      const Vec sum = hn::NegMulAdd(above, hn::LoadU(d, x + i + 1), hn::Mul(below, hn::LoadU(d, x + i - 1)));
      hn::StoreU(hn::MulAdd(here, hn::LoadU(d, y + i), sum), d, out + i);
    };
    apply(s, t, s_out);
    apply(t, s, t_out);
  }
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

HWY_EXPORT(roots);
HWY_EXPORT(ratios);
HWY_EXPORT(two_term_rows);
HWY_EXPORT(equator_rows);
HWY_EXPORT(to_steps);
HWY_EXPORT(from_steps);
HWY_EXPORT(lower);
HWY_EXPORT(raise);
HWY_EXPORT(multiply_steps);

namespace {

constexpr Index kFront = DegreeTables::kFront;
// Steps are rounded up to this, and so many degrees past those of the last step have entries.
constexpr Index kStepPadding = 8;
constexpr Index kBack = 16;
// Degrees past the last one that any m may touch, and room for whole vectors behind them.
constexpr Index kEnd = 2 * kStepPadding + kBack + 16;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

Index padded_steps(Index steps) { return (steps + kStepPadding - 1) / kStepPadding * kStepPadding; }

}  // namespace

DegreeTables::DegreeTables(Index spin_, Index lmax_)
    : spin(spin_), lmax(lmax_), scalar_lmax(lmax_ + spin_), end(lmax_ + spin_ + kEnd) {
  inverse_root.assign(at(end + kFront), 0.0);
  for (Index i = 1; i < end; ++i) {
    const auto l = static_cast<double>(i);
    inverse_root[at(i + kFront)] = 1 / std::sqrt(4 * l * l - 1);
  }
  for (Index level = spin; level > 0; --level) {
    Band& band = bands.emplace_back();
    band.spin = level;
    for (auto* array : {&band.a, &band.b, &band.c}) array->assign(at(end + kFront), 0.0);
    const auto s = static_cast<double>(level);
    for (Index i = level; i < end; ++i) {
      const auto l = static_cast<double>(i);
      const std::size_t place = at(i + kFront);
      band.a[place] = std::sqrt((l - s + 1) * (l - s + 2) / ((2 * l + 1) * (2 * l + 3))) / (l + 1);
      band.b[place] = std::sqrt((l + s) * (l - s + 1)) / (l * (l + 1));
      band.c[place] = std::sqrt((l + s) * (l + s - 1) / ((2 * l - 1) * (2 * l + 1))) / l;
    }
  }
}

ScalarTables::ScalarTables(const DegreeTables& degrees) : degrees_(degrees) {
  const Index steps = padded_steps(degrees.scalar_lmax / 2 + 1) + kStepPadding + kFront;
  for (Plane* plane : {&ratio_, &alpha_, &low_, &high_, &equator_}) plane->assign(at(steps), 0.0);
  for (Plane* plane : {&rows_, &rows_polar_, &rows_equator_}) plane->assign(at(2 * steps), 0.0);
  for (Plane* plane : {&root_, &eps_}) plane->assign(at(degrees.end + kFront), 0.0);
  const int planes = degrees.spin == 0 ? 2 : 8;
  for (int i = 0; i < planes; ++i) planes_[i].assign(at(degrees.end + kFront), 0.0);
}

void ScalarTables::set(Index m, bool equator) {
  m_ = m;
  steps_ = (degrees_.scalar_lmax - m) / 2 + 1;
  const Index padded = padded_steps(steps_);
  field_stride_ = 4 * padded;
  double* root = root_.data() + kFront;
  HWY_DYNAMIC_DISPATCH(roots)
  (m, 2 * padded + kBack, degrees_.inverse_root.data() + kFront + m, root, eps_.data());
  double* alpha = alpha_.data() + kFront;
  double* at_equator = equator_.data() + kFront;
  // ratio_ of both chains; the second one waits where its result will stand.
  HWY_DYNAMIC_DISPATCH(ratios)(eps_.data(), padded, ratio_.data(), at_equator);
  alpha[0] = 1 / eps_[1];
  alpha[1] = 1;  // free
  for (Index k = 1; k < padded; ++k) alpha[k + 1] = -alpha[k - 1] * ratio_[at(k)];
  HWY_DYNAMIC_DISPATCH(two_term_rows)
  (eps_.data(), alpha, padded, rows_.data(), rows_polar_.data(), low_.data() + kFront, high_.data() + kFront);
  if (!equator) return;
  // lambda_{l+2} = -(eps_{l+1} / eps_{l+2}) lambda_l there, starting from one.
  double value = 1;
  for (Index k = 0; k <= padded; ++k) {
    const double ratio = at_equator[k];
    at_equator[k] = value;
    value *= -ratio;
  }
  HWY_DYNAMIC_DISPATCH(equator_rows)(m, eps_.data(), alpha, padded, at_equator, rows_equator_.data());
}

StepFactors ScalarTables::step_factors() const {
  return {alpha_.data() + kFront, low_.data() + kFront, high_.data() + kFront, m_, degrees_.lmax, steps_};
}

template <class T>
void ScalarTables::split(const std::complex<T>* c, int re, int im) {
  const Index extent = 2 * padded_steps(steps_) + kBack;
  const Index first = std::min(std::max<Index>(0, degrees_.spin - m_), extent);
  const Index count = std::max(first, degrees_.lmax - m_ + 1);
  double* r = plane(re);
  double* i = plane(im);
  std::fill_n(r, first, 0.0);
  std::fill_n(i, first, 0.0);
  for (Index l = first; l < count; ++l) {
    r[l] = static_cast<double>(c[m_ + l].real());
    i[l] = static_cast<double>(c[m_ + l].imag());
  }
  std::fill(r + count, r + extent, 0.0);
  std::fill(i + count, i + extent, 0.0);
}

template <class T>
void ScalarTables::join(int re, int im, double sign_re, double sign_im, std::complex<T>* c) const {
  const double* r = planes_[re].data() + kFront;
  const double* i = planes_[im].data() + kFront;
  for (Index l = 0; l <= degrees_.lmax - m_; ++l)
    c[m_ + l] = {static_cast<T>(sign_re * r[l]), static_cast<T>(sign_im * i[l])};
}

void ScalarTables::to_steps(int re, int im, double sign_re, double sign_im, double* field) {
  HWY_DYNAMIC_DISPATCH(to_steps)
  (alpha_.data() + kFront, low_.data() + kFront, high_.data() + kFront, steps_, plane(re), plane(im), sign_re, sign_im,
   field);
}

void ScalarTables::from_steps(const double* field, int re, int im) {
  HWY_DYNAMIC_DISPATCH(from_steps)
  (alpha_.data() + kFront, low_.data() + kFront, high_.data() + kFront, steps_, field, plane(re), plane(im));
}

BandArrays ScalarTables::band_arrays(std::size_t level) const {
  const DegreeTables::Band& band = degrees_.bands[level];
  return {band.a.data() + kFront + m_, band.b.data() + kFront + m_, band.c.data() + kFront + m_, root_.data() + kFront,
          static_cast<double>(m_)};
}

template <class T>
void ScalarTables::load(const std::complex<T>* c, double* field) {
  split(c, 0, 1);
  to_steps(0, 1, 1.0, 1.0, field);
}

// Planes 0 .. 3: half the sum of the coefficients of both signs of the spin, E, and half the difference, i B; real,
// imaginary, real, imaginary. Bands go from 0 .. 3 to 4 .. 7 and back. Then Q = -sum and U = i difference
// (math/spin.hpp).
template <class T>
void ScalarTables::load(const std::complex<T>* e, const std::complex<T>* b, double* field_q, double* field_u) {
  split(e, 0, 1);
  split(b, 3, 2);
  const Index extent = 2 * padded_steps(steps_) + kBack;
  double* difference = plane(2);
  for (Index l = 0; l < extent; ++l) difference[l] = -difference[l];
  int from = 0;
  for (std::size_t level = 0; level < degrees_.bands.size(); ++level) {
    const BandArrays band = band_arrays(level);
    const int to = 4 - from;
    for (int part = 0; part < 2; ++part) HWY_DYNAMIC_DISPATCH(lower)
    (band, extent, plane(from + part), plane(from + 2 + part), plane(to + part), plane(to + 2 + part));
    from = to;
  }
  to_steps(from, from + 1, -1.0, -1.0, field_q);
  to_steps(from + 3, from + 2, -1.0, 1.0, field_u);
}

template <class T>
void ScalarTables::store(const double* field, std::complex<T>* c) {
  from_steps(field, 0, 1);
  join(0, 1, 1.0, 1.0, c);
}

template <class T>
void ScalarTables::store(const double* field_q, const double* field_u, std::complex<T>* e, std::complex<T>* b) {
  // Signs of Q and U as in load(): those of Q here, of both when the planes are joined.
  from_steps(field_q, 0, 1);
  from_steps(field_u, 3, 2);
  const Index extent = 2 * padded_steps(steps_);
  for (const int q : {0, 1, 3})
    for (double* x = plane(q); x < plane(q) + extent; ++x) *x = -*x;
  int from = 0;
  for (std::size_t level = degrees_.bands.size(); level-- > 0;) {
    const BandArrays band = band_arrays(level);
    const int to = 4 - from;
    for (int part = 0; part < 2; ++part) HWY_DYNAMIC_DISPATCH(raise)
    (band, extent, plane(from + part), plane(from + 2 + part), plane(to + part), plane(to + 2 + part));
    from = to;
  }
  join(from, from + 1, 1.0, 1.0, e);
  join(from + 3, from + 2, 1.0, -1.0, b);
}

void ScalarTables::scale_equator(const double* coefficients, Index row, double* out, bool add) const {
  HWY_DYNAMIC_DISPATCH(multiply_steps)(equator_.data() + kFront, steps_, row, coefficients, add, out);
}

template void ScalarTables::load<float>(const std::complex<float>*, double*);
template void ScalarTables::load<double>(const std::complex<double>*, double*);
template void ScalarTables::load<float>(const std::complex<float>*, const std::complex<float>*, double*, double*);
template void ScalarTables::load<double>(const std::complex<double>*, const std::complex<double>*, double*, double*);
template void ScalarTables::store<float>(const double*, std::complex<float>*);
template void ScalarTables::store<double>(const double*, std::complex<double>*);
template void ScalarTables::store<float>(const double*, const double*, std::complex<float>*, std::complex<float>*);
template void ScalarTables::store<double>(const double*, const double*, std::complex<double>*, std::complex<double>*);

}  // namespace armilla::legendre
#endif
