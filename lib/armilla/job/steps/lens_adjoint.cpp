// The transpose of lensing, and delensing.
#include <armilla/grid/quadrature_error.hpp>
#include <armilla/job/steps/lensing.hpp>
#include <armilla/job/steps/parts.hpp>
#include <armilla/job/steps/rows.hpp>
#include <armilla/ops/lensing.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace armilla::job::steps {

namespace {

enum class MapWeights { kNone, kGrid };

/// The vectors of a deflection and its determinant, from a map with derivatives.
struct Magnification final : Step<Magnification> {
  Magnification(const std::string& deflection, const std::string& out) {
    take("deflection", deflection, ValueSort::kMap);
    make(out);
  }
  void plan(StepPlanner& planner) const override {
    ValueInfo& map = planner.make_field(ValueSort::kMap);
    map.kind = ops::magnification_kind();
    map.units = {"rad", "rad", ""};
    map.pixels = planner.operand().pixels;
  }
  template <class T>
  void execute(StepRun<T>& step) const {
    transform::MapField<T>& map = step.make_map();
    step.local("magnification", [&] { ops::magnification(step.map(), map); });
  }
};

/// The transpose of displacing alm by a map of tangent vectors, with weights of the grid, and with the determinant if
/// the vectors include it.
struct AdjointDisplace final : Step<AdjointDisplace> {
  Limits limits;
  MapWeights weights;
  ops::DeflectionParts parts;
  PointAccuracy accuracy;

  /// Displaces by `vectors`, which were computed from the value `given` under `key`.
  AdjointDisplace(const std::string& map, const std::string& vectors, const std::string& key, const std::string& given,
                  Limits up_to, MapWeights weighted, ops::DeflectionParts with, PointAccuracy asked,
                  const std::string& out)
      : limits(up_to), weights(weighted), parts(with), accuracy(asked) {
    take("map", map, ValueSort::kMap);
    take(key, vectors, ValueSort::kMap, given);
    make(out);
  }

  bool has_time_model() const override { return false; }
  void plan(StepPlanner& planner) const override {
    const ValueInfo& map = planner.operand();
    const grid::RingGrid& grid = map.pixels->grid();
    ValueInfo& alm = planner.make_field(ValueSort::kAlm);
    alm.alm = planner.builder().alm(limits.lmax, limits.mmax);
    alm.coordsys = planner.common_coordinates(0);
    planner.check_spins(alm.kind, limits.lmax);
    accuracy.check(planner, limits.lmax);
    if (weights == MapWeights::kNone) {
      alm.units.assign(alm.units.size(), "");  // a sum over pixels has no unit of its own
      return;
    }
    if (!grid.has_weights())
      planner.refuse_key("weights", "grid",
                         fmt::format("requires quadrature weights, but {} of '{}' has none: set {}{}",
                                     grid.description().text(), map.name, core::mention({}, "weights", "none"),
                                     grid.description().is_whole() ? ", or add the dataset 'weight' to its file" : ""));
    if (grid::exceeds_accurate_limits(grid, limits.lmax, limits.mmax))
      planner.warn_of_key("lmax", fmt::format("{}", limits.lmax),
                          fmt::format("exceeds the limit of {} of '{}', lmax {}: lower lmax", grid.description().text(),
                                      map.name, grid::accurate_lmax(grid)));
  }

  core::MemoryEstimate memory(const JobPlan& plan, const PlannedStep& planned, int rank) const override {
    const ValueInfo& map = plan.values[planned.operands[0]];
    const ValueInfo& alm = plan.values[planned.results[0]];
    return in_precision_of(plan, [&]<class T>() {
      const points::PointTransformSpec spec = point_spec(alm, accuracy, plan.spec.execution, 1);
      core::MemoryEstimate memory =
          ops::lens_memory<T>(spec, *map.pixels, rank) + ops::lens_adjoint_memory<T>(spec, *map.pixels, rank);
      if (has_factors()) memory.kept += map.pixels->local_pixels(rank) * static_cast<Index>(sizeof(double));
      return memory;
    });
  }

  std::string plan_note(const JobPlan& plan, const PlannedStep& planned) const override {
    return lmax_note(plan, limits.lmax, planned.operands[1]);
  }

  bool uses_device(const PlannedStep&) const override { return true; }
  std::optional<DeviceUse> device_use(const JobPlan& plan, const PlannedStep& planned, int rank) const override {
    const points::PointTransformSpec spec =
        point_spec(plan.values[planned.results[0]], accuracy, plan.spec.execution, 1);
    const dist::PixelDistribution& pixels = *plan.values[planned.operands[0]].pixels;
    std::optional<DeviceUse> use = lens_device_use(plan, spec, pixels, rank);
    if (!use) return use;
    use->memory.held.kept +=
        in_precision_of(plan, [&]<class T>() { return ops::lens_adjoint_device_bytes<T>(spec, pixels, rank); });
    if (has_factors() && plan.ranks == 1)
      use->memory.held.kept += pixels.local_pixels(rank) * static_cast<Index>(sizeof(double));
    return use;
  }

  template <class T>
  void execute(StepRun<T>& step) const {
    transform::AlmField<T>& alm = step.make_alm();
    const transform::MapField<T>& vectors = step.map(1);
    const bool shared = !step.operand_info(1).per_item;
    std::unique_ptr<Lens<T>> own;
    for (Index k = 0; k < alm.maps(); ++k) {
      const auto make = [&] {
        return make_lens(step, vectors, vectors.maps() == 1 ? 0 : k, shared ? std::nullopt : std::optional(k));
      };
      if (!shared) {
        own.reset();  // freed before the next allocation
        own = make();
      }
      Lens<T>& lens = shared ? step.template keep<Lens<T>>(make) : *own;
      lens.lens->adjoint(step.map(0), step.map(0).maps() == 1 ? 0 : k, lens.factors, alm, k);
    }
  }

 private:
  /// The values of one deflection, and the factors of pixels.
  template <class T>
  struct Lens {
    std::unique_ptr<ops::Lens<T>> lens;
    backend::DualBuffer<double> factors{0};
  };

  bool has_factors() const { return weights == MapWeights::kGrid || parts == ops::DeflectionParts::kDerivatives; }

  template <class T>
  std::unique_ptr<Lens<T>> make_lens(StepRun<T>& step, const transform::MapField<T>& vectors, Index number,
                                     std::optional<Index> place) const {
    warn_of_deflection(step, vectors, number, place);
    auto made = std::make_unique<Lens<T>>();
    step.local("allocate", [&] {
      if (has_factors()) made->factors = factors_of(vectors, number);
    });
    points::PointTransformSpec spec = point_spec(step.result_info(), accuracy, step.execution(), 1);
    spec.device_work = step.device_work();
    made->lens = std::make_unique<ops::Lens<T>>(step.comm(), vectors, number, spec,
                                                transform::Monitor{.timers = &step.record().timers});
    return made;
  }

  template <class T>
  backend::DualBuffer<double> factors_of(const transform::MapField<T>& vectors, Index number) const {
    backend::DualBuffer<double> made(vectors.local_size());
    const std::span<double> factors = made.host();
    std::ranges::fill(factors, 1.0);
    if (weights == MapWeights::kGrid) {
      const dist::PixelDistribution& pixels = vectors.distribution();
      const std::vector<Index> rings = pixels.local_rings(vectors.rank()),
                               places = pixels.local_ring_pixels(vectors.rank());
      for (std::size_t r = 0; r < rings.size(); ++r) {
        const grid::Ring& ring = pixels.grid().rings()[core::at(rings[r])];
        std::fill_n(factors.begin() + places[r], ring.nphi, ring.weight / static_cast<double>(ring.nphi));
      }
    }
    if (parts == ops::DeflectionParts::kDerivatives) {
      const std::span<const T> magnification = vectors.component(number, 2);
      for (std::size_t i = 0; i < factors.size(); ++i) factors[i] *= static_cast<double>(magnification[i]);
    }
    return made;
  }
};

struct LensAdjointKeys {
  std::string map, potential, deflection, out;
  Limits limits;
  MapWeights weights = MapWeights::kNone;
  ops::DeflectionParts parts = ops::DeflectionParts::kVectors;
  PointAccuracy accuracy;

  static Keys<LensAdjointKeys> keys() {
    using Section = LensAdjointKeys;
    using K = KeyMakers<Section>;
    return {K::value_name("map", &Section::map, ValueSort::kMap, "the map").required(),
            potential_key<Section>(),
            deflection_key<Section>(),
            K::lmax(&Section::limits).required(),
            K::mmax(&Section::limits),
            K::choice("weights", &Section::weights, {"none", "grid"},
                      "pixel weights: 1, or the quadrature weights of the grid"),
            K::flag("magnify", &Section::parts,
                    "multiply pixels by det(dn'/dn); with the quadrature weights of the grid, this is "
                    "[delensing](lensing.md#adjoint-and-delensing)"),
            accuracy_key<Section>("relative error, from [transforms at points](lensing.md#accuracy)",
                                  "1e-7; in single precision 1e-6"),
            K::result_name("out", &Section::out, "the coefficients").required()};
  }

  void finish(const YamlValue& value) const { check_deflection_keys(value, potential, deflection); }

  Operations expand() const {
    const std::string coefficients = out + " (deflection coefficients)", vectors = out + " (deflection)";
    Operations steps{std::make_shared<const Deflection>(potential, deflection, parts, coefficients)};
    if (parts == ops::DeflectionParts::kVectors) {
      steps.push_back(std::make_shared<const Synthesis>(coefficients, map, vectors));
    } else {
      const std::string derivatives = out + " (derivatives)";
      steps.push_back(std::make_shared<const Synthesis>(coefficients, map, derivatives));
      steps.push_back(std::make_shared<const Magnification>(derivatives, vectors));
    }
    steps.push_back(std::make_shared<const AdjointDisplace>(
        map, vectors, deflection.empty() ? "potential" : "deflection", deflection.empty() ? potential : deflection,
        limits, weights, parts, accuracy, out));
    return steps;
  }
};

}  // namespace

OperationKind lens_adjoint() {
  return composed_kind<LensAdjointKeys>(
      "lens_adjoint", "Apply the transpose of [lens](lensing.md#adjoint-and-delensing), from maps to coefficients");
}

}  // namespace armilla::job::steps
