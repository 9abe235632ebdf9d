#include <armilla/job/steps/parts.hpp>
#include <armilla/job/steps/rows.hpp>
#include <armilla/ops/vector_fields.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job::steps {

namespace {

using ops::VectorForm;
using transform::FieldKind;

/// A form and the index of its first component in a field.
struct Found {
  VectorForm form;
  Index first;
};

/// Whether the components starting at `first` can be of a form, by their spins alone.
bool has_spins_of(const FieldKind& kind, Index first, VectorForm form) {
  const std::vector<Index> spins = kind.spins();
  const Index wanted = ops::kind_of(form).max_spin();
  const auto i = static_cast<std::size_t>(first);
  if (i + 1 >= spins.size() || spins[i] != wanted || spins[i + 1] != wanted) return false;
  for (const transform::SpinField& part : kind.spin_fields())
    if (part.first == first) return true;
  return false;
}

/// All indices at which components have the names of a form.
std::vector<Found> find_by_name(const FieldKind& kind) {
  std::vector<Found> found;
  for (const auto form :
       {VectorForm::kThetaPhi, VectorForm::kWind, VectorForm::kVorticityDivergence, VectorForm::kStreamPotential}) {
    const std::vector<std::string> names = ops::kind_of(form).map_names();
    for (Index first = 0; first + 1 < kind.components(); ++first) {
      const auto i = static_cast<std::size_t>(first);
      if (has_spins_of(kind, first, form) && kind.map_names()[i] == names[0] && kind.map_names()[i + 1] == names[1])
        found.push_back({form, first});
    }
  }
  return found;
}

/// Components that a step may convert: those with the names of `from`, or of any form. If there are none and `from` is
/// given, any components with its spins, regardless of names.
std::vector<Found> candidates(const FieldKind& kind, std::optional<VectorForm> from) {
  std::vector<Found> found = find_by_name(kind);
  if (!from) return found;
  std::erase_if(found, [&](const Found& place) { return place.form != *from; });
  if (!found.empty()) return found;
  for (Index first = 0; first + 1 < kind.components(); ++first)
    if (has_spins_of(kind, first, *from)) found.push_back({*from, first});
  return found;
}

/// Explains why there is not exactly one candidate.
std::string refusal(const FieldKind& kind, std::optional<VectorForm> from, std::size_t count) {
  const std::string fields = fmt::format("has the fields {}", fmt::join(kind.map_names(), ", "));
  if (count > 1 && from)
    return fmt::format("{}, and more than one pair of them can be {}: name the intended pair {}", fields,
                       ops::name_of(*from), fmt::join(ops::kind_of(*from).map_names(), ", "));
  if (count > 1)
    return fmt::format("{}, and more than one pair of them is a vector field: set {} to select one", fields,
                       core::mention({}, "from"));
  if (from)
    return fmt::format("{}, which are not {}: expected {}", fields, ops::name_of(*from),
                       ops::kind_of(*from).max_spin() == 1 ? "two components of spin 1" : "two scalars");
  return fmt::format("{}, none of which has the name of a vector field: set {} to one of {}", fields,
                     core::mention({}, "from"), fmt::join(ops::vector_form_names(), ", "));
}

struct ConvertVector final : Step<ConvertVector> {
  std::optional<VectorForm> from;
  VectorForm to = VectorForm::kWind;
  std::optional<double> radius;

  static Keys<ConvertVector> keys() {
    return {
        operand("alm", ValueSort::kAlm, "the coefficients of the tangent vectors; other components remain unchanged"),
        choice("from", &ConvertVector::from, ops::vector_form_names(),
               "form of the input; default: determined by the component names"),
        choice("to", &ConvertVector::to, ops::vector_form_names(), "form of the result").required(),
        radius_key(&ConvertVector::radius), result("the coefficients in the new form")};
  }

  void plan(StepPlanner& planner) const override {
    const std::vector<Found> found = candidates(planner.operand().kind, from);
    if (found.size() != 1) planner.refuse_operand(0, refusal(planner.operand().kind, from, found.size()));
    const Found vector = found.front();
    ValueInfo& converted = planner.make_field(ValueSort::kAlm);
    converted.alm = planner.operand().alm;
    converted.kind = ops::converted_kind(converted.kind, vector.first, to);
    const int power = ops::length_power(to) - ops::length_power(vector.form);
    const auto first = static_cast<std::size_t>(vector.first);
    for (std::size_t i = first; radius && i < first + 2; ++i)
      converted.units[i] = times_length(converted.units[i], power);
  }

  template <class T>
  void execute(StepRun<T>& step) const {
    const Found vector = candidates(step.operand_info().kind, from).front();
    step.local("convert_vector",
               [&] { ops::convert_vector(step.take_alm(), vector.first, vector.form, to, radius.value_or(1.0)); });
  }

  bool reuses_operand() const override { return true; }
};

}  // namespace

OperationKind convert_vector() {
  return ConvertVector::kind("convert_vector",
                             "Convert wind, vorticity and divergence, stream function and velocity potential [into "
                             "one another](job_reference.md#tangent-vectors)");
}

}  // namespace armilla::job::steps
