#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/cost/radial_work.hpp>
#include <armilla/cost/transform_work.hpp>
#include <armilla/job/plan/memory_model.hpp>
#include <armilla/job/steps/convolve_step.hpp>
#include <armilla/radial/support.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job::steps {

namespace {

constexpr double kOneDegree = core::kPi / 180;
// Minimum ratio of the integral of a kernel to that of its absolute value, for normalisation by a mask.
constexpr double kLeastMean = 1e-3;
// Maximum fraction of the integral in the central pixel. A Gaussian with a FWHM of two pixels has 22%.
constexpr double kLargestOwnPixel = 0.4;

/// The contents of an operand that the plan depends on.
const alm::SpectraTable& known_table(const StepPlanner& planner, std::size_t number) {
  const ValueInfo& operand = planner.operand(number);
  if (!operand.table)
    planner.refuse_operand(number, operand.per_item
                                       ? "has separate numbers for each map: use an input shared by all maps"
                                       : "is computed by the job, but the kernel must be known before: use "
                                         "an input");
  return *operand.table;
}

}  // namespace

/// How the results are computed.
struct Convolve::Plan {
  std::vector<ops::RadialPlan> results;
  std::vector<std::size_t> by_rings, by_harmonics;  // indices of results; the former include direct sums
  std::vector<radial::ConvolutionTarget> targets;   // of by_rings

  void add(ops::RadialPlan result, std::shared_ptr<const dist::PixelDistribution> pixels) {
    const bool is_harmonic = result.method == ops::RadialMethod::kHarmonic;
    (is_harmonic ? by_harmonics : by_rings).push_back(results.size());
    if (!is_harmonic) targets.push_back({result.spec, std::move(pixels)});
    results.push_back(std::move(result));
  }
};

Convolve::Convolve(const std::string& map, const ConvolveOptions& how, std::vector<NamedKernel> with)
    : options(how), kernels(std::move(with)) {
  take("map", map, ValueSort::kMap);
  if (options.spectrum) take("spectrum", *options.spectrum, ValueSort::kSpectra);
  for (const NamedKernel& kernel : kernels) {
    if (const Reference* numbers = kernel.kernel.numbers())
      take(kernels.size() > 1 ? "kernels" : "kernel", *numbers,
           kernel.kernel.table ? ValueSort::kTable : ValueSort::kSpectra, {},
           kernel.kernel.beam ? kernel.kernel.beam->columns : std::vector<std::string>());
    if (kernel.grid) read(*kernel.grid);
    make(kernel.out);
  }
}

std::string Convolve::plan_note(const JobPlan& /*plan*/, const PlannedStep& planned) const {
  std::vector<std::string> notes;
  for (std::size_t k = 0; k < kernels.size(); ++k)
    notes.push_back((kernels.size() > 1 ? "'" + kernels[k].out + "': "
                     : divides          ? "of the mask: "
                                        : "") +
                    state_of<Plan>(planned).results[k].why);
  return fmt::format("{}", fmt::join(notes, "; "));
}

std::optional<std::vector<double>> Convolve::assumed_spectrum(StepPlanner& planner) const {
  if (!options.spectrum) return std::nullopt;
  const alm::SpectraTable& table = known_table(planner, 1);
  const auto* column = table.find("TT");
  if (column == nullptr && table.columns.size() != 1)
    planner.refuse_operand(
        1, fmt::format("has the columns {}: name one TT, or use a file with one column", fmt::join(table.names, ", ")));
  const auto& values = column != nullptr ? *column : table.columns.front();
  const bool negative = std::ranges::any_of(values, [](double c) { return !(c >= 0); });
  if (negative || std::ranges::all_of(values, [](double c) { return c == 0; }))
    planner.refuse_operand(1, negative ? "contains negative or NaN C_l: use a valid power spectrum"
                                       : "is 0 at all degrees: use the power spectrum of the map");
  return values;
}

void Convolve::plan(StepPlanner& planner) const {
  const ValueInfo map = planner.operand();
  try {
    ops::RadialAreas::check(options.weights, map.pixels->grid());
  } catch (const core::InputError& error) {
    planner.rethrow("weights", marked_text(error));
  }
  ops::RadialRequest request;
  if (options.cutoff_deg) request.cutoff = *options.cutoff_deg * kOneDegree;
  request.cutoff_error = options.cutoff_error;
  request.spectrum = assumed_spectrum(planner);
  request.mode_error = options.mode_error;
  request.method = options.method;
  request.truncate = options.truncate;
  request.interpolated = options.interpolated;
  Plan plan;
  Index lmax = -1;
  std::size_t operand = options.spectrum ? 2 : 1;
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    const NamedKernel& kernel = kernels[k];
    ValueInfo& result = planner.result(k);
    const std::string name = result.name;
    result = map;
    result.name = name;
    if (kernel.grid) result.pixels = planner.builder().pixels(*kernel.grid);
    const std::string key = kernels.size() > 1 ? "kernels" : "kernel";
    try {
      request.kernel =
          kernel.kernel.make(kernel.kernel.numbers() == nullptr ? nullptr : &known_table(planner, operand++));
    } catch (const core::InputError& error) {
      planner.rethrow(key, marked_text(error));
    }
    request.sigma = kernel.kernel.sigma();
    ops::RadialCutoff cutoff{};
    try {
      cutoff = ops::plan_cutoff(request);
    } catch (const core::InputError& error) {
      planner.rethrow(options.cutoff_deg && options.cutoff_error ? "cutoff_deg" : "spectrum", marked_text(error));
    }
    try {
      plan.add(ops::plan_radial(request, cutoff, map.pixels->shared_grid(), result.pixels->shared_grid(), map.kind),
               result.pixels);
    } catch (const core::InputError& error) {
      planner.rethrow("method", marked_text(error));
    }
    const ops::RadialPlan& done = plan.results.back();
    if (divides && std::abs(radial::mean_share(*request.kernel, done.spec.cutoff)) < kLeastMean)
      planner.refuse_key(
          "normalise", "true",
          "cannot be used with a kernel of zero mean, such as a wavelet: remove " + core::mention({}, "normalise"));
    if (done.method != ops::RadialMethod::kHarmonic) {
      const double weight = ops::own_pixel_share(*request.kernel, done.spec.cutoff, map.pixels->grid());
      if (weight > kLargestOwnPixel)
        planner.warn({},
                     fmt::format("the pixels of the map do not resolve the kernel of '{}' (its value at 0 times the "
                                 "pixel area is {:.2g} of its integral): use a wider kernel or a finer map",
                                 kernel.out, weight));
      continue;
    }
    lmax = std::max({lmax, done.lmax, map.kind.max_spin()});
  }
  if (!plan.by_harmonics.empty())
    planner.use_transform(map, planner.builder().alm(lmax, lmax), map.pixels, 1 + plan.by_harmonics.size());
  set_state(planner.planned(), std::move(plan));
}

/// State that is shared by all batches.
template <class T>
struct Convolve::Kept {
  ops::RadialAreas areas;
  std::unique_ptr<ops::RadialConvolution<T>> rings;
  std::vector<std::vector<std::vector<double>>> windows;
};

core::MemoryEstimate Convolve::memory(const JobPlan& plan, const PlannedStep& planned, int rank) const {
  const auto& state = state_of<Plan>(planned);
  const ValueInfo& map = plan.values[planned.operands.front()];
  const Index maps = maps_of(plan, map);
  core::MemoryEstimate estimate = ops::RadialAreas::memory(*map.pixels, options.weights, rank);
  in_precision_of(plan, [&]<class T>() {
    const Index one_map = transform::MapField<T>::memory(map.kind, *map.pixels, rank, maps).held();
    if (!state.by_rings.empty()) {
      estimate += ops::RadialConvolution<T>::memory(*map.pixels, state.targets, rank, maps * map.kind.components(),
                                                    plan.spec.execution.backend);
      if (options.weights && options.weights->kind == ops::WeightKind::kPixel) estimate.workspace += one_map;
    }
    if (!state.by_harmonics.empty())
      estimate.workspace +=
          (state.by_harmonics.size() > 1 ? 2 : 1) * planned.transform->template alm_memory<T>(rank).held();
    return 0;
  });
  return estimate;
}

StepWork Convolve::work(const JobPlan& plan, const PlannedStep& planned, const cost::TransformCounts* transform) const {
  const auto& state = state_of<Plan>(planned);
  const ValueInfo& map = plan.values[planned.operands.front()];
  StepWork result;
  if (!state.by_rings.empty())
    result.work.add(cost::radial_work(*map.pixels, state.targets, maps_of(plan, map) * map.kind.components(),
                                      in_precision_of(plan, []<class T>() { return static_cast<Index>(sizeof(T)); })));
  if (!state.by_harmonics.empty())
    result.work.add(transform->of({.synthesis = static_cast<double>(state.by_harmonics.size()), .adjoint = 1}));
  return result;
}

bool Convolve::uses_device(const PlannedStep& planned) const {
  return std::ranges::any_of(state_of<Plan>(planned).results,
                             [](const ops::RadialPlan& one) { return one.method == ops::RadialMethod::kRings; });
}

void Convolve::plan_for_device(PlannedStep& planned) const {
  Plan plan = state_of<Plan>(planned);
  for (std::size_t i = 0; i < plan.by_rings.size(); ++i) {
    ops::RadialPlan& result = plan.results[plan.by_rings[i]];
    ops::plan_for_device(result);
    plan.targets[i].spec = result.spec;
  }
  set_state(planned, std::move(plan));
}

std::optional<DeviceUse> Convolve::device_use(const JobPlan& plan, const PlannedStep& planned, int rank) const {
  const auto& targets = state_of<Plan>(planned).targets;
  if (!ops::on_device(plan.spec.execution.backend, targets)) return std::nullopt;
  const ValueInfo& map = plan.values[planned.operands.front()];
  return in_precision_of(plan, [&]<class T>() {
    const auto memory = ops::RadialConvolution<T>::device_memory(*map.pixels, targets, rank,
                                                                 maps_of(plan, map) * map.kind.components());
    DeviceUse use{memory.estimate, plan.ranks == 1 ? std::optional(memory.one_band_bytes) : std::nullopt};
    if (options.weights && options.weights->kind == ops::WeightKind::kPixel) {
      use.memory.held += ops::RadialAreas::memory(*map.pixels, options.weights, rank);
      use.memory.held.workspace +=
          transform::MapField<T>::memory(map.kind, *map.pixels, rank, maps_of(plan, map)).held();
    }
    return std::optional(use);
  });
}

template <class T>
void Convolve::execute(StepRun<T>& step) const {
  const auto& plan = state_of<Plan>(step.planned());
  const ValueInfo& info = step.operand_info();
  std::vector<transform::MapField<T>*> results;
  for (std::size_t k = 0; k < kernels.size(); ++k) results.push_back(&step.make_map(k));
  const auto pick = [&](const std::vector<std::size_t>& some) {
    std::vector<transform::MapField<T>*> picked;
    for (std::size_t k : some) picked.push_back(results[k]);
    return picked;
  };
  Kept<T>& kept = step.template keep<Kept<T>>([&] {
    const core::ScopedPhase timer(step.record().timers, "prepare");
    auto made = std::make_unique<Kept<T>>(Kept<T>{ops::RadialAreas(step.comm(), info.pixels, options.weights), {}, {}});
    if (!plan.by_rings.empty())
      made->rings = std::make_unique<ops::RadialConvolution<T>>(
          step.comm(), info.pixels, plan.targets, step.map().maps() * info.kind.components(),
          ops::RadialDevice{step.execution().backend, step.device_work().value_or(0)});
    for (std::size_t k : plan.by_harmonics)
      made->windows.push_back(
          ops::radial_windows(plan.results[k], info.kind, step.transform().spec().alm->layout().lmax()));
    return made;
  });
  if (kept.rings) {
    const core::ScopedPhase timer(step.record().timers, "convolve");
    (*kept.rings)(step.map(), kept.areas, pick(plan.by_rings));
  }
  if (!plan.by_harmonics.empty())
    ops::convolve_harmonic(step.transform(), step.map(), kept.areas, kept.windows, pick(plan.by_harmonics));
}

ARMILLA_INSTANTIATE(Convolve::execute);

}  // namespace armilla::job::steps
