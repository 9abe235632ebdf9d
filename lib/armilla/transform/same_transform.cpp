#include <armilla/transform/field_transform.hpp>

#include <algorithm>

namespace armilla::transform {

namespace {

bool same_limits(const grid::AnalysisLimits& a, const grid::AnalysisLimits& b) {
  return a.lmax == b.lmax && a.mmax == b.mmax && a.spin == b.spin && a.weights_lmax == b.weights_lmax &&
         a.circle.points == b.circle.points;
}

bool same_ring(const grid::Ring& a, const grid::Ring& b) {
  return a.theta == b.theta && a.cos_theta == b.cos_theta && a.sin_theta == b.sin_theta && a.phi0 == b.phi0 &&
         a.nphi == b.nphi && a.weight == b.weight;
}

/// Whether all results on both grids are bitwise identical, which grid::RingGrid::same_pixels() does not ensure: a file
/// of rings may have been replaced by one with other weights. Compares a grid with itself at once.
bool same_grid(const grid::RingGrid& a, const grid::RingGrid& b) {
  return &a == &b || (a.description().text() == b.description().text() && a.has_weights() == b.has_weights() &&
                      a.order_margin() == b.order_margin() && same_limits(a.analysis_limits(), b.analysis_limits()) &&
                      std::ranges::equal(a.rings(), b.rings(), same_ring));
}

}  // namespace

bool FieldTransformSpec::same_but_for_size(const FieldTransformSpec& other) const {
  return kind == other.kind && alm->layout() == other.alm->layout() && alm->m_step() == other.alm->m_step() &&
         backend == other.backend && options == other.options && campaign == other.campaign &&
         on_device() == other.on_device() && same_grid(pixels->grid(), other.pixels->grid());
}

bool operator==(const FieldTransformSpec& a, const FieldTransformSpec& b) {
  return a.maps == b.maps && a.alm->ranks() == b.alm->ranks() && a.pixels->ranks() == b.pixels->ranks() &&
         a.device_work == b.device_work && a.exchange_parts == b.exchange_parts && a.same_but_for_size(b);
}

}  // namespace armilla::transform
