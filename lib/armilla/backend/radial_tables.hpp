#pragma once

#include <armilla/fft/ring_transform.hpp>

#include <set>
#include <vector>

#include <kernels/radial/radial.hpp>

namespace armilla::backend {

using core::Index;

/// Input of a device for the convolution of maps with kernels of the angle by rings (radial::RowPlan). Pixels of rings
/// are indices within one field of the input or of a result.
struct RadialTables {
  /// Rings whose modes are used; m_shift is for fields stored side by side.
  struct Modes {
    std::vector<fft::RingShape> rings;
    std::vector<Index> m_shift;
    Index numbers = 0;      ///< complex values of all fields
    std::set<Index> plain;  ///< RingOptions::plain

    /// The ring FFTs of `fields` fields, which start `pixels` apart.
    fft::RingTask task(Index fields, Index pixels) const {
      return {.rings = rings,
              .m_shift = m_shift,
              .components = 1,
              .maps = fields,
              .component_stride = 0,
              .map_stride = pixels};
    }
  };
  /// Tables of one kernel and its result.
  struct Target {
    Modes modes;
    std::vector<kernels::RadialPairGroup> groups;
    std::vector<kernels::RadialRowGroup> rows;
    std::vector<double> samples;

    std::vector<kernels::RadialPixelRing> pixel_rings;
    std::vector<kernels::RadialPixelRow> pixel_rows;
    std::vector<double> weights;
    std::vector<double> table;  ///< table of the kernel, math::ChordTable
    Index table_cells = 0;
    double table_cells_per_unit = 0, table_end = 0;

    Index pixels = 0;  ///< pixels of one field
  };
  Modes in;
  std::vector<double> areas;  ///< area of one pixel of each ring of `in`
  std::vector<Target> targets;

  Index fields = 1;
  Index in_pixels = 0;  ///< pixels of one field
};

}  // namespace armilla::backend
