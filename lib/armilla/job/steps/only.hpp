#pragma once

#include <armilla/job/run/step_run.hpp>

#include <memory>
#include <string>
#include <vector>

namespace armilla::job::steps {

/// Which components of a map an analysis takes, and which of the alm it keeps: what the key `only` of a step says.
struct OnlyComponents {
  transform::FieldKind of_transform;  ///< with both of a pair of a spin of which one is wanted
  transform::FieldKind of_result;
  std::vector<Index> taken;   ///< of the map
  std::vector<Index> kept;    ///< of the alm of what was taken
  std::vector<Index> of_map;  ///< those kept, by their number in the map
  bool takes_all = true;
  bool keeps_all = true;

  /// Of the alm of a map of this kind, those of these names; all where there are none. Throws InputError
  /// "<rest of a message>" for a name that it has not.
  OnlyComponents(const transform::FieldKind& kind, const std::vector<std::string>& names);
};

/// The first operand, a map, and the first result, an alm, of a step, or fields in their place where the step has
/// `only`.
template <class T>
class OnlyFields {
 public:
  /// Collective. Makes the result of the step.
  OnlyFields(StepRun<T>& step, const OnlyComponents& only);

  const transform::MapField<T>& map() const { return taken_ ? *taken_ : step_.map(); }
  transform::AlmField<T>& alm() { return made_ ? *made_ : result_; }
  /// Collective. Fills the result.
  void finish();

  /// On `rank`, besides the result, with that transform.
  static core::MemoryEstimate memory(const OnlyComponents& only, const transform::FieldTransformSpec& spec, int rank);

 private:
  StepRun<T>& step_;
  const OnlyComponents& only_;
  transform::AlmField<T>& result_;
  std::unique_ptr<transform::MapField<T>> taken_;
  std::unique_ptr<transform::AlmField<T>> made_;
};

extern template class OnlyFields<float>;
extern template class OnlyFields<double>;

}  // namespace armilla::job::steps
