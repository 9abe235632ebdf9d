#include <armilla/core/error.hpp>
#include <armilla/io/read.hpp>
#include <armilla/job/steps/analysis_method.hpp>
#include <armilla/job/steps/kernel_spec.hpp>
#include <armilla/job/steps/parts.hpp>
#include <armilla/job/steps/rows.hpp>
#include <armilla/ops/radial_convolution.hpp>
#include <armilla/radial/support.hpp>

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job::steps {

namespace {

constexpr double kOneDegree = core::kPi / 180;
// Of kernels that a mask can be normalised with: the integral over that of the absolute value.
constexpr double kLeastMean = 1e-3;

/// What the keys of a step say of all its kernels.
struct ConvolveOptions {
  std::optional<double> cutoff_deg, cutoff_error;
  std::optional<FileSpec> spectrum;
  ops::RadialMethod method = ops::RadialMethod::kAuto;
  bool truncate = false;
  std::optional<ops::WeightsSpec> weights = ops::WeightsSpec{};

  template <class Section>
  static Keys<Section> rows() {
    using K = KeyMakers<Section>;
    return {
        K::number("cutoff_deg", static_cast<std::optional<double> Section::*>(&ConvolveOptions::cutoff_deg), 1e-6, 180,
                  "where the kernel is cut [degrees]")
            .fallback("by `cutoff_error`"),
        K::other("cutoff_error", "number between 0 and 1", "the relative rms error that cutting the kernel may make",
                 [](Section& section, const YamlValue& value, const ParseContext&) {
                   section.cutoff_error = parse_finite(value);
                   if (!(*section.cutoff_error > 0 && *section.cutoff_error < 1))
                     value.fail("is not a relative error: give a number between 0 and 1, such as 1e-6");
                 })
            .fallback("1e-6"),
        K::file("spectrum", static_cast<std::optional<FileSpec> Section::*>(&ConvolveOptions::spectrum),
                "C_l that `cutoff_error` is for: TT, or one column")
            .fallback("the worse of a flat spectrum and a monopole"),
        K::choice("method", static_cast<ops::RadialMethod Section::*>(&ConvolveOptions::method),
                  {"auto", "rings", "direct", "harmonic"}, "[how](radial_kernels.md#methods) it is done"),
        K::other("super_nyquist", "one of `fold`, `truncate`",
                 "modes beyond the Nyquist frequency of a ring: as the pixels see them, or left out",
                 [](Section& section, const YamlValue& value, const ParseContext&) {
                   section.truncate = value.choice(std::vector<std::string>{"fold", "truncate"}) == 1;
                 })
            .fallback("fold"),
        K::other("weights", "one of `grid`, `ring`, `pixel`, `none`, or `{ring: {degree: 100}}`",
                 "the areas of pixels; `none`: 1 for each, which makes the operator symmetric",
                 [](Section& section, const YamlValue& value, const ParseContext& context) {
                   if (!value.is_section() && value.text() == "none")
                     section.weights.reset();
                   else
                     section.weights = parse_weights(value, {"grid", "ring", "pixel", "none"}, context);
                 })
            .fallback("grid")};
  }
};

/// One result.
struct NamedKernel {
  KernelSpec kernel;
  std::string out;
  std::optional<GridSpec> grid;
};

/// Convolves one map with kernels.
struct Convolve final : Step<Convolve> {
  ConvolveOptions options;
  std::vector<NamedKernel> kernels;
  bool divides = false;  ///< the results divide others, of the map itself

  Convolve(const std::string& map, const ConvolveOptions& how, std::vector<NamedKernel> with)
      : options(how), kernels(std::move(with)) {
    take("map", map, ValueSort::kMap);
    if (options.spectrum) read(*options.spectrum);
    for (const NamedKernel& kernel : kernels) {
      if (kernel.kernel.file() != nullptr) read(*kernel.kernel.file());
      if (kernel.grid) read(*kernel.grid);
      make(kernel.out);
    }
  }

  void plan(StepPlanner& planner) const override;
  template <class T>
  void execute(StepRun<T>& step) const;
  core::MemoryEstimate memory(const JobPlan& plan, const PlannedStep& planned, int rank) const override;
  std::string plan_note(const PlannedStep& planned) const override {
    std::vector<std::string> notes;
    for (std::size_t k = 0; k < kernels.size(); ++k)
      notes.push_back((kernels.size() > 1 ? "'" + kernels[k].out + "': " : "") + planned.convolutions[k].why);
    return fmt::format("{}", fmt::join(notes, "; "));
  }

 private:
  std::optional<std::vector<double>> read_spectrum(StepPlanner& planner) const;
  template <class T>
  struct Kept;
};

std::optional<std::vector<double>> Convolve::read_spectrum(StepPlanner& planner) const {
  if (!options.spectrum) return std::nullopt;
  try {
    const alm::SpectraTable table = io::read_spectra(options.spectrum->path, false);
    const auto* column = table.find("TT");
    if (column == nullptr && table.columns.size() != 1)
      planner.refuse_key(
          "spectrum", options.spectrum->path,
          fmt::format("has the columns {}: name one TT, or give a file of one column", fmt::join(table.names, ", ")));
    const auto& values = column != nullptr ? *column : table.columns.front();
    planner.builder().note(options.spectrum->path, fmt::format("spectrum to l = {}", table.lmax));
    return values;
  } catch (const core::InputError& error) {
    planner.rethrow("spectrum", error.what());
  }
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
  request.method = options.method;
  request.truncate = options.truncate;
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
      request.kernel = kernel.kernel.make();
      if (const FileSpec* file = kernel.kernel.file())
        planner.builder().note(file->path, fmt::format("kernel, {:.17g} at 0", request.kernel->value(0)));
    } catch (const core::InputError& error) {
      planner.rethrow(key, error.what());
    }
    request.sigma = kernel.kernel.sigma();
    try {
      planner.planned().convolutions.push_back(
          ops::plan_radial(request, map.pixels->shared_grid(), result.pixels->shared_grid(), map.kind));
    } catch (const core::InputError& error) {
      planner.rethrow(options.cutoff_deg && options.cutoff_error ? "cutoff_deg" : "method", error.what());
    }
    const ops::RadialPlan& done = planner.planned().convolutions.back();
    if (divides && std::abs(radial::mean_share(*request.kernel, done.spec.cutoff)) < kLeastMean)
      planner.refuse_key("normalise", "true",
                         "does not go with a kernel of zero mean, such as a wavelet: leave out normalise");
    if (done.method != ops::RadialMethod::kHarmonic) continue;
    lmax = std::max({lmax, done.lmax, map.kind.max_spin()});
    ++harmonics;
  }
  if (harmonics > 0) planner.use_transform(map, planner.builder().alm(lmax, lmax), map.pixels, 1 + harmonics);
}

/// The results that are made by rings or directly, and those by harmonics.
struct Ways {
  std::vector<std::size_t> by_rings, by_harmonics;  // kernels
  std::vector<radial::ConvolutionTarget> targets;   // by rings

  Ways(const std::vector<ops::RadialPlan>& plans, const std::vector<ValueInfo>& values, const PlannedStep& planned) {
    for (std::size_t k = 0; k < plans.size(); ++k) {
      if (plans[k].method == ops::RadialMethod::kHarmonic) {
        by_harmonics.push_back(k);
      } else {
        by_rings.push_back(k);
        targets.push_back({plans[k].spec, values[planned.results[k]].pixels});
      }
    }
  }
};

/// What serves all batches.
template <class T>
struct Convolve::Kept {
  ops::RadialAreas areas;
  std::unique_ptr<ops::RadialConvolution<T>> rings;
  std::vector<std::vector<std::vector<double>>> windows;
};

core::MemoryEstimate Convolve::memory(const JobPlan& plan, const PlannedStep& planned, int rank) const {
  const Ways ways(planned.convolutions, plan.values, planned);
  const ValueInfo& map = plan.values[planned.operands.front()];
  const Index maps = plan.campaign && map.per_item ? plan.campaign->batch : 1;
  core::MemoryEstimate estimate = ops::RadialAreas::memory(*map.pixels, options.weights, rank);
  in_precision_of(plan, [&]<class T>() {
    const Index one_map = transform::MapField<T>::memory(map.kind, *map.pixels, rank, maps).held();
    if (!ways.by_rings.empty()) {
      estimate += ops::RadialConvolution<T>::memory(*map.pixels, ways.targets, rank, maps * map.kind.components());
      if (options.weights && options.weights->kind == ops::WeightKind::kPixel) estimate.workspace += one_map;
    }
    if (!ways.by_harmonics.empty())
      estimate.workspace +=
          (ways.by_harmonics.size() > 1 ? 2 : 1) * planned.transform->template alm_memory<T>(rank).held();
    return 0;
  });
  return estimate;
}

template <class T>
void Convolve::execute(StepRun<T>& step) const {
  const auto& plans = step.planned().convolutions;
  const ValueInfo& info = step.operand_info();
  std::vector<transform::MapField<T>*> results;
  for (std::size_t k = 0; k < kernels.size(); ++k) results.push_back(&step.make_map(k));
  std::vector<ValueInfo> values;
  for (std::size_t k = 0; k < kernels.size(); ++k) values.push_back(step.result_info(k));
  const auto pick = [&](const std::vector<std::size_t>& some) {
    std::vector<transform::MapField<T>*> picked;
    for (std::size_t k : some) picked.push_back(results[k]);
    return picked;
  };
  PlannedStep numbered;
  for (std::size_t k = 0; k < kernels.size(); ++k) numbered.results.push_back(k);
  const Ways ways(plans, values, numbered);
  Kept<T>& kept = step.template keep<Kept<T>>([&] {
    const core::ScopedPhase timer(step.record().timers, "prepare");
    auto made = std::make_unique<Kept<T>>(Kept<T>{ops::RadialAreas(step.comm(), info.pixels, options.weights), {}, {}});
    if (!ways.by_rings.empty())
      made->rings = std::make_unique<ops::RadialConvolution<T>>(step.comm(), info.pixels, ways.targets,
                                                                step.map().maps() * info.kind.components());
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

/// The last step with a mask: what was found over what the mask leaves of the kernel.
struct Normalise final : Step<Normalise> {
  double least;

  Normalise(const std::string& map, const std::string& divisor, double least_share, const std::string& out)
      : least(least_share) {
    take("map", map, ValueSort::kMap);
    take("mask", divisor, ValueSort::kMap);
    make(out);
  }
  void plan(StepPlanner& planner) const override {
    planner.make_field(ValueSort::kMap).pixels = planner.operand().pixels;
  }
  template <class T>
  void execute(StepRun<T>& step) const {
    transform::MapField<T>* map = nullptr;
    step.local("convolve", [&] { map = &step.take_map(); });
    const core::ScopedPhase timer(step.record().timers, "convolve");
    ops::divide_map(step.comm(), *map, step.map(1), least);
  }
  bool reuses_operand() const override { return true; }
};

/// Adds maps.
struct AddMaps final : Step<AddMaps> {
  AddMaps(const std::vector<std::string>& maps, const std::string& out) {
    for (const std::string& map : maps) take("map", map, ValueSort::kMap);
    make(out);
  }
  void plan(StepPlanner& planner) const override {
    for (std::size_t k = 1; k < operands().size(); ++k)
      if (!(planner.operand(k).kind == planner.operand().kind))
        planner.refuse_operand(k,
                               fmt::format("has the fields {}, and '{}' has {}: give maps of one kind",
                                           fmt::join(planner.operand(k).kind.map_names(), ", "), planner.operand().name,
                                           fmt::join(planner.operand().kind.map_names(), ", ")));
    planner.make_field(ValueSort::kMap).pixels = planner.operand().pixels;
  }
  template <class T>
  void execute(StepRun<T>& step) const {
    step.local("convolve", [&] {
      transform::MapField<T>& sum = step.take_map();
      for (std::size_t k = 1; k < operands().size(); ++k)
        transform::combine(T(1), step.map(k), T(1), sum, sum.memory());
    });
  }
  bool reuses_operand() const override { return true; }
};

/// One of `kernels` of a decomposition.
struct KernelEntry : KernelSpec {
  std::string name;
  std::optional<GridSpec> grid;

  static Keys<KernelEntry> keys() {
    using K = KeyMakers<KernelEntry>;
    Keys<KernelEntry> rows{K::result_name("name", &KernelEntry::name, "the result").required(),
                           K::grid("grid", &KernelEntry::grid, "its grid").fallback("that of the map")};
    for (auto& row : kernel_keys<KernelEntry>()) rows.push_back(std::move(row));
    return rows;
  }
};

/// One of `kernels` of a reconstruction.
struct KernelOfMap : KernelSpec {
  std::string map;

  static Keys<KernelOfMap> keys() {
    using K = KeyMakers<KernelOfMap>;
    Keys<KernelOfMap> rows{K::value_name("map", &KernelOfMap::map, ValueSort::kMap, "what `convolve` made").required()};
    for (auto& row : kernel_keys<KernelOfMap>()) rows.push_back(std::move(row));
    return rows;
  }
};

/// The key `kernels`.
template <class Section, class Entry>
KeyOf<Section> kernels_key(std::vector<Entry> Section::*member, std::string help) {
  KeyOf<Section> row =
      KeyMakers<Section>::other("kernels", "list of sections", std::move(help),
                                [member](Section& section, const YamlValue& value, const ParseContext& context) {
                                  for (const YamlValue& item : value.items())
                                    parse_section((section.*member).emplace_back(), item, context);
                                  if ((section.*member).empty()) value.fail("is empty: give at least one kernel");
                                });
  row.key.type = KeyType::kSection;
  row.key.form = "list of sections";
  row.key.members = described(Entry::keys());
  return row;
}

struct ConvolveKeys : ConvolveOptions {
  std::string map, mask, out;
  std::optional<KernelSpec> kernel;
  std::optional<GridSpec> grid;
  std::vector<KernelEntry> kernels;
  bool normalise = false;

  static Keys<ConvolveKeys> keys() {
    using K = KeyMakers<ConvolveKeys>;
    Keys<ConvolveKeys> rows{
        K::value_name("map", &ConvolveKeys::map, ValueSort::kMap, "the map").required(),
        K::section("kernel", &ConvolveKeys::kernel, "the [kernel](radial_kernels.md#kernels)").fallback("`kernels`"),
        kernels_key<ConvolveKeys, KernelEntry>(&ConvolveKeys::kernels,
                                               "in place of `kernel`, `grid` and `out`: one result for each")};
    for (auto& row : ConvolveOptions::rows<ConvolveKeys>()) rows.push_back(std::move(row));
    rows.push_back(K::value_name("mask", &ConvolveKeys::mask, ValueSort::kMap, "what the map is multiplied by first"));
    rows.push_back(
        K::flag("normalise", &ConvolveKeys::normalise,
                "divide by the mask, convolved likewise; 0 where that is at most `cutoff_error` of its largest"));
    rows.push_back(K::grid("grid", &ConvolveKeys::grid, "the grid of the result").fallback("that of the map"));
    rows.push_back(K::result_name("out", &ConvolveKeys::out, "the result, with `kernel`"));
    return rows;
  }

  void finish(const YamlValue& value) const {
    if (kernel.has_value() == !kernels.empty())
      value.fail(kernel ? "has both kernel and kernels: give one of the two" : "has no kernel: give kernel or kernels");
    if (kernel && out.empty()) value.fail("lacks the key 'out', which names the result");
    if (!kernel && !out.empty()) value.fail("has 'out', but each of 'kernels' has its own 'name': leave out 'out'");
    if (!kernel && grid) value.fail("has 'grid', but each of 'kernels' may have its own: put it there");
    if (normalise && mask.empty()) value.fail("has normalise: true, but no 'mask': give one");
    std::set<std::string> names;
    for (const KernelEntry& entry : kernels)
      if (!names.insert(entry.name).second)
        value.fail(fmt::format("has two kernels of the name '{}': each needs its own", entry.name));
  }

  Operations expand() const {
    std::vector<NamedKernel> results;
    if (kernel) results.push_back({*kernel, out, grid});
    for (const KernelEntry& entry : kernels) results.push_back({entry, entry.name, entry.grid});
    if (mask.empty()) return {std::make_shared<const Convolve>(map, *this, results)};
    const auto between = [&](const std::string& result, const char* what) {
      return fmt::format("{} ({})", result, what);
    };
    const std::string masked = between(results.front().out, "masked");
    Operations steps{std::make_shared<const Mask>(map, mask, masked)};
    if (!normalise) {
      steps.push_back(std::make_shared<const Convolve>(masked, *this, results));
      return steps;
    }
    std::vector<NamedKernel> of_map = results, of_mask = results;
    for (NamedKernel& one : of_map) one.out = between(one.out, "of the map");
    for (NamedKernel& one : of_mask) one.out = between(one.out, "of the mask");
    steps.push_back(std::make_shared<const Convolve>(masked, *this, of_map));
    auto weights_left = std::make_shared<Convolve>(mask, *this, of_mask);
    weights_left->divides = true;
    steps.push_back(weights_left);
    for (std::size_t k = 0; k < results.size(); ++k)
      steps.push_back(std::make_shared<const Normalise>(
          of_map[k].out, of_mask[k].out, cutoff_error.value_or(ops::kDefaultCutoffError), results[k].out));
    return steps;
  }
};

struct ReconstructKeys : ConvolveOptions {
  std::vector<KernelOfMap> kernels;
  GridSpec grid;
  std::string out;

  static Keys<ReconstructKeys> keys() {
    using K = KeyMakers<ReconstructKeys>;
    Keys<ReconstructKeys> rows{
        kernels_key<ReconstructKeys, KernelOfMap>(&ReconstructKeys::kernels, "the parts, each with its kernel")
            .required()};
    for (auto& row : ConvolveOptions::rows<ReconstructKeys>()) rows.push_back(std::move(row));
    rows.push_back(K::grid("grid", &ReconstructKeys::grid, "the grid of the result").required());
    rows.push_back(K::result_name("out", &ReconstructKeys::out, "the map").required());
    return rows;
  }

  Operations expand() const {
    Operations steps;
    std::vector<std::string> parts;
    for (const KernelOfMap& part : kernels) {
      parts.push_back(fmt::format("{} (part {})", out, parts.size() + 1));
      steps.push_back(
          std::make_shared<const Convolve>(part.map, *this, std::vector<NamedKernel>{{part, parts.back(), grid}}));
    }
    steps.push_back(std::make_shared<const AddMaps>(parts, out));
    return steps;
  }
};

}  // namespace

OperationKind convolve() {
  return composed_kind<ConvolveKeys>(
      "convolve", "The map convolved with a [kernel of the angle](radial_kernels.md), or with several");
}

OperationKind reconstruct() {
  return composed_kind<ReconstructKeys>(
      "reconstruct",
      "The sum of maps, each convolved with its kernel: from [needlets](radial_kernels.md#needlets) to the map");
}

}  // namespace armilla::job::steps
