#include <armilla/job/steps/rows.hpp>
#include <armilla/job/steps/step.hpp>
#include <armilla/job/value/unit_powers.hpp>
#include <armilla/ops/spectra.hpp>

#include <set>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job::steps {

namespace {

/// The unit common to all components of both, squared; empty if they differ.
std::string squared_unit(const ValueInfo& a, const ValueInfo& b) {
  const std::string unit = a.units.empty() ? "" : a.units.front();
  for (const auto* value : {&a, &b})
    for (const auto& other : value->units)
      if (other != unit) return "";
  return unit_squared(unit);
}

struct Spectra final : Step<Spectra> {
  static Keys<Spectra> keys() {
    KeyOf<Spectra> with = operand("with", ValueSort::kAlm, "second coefficients, for cross spectra");
    with.key.is_required = false;
    return {operand("alm", ValueSort::kAlm, "the coefficients"), std::move(with).fallback("alm"),
            result("the spectra")};
  }

  void finish(const YamlValue&) {
    if (operands().size() == 1) take("with", operands().front().name, ValueSort::kAlm);
  }

  void plan(StepPlanner& planner) const override {
    planner.check_same_kind();
    const ValueInfo& first = planner.operand(0);
    const ValueInfo& second = planner.operand(1);
    const Index mmax = first.alm->layout().mmax(), other = second.alm->layout().mmax();
    if (mmax != other)
      planner.refuse_operand(1, fmt::format("has mmax = {}, but {} has mmax = {}: make them equal ({})", other,
                                            planner.named(0), mmax, core::mention("steps.resize", {})));
    ValueInfo& spectra = planner.result();
    spectra.sort = ValueSort::kSpectra;
    spectra.kind = first.kind;
    spectra.spectra_lmax = std::min(first.alm->layout().lmax(), second.alm->layout().lmax());
    spectra.spectra = ops::spectra_names(first.kind);
    spectra.units = {squared_unit(first, second)};
    std::set<std::string> units(first.units.begin(), first.units.end());
    units.insert(second.units.begin(), second.units.end());
    units.erase("");
    if (units.size() > 1)
      planner.warn({}, fmt::format("the units of the fields differ ({}), so the spectra have none, and those of two "
                                   "fields have the product of both units",
                                   fmt::join(units, ", ")));
    spectra.coordsys = first.coordsys;
  }

  template <class T>
  void execute(StepRun<T>& step) const {
    const core::ScopedPhase timer(step.record().timers, "spectra");
    std::vector<alm::SpectraTable> tables = ops::spectra_of_maps<T>(step.comm(), step.alm(0), step.alm(1));
    for (alm::SpectraTable& table : tables) table.unit = step.result_info().units.front();
    step.set_spectra(std::move(tables));
  }
};

}  // namespace

OperationKind spectra() {
  return Spectra::kind("spectra",
                       "Compute the spectra C_l: auto spectra of `alm`, or cross spectra of `alm` and `with`");
}

}  // namespace armilla::job::steps
