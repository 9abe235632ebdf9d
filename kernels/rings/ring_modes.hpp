#pragma once

#include <armilla/math/ring_alias.hpp>

#include <kernels/core/complex_number.hpp>
#include <kernels/core/device_pointer.hpp>
#include <kernels/core/stream.hpp>

namespace armilla::kernels {

/// One ring of a rank: it feels m < m_count. Its turns begin at number `turns` of ModeRings::turns.
struct SpectraRing {
  Index nphi;
  Index m_count;
  Index turns;
};

/// Ring modes where Delta stands, as the kernels read them: the sum of map exp(-i m phi) over a ring, of all m
/// that it feels, at m_shift[m] + slot * width + w. Of these the classes c = 0 .. nphi / 2 (math::RingAlias) say all,
/// and stand at their own m; others are aliases of them. Slots that feel m are those from first_slot[m] on.
template <template <class> class Pointer>
struct ModeRingsOf {
  Pointer<const SpectraRing> rings;  ///< [slot]
  Pointer<const math::Turn> turns;   ///< exp(-i k nphi phi0), k = 0, 1, .. of each ring
  Pointer<const Index> m_shift;      ///< [m]
  Pointer<const Index> first_slot;   ///< [m]
  Index slots;
  Index width;
};
using ModeRings = ModeRingsOf<KernelPointer>;
using DeviceModeRings = ModeRingsOf<DevicePointer>;

/// m_begin .. m_end - 1, and where their numbers are.
template <template <class> class Pointer, class T>
struct RingModeTaskOf {
  ModeRingsOf<Pointer> rings;
  Index m_begin, m_end;
  Index numbers;     ///< of m_begin, which the most slots feel: these slots times width
  Pointer<T> modes;  ///< complex
};
template <class T>
using RingModeTask = RingModeTaskOf<KernelPointer, T>;
template <class T>
using DeviceRingModeTask = RingModeTaskOf<DevicePointer, T>;

/// What subtract() takes a map's modes from; from nothing with the other sign.
enum class SubtractFrom { kModes, kNothing };

/// Those among these m that are aliases, from their classes.
void gather_aliases(const DeviceRingModeTask<float>& task, StreamHandle stream);
void gather_aliases(const DeviceRingModeTask<double>& task, StreamHandle stream);

/// Classes of these m, less factor[slot] times the modes of a map with that Delta: each class is changed by one
/// thread, by ascending m. Delta may stand where the modes do.
template <template <class> class Pointer, class T>
struct SubtractTaskOf {
  RingModeTaskOf<Pointer, T> modes;
  Pointer<const T> delta;        ///< complex, laid out as the modes
  Pointer<const double> factor;  ///< [slot] pixels of the ring times what its modes were multiplied with
  SubtractFrom from;
};
template <class T>
using SubtractTask = SubtractTaskOf<KernelPointer, T>;
template <class T>
using DeviceSubtractTask = SubtractTaskOf<DevicePointer, T>;
void subtract(const DeviceSubtractTask<float>& task, StreamHandle stream);
void subtract(const DeviceSubtractTask<double>& task, StreamHandle stream);

/// Numbers of these m, each times that of its map; maps are what varies fastest in the width of a slot.
template <template <class> class Pointer, class T>
struct ScaleTaskOf {
  RingModeTaskOf<Pointer, T> modes;
  Pointer<const double> by;  ///< [map]
  Index maps;
};
template <class T>
using ScaleTask = ScaleTaskOf<KernelPointer, T>;
template <class T>
using DeviceScaleTask = ScaleTaskOf<DevicePointer, T>;
void scale(const DeviceScaleTask<float>& task, StreamHandle stream);
void scale(const DeviceScaleTask<double>& task, StreamHandle stream);

/// Of each map and ring, sums[map * slots + slot]: the sum over the pixels of weight * map^2, by Parseval's theorem
/// over the classes, each of which has the weight as a factor; in double, by ascending class. Rings without weight have
/// 0.
template <template <class> class Pointer, class T>
struct SquaresTaskOf {
  ModeRingsOf<Pointer> rings;
  Index maps;
  Pointer<const T> modes;        ///< complex
  Pointer<const double> factor;  ///< [slot] as in SubtractTask
  Pointer<double> sums;
};
template <class T>
using SquaresTask = SquaresTaskOf<KernelPointer, T>;
template <class T>
using DeviceSquaresTask = SquaresTaskOf<DevicePointer, T>;
void squares(const DeviceSquaresTask<float>& task, StreamHandle stream);
void squares(const DeviceSquaresTask<double>& task, StreamHandle stream);

}  // namespace armilla::kernels
