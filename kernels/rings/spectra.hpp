#pragma once

#include <armilla/math/ring_alias.hpp>

#include <kernels/core/complex_number.hpp>
#include <kernels/core/stream.hpp>

namespace armilla::kernels {

/// One ring of a rank: it feels m < m_count. Its turns begin at number `turns` of SpectraRings::turns.
struct SpectraRing {
  Index nphi;
  Index m_count;
  Index turns;
};

/// Spectra of rings where Delta stands, as the kernels read them: the sum of map exp(-i m phi) over a ring, of all m
/// that it feels, at m_shift[m] + slot * width + w. Of these the classes c = 0 .. nphi / 2 (math::RingAlias) say all,
/// and stand at their own m; others are aliases of them. Slots that feel m are those from first_slot[m] on.
struct SpectraRings {
  const SpectraRing* rings;  ///< [slot]
  const math::Turn* turns;   ///< exp(-i k nphi phi0), k = 0, 1, .. of each ring
  const Index* m_shift;      ///< [m]
  const Index* first_slot;   ///< [m]
  Index slots;
  Index width;
};

/// m_begin .. m_end - 1, and where their numbers are; pointers are of the device.
template <class T>
struct SpectraTask {
  SpectraRings rings;
  Index m_begin, m_end;
  Index numbers;  ///< of m_begin, which the most slots feel: these slots times width
  T* spectra;     ///< complex
};

/// What take_off() takes a map's spectra from; from nothing with the other sign.
enum class TakenFrom { kSpectra, kNothing };

/// Those among these m that are aliases, from their classes.
void gather_aliases(const SpectraTask<float>& task, StreamHandle stream);
void gather_aliases(const SpectraTask<double>& task, StreamHandle stream);

/// Classes of these m, less factor[slot] times the spectra of a map with that Delta: each class is changed by one
/// thread, by ascending m. Delta may stand where the spectra do.
template <class T>
struct TakeOffTask {
  SpectraTask<T> spectra;
  const T* delta;        ///< complex, laid out as the spectra
  const double* factor;  ///< [slot] pixels of the ring times what its spectra were multiplied with
  TakenFrom from;
};
void take_off(const TakeOffTask<float>& task, StreamHandle stream);
void take_off(const TakeOffTask<double>& task, StreamHandle stream);

/// Numbers of these m, each times that of its map; maps are what varies fastest in the width of a slot.
template <class T>
struct ScaleTask {
  SpectraTask<T> spectra;
  const double* by;  ///< [map]
  Index maps;
};
void scale(const ScaleTask<float>& task, StreamHandle stream);
void scale(const ScaleTask<double>& task, StreamHandle stream);

/// Of each map and ring, sums[map * slots + slot]: the sum over the pixels of weight * map^2, by Parseval's theorem
/// over the classes, each of which has the weight as a factor; in double, by ascending class. Rings without weight have
/// 0.
template <class T>
struct SquaresTask {
  SpectraRings rings;
  Index maps;
  const T* spectra;      ///< complex
  const double* factor;  ///< [slot] as in TakeOffTask
  double* sums;
};
void squares(const SquaresTask<float>& task, StreamHandle stream);
void squares(const SquaresTask<double>& task, StreamHandle stream);

}  // namespace armilla::kernels
