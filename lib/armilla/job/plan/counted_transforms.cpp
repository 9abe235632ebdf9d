#include <armilla/job/plan/counted_transforms.hpp>

namespace armilla::job {

namespace {

using transform::FieldTransformSpec;

bool same_grid(const grid::RingGrid& a, const grid::RingGrid& b) {
  return &a == &b || (a.description().text() == b.description().text() && a.has_weights() == b.has_weights() &&
                      a.order_margin() == b.order_margin() && a.same_pixels(b));
}

bool differ_in_ranks_only(const FieldTransformSpec& a, const FieldTransformSpec& b) {
  return a.kind == b.kind && a.alm->layout() == b.alm->layout() && a.alm->m_step() == b.alm->m_step() &&
         a.backend == b.backend && a.options == b.options && a.campaign == b.campaign &&
         a.on_device() == b.on_device() && same_grid(a.pixels->grid(), b.pixels->grid());
}

}  // namespace

std::shared_ptr<const cost::TransformCounts> CountedTransforms::of(const FieldTransformSpec& spec,
                                                                   Index bytes_of_number) {
  std::shared_ptr<const cost::TransformCounts> counts;
  for (const Known& known : known_) {
    if (!differ_in_ranks_only(known.spec, spec)) continue;
    if (known.spec.alm->ranks() == spec.alm->ranks() && known.spec.maps == spec.maps) return known.counts;
    counts = known.counts;
  }
  counts = counts ? std::make_shared<const cost::TransformCounts>(*counts, spec)
                  : std::make_shared<const cost::TransformCounts>(spec, bytes_of_number);
  known_.push_back({spec, counts});
  return counts;
}

}  // namespace armilla::job
