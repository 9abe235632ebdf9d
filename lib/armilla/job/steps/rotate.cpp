#include <armilla/job/steps/rows.hpp>
#include <armilla/job/steps/step.hpp>
#include <armilla/math/euler.hpp>
#include <armilla/ops/coordinates.hpp>
#include <armilla/ops/rotate.hpp>

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace armilla::job::steps {

namespace {

math::EulerAngles parse_angles(const YamlValue& value) {
  const auto items = value.items();
  if (items.size() != 3)
    value.fail(fmt::format("has {} angles instead of three: expected [psi, theta, phi] in degrees", items.size()));
  return math::EulerAngles::from_degrees(parse_finite(items[0]), parse_finite(items[1]), parse_finite(items[2]));
}

std::vector<std::string> coordinate_names() {
  std::vector<std::string> names;
  for (const ops::Coordinates coordinates : ops::kAllCoordinates) names.emplace_back(name_of(coordinates));
  return names;
}

// The coordinates of a field, from the step or from its file; if both specify them, they must be the same.
ops::Coordinates coordinates_of(const StepPlanner& planner, std::optional<ops::Coordinates> from) {
  const ValueInfo& field = planner.operand();
  const auto known = ops::coordinates_of_letter(field.coordsys);
  if (!from && !known)
    planner.refuse_operand(0, fmt::format("does not specify its coordinates (COORDSYS): set {}, ecliptic or equatorial",
                                          core::mention({}, "from", "galactic")));
  if (from && !field.coordsys.empty() && known != from)
    planner.refuse_key(
        "from", name_of(*from),
        fmt::format("contradicts COORDSYS = {} of '{}'{}: remove {}, or correct the file", field.coordsys, field.name,
                    known ? fmt::format(" ({})", name_of(*known)) : "", core::mention({}, "from")));
  return from ? *from : *known;
}

struct Rotate final : Step<Rotate> {
  std::optional<math::EulerAngles> angles;
  std::optional<ops::Coordinates> from;
  std::optional<ops::Coordinates> to;

  static Keys<Rotate> keys() {
    return {
        operand("alm", ValueSort::kAlm, "the coefficients, with mmax = lmax"),
        other("euler_deg", "[psi, theta, phi]", "Euler angles [degrees]",
              [](Rotate& rotate, const YamlValue& value, const ParseContext&) { rotate.angles = parse_angles(value); })
            .requirement("required unless `to` is given"),
        coordinates_key("to", &Rotate::to, "celestial coordinates of the result"),
        coordinates_key("from", &Rotate::from, "with `to`: celestial coordinates of `alm`").fallback("those of `alm`"),
        result("the rotated coefficients")};
  }

  /// A name, or the letter of COORDSYS.
  static KeyOf<Rotate> coordinates_key(std::string name, std::optional<ops::Coordinates> Rotate::*member,
                                       std::string help) {
    std::vector<std::string> words = coordinate_names();
    for (const ops::Coordinates coordinates : ops::kAllCoordinates) words.push_back(ops::letter_of(coordinates));
    KeyOf<Rotate> key = choice(std::move(name), member, std::move(words), std::move(help));
    key.read = [member](Rotate& rotate, const Key& known, const YamlValue& value, const ParseContext&) {
      rotate.*member = ops::kAllCoordinates[value.choice(known.choices) % ops::kAllCoordinates.size()];
    };
    return key;
  }

  void finish(const YamlValue& value) const {
    if (!angles && !to)
      value.complain(fmt::format("has neither angles nor coordinates: set {}, or {} (galactic, ecliptic, equatorial)",
                                 core::mention({}, "euler_deg", "[psi, theta, phi]"), core::mention({}, "to")));
    for (const char* key : {"from", "to"})
      if (const auto given = value.find(key); given && angles)
        given->fail(fmt::format("cannot be combined with {}: use either angles or coordinates",
                                core::mention({}, "euler_deg")));
  }

  bool has_time_model() const override { return false; }
  void plan(StepPlanner& planner) const override {
    const alm::AlmLayout& layout = planner.operand().alm->layout();
    if (layout.mmax() < layout.lmax())
      planner.refuse_operand(
          0, fmt::format("has mmax = {} below lmax = {}, but rotated coefficients have all m: use alm with mmax = lmax",
                         layout.mmax(), layout.lmax()));
    ValueInfo& rotated = planner.make_field(ValueSort::kAlm);
    rotated.alm = planner.operand().alm;
    if (to) coordinates_of(planner, from);
    // Axes rotated by arbitrary angles belong to no coordinate system.
    rotated.coordsys = to ? ops::letter_of(*to) : std::string();
  }

  core::MemoryEstimate memory(const JobPlan& plan, const PlannedStep& planned, int rank) const override {
    const ValueInfo& field = plan.values[planned.results.front()];
    const Index fields = maps_at_once(plan, planned) * field.kind.components();
    return in_precision_of(plan, [&]<class T>() { return ops::rotate_memory<T>(*field.alm, fields, rank); });
  }

  template <class T>
  void execute(StepRun<T>& step) const {
    transform::AlmField<T>* alm = nullptr;
    step.local("allocate", [&] { alm = &step.take_alm(); });
    const core::ScopedPhase timer(step.record().timers, "rotate");
    ops::rotate(step.comm(), *alm, angles_of(step.operand_info()));
  }

  bool reuses_operand() const override { return true; }

 private:
  // Call for a planned step; the original coordinates are those of the operand.
  math::EulerAngles angles_of(const ValueInfo& field) const {
    if (angles) return *angles;
    return ops::coordinate_rotation(from ? *from : *ops::coordinates_of_letter(field.coordsys), *to);
  }
};

}  // namespace

OperationKind rotate() {
  return Rotate::kind(
      "rotate", "[Rotate](job_reference.md#rotations) a field by Euler angles, or to other celestial coordinates");
}

}  // namespace armilla::job::steps
