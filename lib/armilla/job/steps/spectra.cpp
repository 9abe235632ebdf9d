#include <armilla/job/parse_values.hpp>
#include <armilla/job/step_planner.hpp>
#include <armilla/job/step_run.hpp>
#include <armilla/job/steps/spectra.hpp>
#include <armilla/ops/spectra.hpp>

namespace armilla::job::steps {

namespace {

/// The unit that all components of both share, squared; empty where they differ.
std::string squared_unit(const ValueInfo& a, const ValueInfo& b) {
  const std::string unit = a.units.empty() ? "" : a.units.front();
  for (const auto* value : {&a, &b})
    for (const auto& other : value->units)
      if (other != unit) return "";
  return unit.empty() ? unit : unit + "^2";
}

template <class T>
void run_as(const Spectra&, StepRun<T>& step) {
  const core::ScopedPhase timer(step.record().timers, "spectra");
  std::vector<alm::SpectraTable> tables = ops::spectra_of_maps<T>(step.comm(), step.alm(0), step.alm(1));
  for (alm::SpectraTable& table : tables) table.unit = step.result_info().units.front();
  step.set_spectra(std::move(tables));
}

}  // namespace

Spectra::Spectra(const YamlValue& value, const ParseContext&) {
  take(value, "alm", ValueSort::kAlm);
  const auto with = value.find("with");
  take("with", with ? with->text() : value.text("alm"), ValueSort::kAlm);
  make(value);
}

OperationKind Spectra::kind() { return {"spectra", {"alm", "with", "out"}, parse_step<Spectra>}; }

void Spectra::plan(StepPlanner& planner) const {
  planner.check_same_kind();
  const ValueInfo& first = planner.operand(0);
  const ValueInfo& second = planner.operand(1);
  ValueInfo& result = planner.result();
  result.sort = ValueSort::kSpectra;
  result.kind = first.kind;
  result.spectra_lmax = std::min(first.alm->layout().lmax(), second.alm->layout().lmax());
  const auto& names = first.kind.alm_names();
  for (const auto& name : names) result.spectra.push_back(alm::spectrum_name(name, name));
  for (std::size_t i = 0; i < names.size(); ++i)
    for (std::size_t j = i + 1; j < names.size(); ++j) result.spectra.push_back(alm::spectrum_name(names[i], names[j]));
  result.units = {squared_unit(first, second)};
  result.coordsys = first.coordsys;
}

void Spectra::run(StepRun<float>& step) const { run_as(*this, step); }
void Spectra::run(StepRun<double>& step) const { run_as(*this, step); }

}  // namespace armilla::job::steps
