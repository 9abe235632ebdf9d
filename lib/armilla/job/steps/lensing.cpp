#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/job/steps/lensing.hpp>
#include <armilla/ops/lensing.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job::steps {

namespace {

void warn_of_unit(StepPlanner& planner, std::size_t number) {
  for (const std::string& unit : planner.operand(number).units)
    if (!unit.empty() && unit != "rad" && planner.planned().warnings.empty())
      planner.warn({}, fmt::format("displacements must be in rad, but the unit of the input is '{}'", unit));
}

}  // namespace

void check_vectors(StepPlanner& planner, std::size_t number) {
  const transform::FieldKind& kind = planner.operand(number).kind;
  const std::string& first = kind.map_names().front();
  if (first == "U" || first.ends_with("_EAST"))
    planner.refuse_operand(
        number, fmt::format("has eastward and northward components ({}), but components along theta and phi are "
                            "required: use {}, or {}",
                            fmt::join(kind.map_names(), ", "), core::mention("steps.convert_vector", "to", "theta_phi"),
                            core::mention("steps.gradient", "axes", "theta_phi")));
  warn_of_unit(planner, number);
  if (kind.spin_fields().size() != 1 || kind.max_spin() != 1)
    planner.refuse_operand(
        number, fmt::format("has the fields {}: use a single field of spin 1, such as the result of gradient",
                            fmt::join(kind.map_names(), ", ")));
}

template <class T>
void warn_of_deflection(StepRun<T>& step, const transform::MapField<T>& vectors, Index map,
                        std::optional<Index> place) {
  const ops::DeflectionFaults faults = ops::find_deflection_faults(step.comm(), vectors, map);
  if (faults.too_long > 0)
    step.warn(fmt::format("{} of {} pixels are displaced by more than pi, at most by {:.4g} rad, so their geodesics "
                          "pass the antipode: check that the displacement is in rad",
                          faults.too_long, vectors.distribution().grid().npix(), faults.longest),
              place);
  if (faults.folded > 0)
    step.warn(fmt::format("the magnification det(dn'/dn) is 0 or negative at {} of {} pixels, with minimum {:.4g}: "
                          "displaced pixels cross there, and the deflection has no inverse",
                          faults.folded, vectors.distribution().grid().npix(), faults.least),
              place);
}

ARMILLA_INSTANTIATE(warn_of_deflection);

std::string lmax_note(const JobPlan& plan, Index lmax, std::size_t vectors) {
  // The step that computed them, or their source, has a transform.
  for (auto made = plan.steps.rbegin(); made != plan.steps.rend(); ++made) {
    if (std::ranges::find(made->results, vectors) == made->results.end()) continue;
    if (!made->transform) {
      vectors = made->operands.front();
      continue;
    }
    const Index other = made->transform->alm->layout().lmax();
    if (other == lmax) break;
    return fmt::format("the field has lmax {}, the deflection lmax {}; each is evaluated up to its own lmax", lmax,
                       other);
  }
  return {};
}

std::optional<DeviceUse> lens_device_use(const JobPlan& plan, const points::PointTransformSpec& spec,
                                         const dist::PixelDistribution& pixels, int rank) {
  if (!backend::has_device(spec.backend)) return std::nullopt;
  return in_precision_of(plan, [&]<class T>() {
    return std::optional(DeviceUse{ops::lens_device_memory<T>(spec, pixels, rank), Index{0}});
  });
}

Deflection::Deflection(const std::string& potential, const std::string& deflection, ops::DeflectionParts wanted,
                       const std::string& out)
    : parts(wanted) {
  if (deflection.empty())
    take("potential", potential, ValueSort::kAlm);
  else
    take("deflection", deflection, ValueSort::kAlm);
  make(out);
}

void Deflection::plan(StepPlanner& planner) const {
  const ValueInfo& from = planner.operand();
  if (operands().front().key == "deflection") {
    check_vectors(planner, 0);
  } else {
    if (from.kind.components() != 1)
      planner.refuse_operand(
          0, fmt::format("has the fields {}, but a potential is a single scalar: extract it with select",
                         fmt::join(from.kind.alm_names(), ", ")));
    warn_of_unit(planner, 0);
  }
  const Index lmax = from.alm->layout().lmax(), least = parts == ops::DeflectionParts::kVectors ? 1 : 2;
  if (lmax < least)
    planner.refuse_operand(0, fmt::format("has lmax = {}, below the spin {} of {}: resize it to lmax = {}", lmax, least,
                                          least == 1 ? "displacements" : "derivatives of displacements", least));
  ValueInfo& made = planner.make_field(ValueSort::kAlm);
  made.kind = ops::deflection_kind(parts);
  made.units.assign(static_cast<std::size_t>(made.kind.components()), "rad");
  made.alm = from.alm;
}

template <class T>
void Deflection::execute(StepRun<T>& step) const {
  transform::AlmField<T>& made = step.make_alm();
  step.local("deflection", [&] { ops::make_deflection(step.alm(), made); });
}

ARMILLA_INSTANTIATE(Deflection::execute);

void check_deflection_keys(const YamlValue& section, const std::string& potential, const std::string& deflection) {
  if (potential.empty() == deflection.empty())
    section.fail(potential.empty() ? "has neither potential nor deflection: set one of the two"
                                   : "has both potential and deflection: use one of the two");
}

}  // namespace armilla::job::steps
