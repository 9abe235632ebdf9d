#include <armilla/core/error.hpp>
#include <armilla/job/steps/rows.hpp>
#include <armilla/job/steps/spectrum_keys.hpp>
#include <armilla/job/steps/step.hpp>
#include <armilla/job/value/input_value.hpp>
#include <armilla/job/value/unit_powers.hpp>
#include <armilla/ops/random_alm.hpp>

#include <cstdint>
#include <utility>

#include <fmt/format.h>

namespace armilla::job::steps {

namespace {

struct RandomAlm final : Step<RandomAlm>, SpectrumKeys {
  FieldsSpec components;
  Limits limits;
  std::uint64_t seed = 0;
  Index maps = 0;  // of a campaign; 0: a single map, shared by all maps if there are many

  static Keys<RandomAlm> keys() {
    Keys<RandomAlm> all = spectrum_keys<RandomAlm>();
    for (KeyOf<RandomAlm>& key : own_keys()) all.push_back(std::move(key));
    return all;
  }

  static Keys<RandomAlm> own_keys() {
    return {fields(&RandomAlm::components, "the fields to generate").requirement("required unless `spin` is given"),
            spin(&RandomAlm::components),
            lmax(&RandomAlm::limits).required(),
            mmax(&RandomAlm::limits),
            whole("seed", &RandomAlm::seed, 0, kAnyWhole,
                  "seed of the random numbers; coefficients depend only on seed, map number, l and m"),
            whole("maps", &RandomAlm::maps, 1, 10'000'000, "number of [maps](job_reference.md#many-maps) to generate")
                .fallback("one map"),
            result("the coefficients")};
  }

  void finish(const YamlValue& value) {
    SpectrumKeys::finish(value);
    if (!components.given())
      value.complain(fmt::format("lacks {}: use [T], [E, B] or [T, E, B], or set {}", core::mention({}, "fields"),
                                 core::mention({}, "spin")));
    take("spectrum", spectrum, ValueSort::kSpectra, spectrum_kind, columns);
  }

  void plan(StepPlanner& planner) const override {
    ValueInfo& result = planner.result();
    result.sort = ValueSort::kAlm;
    result.kind = kind_of(components, planner.place());
    result.alm = planner.builder().alm(limits.lmax, limits.mmax);
    check(planner, 0, result.kind.alm_names(), limits.lmax);
    result.units.assign(static_cast<std::size_t>(result.kind.components()), unit_root(planner.operand().units.front()));
  }

  template <class T>
  void execute(StepRun<T>& step) const {
    transform::AlmField<T>& alm = step.make_alm();
    step.local("random_alm", [&] {
      try {
        ops::random_alm(alm, std::span<const alm::SpectraTable>(step.spectra()), seed, step.batch().first);
      } catch (const core::InputError& error) {
        complain(step.place(), "spectrum", fmt::format("{}: {}", spectrum.name, marked_text(error)));
      }
    });
  }

  StepWork work(const JobPlan& plan, const PlannedStep& planned, const cost::TransformCounts*) const override {
    const ValueInfo& result = plan.values[planned.results.front()];
    const auto each = static_cast<double>(maps_at_once(plan, planned) * result.kind.components());
    std::vector<double> own;
    for (int rank = 0; rank < plan.ranks; ++rank)
      own.push_back(each * static_cast<double>(result.alm->local_size(rank)));
    StepWork work;
    work.work.add(cost::Item{cost::Kernel::kRandom, static_cast<double>(limits.lmax + 1), 1, cost::over_ranks(own)});
    return work;
  }

  Index makes_items() const override { return maps; }
};

}  // namespace

OperationKind random_alm() {
  return RandomAlm::kind("random_alm", "Generate Gaussian random coefficients with the given spectra");
}

}  // namespace armilla::job::steps
