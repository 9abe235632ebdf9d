// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#include <armilla/core/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/legendre/spin_planes.cpp"

#include <armilla/core/instantiate.hpp>
#include <armilla/legendre/spin_planes.hpp>

#include <type_traits>

// foreach_target.h must be included first, and headers that it compiles repeatedly last.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <armilla/legendre/precision-inl.hpp>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace armilla::legendre::HWY_NAMESPACE {

// Processes whole vectors only and returns the number of degrees processed.
template <class T>
Index split_of(const T* in, Index count, double sign_re, double sign_im, double* re, double* im) {
  const Tag d;
  const hn::Rebind<T, Tag> dt;
  Index i = 0;
  for (; i + lane_count() <= count; i += lane_count()) {
    hn::Vec<decltype(dt)> a, b;
    hn::LoadInterleaved2(dt, in + 2 * i, a, b);
    hn::StoreU(hn::Mul(hn::Set(d, sign_re), widened(a)), d, re + i);
    hn::StoreU(hn::Mul(hn::Set(d, sign_im), widened(b)), d, im + i);
  }
  return i;
}

template <class T>
Index join_of(const double* re, const double* im, Index count, double sign_re, double sign_im, T* out) {
  const Tag d;
  const hn::Rebind<T, Tag> dt;
  Index i = 0;
  for (; i + lane_count() <= count; i += lane_count()) {
    const Vec a = hn::Mul(hn::Set(d, sign_re), hn::LoadU(d, re + i));
    const Vec b = hn::Mul(hn::Set(d, sign_im), hn::LoadU(d, im + i));
    hn::StoreInterleaved2(narrowed<T>(a), narrowed<T>(b), dt, out + 2 * i);
  }
  return i;
}

Index split_float(const float* in, Index count, double sign_re, double sign_im, double* re, double* im) {
  return split_of(in, count, sign_re, sign_im, re, im);
}
Index split_double(const double* in, Index count, double sign_re, double sign_im, double* re, double* im) {
  return split_of(in, count, sign_re, sign_im, re, im);
}
Index join_float(const double* re, const double* im, Index count, double sign_re, double sign_im, float* out) {
  return join_of(re, im, count, sign_re, sign_im, out);
}
Index join_double(const double* re, const double* im, Index count, double sign_re, double sign_im, double* out) {
  return join_of(re, im, count, sign_re, sign_im, out);
}

// even_k = low_k c_l + high_k c_{l+2}, odd_k = alpha_k c_{l+1}.
void steps_of(const StepFactors& f, const double* re, const double* im, double sign_re, double sign_im, double* out) {
  const Tag d;
  const Vec s_re = hn::Set(d, sign_re);
  const Vec s_im = hn::Set(d, sign_im);
  for (Index k = 0; k < f.steps; k += lane_count()) {
    const Vec w0 = hn::LoadU(d, f.low + k);
    const Vec w1 = hn::LoadU(d, f.alpha + k);
    const Vec w2 = hn::LoadU(d, f.high + k);
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

// The transpose: c_l = low_k even_k + high_{k-1} even_{k-1}, c_{l+1} = alpha_k odd_k. `high` has a zero before its
// first element.
void planes_of(const StepFactors& f, const double* in, double sign_re, double sign_im, double* re, double* im) {
  const Tag d;
  const Vec s_re = hn::Set(d, sign_re);
  const Vec s_im = hn::Set(d, sign_im);
  Vec last_re = hn::Zero(d);
  Vec last_im = hn::Zero(d);
  HWY_ALIGN double shifted[2][2 * hn::MaxLanes(Tag())];
  const Index lanes = lane_count();
  for (Index k = 0; k < f.steps; k += lanes) {
    Vec even_re, even_im, odd_re, odd_im;
    hn::LoadInterleaved4(d, in + 4 * k, even_re, even_im, odd_re, odd_im);
    // even_{k-1}: the last value of the previous vector, followed by all but the last value of this one.
    hn::Store(last_re, d, shifted[0]);
    hn::Store(even_re, d, shifted[0] + lanes);
    hn::Store(last_im, d, shifted[1]);
    hn::Store(even_im, d, shifted[1] + lanes);
    last_re = even_re;
    last_im = even_im;
    const Vec w0 = hn::LoadU(d, f.low + k);
    const Vec w1 = hn::LoadU(d, f.alpha + k);
    const Vec w2 = hn::LoadU(d, f.high + k - 1);
    const Vec before_re = hn::LoadU(d, shifted[0] + lanes - 1);
    const Vec before_im = hn::LoadU(d, shifted[1] + lanes - 1);
    hn::StoreInterleaved2(hn::Mul(s_re, hn::MulAdd(w0, even_re, hn::Mul(w2, before_re))),
                          hn::Mul(s_re, hn::Mul(w1, odd_re)), d, re + 2 * k);
    hn::StoreInterleaved2(hn::Mul(s_im, hn::MulAdd(w0, even_im, hn::Mul(w2, before_im))),
                          hn::Mul(s_im, hn::Mul(w1, odd_im)), d, im + 2 * k);
  }
}

void roots(const double* distance_root, Index m, Index count, double* root) {
  const Tag d;
  for (Index i = 0; i < count; i += lane_count())
    hn::StoreU(hn::Mul(hn::LoadU(d, distance_root + i), hn::LoadU(d, distance_root + 2 * m + i)), d, root + i);
}

void lower(const BandArrays& band, Index count, const SpinPlanes& in, const SpinPlanes& out) {
  const Tag d;
  const Vec m = hn::Set(d, band.m);
  for (Index i = 0; i < count; i += lane_count()) {
    const Vec above = hn::Mul(hn::LoadU(d, band.c + i + 1), hn::LoadU(d, band.root + i + 1));
    const Vec below = hn::Mul(hn::LoadU(d, band.a + i - 1), hn::LoadU(d, band.root + i));
    const Vec here = hn::Mul(hn::LoadU(d, band.b + i), m);
    const auto apply = [&](const double* x, const double* y, double* result) HWY_ATTR {
      const Vec sum = hn::NegMulAdd(below, hn::LoadU(d, x + i - 1), hn::Mul(above, hn::LoadU(d, x + i + 1)));
      hn::StoreU(hn::MulAdd(here, hn::LoadU(d, y + i), sum), d, result + i);
    };
    for (int part = 0; part < 2; ++part) {
      apply(in.s[part], in.t[part], out.s[part]);
      apply(in.t[part], in.s[part], out.t[part]);
    }
  }
}

void raise(const BandArrays& band, Index count, const SpinPlanes& in, const SpinPlanes& out) {
  const Tag d;
  const Vec m = hn::Set(d, band.m);
  for (Index i = 0; i < count; i += lane_count()) {
    const Vec below = hn::Mul(hn::LoadU(d, band.c + i), hn::LoadU(d, band.root + i));
    const Vec above = hn::Mul(hn::LoadU(d, band.a + i), hn::LoadU(d, band.root + i + 1));
    const Vec here = hn::Mul(hn::LoadU(d, band.b + i), m);
    const auto apply = [&](const double* x, const double* y, double* result) HWY_ATTR {
      const Vec sum = hn::NegMulAdd(above, hn::LoadU(d, x + i + 1), hn::Mul(below, hn::LoadU(d, x + i - 1)));
      hn::StoreU(hn::MulAdd(here, hn::LoadU(d, y + i), sum), d, result + i);
    };
    for (int part = 0; part < 2; ++part) {
      apply(in.s[part], in.t[part], out.s[part]);
      apply(in.t[part], in.s[part], out.t[part]);
    }
  }
}

}  // namespace armilla::legendre::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla::legendre {

HWY_EXPORT(split_float);
HWY_EXPORT(split_double);
HWY_EXPORT(join_float);
HWY_EXPORT(join_double);
HWY_EXPORT(steps_of);
HWY_EXPORT(planes_of);
HWY_EXPORT(roots);
HWY_EXPORT(lower);
HWY_EXPORT(raise);

template <class T>
void split_planes(const std::complex<T>* c, Index count, double sign_re, double sign_im, double* re, double* im) {
  const T* in = reinterpret_cast<const T*>(c);
  Index done = 0;
  if constexpr (std::is_same_v<T, double>)
    done = HWY_DYNAMIC_DISPATCH(split_double)(in, count, sign_re, sign_im, re, im);
  else
    done = HWY_DYNAMIC_DISPATCH(split_float)(in, count, sign_re, sign_im, re, im);
  for (Index i = done; i < count; ++i) {
    re[i] = sign_re * static_cast<double>(c[i].real());
    im[i] = sign_im * static_cast<double>(c[i].imag());
  }
}

template <class T>
void join_planes(const double* re, const double* im, Index count, double sign_re, double sign_im, std::complex<T>* c) {
  T* out = reinterpret_cast<T*>(c);
  Index done = 0;
  if constexpr (std::is_same_v<T, double>)
    done = HWY_DYNAMIC_DISPATCH(join_double)(re, im, count, sign_re, sign_im, out);
  else
    done = HWY_DYNAMIC_DISPATCH(join_float)(re, im, count, sign_re, sign_im, out);
  for (Index i = done; i < count; ++i) c[i] = {static_cast<T>(sign_re * re[i]), static_cast<T>(sign_im * im[i])};
}

void steps_of_planes(const StepFactors& f, const double* re, const double* im, double sign_re, double sign_im,
                     double* field) {
  HWY_DYNAMIC_DISPATCH(steps_of)(f, re, im, sign_re, sign_im, field);
}

void planes_of_steps(const StepFactors& f, const double* field, double sign_re, double sign_im, double* re,
                     double* im) {
  HWY_DYNAMIC_DISPATCH(planes_of)(f, field, sign_re, sign_im, re, im);
}

void multiply_roots(const double* whole_root, Index m, Index count, double* root) {
  HWY_DYNAMIC_DISPATCH(roots)(whole_root, m, count, root);
}

void lower_spin(const BandArrays& band, Index count, const SpinPlanes& in, const SpinPlanes& out) {
  HWY_DYNAMIC_DISPATCH(lower)(band, count, in, out);
}

void raise_spin(const BandArrays& band, Index count, const SpinPlanes& in, const SpinPlanes& out) {
  HWY_DYNAMIC_DISPATCH(raise)(band, count, in, out);
}

ARMILLA_INSTANTIATE(split_planes);
ARMILLA_INSTANTIATE(join_planes);

}  // namespace armilla::legendre
#endif
