#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/cost/radial_work.hpp>
#include <armilla/cost/transform_work.hpp>
#include <armilla/io/read.hpp>
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

}  // namespace

Convolve::Convolve(const std::string& map, const ConvolveOptions& how, std::vector<NamedKernel> with)
    : options(how), kernels(std::move(with)) {
  take("map", map, ValueSort::kMap);
  if (options.spectrum) read(*options.spectrum);
  for (const NamedKernel& kernel : kernels) {
    if (kernel.kernel.file() != nullptr) read(*kernel.kernel.file());
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
                    planned.convolutions[k].why);
  return fmt::format("{}", fmt::join(notes, "; "));
}

std::optional<std::vector<double>> Convolve::read_spectrum(StepPlanner& planner) const {
  if (!options.spectrum) return std::nullopt;
  core::SeenFile file;
  const alm::SpectraTable table = [&] {
    try {
      file = PlanBuilder::see(options.spectrum->path);
      return io::read_spectra(file.path, false);
    } catch (const core::InputError& error) {
      planner.rethrow("spectrum", error.what());
    }
  }();
  const auto* column = table.find("TT");
  if (column == nullptr && table.columns.size() != 1)
    planner.refuse_key(
        "spectrum", options.spectrum->path,
        fmt::format("has the columns {}: name one TT, or use a file with one column", fmt::join(table.names, ", ")));
  const auto& values = column != nullptr ? *column : table.columns.front();
  const bool negative = std::ranges::any_of(values, [](double c) { return !(c >= 0); });
  if (negative || std::ranges::all_of(values, [](double c) { return c == 0; }))
    planner.refuse_key("spectrum", options.spectrum->path,
                       negative ? "contains negative or NaN C_l: use a valid power spectrum"
                                : "is 0 at all degrees: use the power spectrum of the map");
  planner.builder().note(file, fmt::format("spectrum to l = {}", table.lmax));
  return values;
}

void Convolve::plan(StepPlanner& planner) const {
  const ValueInfo map = planner.operand();
  try {
    ops::RadialAreas::check(options.weights, map.pixels->grid());
  } catch (const core::InputError& error) {
    planner.rethrow("weights", error.what());
  }
  ops::RadialRequest request;
  if (options.cutoff_deg) request.cutoff = *options.cutoff_deg * kOneDegree;
  request.cutoff_error = options.cutoff_error;
  request.spectrum = read_spectrum(planner);
  request.mode_error = options.mode_error;
  request.method = options.method;
  request.truncate = options.truncate;
  request.interpolated = options.interpolated;
  planner.planned().convolutions.clear();
  Index lmax = -1;
  std::size_t harmonics = 0;
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    const NamedKernel& kernel = kernels[k];
    ValueInfo& result = planner.result(k);
    const std::string name = result.name;
    result = map;
    result.name = name;
    if (kernel.grid) result.pixels = planner.builder().pixels(*kernel.grid);
    const std::string key = kernels.size() > 1 ? "kernels" : "kernel";
    try {
      const FileSpec* const from = kernel.kernel.file();
      const core::SeenFile file = from == nullptr ? core::SeenFile() : PlanBuilder::see(from->path);
      request.kernel = kernel.kernel.make();
      if (from != nullptr) planner.builder().note(file, fmt::format("kernel, {:.17g} at 0", request.kernel->value(0)));
    } catch (const core::InputError& error) {
      planner.rethrow(key, error.what());
    }
    request.sigma = kernel.kernel.sigma();
    ops::RadialCutoff cutoff{};
    try {
      cutoff = ops::plan_cutoff(request);
    } catch (const core::InputError& error) {
      planner.rethrow(options.cutoff_deg && options.cutoff_error ? "cutoff_deg" : "spectrum", error.what());
    }
    try {
      planner.planned().convolutions.push_back(
          ops::plan_radial(request, cutoff, map.pixels->shared_grid(), result.pixels->shared_grid(), map.kind));
    } catch (const core::InputError& error) {
      planner.rethrow("method", error.what());
    }
    const ops::RadialPlan& done = planner.planned().convolutions.back();
    if (divides && std::abs(radial::mean_share(*request.kernel, done.spec.cutoff)) < kLeastMean)
      planner.refuse_key("normalise", "true",
                         "cannot be used with a kernel of zero mean, such as a wavelet: remove normalise");
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
    ++harmonics;
  }
  if (harmonics > 0) planner.use_transform(map, planner.builder().alm(lmax, lmax), map.pixels, 1 + harmonics);
}

namespace {

/// Divides the results into those computed by rings or directly, and those computed by harmonics.
struct MethodSplit {
  std::vector<std::size_t> by_rings, by_harmonics;  // kernels

  explicit MethodSplit(const std::vector<ops::RadialPlan>& plans) {
    for (std::size_t k = 0; k < plans.size(); ++k)
      (plans[k].method == ops::RadialMethod::kHarmonic ? by_harmonics : by_rings).push_back(k);
  }
  /// The results computed by rings, where pixels_of(k) are the pixels of result k.
  template <class PixelsOf>
  std::vector<radial::ConvolutionTarget> targets(const std::vector<ops::RadialPlan>& plans,
                                                 const PixelsOf& pixels_of) const {
    std::vector<radial::ConvolutionTarget> made;
    for (const std::size_t k : by_rings) made.push_back({plans[k].spec, pixels_of(k)});
    return made;
  }
};

}  // namespace

/// State that is shared by all batches.
template <class T>
struct Convolve::Kept {
  ops::RadialAreas areas;
  std::unique_ptr<ops::RadialConvolution<T>> rings;
  std::vector<std::vector<std::vector<double>>> windows;
};

core::MemoryEstimate Convolve::memory(const JobPlan& plan, const PlannedStep& planned, int rank) const {
  const MethodSplit ways(planned.convolutions);
  const ValueInfo& map = plan.values[planned.operands.front()];
  const Index maps = maps_of(plan, map);
  core::MemoryEstimate estimate = ops::RadialAreas::memory(*map.pixels, options.weights, rank);
  in_precision_of(plan, [&]<class T>() {
    const Index one_map = transform::MapField<T>::memory(map.kind, *map.pixels, rank, maps).held();
    if (!ways.by_rings.empty()) {
      const auto targets =
          ways.targets(planned.convolutions, [&](std::size_t k) { return plan.values[planned.results[k]].pixels; });
      estimate += ops::RadialConvolution<T>::memory(*map.pixels, targets, rank, maps * map.kind.components(),
                                                    plan.spec.execution.backend);
      if (options.weights && options.weights->kind == ops::WeightKind::kPixel) estimate.workspace += one_map;
    }
    if (!ways.by_harmonics.empty())
      estimate.workspace +=
          (ways.by_harmonics.size() > 1 ? 2 : 1) * planned.transform->template alm_memory<T>(rank).held();
    return 0;
  });
  return estimate;
}

StepWork Convolve::work(const JobPlan& plan, const PlannedStep& planned, const cost::TransformCounts* transform) const {
  const MethodSplit ways(planned.convolutions);
  const ValueInfo& map = plan.values[planned.operands.front()];
  StepWork result;
  if (!ways.by_rings.empty())
    result.work.add(cost::radial_work(
        *map.pixels,
        ways.targets(planned.convolutions, [&](std::size_t k) { return plan.values[planned.results[k]].pixels; }),
        maps_of(plan, map) * map.kind.components(),
        in_precision_of(plan, []<class T>() { return static_cast<Index>(sizeof(T)); })));
  if (!ways.by_harmonics.empty())
    result.work.add(transform->of({.synthesis = static_cast<double>(ways.by_harmonics.size()), .adjoint = 1}));
  return result;
}

std::optional<DeviceUse> Convolve::device_use(const JobPlan& plan, const PlannedStep& planned, int rank) const {
  const auto targets = MethodSplit(planned.convolutions).targets(planned.convolutions, [&](std::size_t k) {
    return plan.values[planned.results[k]].pixels;
  });
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
  const auto& plans = step.planned().convolutions;
  const ValueInfo& info = step.operand_info();
  std::vector<transform::MapField<T>*> results;
  for (std::size_t k = 0; k < kernels.size(); ++k) results.push_back(&step.make_map(k));
  const auto pick = [&](const std::vector<std::size_t>& some) {
    std::vector<transform::MapField<T>*> picked;
    for (std::size_t k : some) picked.push_back(results[k]);
    return picked;
  };
  const MethodSplit ways(plans);
  Kept<T>& kept = step.template keep<Kept<T>>([&] {
    const core::ScopedPhase timer(step.record().timers, "prepare");
    auto made = std::make_unique<Kept<T>>(Kept<T>{ops::RadialAreas(step.comm(), info.pixels, options.weights), {}, {}});
    if (!ways.by_rings.empty())
      made->rings = std::make_unique<ops::RadialConvolution<T>>(
          step.comm(), info.pixels, ways.targets(plans, [&](std::size_t k) { return step.result_info(k).pixels; }),
          step.map().maps() * info.kind.components(), step.device());
    for (std::size_t k : ways.by_harmonics)
      made->windows.push_back(ops::radial_windows(plans[k], info.kind, step.transform().spec().alm->layout().lmax()));
    return made;
  });
  if (kept.rings) {
    const core::ScopedPhase timer(step.record().timers, "convolve");
    (*kept.rings)(step.map(), kept.areas, pick(ways.by_rings));
  }
  if (!ways.by_harmonics.empty())
    ops::convolve_harmonic(step.transform(), step.map(), kept.areas, kept.windows, pick(ways.by_harmonics));
}

ARMILLA_INSTANTIATE(Convolve::execute);

}  // namespace armilla::job::steps
