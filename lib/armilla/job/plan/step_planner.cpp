#include <armilla/job/plan/step_planner.hpp>
#include <armilla/ops/coordinates.hpp>

#include <fmt/format.h>

namespace armilla::job {

StepPlanner::StepPlanner(PlanBuilder& builder, const StepSpec& step, PlannedStep& planned)
    : builder_(builder), step_(step), planned_(planned) {
  for (const auto& name : step.operation->results()) results_.emplace_back().name = name;
}

const std::string& StepPlanner::given_name(std::size_t number) const {
  const Operand& operand = step_.operation->operands()[number];
  return operand.given.empty() ? operand.name : operand.given;
}

std::string StepPlanner::how_to_select(std::size_t number) const {
  const std::string& name = operand(number).name;
  if (operand(number).kind.components() == 1) return {};
  for (const InputSpec& input : spec().inputs)
    if (input.name == name && !input.is_of_step)
      return fmt::format(" (select from {} with {})", fmt::join(operand(number).kind.map_names(), ", "),
                         core::mention("inputs." + name, "fields"));
  return {};
}

void StepPlanner::refuse_operand(std::size_t number, const std::string& rest) const {
  refuse_key(step_.operation->operands()[number].key, given_name(number), rest);
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
    refuse_operand(0, fmt::format("has lmax = {}, which {}: use alm with a larger lmax", lmax, why));
  }
}

void StepPlanner::check_same_kind() const {
  if (operand(0).kind == operand(1).kind) return;
  const ValueSort sort = operand(0).sort;
  const auto names = [&](std::size_t number) {
    const transform::FieldKind& kind = operand(number).kind;
    return fmt::format("{}", fmt::join(sort == ValueSort::kAlm ? kind.alm_names() : kind.map_names(), ", "));
  };
  refuse_operand(1, fmt::format("has the fields {}, but {} has {}: use {} with the same fields{}", names(1), named(0),
                                names(0), sort == ValueSort::kMap ? "maps" : sort_name(sort),
                                sort == ValueSort::kMap ? how_to_select(1) : ""));
}

std::string StepPlanner::common_coordinates(std::size_t kept) const {
  const std::string &first = operand(0).coordsys, &second = operand(1).coordsys;
  if (first.empty() || second.empty() || first == second) return first.empty() ? second : first;
  const auto to = ops::coordinates_of_letter(operand(kept).coordsys);
  refuse_operand(1, fmt::format("is in coordinates {}, but {} is in {}: rotate {} first{}", second, named(0), first,
                                named(1 - kept),
                                to ? fmt::format(" ({})", core::mention("steps.rotate", "to", name_of(*to))) : ""));
}

void StepPlanner::check_same_alm() const {
  check_same_kind();
  const auto& layout = operand(0).alm->layout();
  const auto& other = operand(1).alm->layout();
  if (layout == other) return;
  refuse_operand(1,
                 fmt::format("has lmax {}, mmax {}, but {} has lmax {}, mmax {}: make them equal ({})", other.lmax(),
                             other.mmax(), named(0), layout.lmax(), layout.mmax(), core::mention("steps.resize", {})));
}

}  // namespace armilla::job
