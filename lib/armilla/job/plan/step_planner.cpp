#include <armilla/core/error.hpp>
#include <armilla/job/plan/step_planner.hpp>

#include <fmt/format.h>

namespace armilla::job {

StepPlanner::StepPlanner(PlanBuilder& builder, const StepSpec& step, PlannedStep& planned)
    : builder_(builder), step_(step), planned_(planned) {
  for (const auto& name : step.operation->results()) results_.emplace_back().name = name;
}

void StepPlanner::refuse_operand(std::size_t number, const std::string& rest) const {
  const Operand& operand = step_.operation->operands()[number];
  refuse_key(operand.key, operand.name, rest);
}

void StepPlanner::rethrow(std::string_view key, const std::string& message) const {
  throw core::InputError(fmt::format("{}: {}.{}: {}", step_.place.where, step_.place.path, key, message));
}

ValueInfo& StepPlanner::make_field(ValueSort sort) {
  ValueInfo& made = result();
  made.sort = sort;
  made.kind = operand().kind;
  made.units = operand().units;
  made.coordsys = operand().coordsys;
  return made;
}

void StepPlanner::use_transform(const ValueInfo& field, std::shared_ptr<const dist::AlmDistribution> alm,
                                std::shared_ptr<const dist::PixelDistribution> pixels, std::size_t transforms) {
  check_spins(field.kind, alm->layout().lmax());
  planned_.transform = transform::FieldTransformSpec{.kind = field.kind,
                                                     .alm = std::move(alm),
                                                     .pixels = std::move(pixels),
                                                     .backend = builder_.spec().execution.backend,
                                                     .options = builder_.spec().execution.options};
  planned_.transforms = transforms;
}

void StepPlanner::check_spins(const transform::FieldKind& kind, Index lmax) const {
  for (const transform::SpinField& part : kind.spin_fields()) {
    if (part.spin <= lmax) continue;
    const auto first = static_cast<std::size_t>(part.first);
    const std::string why = fmt::format("is below the spin = {} of the fields {}, {}, which have no degrees l < {}",
                                        part.spin, kind.map_names()[first], kind.map_names()[first + 1], part.spin);
    if (operand().sort == ValueSort::kMap || operand().sort == ValueSort::kValues)
      refuse_key("lmax", fmt::format("{}", lmax), why + ": raise lmax");
    refuse_operand(0, fmt::format("has lmax = {}, which {}: take alm of a larger lmax", lmax, why));
  }
}

void StepPlanner::check_same_kind() const {
  if (operand(0).kind == operand(1).kind) return;
  refuse_operand(1, fmt::format("has the fields {}, but '{}' has {}: take alm of one kind",
                                fmt::join(operand(1).kind.alm_names(), ", "), operand(0).name,
                                fmt::join(operand(0).kind.alm_names(), ", ")));
}

void StepPlanner::check_same_alm() const {
  check_same_kind();
  const auto& layout = operand(0).alm->layout();
  const auto& other = operand(1).alm->layout();
  if (layout == other) return;
  refuse_operand(1, fmt::format("has lmax {}, mmax {}, but '{}' has lmax {}, mmax {}: make them equal", other.lmax(),
                                other.mmax(), operand(0).name, layout.lmax(), layout.mmax()));
}

}  // namespace armilla::job
