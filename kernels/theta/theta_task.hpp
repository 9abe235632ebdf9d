#pragma once

#include <armilla/core/host_device.hpp>

#include <complex>

#include <kernels/core/complex_number.hpp>
#include <kernels/legendre/ring_places.hpp>

namespace armilla::kernels {

using ComplexDouble = ComplexNumber<double>;

/// Conversion of the host's complex numbers to those of kernels.
template <class T>
DevicePointer<const ComplexNumber<T>> values(DevicePointer<const std::complex<T>> numbers) {
  return device_cast<const ComplexNumber<T>>(numbers);
}
template <class T>
DevicePointer<ComplexNumber<T>> values(DevicePointer<std::complex<T>> numbers) {
  return device_cast<ComplexNumber<T>>(numbers);
}

HOST_DEVICE inline ComplexDouble operator*(double s, ComplexDouble a) { return {s * a.re, s * a.im}; }

/// Points of the fine grid read by one target ring (resample::kKernelWidth).
inline constexpr int kThetaWidth = 16;

/// Weights of one entry of the transposed convolution: the contribution of a pair of targets to a pair of the fine
/// grid. Beyond the equator the two rings of a target are exchanged. The weights include the factors of rings.
struct alignas(16) ThetaEntry {
  double to_north;  ///< weight of the ring added to the northern point
  double to_south;  ///< weight of the ring added to the southern point
  int north;        ///< slots of these rings, or -1
  int south;
  int block;   ///< of the slots
  int target;  ///< twice its index, plus one beyond the pole, where the column's sign applies

  HOST_DEVICE int pair() const { return target >> 1; }
  HOST_DEVICE bool past_pole() const { return (target & 1) != 0; }
};

/// Resampling in theta of all columns of a rank (resample::ThetaResampler): column k * width + w belongs to the k-th
/// local m, w = component * maps + map. Equidistant rings are numbered from the north pole; pair p consists of rings p
/// and length - 1 - p.
template <template <class> class Pointer>
struct ThetaTaskOf {
  RingPlacesOf<Pointer> targets;
  int target_pairs = 0;
  int source_length = 0;  ///< rings of the source; even
  int fine_length = 0;    ///< rings of the fine grid; even

  Pointer<const double> sign = nullptr;         ///< [local m] sign of the continuation beyond the pole, 1 or -1
  Pointer<const Index> first_pair = nullptr;    ///< [local m] m does not contribute to target pairs before this one
  Pointer<const Index> first_source = nullptr;  ///< [local m] source pairs before this one are treated as zero

  /// With a circle of rings for quadrature (resample::CircleRings), otherwise null: a factor for each ring,
  Pointer<const double> ring_factor = nullptr;  ///< [target][north, south]
  /// and the contributions of the rings to an extra pair at the poles, which is then the target with index
  /// target_pairs; null without one. Only the local m with index extra_k, if any, has values there.
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

/// Converts the spectrum of one sequence of rings to that of another, through the coefficients of degree 0 .. degree of
/// the cosine or sine series: fold_spectrum and unfold_spectrum of resample/meridian.hpp.
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
