// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#include <armilla/core/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/fft/fold.cpp"

#include <armilla/fft/fold.hpp>

#include <algorithm>

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

// clang-format off: compiled once per instruction set, so it must follow foreach_target.h
#include <armilla/fft/complex_vector-inl.hpp>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace armilla::fft::HWY_NAMESPACE {

template <class D>
HWY_INLINE Complex<D> reversed(D d, const Complex<D>& z) {
  if constexpr (hn::MaxLanes(D()) == 1)
    return z;
  else
    return {hn::Reverse(d, z.re), hn::Reverse(d, z.im)};
}

template <class D, class T>
HWY_INLINE Complex<D> phase_of(D d, const TilePhase<T>& phase, Index i) {
  const auto a = hn::LoadU(d, phase.low.re + i);
  const auto b = hn::LoadU(d, phase.low.im + i);
  const auto c = hn::Set(d, phase.high_re);
  const auto s = hn::Set(d, phase.high_im);
  return {hn::NegMulAdd(b, s, hn::Mul(a, c)), hn::MulAdd(b, c, hn::Mul(a, s))};
}

template <bool kTurn, class D, class T>
HWY_INLINE Complex<D> turned(D d, const std::complex<T>* row, const TilePhase<T>& phase, Index i) {
  const Complex<D> z = load(d, row + i);
  if constexpr (!kTurn) return z;
  const Complex<D> p = phase_of(d, phase, i);
  return {hn::NegMulAdd(z.im, p.im, hn::Mul(z.re, p.re)), hn::MulAdd(z.im, p.re, hn::Mul(z.re, p.im))};
}

// Stores with real and imaginary part exchanged.
template <bool kOnce, class D, class T>
HWY_INLINE void put(D d, const Complex<D>& z, std::complex<T>* place) {
  if constexpr (kOnce)
    store(d, swapped(z), place);
  else
    store(d, sum(d, load(d, place), swapped(z)), place);
}

// Calls body(tag, m - first, k) for vectors of m, where k = m mod n for the first m of the vector. The index of -m mod
// n is n - k, or 0 for k = 0, which is processed alone. `again`: the last vector may overlap the previous one.
template <class T, class Body>
HWY_INLINE void walk(const FoldTile<T>& tile, Index begin, bool again, const Body& body) {
  const Wide<T> wide;
  const auto lanes = static_cast<Index>(hn::Lanes(wide));
  Index k = (tile.first + begin) % tile.n;
  for (Index i = begin; i < tile.count;) {
    const Index run = k == 0 ? 1 : std::min(tile.count - i, tile.n - k);
    Index j = 0;
    if (k > 0) {
      for (; j + lanes <= run; j += lanes) body(wide, i + j, k + j);
      if (again && j > 0 && j < run) {
        body(wide, i + run - lanes, k + run - lanes);
        j = run;
      }
    }
    for (; j < run; ++j) body(One<T>(), i + j, k + j);
    i += run;
    k += run;
    if (k == tile.n) k = 0;
  }
}

template <bool kSouth, bool kTurn, bool kOnce, class T>
void fold_rows(const FoldTile<T>& tile, std::complex<T>* z) {
  Index begin = 0;
  if (tile.first == 0 && tile.count > 0) {
    const T north = tile.north[0].real();
    const T south = kSouth ? tile.south[0].real() : T(0);
    const std::complex<T> both(south, north);
    z[0] = kOnce ? both : z[0] + both;
    begin = 1;
  }
  walk(tile, begin, kOnce, [&](auto d, Index i, Index k) HWY_ATTR {
    using D = decltype(d);
    const auto lanes = static_cast<Index>(hn::Lanes(d));
    const Index mirror = k == 0 ? 0 : tile.n - k - lanes + 1;
    const Complex<D> a = turned<kTurn>(d, tile.north, tile.north_phase, i);
    Complex<D> up = a;
    Complex<D> down = {a.re, hn::Neg(a.im)};
    if constexpr (kSouth) {
      const Complex<D> b = turned<kTurn>(d, tile.south, tile.south_phase, i);
      up = {hn::Sub(a.re, b.im), hn::Add(a.im, b.re)};
      down = {hn::Add(a.re, b.im), hn::Sub(b.re, a.im)};
    }
    put<kOnce>(d, up, z + k);
    put<kOnce>(d, reversed(d, down), z + mirror);
  });
}

template <bool kSouth, bool kTurn, class T>
void unfold_rows(const FoldTile<T>& tile, const std::complex<T>* z, T north_scale, T south_scale) {
  walk(tile, 0, true, [&](auto d, Index i, Index k) HWY_ATTR {
    using D = decltype(d);
    const auto lanes = static_cast<Index>(hn::Lanes(d));
    const Index mirror = k == 0 ? 0 : tile.n - k - lanes + 1;
    const Complex<D> x = load(d, z + k);
    const Complex<D> y = reversed(d, load(d, z + mirror));
    const auto give = [&](std::complex<T>* row, const TilePhase<T>& phase, T scale, Complex<D> v) HWY_ATTR {
      const auto factor = hn::Set(d, scale);
      v = {hn::Mul(v.re, factor), hn::Mul(v.im, factor)};
      if constexpr (kTurn) {
        const Complex<D> p = phase_of(d, phase, i);
        v = {hn::MulAdd(v.im, p.im, hn::Mul(v.re, p.re)), hn::NegMulAdd(v.re, p.im, hn::Mul(v.im, p.re))};
      }
      store(d, v, row + i);
    };
    give(tile.north, tile.north_phase, T(0.5) * north_scale, {hn::Add(x.re, y.re), hn::Sub(x.im, y.im)});
    if constexpr (kSouth)
      give(tile.south, tile.south_phase, T(0.5) * south_scale, {hn::Add(x.im, y.im), hn::Sub(y.re, x.re)});
  });
}

template <bool kSouth, bool kTurn, class T>
void fold_kind(const FoldTile<T>& tile, bool once, std::complex<T>* spectrum) {
  if (once)
    fold_rows<kSouth, kTurn, true>(tile, spectrum);
  else
    fold_rows<kSouth, kTurn, false>(tile, spectrum);
}

template <class T>
bool has_phase(const FoldTile<T>& tile) {
  return tile.north_phase.low.re != nullptr;
}

template <class T>
void fold_tile(const FoldTile<T>& tile, bool once, std::complex<T>* spectrum) {
  if (tile.south != nullptr)
    has_phase(tile) ? fold_kind<true, true>(tile, once, spectrum) : fold_kind<true, false>(tile, once, spectrum);
  else
    has_phase(tile) ? fold_kind<false, true>(tile, once, spectrum) : fold_kind<false, false>(tile, once, spectrum);
}

template <class T>
void unfold_tile(const FoldTile<T>& tile, const std::complex<T>* z, T north_scale, T south_scale) {
  if (tile.south != nullptr)
    has_phase(tile) ? unfold_rows<true, true>(tile, z, north_scale, south_scale)
                    : unfold_rows<true, false>(tile, z, north_scale, south_scale);
  else
    has_phase(tile) ? unfold_rows<false, true>(tile, z, north_scale, south_scale)
                    : unfold_rows<false, false>(tile, z, north_scale, south_scale);
}

void fold_float(const FoldTile<float>& tile, bool once, std::complex<float>* z) { fold_tile(tile, once, z); }
void fold_double(const FoldTile<double>& tile, bool once, std::complex<double>* z) { fold_tile(tile, once, z); }
void unfold_float(const FoldTile<float>& tile, const std::complex<float>* z, float north_scale, float south_scale) {
  unfold_tile(tile, z, north_scale, south_scale);
}
void unfold_double(const FoldTile<double>& tile, const std::complex<double>* z, double north_scale,
                   double south_scale) {
  unfold_tile(tile, z, north_scale, south_scale);
}

}  // namespace armilla::fft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla::fft {

HWY_EXPORT(fold_float);
HWY_EXPORT(fold_double);
HWY_EXPORT(unfold_float);
HWY_EXPORT(unfold_double);

void fold(const FoldTile<float>& tile, bool once, std::complex<float>* spectrum) {
  HWY_DYNAMIC_DISPATCH(fold_float)(tile, once, spectrum);
}
void fold(const FoldTile<double>& tile, bool once, std::complex<double>* spectrum) {
  HWY_DYNAMIC_DISPATCH(fold_double)(tile, once, spectrum);
}
void unfold(const FoldTile<float>& tile, const std::complex<float>* spectrum, float north_scale, float south_scale) {
  HWY_DYNAMIC_DISPATCH(unfold_float)(tile, spectrum, north_scale, south_scale);
}
void unfold(const FoldTile<double>& tile, const std::complex<double>* spectrum, double north_scale,
            double south_scale) {
  HWY_DYNAMIC_DISPATCH(unfold_double)(tile, spectrum, north_scale, south_scale);
}

}  // namespace armilla::fft
#endif
