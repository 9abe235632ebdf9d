#include <armilla/core/error.hpp>
#include <armilla/job/step_planner.hpp>
#include <armilla/job/step_run.hpp>
#include <armilla/job/steps/decouple.hpp>
#include <armilla/job/steps/mask.hpp>
#include <armilla/ops/analysis.hpp>
#include <armilla/ops/mode_coupling.hpp>
#include <armilla/ops/spectra.hpp>

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace armilla::job::steps {

namespace {

/// How the C_l of a mask are found: as healpy's anafast does.
const ops::AnalysisMethod& mask_method() {
  static const ops::AnalysisMethod method{{}, ops::Jacobi{3}};
  return method;
}

/// Collective. C_l of every map of a mask.
template <class T>
std::vector<std::vector<double>> spectra_of_mask(StepRun<T>& step) {
  const transform::MapField<T>& mask = step.map(1);
  std::unique_ptr<transform::AlmField<T>> alm;
  step.local("allocate", [&] {
    alm = std::make_unique<transform::AlmField<T>>(mask.kind(), step.planned().transform->alm, step.comm().rank(),
                                                   mask.maps());
  });
  ops::analysis(step.transform(), mask, *alm, mask_method());
  std::vector<std::vector<double>> spectra;
  for (alm::SpectraTable& table : ops::spectra_of_maps(step.comm(), *alm, *alm))
    spectra.push_back(std::move(table.columns.front()));
  return spectra;
}

template <class T>
void run_as(const Decouple& decouple, StepRun<T>& step) {
  refuse_empty_mask(step, 1);
  const std::vector<std::vector<double>> masks = spectra_of_mask(step);
  const core::ScopedPhase timer(step.record().timers, "decouple");
  const std::vector<alm::SpectraTable>& tables = step.spectra();
  const transform::FieldKind& kind = step.operand_info(0).kind;
  try {
    if (masks.size() == 1) {
      step.set_spectra(ops::decouple(step.comm(), tables, kind, masks.front(), decouple.width));
      return;
    }
    std::vector<alm::SpectraTable> results;
    for (std::size_t k = 0; k < tables.size(); ++k)
      results.push_back(ops::decouple(step.comm(), tables[k], kind, masks[k], decouple.width));
    step.set_spectra(std::move(results));
  } catch (const core::InputError& error) {
    refuse(step.place(), "mask", step.operand_info(1).name, fmt::format("does not do: {}", error.what()));
  }
}

}  // namespace

Decouple::Decouple(const YamlValue& value, const ParseContext&) {
  take(value, "spectra", ValueSort::kSpectra);
  take(value, "mask", ValueSort::kMap);
  if (const auto bin = value.find("bin")) width = bin->whole_number(1, kLargestNumber);
  make(value);
}

OperationKind Decouple::kind() { return {"decouple", {"spectra", "mask", "bin", "out"}, parse_step<Decouple>}; }

void Decouple::plan(StepPlanner& planner) const {
  const ValueInfo& spectra = planner.operand(0);
  const ValueInfo& mask = planner.operand(1);
  const grid::RingGrid& grid = mask.pixels->grid();
  if (mask.kind.components() != 1 || mask.kind.max_spin() != 0)
    planner.refuse_operand(1, fmt::format("has {} components: give a mask with one", mask.kind.components()));
  if (!grid.description().is_whole() || !grid.has_weights())
    planner.refuse_operand(1, fmt::format("lies on {}, over which nothing integrates exactly: give a mask of the whole "
                                          "sky on a grid with weights",
                                          grid.description().text()));
  ValueInfo& result = planner.result();
  const std::string name = result.name;
  result = spectra;
  result.name = name;
  // Degrees of the mask up to 2 lmax mix those of the spectra up to lmax.
  const Index lmax = std::min({2 * spectra.spectra_lmax, grid.analysis_limits().lmax, grid.analysis_limits().mmax});
  planner.use_transform(mask, planner.builder().alm(lmax, lmax), mask.pixels,
                        static_cast<std::size_t>(mask_method().transforms()));
}

Index Decouple::extra_bytes(const JobPlan& plan, const PlannedStep& planned, core::Precision precision,
                            int rank) const {
  const bool single = precision == core::Precision::kSingle;
  const ValueInfo& spectra = plan.values[planned.operands[0]];
  const Index analysis = single ? ops::analysis_bytes<float>(*planned.transform, rank, mask_method())
                                : ops::analysis_bytes<double>(*planned.transform, rank, mask_method());
  const Index alm = planned.transform->maps * planned.transform->alm->local_size(rank) * (single ? 8 : 16);
  // Matrices of each pair of spins, even and odd, and their factors.
  const Index matrix = 8 * (spectra.spectra_lmax + 1) * (spectra.spectra_lmax + 1);
  const auto parts = static_cast<Index>(spectra.kind.parts().size());
  return alm + std::max(analysis, matrix * (1 + 4 * parts * (parts + 1) / 2));
}

void Decouple::run(StepRun<float>& step) const { run_as(*this, step); }
void Decouple::run(StepRun<double>& step) const { run_as(*this, step); }

}  // namespace armilla::job::steps
