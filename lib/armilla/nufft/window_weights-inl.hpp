// Weights of windows, compiled once per instruction set, for sources included by Highway's foreach_target.
#if defined(ARMILLA_NUFFT_WINDOW_WEIGHTS) == defined(HWY_TARGET_TOGGLE)
#ifdef ARMILLA_NUFFT_WINDOW_WEIGHTS
#undef ARMILLA_NUFFT_WINDOW_WEIGHTS
#else
#define ARMILLA_NUFFT_WINDOW_WEIGHTS
#endif

#include <armilla/nufft/cell_kernels.hpp>

#include <algorithm>
#include <cstdint>

#include <hwy/cache_control.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace armilla::nufft::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Number of points whose weights are computed before any are used, so that loads of weights do not wait for stores of
/// other widths. A multiple of the lanes of all vectors.
inline constexpr int kGroup = 16;

/// Length of a row of window weights in phi, including leading and trailing zeros.
inline constexpr int kPhiPitch = 32;

#if HWY_TARGET == HWY_SCALAR

template <class D, class V = hn::Vec<D>>
HWY_INLINE void transpose(D, V*) {}

#else

/// Transposes N vectors of N lanes: v[i] lane k <- v[k] lane i.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void transpose(D d, V* v) {
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(D()));
  if constexpr (kLanes > 1) {
    // Each step is an inverse perfect shuffle of the whole matrix; log2(N) of them transpose it.
    for (int step = 1; step < kLanes; step *= 2) {
      V next[kLanes];
      for (int i = 0; i < kLanes / 2; ++i) {
        next[i] = hn::ConcatEven(d, v[2 * i + 1], v[2 * i]);
        next[i + kLanes / 2] = hn::ConcatOdd(d, v[2 * i + 1], v[2 * i]);
      }
      for (int i = 0; i < kLanes; ++i) v[i] = next[i];
    }
  }
}

#endif

/// Weights of both windows of a group of points.
template <class T, int W>
struct WindowGroup {
  using Tag = hn::CappedTag<T, 64 / sizeof(T)>;
  using Vec = hn::Vec<Tag>;
  static constexpr int kLanes = static_cast<int>(hn::MaxLanes(Tag()));
  static constexpr int kBlocks = (W + kLanes - 1) / kLanes;  ///< vectors per window
  static_assert(kGroup % kLanes == 0);

  alignas(64) T theta[W][kGroup];
  alignas(64) T phi[kGroup][kPhiPitch];     ///< with leading and trailing zeros
  alignas(64) std::int32_t offset[kGroup];  ///< of the windows in the buffer of the cell

  WindowGroup() { std::fill_n(&phi[0][0], kGroup * kPhiPitch, T(0)); }

  /// Takes points [0 .. count - 1], 0 < count <= kGroup, which must remain valid; a partial group is padded with copies
  /// of the last point. Weights of phi are preceded by offset % kStep zeros.
  template <int kStep>
  HWY_INLINE void fill(const T* coefficients, const PlacedPoint* points, int count) {
    if (count < kGroup) {
      for (int i = 0; i < kGroup; ++i) padded_[i] = points[std::min(i, count - 1)];
      points = padded_;
    }
    points_ = points;
    for (int i = 0; i < count; i += kLanes) {
      const Tag d;
      alignas(64) T z_theta[kLanes], z_phi[kLanes];
      for (int k = 0; k < kLanes; k += kWords) unpack(points + i + k, z_theta + k, z_phi + k, offset + i + k);
      Vec values[kBlocks * kLanes];
      evaluate(coefficients, hn::Load(d, z_theta), hn::Load(d, z_phi), &theta[0][i], values);
      for (int j = W; j < kBlocks * kLanes; ++j) values[j] = hn::Zero(d);
      for (int block = 0; block < kBlocks; ++block) transpose(d, values + block * kLanes);
      for (int k = 0; k < kLanes; ++k) {
        T* row = phi[i + k];
        if constexpr (kStep > 1) {
          const hn::CappedTag<T, kStep> zeros;
          hn::Store(hn::Zero(zeros), zeros, row);
          // The elements after the last block may contain weights of an earlier group.
          hn::Store(hn::Zero(zeros), zeros, row + kBlocks * kLanes);
          row += offset[i + k] % kStep;
        }
        for (int block = 0; block < kBlocks; ++block) hn::StoreU(values[block * kLanes + k], d, row + block * kLanes);
      }
    }
  }

  /// Index of point i in the caller's order.
  HWY_INLINE std::uint32_t number(int i) const { return points_[i].number(); }

 private:
  using WordTag = hn::CappedTag<std::uint64_t, (kLanes < 8 ? kLanes : 8)>;
  static constexpr int kWords = static_cast<int>(hn::MaxLanes(WordTag()));

  const PlacedPoint* points_ = nullptr;
  PlacedPoint padded_[kGroup];  ///< the padded points of a partial group

  static HWY_INLINE void store_z(hn::Vec<WordTag> q, T* z) {
    const hn::RebindToFloat<WordTag> d;
    // A number in [2^52, 2^53) with q in its last bits, minus the number for z = 0.
    constexpr double kZero = 0x1p52 + 1 / PlacedPoint::kZStep;
    const auto whole = hn::BitCast(d, hn::Or(q, hn::BitCast(WordTag(), hn::Set(d, 0x1p52))));
    const auto exact = hn::Mul(hn::Sub(whole, hn::Set(d, kZero)), hn::Set(d, PlacedPoint::kZStep));
    if constexpr (sizeof(T) == sizeof(double))
      hn::StoreU(exact, d, z);
    else
      hn::StoreU(hn::DemoteTo(hn::Rebind<T, decltype(d)>(), exact), hn::Rebind<T, decltype(d)>(), z);
  }

  /// Unpacks kWords points.
  static HWY_INLINE void unpack(const PlacedPoint* points, T* z_theta, T* z_phi, std::int32_t* offsets) {
    const WordTag d;
    const hn::Rebind<std::int32_t, WordTag> di;
    hn::Vec<WordTag> theta_word, phi_word;
    hn::LoadInterleaved2(d, &points->theta_word, theta_word, phi_word);
    const auto low = hn::And(theta_word, hn::Set(d, (1U << PlacedPoint::kPlaceShift) - 1));
    store_z(hn::ShiftRight<PlacedPoint::kThetaShift>(theta_word), z_theta);
    store_z(hn::Or(hn::ShiftLeft<PlacedPoint::kPlaceShift>(hn::ShiftRight<32>(phi_word)), low), z_phi);
    const auto place =
        hn::And(hn::ShiftRight<PlacedPoint::kPlaceShift>(theta_word), hn::Set(d, kCellRows * kCellColumns - 1));
    // row * kCellColumns + column, with kCellPitch = 2 kCellColumns.
    const auto rows = hn::And(place, hn::Set(d, (kCellRows - 1) * kCellColumns));
    hn::StoreU(hn::BitCast(di, hn::TruncateTo(hn::RebindToUnsigned<decltype(di)>(), hn::Add(place, rows))), di,
               offsets);
  }
  /// p_j(z) for j = 0 .. W - 1 (KernelTable) of both windows. Those of theta are stored at kGroup * j, those of phi in
  /// values[j].
  static HWY_INLINE void evaluate(const T* coefficients, Vec z_theta, Vec z_phi, T* theta_weights, Vec* values) {
    constexpr int kTerms = polynomial_terms(W);
    const Tag d;
    const Vec theta_square = hn::Mul(z_theta, z_theta), phi_square = hn::Mul(z_phi, z_phi);
#if HWY_COMPILER_GCC || HWY_COMPILER_CLANG
    // Otherwise GCC broadcasts all coefficients to the stack before the loop over groups.
    asm volatile("" : "+r"(coefficients));
#endif
    for (int j = 0; j < (W + 1) / 2; ++j) {
      const T* c = coefficients + 2 * kTerms * j;
      Vec theta_even = hn::Set(d, c[0]), theta_odd = hn::Set(d, c[1]);
      Vec phi_even = theta_even, phi_odd = theta_odd;
      for (int term = 1; term < kTerms; ++term) {
        const Vec even = hn::Set(d, c[2 * term]), odd = hn::Set(d, c[2 * term + 1]);
        theta_even = hn::MulAdd(theta_even, theta_square, even);
        theta_odd = hn::MulAdd(theta_odd, theta_square, odd);
        phi_even = hn::MulAdd(phi_even, phi_square, even);
        phi_odd = hn::MulAdd(phi_odd, phi_square, odd);
      }
      hn::Store(hn::MulAdd(theta_odd, z_theta, theta_even), d, theta_weights + j * kGroup);
      hn::Store(hn::NegMulAdd(theta_odd, z_theta, theta_even), d, theta_weights + (W - 1 - j) * kGroup);
      values[j] = hn::MulAdd(phi_odd, z_phi, phi_even);
      values[W - 1 - j] = hn::NegMulAdd(phi_odd, z_phi, phi_even);
    }
  }
};

/// Prefetches the values of points after point `begin`, because they are scattered in memory.
template <class T, class Pointer>
HWY_INLINE void prefetch_values(const CellPoints<T>& cell, Index begin, const Pointer* values) {
  constexpr Index kAhead = 4 * kGroup;
  const Index first = begin + kAhead, end = std::min<Index>(first + kGroup, cell.end - cell.points);
  for (Index field = 0; field < cell.fields; ++field)
    for (Index i = first; i < end; ++i) hwy::Prefetch(values[field] + cell.points[i].number());
}

}  // namespace armilla::nufft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
