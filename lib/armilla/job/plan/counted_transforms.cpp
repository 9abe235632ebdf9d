#include <armilla/job/plan/counted_transforms.hpp>

namespace armilla::job {

std::shared_ptr<const cost::TransformCounts> CountedTransforms::of(const transform::FieldTransformSpec& spec,
                                                                   Index bytes_of_number) {
  std::shared_ptr<const cost::TransformCounts> counts;
  for (const Known& known : known_) {
    if (!known.spec.same_but_for_size(spec)) continue;
    if (known.spec.alm->ranks() == spec.alm->ranks() && known.spec.maps == spec.maps) return known.counts;
    counts = known.counts;
  }
  counts = counts ? std::make_shared<const cost::TransformCounts>(*counts, spec)
                  : std::make_shared<const cost::TransformCounts>(spec, bytes_of_number);
  known_.push_back({spec, counts});
  return counts;
}

}  // namespace armilla::job
