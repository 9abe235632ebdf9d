// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#include <armilla/core/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/fft/odd_dft.cpp"

#include <armilla/fft/odd_dft.hpp>

#include <cmath>
#include <type_traits>
#include <vector>

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

// clang-format off: once per instruction set, behind foreach_target.h
#include <armilla/fft/complex_vector-inl.hpp>
// clang-format on

#ifndef ARMILLA_FFT_ODD_DFT_TABLE
#define ARMILLA_FFT_ODD_DFT_TABLE
namespace armilla::fft {

// Values of k whose sums are in registers together: 12 sums, fed by 2 vectors of terms.
constexpr Index kSums = 6;

constexpr Index half(Index length) { return (length - 1) / 2; }
constexpr Index sum_blocks(Index length) { return (half(length) + kSums - 1) / kSums; }

}  // namespace armilla::fft
#endif

HWY_BEFORE_NAMESPACE();
namespace armilla::fft::HWY_NAMESPACE {

template <class T>
using Four = hn::CappedTag<T, 4>;
template <class T>
using Eight = hn::CappedTag<T, 8>;

// terms: [sum, -i times difference][j - 1][column]; the sum of all terms goes to out[0].
template <class T>
HWY_INLINE void make_terms(const std::complex<T>* in, Index length, Index columns, std::complex<T>* terms,
                           std::complex<T>* out) {
  const Four<T> d;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  const Index h = half(length);
  for (Index c = 0; c < columns; c += lanes) {
    Complex<Four<T>> total = load(d, in + c);
    for (Index j = 1; j <= h; ++j) {
      const Complex<Four<T>> a = load(d, in + (j * columns + c));
      const Complex<Four<T>> b = load(d, in + ((length - j) * columns + c));
      const Complex<Four<T>> s = sum(d, a, b);
      total = sum(d, total, s);
      store(d, s, terms + ((j - 1) * columns + c));
      store(d, Complex<Four<T>>{hn::Sub(a.im, b.im), hn::Sub(b.re, a.re)}, terms + ((h + j - 1) * columns + c));
    }
    store(d, total, out + c);
  }
}

template <class T>
void odd_dft(const T* table, const std::complex<T>* in, Index length, Index columns, std::complex<T>* out,
             std::complex<T>* work) {
  make_terms(in, length, columns, work, out);
  const Eight<T> d;
  using V = hn::Vec<Eight<T>>;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  const Index h = half(length);
  const Index width = 2 * columns;
  const T* first = reinterpret_cast<const T*>(in);
  const T* terms = reinterpret_cast<const T*>(work);
  T* result = reinterpret_cast<T*>(out);
  for (Index c = 0; c < width; c += lanes) {
    const V begin = hn::LoadU(d, first + c);
    for (Index block = 0; block < sum_blocks(length); ++block) {
      const T* row = table + block * h * 2 * kSums;
      const T* even = terms + c;
      const T* odd = terms + (h * width + c);
      V a0 = begin, a1 = begin, a2 = begin, a3 = begin, a4 = begin, a5 = begin;
      V b0 = hn::Zero(d), b1 = b0, b2 = b0, b3 = b0, b4 = b0, b5 = b0;
      for (Index j = 0; j < h; ++j, row += 2 * kSums, even += width, odd += width) {
        const V s = hn::LoadU(d, even);
        const V t = hn::LoadU(d, odd);
        a0 = hn::MulAdd(hn::Set(d, row[0]), s, a0);
        a1 = hn::MulAdd(hn::Set(d, row[1]), s, a1);
        a2 = hn::MulAdd(hn::Set(d, row[2]), s, a2);
        a3 = hn::MulAdd(hn::Set(d, row[3]), s, a3);
        a4 = hn::MulAdd(hn::Set(d, row[4]), s, a4);
        a5 = hn::MulAdd(hn::Set(d, row[5]), s, a5);
        b0 = hn::MulAdd(hn::Set(d, row[6]), t, b0);
        b1 = hn::MulAdd(hn::Set(d, row[7]), t, b1);
        b2 = hn::MulAdd(hn::Set(d, row[8]), t, b2);
        b3 = hn::MulAdd(hn::Set(d, row[9]), t, b3);
        b4 = hn::MulAdd(hn::Set(d, row[10]), t, b4);
        b5 = hn::MulAdd(hn::Set(d, row[11]), t, b5);
      }
      const Index k = 1 + block * kSums;
      const auto give = [&](Index i, const V& a, const V& b) HWY_ATTR {
        if (k + i > h) return;
        hn::StoreU(hn::Add(a, b), d, result + ((k + i) * width + c));
        hn::StoreU(hn::Sub(a, b), d, result + ((length - k - i) * width + c));
      };
      give(0, a0, b0);
      give(1, a1, b1);
      give(2, a2, b2);
      give(3, a3, b3);
      give(4, a4, b4);
      give(5, a5, b5);
    }
  }
}

template <class T>
void multiply_by(const std::complex<T>* factor, Index count, std::complex<T>* z) {
  const Four<T> d;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  for (Index i = 0; i < count; i += lanes) store(d, times(d, load(d, z + i), load(d, factor + i)), z + i);
}

void odd_dft_float(const float* table, const std::complex<float>* in, Index length, Index columns,
                   std::complex<float>* out, std::complex<float>* work) {
  odd_dft(table, in, length, columns, out, work);
}
void odd_dft_double(const double* table, const std::complex<double>* in, Index length, Index columns,
                    std::complex<double>* out, std::complex<double>* work) {
  odd_dft(table, in, length, columns, out, work);
}
void multiply_float(const std::complex<float>* factor, Index count, std::complex<float>* z) {
  multiply_by(factor, count, z);
}
void multiply_double(const std::complex<double>* factor, Index count, std::complex<double>* z) {
  multiply_by(factor, count, z);
}

}  // namespace armilla::fft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla::fft {

HWY_EXPORT(odd_dft_float);
HWY_EXPORT(odd_dft_double);
HWY_EXPORT(multiply_float);
HWY_EXPORT(multiply_double);

template <class T>
OddDft<T>::OddDft(Index length) : length_(length), table_(sum_blocks(length) * half(length) * 2 * kSums) {
  std::vector<double> cosine, sine;
  for (Index t = 0; t < length; ++t) {
    const Index near = 2 * t > length ? t - length : t;
    const double angle = 2 * core::kPi * static_cast<double>(near) / static_cast<double>(length);
    cosine.push_back(std::cos(angle));
    sine.push_back(std::sin(angle));
  }
  T* value = table_.data();
  for (Index block = 0; block < sum_blocks(length); ++block)
    for (Index j = 1; j <= half(length); ++j)
      for (const auto* wave : {&cosine, &sine})
        for (Index k = 1 + block * kSums; k <= (block + 1) * kSums; ++k)
          *value++ = static_cast<T>((*wave)[static_cast<std::size_t>(j * k % length)]);
}

template <class T>
Index OddDft<T>::bytes(Index length) {
  return sum_blocks(length) * half(length) * 2 * kSums * static_cast<Index>(sizeof(T));
}

template <class T>
void OddDft<T>::forward(const std::complex<T>* in, Index columns, std::complex<T>* out, std::complex<T>* work) const {
  if constexpr (std::is_same_v<T, float>)
    HWY_DYNAMIC_DISPATCH(odd_dft_float)(table_.data(), in, length_, columns, out, work);
  else
    HWY_DYNAMIC_DISPATCH(odd_dft_double)(table_.data(), in, length_, columns, out, work);
}

void multiply_all(const std::complex<float>* factor, Index count, std::complex<float>* z) {
  HWY_DYNAMIC_DISPATCH(multiply_float)(factor, count, z);
}
void multiply_all(const std::complex<double>* factor, Index count, std::complex<double>* z) {
  HWY_DYNAMIC_DISPATCH(multiply_double)(factor, count, z);
}

template class OddDft<float>;
template class OddDft<double>;

}  // namespace armilla::fft
#endif
