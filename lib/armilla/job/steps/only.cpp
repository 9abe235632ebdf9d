#include <armilla/core/instantiate.hpp>
#include <armilla/job/steps/only.hpp>
#include <armilla/ops/components.hpp>

#include <algorithm>
#include <numeric>

namespace armilla::job::steps {

OnlyComponents::OnlyComponents(const transform::FieldKind& kind, const std::vector<std::string>& names) {
  if (names.empty()) {
    of_transform = of_result = kind;
    of_map.resize(static_cast<std::size_t>(kind.components()));
    std::iota(of_map.begin(), of_map.end(), Index{0});
    taken = kept = of_map;
    return;
  }
  of_map = ops::find_components(kind, names, ops::ComponentNames::kAlm);
  taken = ops::with_whole_pairs(kind, of_map);
  for (const Index component : of_map) kept.push_back(std::ranges::find(taken, component) - taken.begin());
  of_transform = ops::kind_of_components(kind, taken, ops::ComponentNames::kMap);
  of_result = ops::kind_of_components(kind, of_map, ops::ComponentNames::kAlm);
  takes_all = static_cast<Index>(taken.size()) == kind.components();
  keeps_all = kept.size() == taken.size();
}

template <class T>
OnlyFields<T>::OnlyFields(StepRun<T>& step, const OnlyComponents& only)
    : step_(step), only_(only), result_(step.make_alm()) {
  if (!only.takes_all)
    step.local("select", [&] {
      const transform::MapField<T>& map = step.map();
      taken_ = std::make_unique<transform::MapField<T>>(only.of_transform, map.shared_distribution(), map.rank(),
                                                        map.maps());
      ops::copy_components(map, only.taken, *taken_);
    });
  if (!only.keeps_all)
    step.local("allocate", [&] {
      made_ = std::make_unique<transform::AlmField<T>>(only.of_transform, result_.shared_distribution(), result_.rank(),
                                                       result_.maps());
    });
}

template <class T>
void OnlyFields<T>::finish() {
  if (made_) step_.local("select", [&] { ops::copy_components(*made_, only_.kept, result_); });
}

template <class T>
core::MemoryEstimate OnlyFields<T>::memory(const OnlyComponents& only, const transform::FieldTransformSpec& spec,
                                           int rank) {
  return {.workspace = (only.takes_all ? 0 : spec.map_memory<T>(rank).held()) +
                       (only.keeps_all ? 0 : spec.alm_memory<T>(rank).held())};
}

ARMILLA_INSTANTIATE_CLASS(OnlyFields);

}  // namespace armilla::job::steps
