// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/fft/split_kernel.cpp"

#include <armilla/fft/split_kernel.hpp>

#include <algorithm>
#include <cstdint>

#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace armilla::fft::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Loads right behind stores to the same place of another page wait for them.
constexpr Index kApart = 1024;
constexpr Index kLine = 64;

inline bool is_aligned(const void* p) { return reinterpret_cast<std::uintptr_t>(p) % kLine == 0; }

// At most 64 bytes: vectors of the long-vector machines would need other ways to transpose.
template <class T>
using Wide = hn::CappedTag<T, 64 / sizeof(T)>;
template <class T>
using Four = hn::CappedTag<T, 4>;
template <class T>
using One = hn::CappedTag<T, 1>;

template <int R, class D>
struct Points {
  hn::Vec<D> re[R];
  hn::Vec<D> im[R];
};

// Rotation by -90 degrees is (re, im) -> (im, -re).
template <class D>
HWY_INLINE void transform(D, Points<2, D>& a) {
  const auto re = a.re[1];
  const auto im = a.im[1];
  a.re[1] = hn::Sub(a.re[0], re);
  a.im[1] = hn::Sub(a.im[0], im);
  a.re[0] = hn::Add(a.re[0], re);
  a.im[0] = hn::Add(a.im[0], im);
}

template <class D>
HWY_INLINE void transform(D, Points<4, D>& a) {
  const auto sum0_re = hn::Add(a.re[0], a.re[2]);
  const auto sum0_im = hn::Add(a.im[0], a.im[2]);
  const auto sum1_re = hn::Add(a.re[1], a.re[3]);
  const auto sum1_im = hn::Add(a.im[1], a.im[3]);
  const auto dif0_re = hn::Sub(a.re[0], a.re[2]);
  const auto dif0_im = hn::Sub(a.im[0], a.im[2]);
  const auto dif1_re = hn::Sub(a.re[1], a.re[3]);
  const auto dif1_im = hn::Sub(a.im[1], a.im[3]);
  a.re[0] = hn::Add(sum0_re, sum1_re);
  a.im[0] = hn::Add(sum0_im, sum1_im);
  a.re[1] = hn::Add(dif0_re, dif1_im);
  a.im[1] = hn::Sub(dif0_im, dif1_re);
  a.re[2] = hn::Sub(sum0_re, sum1_re);
  a.im[2] = hn::Sub(sum0_im, sum1_im);
  a.re[3] = hn::Sub(dif0_re, dif1_im);
  a.im[3] = hn::Add(dif0_im, dif1_re);
}

template <class D>
HWY_INLINE void transform(D d, Points<8, D>& a) {
  Points<4, D> even, odd;
  for (int k = 0; k < 4; ++k) {
    even.re[k] = a.re[2 * k];
    even.im[k] = a.im[2 * k];
    odd.re[k] = a.re[2 * k + 1];
    odd.im[k] = a.im[2 * k + 1];
  }
  transform(d, even);
  transform(d, odd);
  const auto half = hn::Set(d, static_cast<hn::TFromD<D>>(0.70710678118654752440));
  a.re[0] = hn::Add(even.re[0], odd.re[0]);
  a.im[0] = hn::Add(even.im[0], odd.im[0]);
  a.re[4] = hn::Sub(even.re[0], odd.re[0]);
  a.im[4] = hn::Sub(even.im[0], odd.im[0]);
  const auto sum1 = hn::Add(odd.re[1], odd.im[1]);
  const auto dif1 = hn::Sub(odd.im[1], odd.re[1]);
  a.re[1] = hn::MulAdd(half, sum1, even.re[1]);
  a.im[1] = hn::MulAdd(half, dif1, even.im[1]);
  a.re[5] = hn::NegMulAdd(half, sum1, even.re[1]);
  a.im[5] = hn::NegMulAdd(half, dif1, even.im[1]);
  a.re[2] = hn::Add(even.re[2], odd.im[2]);
  a.im[2] = hn::Sub(even.im[2], odd.re[2]);
  a.re[6] = hn::Sub(even.re[2], odd.im[2]);
  a.im[6] = hn::Add(even.im[2], odd.re[2]);
  const auto sum3 = hn::Add(odd.re[3], odd.im[3]);
  const auto dif3 = hn::Sub(odd.im[3], odd.re[3]);
  a.re[3] = hn::MulAdd(half, dif3, even.re[3]);
  a.im[3] = hn::NegMulAdd(half, sum3, even.im[3]);
  a.re[7] = hn::NegMulAdd(half, dif3, even.re[3]);
  a.im[7] = hn::MulAdd(half, sum3, even.im[3]);
}

// cos(2 pi k / R) and sin(2 pi k / R) for k = 1 .. (R - 1) / 2.
template <int R>
struct OddRoots;
template <>
struct OddRoots<3> {
  static constexpr double kCos[] = {-0.5};
  static constexpr double kSin[] = {0.86602540378443864676};
};
template <>
struct OddRoots<5> {
  static constexpr double kCos[] = {0.30901699437494742410, -0.80901699437494742410};
  static constexpr double kSin[] = {0.95105651629515357212, 0.58778525229247312917};
};
template <>
struct OddRoots<7> {
  static constexpr double kCos[] = {0.62348980185873353053, -0.22252093395631440429, -0.90096886790241912624};
  static constexpr double kSin[] = {0.78183148246802980871, 0.97492791218182360702, 0.43388373911755812048};
};

template <int R, class D>
HWY_INLINE void transform(D d, Points<R, D>& a) {
  using T = hn::TFromD<D>;
  constexpr int kHalf = (R - 1) / 2;
  Points<kHalf, D> sum, dif;
  for (int j = 0; j < kHalf; ++j) {
    sum.re[j] = hn::Add(a.re[j + 1], a.re[R - 1 - j]);
    sum.im[j] = hn::Add(a.im[j + 1], a.im[R - 1 - j]);
    dif.re[j] = hn::Sub(a.re[j + 1], a.re[R - 1 - j]);
    dif.im[j] = hn::Sub(a.im[j + 1], a.im[R - 1 - j]);
  }
  const auto first_re = a.re[0];
  const auto first_im = a.im[0];
  for (int j = 0; j < kHalf; ++j) {
    a.re[0] = hn::Add(a.re[0], sum.re[j]);
    a.im[0] = hn::Add(a.im[0], sum.im[j]);
  }
  for (int k = 1; k <= kHalf; ++k) {
    auto cos_re = first_re;
    auto cos_im = first_im;
    auto sin_re = hn::Zero(d);
    auto sin_im = hn::Zero(d);
    for (int j = 1; j <= kHalf; ++j) {
      const int turn = j * k % R;
      const int place = std::min(turn, R - turn) - 1;
      const auto c = hn::Set(d, static_cast<T>(OddRoots<R>::kCos[place]));
      const auto s =
          hn::Set(d, static_cast<T>(turn == place + 1 ? OddRoots<R>::kSin[place] : -OddRoots<R>::kSin[place]));
      cos_re = hn::MulAdd(c, sum.re[j - 1], cos_re);
      cos_im = hn::MulAdd(c, sum.im[j - 1], cos_im);
      sin_re = hn::MulAdd(s, dif.re[j - 1], sin_re);
      sin_im = hn::MulAdd(s, dif.im[j - 1], sin_im);
    }
    a.re[k] = hn::Add(cos_re, sin_im);
    a.im[k] = hn::Sub(cos_im, sin_re);
    a.re[R - k] = hn::Sub(cos_re, sin_im);
    a.im[R - k] = hn::Add(cos_im, sin_re);
  }
}

template <int R, class D, class T>
HWY_INLINE Points<R, D> load(D d, Split<const T> in, Index distance) {
  Points<R, D> a;
  for (int k = 0; k < R; ++k) {
    a.re[k] = hn::LoadU(d, in.re + k * distance);
    a.im[k] = hn::LoadU(d, in.im + k * distance);
  }
  return a;
}

template <class V>
HWY_INLINE void turn(V& re, V& im, V c, V s) {
  const V old = re;
  re = hn::NegMulAdd(im, s, hn::Mul(re, c));
  im = hn::MulAdd(im, c, hn::Mul(old, s));
}

// Factors that differ from lane to lane: [j][re, im][butterfly].
template <int R, class D, class T>
HWY_INLINE void turn_lanes(D d, Points<R, D>& a, const T* twiddle, Index butterflies) {
  for (int j = 1; j < R; ++j)
    turn(a.re[j], a.im[j], hn::LoadU(d, twiddle + (2 * j - 2) * butterflies),
         hn::LoadU(d, twiddle + (2 * j - 1) * butterflies));
}

// The last vector of a run overlaps the one before where the lanes do not divide it: results are the same twice.
template <class D, class T>
void transpose_pass(D d, const SplitPass<T>& pass, const T* twiddles, Split<const T> in, Split<T> out) {
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  const Index all = pass.after;
  for (Index begin = 0; begin < all; begin += lanes) {
    const Index p = std::min(begin, all - lanes);
    auto a = load<4>(d, in + p, all);
    transform(d, a);
    if (all > 1) turn_lanes(d, a, twiddles + pass.twiddle + p, all);
    if constexpr (hn::MaxLanes(D()) == 1) {
      for (int j = 0; j < 4; ++j) {
        hn::StoreU(a.re[j], d, out.re + 4 * p + j);
        hn::StoreU(a.im[j], d, out.im + 4 * p + j);
      }
    } else {
      hn::StoreInterleaved4(a.re[0], a.re[1], a.re[2], a.re[3], d, out.re + 4 * p);
      hn::StoreInterleaved4(a.im[0], a.im[1], a.im[2], a.im[3], d, out.im + 4 * p);
    }
  }
}

#if HWY_TARGET == HWY_SCALAR
template <int R, class T>
void block_pass(const SplitPass<T>&, const T*, Split<const T>, Split<T>) {}
#else
// Vectors of 2 or 4 blocks of 4 values: block b of vector j goes to block j of row b, rows of R blocks.
template <int R, class D, class V, class T>
HWY_INLINE void store_blocks(D d, const V* v, T* out) {
  constexpr int kBlocks = hn::MaxLanes(D()) / 4;
  if constexpr (kBlocks == 2) {
    for (int j = 0; j < R; j += 2) {
      hn::StoreU(hn::ConcatLowerLower(d, v[j + 1], v[j]), d, out + 4 * j);
      hn::StoreU(hn::ConcatUpperUpper(d, v[j + 1], v[j]), d, out + 4 * (R + j));
    }
  } else {
    for (int j = 0; j < R; j += 4) {
      const V even01 = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(v[j + 1]), v[j]);
      const V even23 = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(v[j + 3]), v[j + 2]);
      const V odd01 = hn::OddEvenBlocks(v[j + 1], hn::SwapAdjacentBlocks(v[j]));
      const V odd23 = hn::OddEvenBlocks(v[j + 3], hn::SwapAdjacentBlocks(v[j + 2]));
      hn::StoreU(hn::ConcatLowerLower(d, even23, even01), d, out + 4 * j);
      hn::StoreU(hn::ConcatLowerLower(d, odd23, odd01), d, out + 4 * (R + j));
      hn::StoreU(hn::ConcatUpperUpper(d, even23, even01), d, out + 4 * (2 * R + j));
      hn::StoreU(hn::ConcatUpperUpper(d, odd23, odd01), d, out + 4 * (3 * R + j));
    }
  }
}

template <int R, class T>
void block_pass(const SplitPass<T>& pass, const T* twiddles, Split<const T> in, Split<T> out) {
  const Wide<T> d;
  constexpr Index kLanes = hn::MaxLanes(Wide<T>());
  if constexpr (kLanes > 4 && R % (kLanes / 4) == 0) {
    const Index all = 4 * pass.after;
    for (Index begin = 0; begin < all; begin += kLanes) {
      const Index t = std::min(begin, all - kLanes);
      auto a = load<R>(d, in + t, all);
      transform(d, a);
      turn_lanes(d, a, twiddles + pass.twiddle + t, all);
      store_blocks<R>(d, a.re, out.re + R * t);
      store_blocks<R>(d, a.im, out.im + R * t);
    }
  }
}

#endif

template <int R, bool kStreamed, class D, class T>
HWY_INLINE void last_columns(D d, Index before, Split<const T> in, Split<T> out) {
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  for (Index begin = 0; begin < before; begin += lanes) {
    const Index q = std::min(begin, before - lanes);
    auto a = load<R>(d, in + q, before);
    transform(d, a);
    for (int j = 0; j < R; ++j) {
      if constexpr (kStreamed) {
        hn::Stream(a.re[j], d, out.re + q + before * j);
        hn::Stream(a.im[j], d, out.im + q + before * j);
      } else {
        hn::StoreU(a.re[j], d, out.re + q + before * j);
        hn::StoreU(a.im[j], d, out.im + q + before * j);
      }
    }
  }
}

// Streams where each vector of the results is a whole cache line.
template <int R, class D, class T>
HWY_INLINE void last_pass(D d, Index before, Split<const T> in, Split<T> out, bool streamed) {
  constexpr Index kVector = hn::MaxLanes(D()) * sizeof(T);
  const bool lines = kVector == kLine && before * static_cast<Index>(sizeof(T)) % kLine == 0 && is_aligned(out.re) &&
                     is_aligned(out.im);
  if (streamed && lines)
    last_columns<R, true>(d, before, in, out);
  else
    last_columns<R, false>(d, before, in, out);
}

template <int R, class D, class T>
void column_pass(D d, const SplitPass<T>& pass, const T* twiddles, Split<const T> in, Split<T> out, bool streamed) {
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  const Index before = pass.before;
  const Index distance = before * pass.after;
  if (pass.after == 1) return last_pass<R>(d, before, in, out, streamed);
  for (Index p = 0; p < pass.after; ++p) {
    const T* twiddle = twiddles + pass.twiddle + 2 * (R - 1) * p;
    const Split<const T> from = in + before * p;
    const Split<T> to = out + before * R * p;
    for (Index begin = 0; begin < before; begin += lanes) {
      const Index q = std::min(begin, before - lanes);
      auto a = load<R>(d, from + q, distance);
      transform(d, a);
      hn::StoreU(a.re[0], d, to.re + q);
      hn::StoreU(a.im[0], d, to.im + q);
      for (int j = 1; j < R; ++j) {
        turn(a.re[j], a.im[j], hn::Set(d, twiddle[2 * j - 2]), hn::Set(d, twiddle[2 * j - 1]));
        hn::StoreU(a.re[j], d, to.re + q + before * j);
        hn::StoreU(a.im[j], d, to.im + q + before * j);
      }
    }
  }
}

// The widest vectors that a run of this many values fills.
template <class T, class Run>
HWY_INLINE void widest(Index values, const Run& run) {
  if (values >= static_cast<Index>(hn::Lanes(Wide<T>())))
    run(Wide<T>());
  else if (values >= static_cast<Index>(hn::Lanes(Four<T>())))
    run(Four<T>());
  else
    run(One<T>());
}

template <int R, class T>
void radix_pass(const SplitPass<T>& pass, const T* twiddles, Split<const T> in, Split<T> out, bool streamed) {
  if (pass.kind == SplitPass<T>::Kind::kBlocks)
    block_pass<R>(pass, twiddles, in, out);
  else
    widest<T>(pass.before, [&](auto d) { column_pass<R>(d, pass, twiddles, in, out, streamed); });
}

template <class T>
void run_pass(const SplitPass<T>& pass, const T* twiddles, Split<const T> in, Split<T> out, bool streamed) {
  if (pass.kind == SplitPass<T>::Kind::kTranspose) {
    widest<T>(pass.after, [&](auto d) { transpose_pass(d, pass, twiddles, in, out); });
    return;
  }
  switch (pass.radix) {
    case 2:
      return radix_pass<2>(pass, twiddles, in, out, streamed);
    case 3:
      return radix_pass<3>(pass, twiddles, in, out, streamed);
    case 4:
      return radix_pass<4>(pass, twiddles, in, out, streamed);
    case 5:
      return radix_pass<5>(pass, twiddles, in, out, streamed);
    case 7:
      return radix_pass<7>(pass, twiddles, in, out, streamed);
    default:
      return radix_pass<8>(pass, twiddles, in, out, streamed);
  }
}

template <class T>
void run_all(std::span<const SplitPass<T>> passes, const T* twiddles, Split<const T> in, Split<T> out, T* scratch,
             bool streamed) {
  const SplitPass<T>& first = passes.front();
  const Index length = first.radix * first.after;
  const Index apart = length + kApart / static_cast<Index>(sizeof(T));
  const Split<T> between = {scratch, scratch + apart};
  // Streamed lines are written once; else `out` serves as working space, to touch less memory.
  const Split<T> other = streamed ? Split<T>{scratch + 2 * apart, scratch + 3 * apart} : out;
  Split<const T> from = in;
  for (std::size_t left = passes.size(); left > 0; --left) {
    const Split<T> to = left == 1 ? out : left % 2 == 1 ? other : between;
    run_pass(passes[passes.size() - left], twiddles, from, to, streamed);
    from = {to.re, to.im};
  }
  if (streamed) hwy::FlushStream();
}

void run_double(std::span<const SplitPass<double>> passes, const double* twiddles, Split<const double> in,
                Split<double> out, double* scratch, bool streamed) {
  run_all(passes, twiddles, in, out, scratch, streamed);
}
void run_float(std::span<const SplitPass<float>> passes, const float* twiddles, Split<const float> in, Split<float> out,
               float* scratch, bool streamed) {
  run_all(passes, twiddles, in, out, scratch, streamed);
}
Index lanes_double() { return static_cast<Index>(hn::Lanes(Wide<double>())); }
Index lanes_float() { return static_cast<Index>(hn::Lanes(Wide<float>())); }

}  // namespace armilla::fft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla::fft {

HWY_EXPORT(run_double);
HWY_EXPORT(run_float);
HWY_EXPORT(lanes_double);
HWY_EXPORT(lanes_float);

void run_passes(std::span<const SplitPass<float>> passes, const float* twiddles, Split<const float> in,
                Split<float> out, float* scratch, bool streamed) {
  HWY_DYNAMIC_DISPATCH(run_float)(passes, twiddles, in, out, scratch, streamed);
}
void run_passes(std::span<const SplitPass<double>> passes, const double* twiddles, Split<const double> in,
                Split<double> out, double* scratch, bool streamed) {
  HWY_DYNAMIC_DISPATCH(run_double)(passes, twiddles, in, out, scratch, streamed);
}

template <>
Index split_lanes<float>() {
  return HWY_DYNAMIC_DISPATCH(lanes_float)();
}
template <>
Index split_lanes<double>() {
  return HWY_DYNAMIC_DISPATCH(lanes_double)();
}

}  // namespace armilla::fft
#endif
