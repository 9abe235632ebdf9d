#pragma once

#include <kernels/legendre/ring_places.hpp>
#include <kernels/theta/complex_value.hpp>

namespace armilla::kernels {

/// Points of the fine grid that one target ring reads (resample::kKernelWidth).
inline constexpr int kThetaWidth = 16;

/// One weight of the transposed convolution: what a pair of targets adds to a pair of the fine grid. Past the equator
/// the two rings of a target have changed places, and factors of rings are in the weights.
struct alignas(16) ThetaEntry {
  double to_north;  ///< weight of the ring that goes to the northern point
  double to_south;  ///< and to the southern one
  int north;        ///< slots of these rings, or -1
  int south;
  int block;   ///< of the slots
  int target;  ///< twice its number, and one more from past the pole, where the column's sign comes in

  HOST_DEVICE int pair() const { return target >> 1; }
  HOST_DEVICE bool past_pole() const { return (target & 1) != 0; }
};

/// Resampling in theta of all columns of a rank (resample::ThetaResampler): columns own m number k times width + w, w =
/// component * maps + map. Equidistant rings of a length are numbered from the
/// northern pole on; pair p is rings p and length - 1 - p.
template <template <class> class Pointer>
struct ThetaTaskOf {
  RingPlacesOf<Pointer> targets;
  int target_pairs = 0;
  int source_length = 0;  ///< rings of the source; even
  int fine_length = 0;    ///< rings of the fine grid; even

  Pointer<const double> sign = nullptr;         ///< [own m] of the continuation past the pole, 1 or -1
  Pointer<const Index> first_pair = nullptr;    ///< [own m] target pairs before this one do not feel m
  Pointer<const Index> first_source = nullptr;  ///< [own m] source pairs before this one count as zero

  /// Where there is a circle of rings with quadrature (resample::CircleRings), else null: a factor of each ring,
  Pointer<const double> ring_factor = nullptr;  ///< [target][north, south]
  /// and what the rings add to an extra pair at the poles, which is target number target_pairs then; null without one.
  /// Only own m number extra_k, if any, has values there.
  Pointer<const double> extra_share = nullptr;  ///< [target][north, south][to the extra north, to the extra south]
  Index extra_k = -1;
  int table_targets = 0;  ///< target_pairs, and the extra pair

  Pointer<const int> first_point = nullptr;     ///< [target] first pair of the fine grid that it reads, from -8 on
  Pointer<const double> weights = nullptr;      ///< [kThetaWidth][table target]
  Pointer<const int> entry_begin = nullptr;     ///< [pair of the fine grid], and the end
  Pointer<const ThetaEntry> entries = nullptr;  ///< of each pair of the fine grid, targets ascending
};
using ThetaTask = ThetaTaskOf<KernelPointer>;
using DeviceThetaTask = ThetaTaskOf<DevicePointer>;

/// Columns begin .. end - 1; buffers hold column - begin.
struct ThetaColumns {
  Index begin = 0;
  Index end = 0;
  HOST_DEVICE Index count() const { return end - begin; }
};

/// From the spectrum of one sequence of rings to that of another, by the coefficients of degree 0 .. degree of the
/// cosine or sine series: fold_spectrum and unfold_spectrum of resample/meridian.hpp.
template <template <class> class Pointer>
struct SpectrumChangeOf {
  int from = 0;  ///< length
  int to = 0;    ///< length
  int degree = 0;
  Pointer<const ComplexDouble> fold = nullptr;    ///< [0 .. degree] exp(-i pi k / (2 from)) times real factors
  Pointer<const ComplexDouble> unfold = nullptr;  ///< [0 .. degree] exp(-i pi k / (2 to))
};
using SpectrumChange = SpectrumChangeOf<KernelPointer>;
using DeviceSpectrumChange = SpectrumChangeOf<DevicePointer>;

}  // namespace armilla::kernels
