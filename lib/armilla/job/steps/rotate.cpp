#include <armilla/job/parse_values.hpp>
#include <armilla/job/step_planner.hpp>
#include <armilla/job/step_run.hpp>
#include <armilla/job/steps/rotate.hpp>
#include <armilla/ops/rotate.hpp>

#include <fmt/format.h>

namespace armilla::job::steps {

namespace {

math::EulerAngles parse_angles(const YamlValue& value) {
  const auto items = value.items();
  if (items.size() != 3)
    value.fail(fmt::format("does not have three angles, but {}: expected [psi, theta, phi] in degrees", items.size()));
  return math::EulerAngles::from_degrees(parse_finite(items[0]), parse_finite(items[1]), parse_finite(items[2]));
}

ops::Coordinates parse_coordinates(const YamlValue& value) {
  std::vector<std::string> names;
  for (const ops::Coordinates coordinates : ops::kAllCoordinates) names.emplace_back(name_of(coordinates));
  return ops::kAllCoordinates[value.choice(names)];
}

// The coordinates that a field is in: as the step says, and as its file says.
ops::Coordinates coordinates_of(const StepPlanner& planner, std::optional<ops::Coordinates> from) {
  const ValueInfo& field = planner.operand();
  const auto known = ops::coordinates_of_letter(field.coordsys);
  if (!from && !known)
    planner.refuse_operand(0,
                           "does not say which coordinates it is in (COORDSYS): give from: galactic, ecliptic or "
                           "equatorial");
  if (from && !field.coordsys.empty() && known != from)
    planner.refuse_key("from", name_of(*from),
                       fmt::format("contradicts COORDSYS = {} of '{}'{}: leave out 'from', or correct the file",
                                   field.coordsys, field.name, known ? fmt::format(" ({})", name_of(*known)) : ""));
  return from ? *from : *known;
}

// Of a planned step: only the result knows where it came from.
math::EulerAngles angles_of(const Rotate& rotate, const ValueInfo& field) {
  if (!rotate.to) return rotate.angles;
  return ops::coordinate_rotation(rotate.from ? *rotate.from : *ops::coordinates_of_letter(field.coordsys), *rotate.to);
}

template <class T>
void run_as(const Rotate& rotate, StepRun<T>& step) {
  const math::EulerAngles angles = angles_of(rotate, step.operand_info());
  transform::AlmField<T>* alm = nullptr;
  step.local("allocate", [&] { alm = &step.take_alm(); });
  const core::ScopedPhase timer(step.record().timers, "rotate");
  ops::rotate(step.comm(), *alm, angles);
}

}  // namespace

Rotate::Rotate(const YamlValue& value, const ParseContext&) {
  take(value, "alm", ValueSort::kAlm);
  if (const auto euler = value.find("euler_deg")) {
    angles = parse_angles(*euler);
    for (const char* key : {"from", "to"})
      if (const auto other = value.find(key)) other->fail("does not go with 'euler_deg': give angles or coordinates");
  } else {
    const auto target = value.find("to");
    if (!target)
      throw core::InputError(
          fmt::format("{}: {} says neither angles nor coordinates: give euler_deg: [psi, theta, phi], or 'to' "
                      "(galactic, ecliptic, equatorial)",
                      value.place().where, value.path()));
    to = parse_coordinates(*target);
    if (const auto source = value.find("from")) from = parse_coordinates(*source);
  }
  make(value);
}

OperationKind Rotate::kind() { return {"rotate", {"alm", "euler_deg", "from", "to", "out"}, parse_step<Rotate>}; }

void Rotate::plan(StepPlanner& planner) const {
  const alm::AlmLayout& layout = planner.operand().alm->layout();
  if (layout.mmax() < layout.lmax())
    planner.refuse_operand(
        0, fmt::format("has mmax = {} below lmax = {}, but rotated coefficients have all m: make it with mmax = lmax",
                       layout.mmax(), layout.lmax()));
  ValueInfo& rotated = planner.make_field(ValueSort::kAlm);
  rotated.alm = planner.operand().alm;
  if (to) coordinates_of(planner, from);
  // Axes turned by angles are those of no system.
  rotated.coordsys = to ? ops::letter_of(*to) : std::string();
}

Index Rotate::extra_bytes(const JobPlan& plan, const PlannedStep& planned, core::Precision precision, int rank) const {
  const ValueInfo& field = plan.values[planned.results.front()];
  const Index fields = maps_at_once(plan, planned) * field.kind.components();
  return precision == core::Precision::kSingle ? ops::rotate_bytes<float>(*field.alm, fields, rank)
                                               : ops::rotate_bytes<double>(*field.alm, fields, rank);
}

void Rotate::run(StepRun<float>& step) const { run_as(*this, step); }
void Rotate::run(StepRun<double>& step) const { run_as(*this, step); }

}  // namespace armilla::job::steps
