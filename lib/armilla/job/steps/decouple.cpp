#include <armilla/core/error.hpp>
#include <armilla/job/steps/parts.hpp>
#include <armilla/job/steps/rows.hpp>
#include <armilla/ops/analysis.hpp>
#include <armilla/ops/decouple.hpp>
#include <armilla/ops/spectra.hpp>

#include <algorithm>
#include <memory>
#include <vector>

#include <fmt/format.h>

namespace armilla::job::steps {

namespace {

/// Analysis method for the C_l of a mask: that of healpy's anafast.
const ops::AnalysisMethod& mask_method() {
  static const ops::AnalysisMethod method{{}, ops::Jacobi{3}};
  return method;
}

/// C_l of a mask with one component; a separate step because several maps may share a mask.
struct MaskSpectrum final : Step<MaskSpectrum> {
  MaskSpectrum(const std::string& mask, const std::string& out) {
    take("mask", mask, ValueSort::kMap);
    make(out);
  }

  void plan(StepPlanner& planner) const override {
    const ValueInfo& mask = planner.operand();
    const grid::RingGrid& grid = mask.pixels->grid();
    if (mask.kind.components() != 1)
      planner.refuse_operand(0,
                             fmt::format("has {} components: use a mask with one component", mask.kind.components()));
    if (!grid.description().is_whole() || !grid.has_weights())
      planner.refuse_operand(
          0, fmt::format("is on {}, over which quadrature is not exact: use a full-sky mask on a grid with weights",
                         grid.description().text()));
    const Index lmax = std::min(grid.analysis_limits().lmax, grid.analysis_limits().mmax);
    ValueInfo& spectrum = planner.result();
    spectrum.sort = ValueSort::kSpectra;
    spectrum.kind = mask.kind;
    spectrum.spectra = {alm::spectrum_name(mask.kind.alm_names().front(), mask.kind.alm_names().front())};
    spectrum.spectra_lmax = lmax;
    spectrum.units = {""};
    spectrum.coordsys = mask.coordsys;
    planner.use_transform(mask, planner.builder().alm(lmax, lmax), mask.pixels,
                          static_cast<std::size_t>(mask_method().transforms()));
  }

  bool shares_kept(const Operation& other) const override {
    return dynamic_cast<const MaskSpectrum*>(&other) != nullptr;
  }

  core::MemoryEstimate memory(const JobPlan& plan, const PlannedStep& planned, int rank) const override {
    return in_precision_of(plan, [&]<class T>() {
      const transform::FieldTransformSpec& spec = *planned.transform;
      const core::MemoryEstimate coefficients{.workspace = spec.alm_memory<T>(rank).held()};
      return coefficients + ops::Analysis<T>::memory(spec, rank, mask_method());
    });
  }

  template <class T>
  void execute(StepRun<T>& step) const {
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
};

/// Spectra of masked maps, corrected for the mask.
struct Decouple final : Step<Decouple> {
  std::string mask;  // name of the map
  Index width = 1;   // of bands of degrees

  /// `mask_spectrum`: the name of the result of the MaskSpectrum.
  Decouple(const std::string& spectra, const std::string& mask_map, const std::string& mask_spectrum, Index bin,
           const std::string& out)
      : mask(mask_map), width(bin) {
    take("spectra", spectra, ValueSort::kSpectra);
    take("mask", mask_spectrum, ValueSort::kSpectra);
    make(out);
  }

  bool has_time_model() const override { return false; }
  void plan(StepPlanner& planner) const override {
    ValueInfo& decoupled = planner.result();
    const std::string name = decoupled.name;
    decoupled = planner.operand(0);
    decoupled.name = name;
  }

  core::MemoryEstimate memory(const JobPlan& plan, const PlannedStep& planned, int) const override {
    const ValueInfo& spectra = plan.values[planned.operands.front()];
    return ops::Decoupler::memory(spectra.kind, spectra.spectra_lmax, width);
  }

  template <class T>
  void execute(StepRun<T>& step) const {
    const core::ScopedPhase timer(step.record().timers, "decouple");
    if (step.operand_info(1).per_item)
      run_each(step);
    else
      run_all(step);
  }

 private:
  template <class T>
  ops::Decoupler decoupler_of(StepRun<T>& step, const alm::SpectraTable& mask_spectrum) const {
    return {step.comm(), step.operand_info(0).kind, mask_spectrum.columns.front(), step.spectra(0).front().lmax, width};
  }

  /// Each map has its own mask.
  template <class T>
  void run_each(StepRun<T>& step) const {
    const std::vector<alm::SpectraTable>& tables = step.spectra(0);
    const std::vector<alm::SpectraTable>& masks = step.spectra(1);
    std::vector<alm::SpectraTable> results;
    std::vector<ops::MapFault> faults;
    for (std::size_t k = 0; k < masks.size(); ++k) {
      const alm::SpectraTable& table = results.emplace_back(tables[tables.size() == 1 ? 0 : k]);
      if (!step.batch().is_there(static_cast<Index>(k))) continue;
      try {
        results.back() = decoupler_of(step, masks[k]).run(table);
      } catch (const core::InputError& error) {
        faults.push_back(
            {static_cast<Index>(k), fmt::format("its mask '{}' cannot be used: {}", mask, marked_text(error))});
      }
    }
    step.set_spectra(std::move(results));
    if (!faults.empty()) step.leave_out(faults);
  }

  template <class T>
  void run_all(StepRun<T>& step) const {
    std::vector<alm::SpectraTable> results;
    try {
      const auto& decoupler = step.template keep<ops::Decoupler>(
          [&] { return std::make_unique<ops::Decoupler>(decoupler_of(step, step.spectra(1).front())); });
      for (const alm::SpectraTable& table : step.spectra(0)) results.push_back(decoupler.run(table));
    } catch (const core::InputError& error) {
      refuse(step.place(), "mask", mask, fmt::format("cannot be used: {}", marked_text(error)));
    }
    step.set_spectra(std::move(results));
  }
};

struct DecoupleKeys {
  std::string spectra, mask, out;
  Index bin = 1;

  static Keys<DecoupleKeys> keys() {
    using K = KeyMakers<DecoupleKeys>;
    return {K::value_name("spectra", &DecoupleKeys::spectra, ValueSort::kSpectra, "spectra of masked maps").required(),
            K::value_name("mask", &DecoupleKeys::mask, ValueSort::kMap, "the mask, with one component").required(),
            K::whole("bin", &DecoupleKeys::bin, 1, kLargestNumber, "number of degrees per band"),
            K::result_name("out", &DecoupleKeys::out, "the full-sky spectra").required()};
  }

  Operations expand() const {
    const std::string between = out + " (mask)";
    return {std::make_shared<const MaskSpectrum>(mask, between),
            std::make_shared<const Decouple>(spectra, mask, between, bin, out)};
  }
};

}  // namespace

OperationKind decouple() {
  return composed_kind<DecoupleKeys>("decouple",
                                     "Correct the spectra of masked maps for [mode coupling by the "
                                     "mask](cut_sky.md#spectra-of-cut-skies), in bands of `bin` degrees");
}

}  // namespace armilla::job::steps
