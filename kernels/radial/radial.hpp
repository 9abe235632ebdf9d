#pragma once

#include <kernels/core/device_pointer.hpp>
#include <kernels/core/stream.hpp>

namespace armilla::kernels {

/// Neighbouring pairs of output rings whose rows are summed together.
inline constexpr int kRadialPairs = 4;

/// Sampling of a row: with the step for rows up to the band limit, or with that of the pixels of an output ring,
/// starting on the axis or half a step off it.
enum class RadialRowKind { kBandLimit, kLattice, kHalfLattice };

/// The row of a kernel between a pair of output rings and one of input rings.
struct RadialRow {
  Index sample;  ///< index of its first sample
  int samples;   ///< 0: there is no row
  int modes;     ///< modes of its spectrum
  bool used[2];  ///< whether the northern, southern output ring uses it
  RadialRowKind kind;
  int halved;  ///< the mode with weight one half, as it represents both signs; -1: none
};

/// The rows between a group of output pairs and one pair of input rings.
struct RadialRowGroup {
  Index slot[2];      ///< of the input ring used by the northern, southern output ring; -1: none
  int slot_modes[2];  ///< of these rings
  RadialRow rows[kRadialPairs];
};

/// A group of output pairs.
struct RadialPairGroup {
  Index first_row, end_row;           ///< RadialRowGroup
  Index slot[kRadialPairs][2];        ///< of the output rings, -1 if there is none
  int modes[kRadialPairs][2];         ///< of the output rings
  double band_step[kRadialPairs];     ///< between the samples of a row [rad]
  double lattice_step[kRadialPairs];  ///< 0: no row of the pair is on a lattice
};

/// y_m(p) = sum over rows of k_m x_m(q) for m < modes, where k_m = sample[0] + sum of sample[s] cos(s m step), s >= 1,
/// or half a step off the axis, the sum of sample[s] cos((s + 1/2) m step), s >= 0. Modes are complex, at m_shift[m] +
/// slot * width + w, like Delta.
template <template <class> class Pointer>
struct RadialModesTaskOf {
  Pointer<const RadialPairGroup> groups;
  Pointer<const RadialRowGroup> rows;
  Pointer<const double> samples;
  Pointer<const Index> in_shift, out_shift;  ///< [m]
  Index group_count;
  Index modes;  ///< maximum over the rings
  Index width;  ///< values for each ring and m
  Pointer<const double> in;
  Pointer<double> out;
};
using RadialModesTask = RadialModesTaskOf<KernelPointer>;
using DeviceRadialModesTask = RadialModesTaskOf<DevicePointer>;
void sum_radial_modes(const DeviceRadialModesTask& task, StreamHandle stream);

/// A row between two rings that is summed in pixel space.
struct RadialPixelRow {
  Index in_pixel;  ///< first pixel of the input ring
  Index in_nphi;
  double area;    ///< of its pixels
  Index weights;  ///< index of the first weight of a stencil for rings of equal length; -1: from the table
  Index first,
      count;  ///< of a stencil: output pixel j uses input pixels first + j .. first + j + count - 1, modulo in_nphi
  double chord, g2;  ///< otherwise: sin^2(angle / 2) = chord + g2 sin^2(phi / 2),
  double place;      ///< position of output pixel 0 on the input ring, in pixels of that ring
  double reach;      ///< reach of the kernel, in pixels of that ring
};

/// An output ring and its rows.
struct RadialPixelRing {
  Index first_row, end_row;
  Index pixel;
  Index nphi;
};

/// Adds to the pixels of output rings their rows that are summed in pixel space.
template <template <class> class Pointer>
struct RadialPixelsTaskOf {
  Pointer<const RadialPixelRing> rings;
  Pointer<const RadialPixelRow> rows;
  Pointer<const double> weights;
  Pointer<const double> table;  ///< math::ChordTable
  Index table_cells;
  double table_cells_per_unit, table_end;
  Index ring_count;
  Index max_nphi;
  Index fields;
  Index in_stride, out_stride;  ///< from field to field
  Pointer<const double> in;
  Pointer<double> out;
};
using RadialPixelsTask = RadialPixelsTaskOf<KernelPointer>;
using DeviceRadialPixelsTask = RadialPixelsTaskOf<DevicePointer>;
void sum_radial_pixels(const DeviceRadialPixelsTask& task, StreamHandle stream);

}  // namespace armilla::kernels
