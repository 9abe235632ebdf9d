#include <armilla/core/error.hpp>
#include <armilla/job/step_planner.hpp>
#include <armilla/job/step_run.hpp>
#include <armilla/job/steps/decouple.hpp>
#include <armilla/job/steps/mask.hpp>
#include <armilla/ops/analysis.hpp>
#include <armilla/ops/decouple.hpp>
#include <armilla/ops/spectra.hpp>

#include <algorithm>
#include <memory>
#include <vector>

#include <fmt/format.h>

namespace armilla::job::steps {

namespace {

/// How the C_l of a mask are found: as healpy's anafast does.
const ops::AnalysisMethod& mask_method() {
  static const ops::AnalysisMethod method{{}, ops::Jacobi{3}};
  return method;
}

template <class T>
void run_as(const MaskSpectrum&, StepRun<T>& step) {
  refuse_empty_mask(step, 0);
  const transform::MapField<T>& mask = step.map();
  std::unique_ptr<transform::AlmField<T>> alm;
  step.local("allocate", [&] {
    alm = std::make_unique<transform::AlmField<T>>(mask.kind(), step.planned().transform->alm, step.comm().rank(),
                                                   mask.maps());
  });
  auto& tool = step.template keep<ops::Analysis<T>>(
      [&] { return std::make_unique<ops::Analysis<T>>(step.transform(), mask_method()); });
  tool.run(mask, *alm);
  step.set_spectra(ops::spectra_of_maps(step.comm(), *alm, *alm));
}

template <class T>
void run_as(const Decouple& decouple, StepRun<T>& step) {
  const core::ScopedPhase timer(step.record().timers, "decouple");
  const std::vector<alm::SpectraTable>& tables = step.spectra(0);
  const std::vector<alm::SpectraTable>& masks = step.spectra(1);
  const auto decoupler_of = [&](const alm::SpectraTable& mask) {
    return ops::Decoupler(step.comm(), step.operand_info(0).kind, mask.columns.front(), tables.front().lmax,
                          decouple.width);
  };
  std::vector<alm::SpectraTable> results;
  if (step.operand_info(1).per_item) {
    std::vector<ops::MapFault> faults;
    for (std::size_t k = 0; k < masks.size(); ++k) {
      const alm::SpectraTable& table = results.emplace_back(tables[tables.size() == 1 ? 0 : k]);
      if (!step.batch().is_there(static_cast<Index>(k))) continue;
      try {
        results.back() = decoupler_of(masks[k]).run(table);
      } catch (const core::InputError& error) {
        faults.push_back(
            {static_cast<Index>(k), fmt::format("its mask '{}' does not do: {}", decouple.mask, error.what())});
      }
    }
    step.set_spectra(std::move(results));
    if (!faults.empty()) step.leave_out(faults);
    return;
  }
  try {
    const auto& decoupler = step.template keep<ops::Decoupler>(
        [&] { return std::make_unique<ops::Decoupler>(decoupler_of(masks.front())); });
    for (const alm::SpectraTable& table : tables) results.push_back(decoupler.run(table));
  } catch (const core::InputError& error) {
    refuse(step.place(), "mask", decouple.mask, fmt::format("does not do: {}", error.what()));
  }
  step.set_spectra(std::move(results));
}

std::vector<std::shared_ptr<const Operation>> parse(const YamlValue& value, const ParseContext&) {
  const std::string between = value.text("out") + " (mask)";
  return {std::make_shared<const MaskSpectrum>(value.text("mask"), between),
          std::make_shared<const Decouple>(value, between)};
}

}  // namespace

MaskSpectrum::MaskSpectrum(const std::string& mask, const std::string& out) {
  take("mask", mask, ValueSort::kMap);
  make(out);
}

void MaskSpectrum::plan(StepPlanner& planner) const {
  const ValueInfo& mask = planner.operand();
  const grid::RingGrid& grid = mask.pixels->grid();
  if (mask.kind.components() != 1)
    planner.refuse_operand(0, fmt::format("has {} components: give a mask with one", mask.kind.components()));
  if (!grid.description().is_whole() || !grid.has_weights())
    planner.refuse_operand(0, fmt::format("lies on {}, over which nothing integrates exactly: give a mask of the whole "
                                          "sky on a grid with weights",
                                          grid.description().text()));
  const Index lmax = std::min(grid.analysis_limits().lmax, grid.analysis_limits().mmax);
  ValueInfo& result = planner.result();
  result.sort = ValueSort::kSpectra;
  result.kind = mask.kind;
  result.spectra = {alm::spectrum_name(mask.kind.alm_names().front(), mask.kind.alm_names().front())};
  result.spectra_lmax = lmax;
  result.units = {""};
  result.coordsys = mask.coordsys;
  planner.use_transform(mask, planner.builder().alm(lmax, lmax), mask.pixels,
                        static_cast<std::size_t>(mask_method().transforms()));
}

bool MaskSpectrum::shares_kept(const Operation& other) const {
  return dynamic_cast<const MaskSpectrum*>(&other) != nullptr;
}

Index MaskSpectrum::kept_bytes(const JobPlan& plan, const PlannedStep& planned, int rank) const {
  if (!planned.per_item) return 0;
  return plan.spec.execution.precision == core::Precision::kSingle
             ? ops::kept_analysis_bytes<float>(*planned.transform, rank, mask_method())
             : ops::kept_analysis_bytes<double>(*planned.transform, rank, mask_method());
}

Index MaskSpectrum::extra_bytes(const JobPlan& plan, const PlannedStep& planned, core::Precision precision,
                                int rank) const {
  const bool single = precision == core::Precision::kSingle;
  const Index analysis = single ? ops::analysis_bytes<float>(*planned.transform, rank, mask_method())
                                : ops::analysis_bytes<double>(*planned.transform, rank, mask_method());
  return analysis - kept_bytes(plan, planned, rank) +
         planned.transform->maps * planned.transform->alm->local_size(rank) * (single ? 8 : 16);
}

void MaskSpectrum::run(StepRun<float>& step) const { run_as(*this, step); }
void MaskSpectrum::run(StepRun<double>& step) const { run_as(*this, step); }

Decouple::Decouple(const YamlValue& value, const std::string& mask_spectrum) : mask(value.text("mask")) {
  take(value, "spectra", ValueSort::kSpectra);
  take("mask", mask_spectrum, ValueSort::kSpectra);
  if (const auto bin = value.find("bin")) width = bin->whole_number(1, kLargestNumber);
  make(value);
}

OperationKind Decouple::kind() { return {"decouple", {"spectra", "mask", "bin", "out"}, parse}; }

void Decouple::plan(StepPlanner& planner) const {
  ValueInfo& result = planner.result();
  const std::string name = result.name;
  result = planner.operand(0);
  result.name = name;
}

Index Decouple::extra_bytes(const JobPlan& plan, const PlannedStep& planned, core::Precision, int rank) const {
  return kept_bytes(plan, planned, rank) +
         ops::Decoupler::making_bytes(plan.values[planned.operands.front()].spectra_lmax);
}

Index Decouple::kept_bytes(const JobPlan& plan, const PlannedStep& planned, int) const {
  const ValueInfo& spectra = plan.values[planned.operands.front()];
  return ops::Decoupler::bytes(spectra.kind, spectra.spectra_lmax, width);
}

void Decouple::run(StepRun<float>& step) const { run_as(*this, step); }
void Decouple::run(StepRun<double>& step) const { run_as(*this, step); }

}  // namespace armilla::job::steps
