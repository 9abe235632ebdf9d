#include <armilla/iteration/ring_mode_layout.hpp>

#include <algorithm>

namespace armilla::iteration {

namespace {

using core::at;

std::vector<Index> lengths(const SpinTables& tables) {
  std::vector<Index> nphi;
  for (const fft::RingShape& ring : tables.rings) nphi.push_back(ring.nphi);
  return nphi;
}
std::vector<double> longitudes(const SpinTables& tables) {
  std::vector<double> phi0;
  for (const fft::RingShape& ring : tables.rings) phi0.push_back(ring.phi0);
  return phi0;
}

// Number of classes of a ring: those of the m that contribute to it.
Index classes(const fft::RingShape& ring, Index mmax) {
  return std::min(ring.m_count, std::min(ring.nphi / 2, mmax) + 1);
}

}  // namespace

RingModeLayout::RingModeLayout(const SpinTables& tables, Index mmax, Index width)
    : rings_(tables.rings), aliases_(lengths(tables), longitudes(tables), mmax) {
  const Index count = slots();
  std::vector<Index> first(at(mmax + 1), count);
  first_slot_.assign(at(mmax + 1), count);
  for (Index slot = count - 1; slot >= 0; --slot) {
    fft::RingShape& ring = rings_[at(slot)];
    for (Index m = 0; m < std::min(ring.m_count, mmax + 1); ++m) first_slot_[at(m)] = slot;
    ring.m_count = classes(ring, mmax);
    for (Index c = 0; c < ring.m_count; ++c) first[at(c)] = slot;
  }
  for (const Index slot : first) {
    shift_.push_back(size_ - slot * width);
    size_ += (count - slot) * width;
  }
  for (Index m = 0; m <= mmax; ++m) {
    bool all = true;
    for (Index slot = first_slot(m); slot < count && all; ++slot) all = m == 0 || aliases_.is_plain(m, slot);
    plain_.push_back(all);
  }
  columns_ = {width, shift_, &aliases_};
}

fft::RingTask RingModeLayout::ring_task(const SpinTables& tables, Index maps) const {
  return {.rings = rings_,
          .m_shift = shift_,
          .components = tables.spin_field.components,
          .maps = maps,
          .component_stride = tables.map_size,
          .map_stride = tables.map_stride};
}

std::vector<double> RingModeLayout::factors(std::span<const double> weight) const {
  std::vector<double> factor;
  for (std::size_t slot = 0; slot < rings_.size(); ++slot)
    factor.push_back(weight[slot] * static_cast<double>(rings_[slot].nphi));
  return factor;
}

Index RingModeLayout::size_of(const SpinTables& tables, Index mmax, Index width) {
  // Each class is stored for all slots from the first one that has it.
  const auto count = static_cast<Index>(tables.rings.size());
  Index numbers = 0, known = 0;
  for (Index slot = 0; slot < count; ++slot) {
    const Index here = classes(tables.rings[at(slot)], mmax);
    numbers += std::max<Index>(here - known, 0) * (count - slot);
    known = std::max(known, here);
  }
  return numbers * width;
}

}  // namespace armilla::iteration
