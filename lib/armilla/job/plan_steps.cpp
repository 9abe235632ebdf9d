#include <armilla/core/error.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/io/read.hpp>
#include <armilla/job/plan_builder.hpp>

#include <numeric>

#include <fmt/format.h>

namespace armilla::job {

namespace {

/// One step with all that its checks look at; each overload of plan() checks one operation and fills `result`.
struct StepPlanner {
  PlanBuilder& builder;
  const StepSpec& step;
  PlannedStep& planned;
  ValueInfo& result;

  const ValueInfo& operand(std::size_t number) const { return builder.value(planned.operands[number]); }

  [[noreturn]] void refuse_key(std::string_view key, const std::string& value, const std::string& rest) const {
    refuse(step.place, key, value, rest);
  }

  void make_field(ValueSort sort, const ValueInfo& from) {
    result.sort = sort;
    result.kind = from.kind;
    result.units = from.units;
    result.coordsys = from.coordsys;
  }

  void use_transform(std::shared_ptr<const dist::AlmDistribution> alm,
                     std::shared_ptr<const dist::PixelDistribution> pixels, std::size_t transforms) {
    planned.transform = transform::FieldTransformSpec{.kind = result.kind,
                                                      .alm = std::move(alm),
                                                      .pixels = std::move(pixels),
                                                      .backend = builder.spec().execution.backend,
                                                      .options = builder.spec().execution.options};
    planned.transforms = transforms;
  }

  void plan(const RandomAlm& random) {
    result.sort = ValueSort::kAlm;
    result.kind = kind_of(random.fields, step.place);
    result.alm = builder.alm(random.lmax, random.mmax);
    try {
      planned.spectrum = io::read_spectra(random.spectrum, random.spectrum_kind == SpectrumKind::kDl);
    } catch (const core::InputError& error) {
      throw core::InputError(fmt::format("{}: {}.spectrum: {}", step.place.where, step.place.path, error.what()));
    }
    const alm::SpectraTable& table = *planned.spectrum;
    if (table.lmax < random.lmax)
      refuse_key("lmax", fmt::format("{}", random.lmax),
                 fmt::format("exceeds l = {}, the last of {}: lower lmax", table.lmax, random.spectrum));
    double sum = 0;
    for (const auto& column : table.columns) sum = std::accumulate(column.begin(), column.end(), sum);
    builder.note(random.spectrum,
                 fmt::format("{} to l = {}, sum {:.17g}", fmt::join(table.names, " "), table.lmax, sum));
    for (const auto& name : result.kind.alm_names())
      if (table.find(name + name) == nullptr)
        refuse_key("spectrum", random.spectrum,
                   fmt::format("has no column {0}{0}, which the field {0} needs; it has {1}", name,
                               fmt::join(table.names, ", ")));
    const auto square = table.unit.rfind("^2");
    std::string unit = square == std::string::npos ? std::string() : table.unit.substr(0, square);
    if (unit.size() > 2 && unit.front() == '(' && unit.back() == ')') unit = unit.substr(1, unit.size() - 2);
    result.units.assign(static_cast<std::size_t>(result.kind.components()), unit == "muK" ? "uK" : unit);
  }

  void plan(const Synthesis& synthesis) {
    make_field(ValueSort::kMap, operand(0));
    result.pixels = builder.pixels(synthesis.grid);
    use_transform(operand(0).alm, result.pixels, 1);
  }

  void plan(const Analysis& analysis) {
    make_field(ValueSort::kAlm, operand(0));
    const grid::RingGrid& grid = operand(0).pixels->grid();
    if (!grid.has_weights())
      refuse_key(
          "map", analysis.map,
          fmt::format("lies on {}, which has no quadrature weights: give the dataset 'weight' in its file, or use "
                      "adjoint_synthesis",
                      grid.description().text()));
    if (analysis.aliasing == Aliasing::kRefuse) check_aliasing(analysis, grid);
    result.alm = builder.alm(analysis.lmax, analysis.mmax);
    use_transform(result.alm, operand(0).pixels, 1 + 2 * static_cast<std::size_t>(analysis.method.jacobi_iterations));
  }

  void check_aliasing(const Analysis& analysis, const grid::RingGrid& grid) const {
    const auto check = [&](const char* key, Index value, const std::string& rule, Index limit) {
      if (value > limit)
        refuse_key(key, fmt::format("{}", value),
                   fmt::format("exceeds {} = {} of map '{}' (aliased): lower {}, or set allow_aliasing: true", rule,
                               limit, analysis.map, key));
    };
    const grid::AnalysisLimits& limits = grid.analysis_limits();
    check("lmax", analysis.lmax, limits.lmax_rule, limits.lmax);
    check("mmax", analysis.mmax, limits.mmax_rule, limits.mmax);
  }

  void plan(const AdjointSynthesis& adjoint) {
    make_field(ValueSort::kAlm, operand(0));
    result.units.assign(result.units.size(), "");  // a sum over pixels has no unit of its own
    result.alm = builder.alm(adjoint.lmax, adjoint.mmax);
    use_transform(result.alm, operand(0).pixels, 1);
  }

  void plan(const Smooth&) {
    make_field(ValueSort::kAlm, operand(0));
    result.alm = operand(0).alm;
  }

  void check_same_kind(const char* key, const std::string& name) const {
    if (!(operand(0).kind == operand(1).kind))
      refuse_key(key, name,
                 fmt::format("has the fields {}, but '{}' has {}: take alm of one kind",
                             fmt::join(operand(1).kind.alm_names(), ", "), operand(0).name,
                             fmt::join(operand(0).kind.alm_names(), ", ")));
  }

  void plan(const Spectra& spectra) {
    check_same_kind("with", spectra.with);
    result.sort = ValueSort::kSpectra;
    result.spectra_lmax = std::min(operand(0).alm->layout().lmax(), operand(1).alm->layout().lmax());
    const auto& names = operand(0).kind.alm_names();
    for (const auto& name : names) result.spectra.push_back(name + name);
    for (std::size_t i = 0; i < names.size(); ++i)
      for (std::size_t j = i + 1; j < names.size(); ++j) result.spectra.push_back(names[i] + names[j]);
    std::string unit = operand(0).units.empty() ? "" : operand(0).units.front();
    for (std::size_t number = 0; number < 2; ++number)
      for (const auto& other : operand(number).units)
        if (other != unit) unit.clear();
    result.units = {unit.empty() ? unit : unit + "^2"};
    result.coordsys = operand(0).coordsys;
  }

  void plan(const Compare& compare) {
    check_same_kind("reference", compare.reference);
    const auto& layout = operand(0).alm->layout();
    const auto& other = operand(1).alm->layout();
    if (!(layout == other))
      refuse_key("reference", compare.reference,
                 fmt::format("has lmax {}, mmax {}, but '{}' has lmax {}, mmax {}: make them equal", other.lmax(),
                             other.mmax(), compare.alm, layout.lmax(), layout.mmax()));
  }
};

}  // namespace

std::shared_ptr<const dist::PixelDistribution> PlanBuilder::pixels(const GridSpec& spec) {
  try {
    if (spec.description.kind != "rings")
      return pixels(std::make_shared<const grid::RingGrid>(grid::make_grid(spec.description)));
    auto rings = io::read_rings(spec.description.file);
    note(spec.description.file, rings->description().text() + fmt::format(", {} pixels", rings->npix()));
    return pixels(std::move(rings));
  } catch (const core::InputError& error) {
    throw core::InputError(fmt::format("{}: {}: {}", spec.place.where, spec.place.path, error.what()));
  }
}

void PlanBuilder::steps() {
  for (const auto& step : plan_.spec.steps) {
    PlannedStep planned;
    for (const auto& operand : operands(step.operation)) planned.operands.push_back(find(step.place, operand));
    ValueInfo result;
    result.name = result_name(step.operation);
    StepPlanner planner{*this, step, planned, result};
    std::visit([&](const auto& operation) { planner.plan(operation); }, step.operation);
    if (!result.name.empty()) planned.result = add(step.place, std::move(result));
    plan_.steps.push_back(std::move(planned));
  }
}

}  // namespace armilla::job
