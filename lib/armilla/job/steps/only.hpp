#pragma once

#include <armilla/job/run/step_run.hpp>

#include <memory>
#include <string>
#include <vector>

namespace armilla::job::steps {

/// The components of a map that an analysis uses, and those of the alm that it keeps, as selected by the key `only`.
struct OnlyComponents {
  transform::FieldKind of_transform;  ///< includes both components of a spin pair if one is requested
  transform::FieldKind of_result;
  std::vector<Index> taken;   ///< of the map
  std::vector<Index> kept;    ///< of the alm of the components taken
  std::vector<Index> of_map;  ///< indices of the kept components in the map
  bool takes_all = true;
  bool keeps_all = true;

  /// Selects the components with these names of the alm of a map of this kind; all if `names` is empty. Throws
  /// InputError "<rest of a message>" for an unknown name.
  OnlyComponents(const transform::FieldKind& kind, const std::vector<std::string>& names);
};

/// The first operand, a map, and the first result, an alm, of a step. If the step has `only`, temporary fields replace
/// them.
template <class T>
class OnlyFields {
 public:
  /// Collective. Creates the result of the step.
  OnlyFields(StepRun<T>& step, const OnlyComponents& only);

  const transform::MapField<T>& map() const { return taken_ ? *taken_ : step_.map(); }
  transform::AlmField<T>& alm() { return made_ ? *made_ : result_; }
  /// Collective. Fills in the result.
  void finish();

  /// Memory on `rank` in addition to the result, with that transform.
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
