#pragma once

#include <armilla/math/ring_alias.hpp>

#include <kernels/core/complex_number.hpp>
#include <kernels/core/device_pointer.hpp>
#include <kernels/core/stream.hpp>

namespace armilla::kernels {

/// One ring of a rank, to which m < m_count contribute. Its turns start at index `turns` of ModeRings::turns.
struct SpectraRing {
  Index nphi;
  Index m_count;
  Index turns;
};

/// Ring modes in the layout of Delta, as read by the kernels: the sum of map exp(-i m phi) over a ring, for all m that
/// contribute to it, at m_shift[m] + slot * width + w. The classes c = 0 .. nphi / 2 (math::RingAlias) determine all of
/// them, and are stored at their local m; other m are aliases of them. m contributes to the slots from first_slot[m]
/// on.
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

/// m_begin .. m_end - 1, and the location of their values.
template <template <class> class Pointer, class T>
struct RingModeTaskOf {
  ModeRingsOf<Pointer> rings;
  Index m_begin, m_end;
  Index numbers;     ///< values of m_begin, which contributes to the most slots: these slots times width
  Pointer<T> modes;  ///< complex
};
template <class T>
using RingModeTask = RingModeTaskOf<KernelPointer, T>;
template <class T>
using DeviceRingModeTask = RingModeTaskOf<DevicePointer, T>;

/// Whether subtract() subtracts a map's modes from the stored modes, or stores the map's modes alone, with positive
/// sign.
enum class SubtractFrom { kModes, kNothing };

/// Computes those of these m that are aliases, from their classes.
void gather_aliases(const DeviceRingModeTask<float>& task, StreamHandle stream);
void gather_aliases(const DeviceRingModeTask<double>& task, StreamHandle stream);

/// Subtracts factor[slot] times the modes of a map with that Delta from the classes of these m. Each class is changed
/// by one thread, in ascending order of m. Delta may be at the same address as the modes.
template <template <class> class Pointer, class T>
struct SubtractTaskOf {
  RingModeTaskOf<Pointer, T> modes;
  Pointer<const T> delta;        ///< complex, laid out as the modes
  Pointer<const double> factor;  ///< [slot] pixels of the ring times the weight applied to its modes
  SubtractFrom from;
};
template <class T>
using SubtractTask = SubtractTaskOf<KernelPointer, T>;
template <class T>
using DeviceSubtractTask = SubtractTaskOf<DevicePointer, T>;
void subtract(const DeviceSubtractTask<float>& task, StreamHandle stream);
void subtract(const DeviceSubtractTask<double>& task, StreamHandle stream);

/// Multiplies the values of these m by the factor of their map; maps vary fastest within the width of a slot.
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

/// For each map and ring, sums[map * slots + slot]: the sum over the pixels of weight * map^2, by Parseval's theorem
/// over the classes, each of which contains the weight as a factor; in double, in ascending order of classes. Rings
/// without weight give 0.
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
