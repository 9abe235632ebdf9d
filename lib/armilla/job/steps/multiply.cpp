#include <armilla/core/error.hpp>
#include <armilla/job/parse/spectrum_kind.hpp>
#include <armilla/job/steps/rows.hpp>
#include <armilla/job/steps/step.hpp>
#include <armilla/job/value/unit_powers.hpp>
#include <armilla/ops/alm_algebra.hpp>
#include <armilla/ops/map_algebra.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job::steps {

namespace {

const char* const kOneFactor = "exactly one of `map` and `alm` is required";

/// Finds the column for a component: by its own name, by that of its spectrum, by that in HEALPix windows, by those in
/// windows of Planck's maps and instrument models, or the only column.
std::optional<std::size_t> find_column(const std::vector<std::string>& columns, const std::string& component) {
  for (const std::string& name :
       {component, component + component, std::string(component == "T" ? "TEMPERATURE" : "POLARIZATION"),
        std::string(component == "T" ? "INT_BEAM" : "POL_BEAM"), std::string("NOMINAL")})
    if (const auto found = std::ranges::find(columns, name); found != columns.end())
      return static_cast<std::size_t>(found - columns.begin());
  return columns.size() == 1 ? std::optional<std::size_t>(0) : std::nullopt;
}

/// The value of `by`; exactly one of window, band and laplacian_power is set.
struct FunctionOfL {
  std::optional<Reference> window;
  std::vector<std::string> columns;             // of the file of the window
  std::optional<std::pair<Index, Index>> band;  // first and last l
  std::optional<double> laplacian_power;

  static Keys<FunctionOfL> keys() {
    using K = KeyMakers<FunctionOfL>;
    const std::string one = "exactly one of `window`, `l_range` and `laplacian_power` is required";
    return {K::reference("window", &FunctionOfL::window, ValueSort::kSpectra,
                         "functions of l: one column for each component, or one for all")
                .requirement(one),
            spectra_columns_key(&FunctionOfL::columns),
            K::other("l_range", "[first, last]", "range of l: 1 within, 0 outside", parse_band).requirement(one),
            K::number("laplacian_power", &FunctionOfL::laplacian_power, -K::kAny, K::kAny,
                      "power p in (l (l + 1))^p, with 0 at l = 0; p = 1 is minus the Laplacian, p = -1 its inverse")
                .requirement(one)};
  }

  static void parse_band(FunctionOfL& by, const YamlValue& value, const ParseContext&) {
    const auto ends = value.items();
    if (ends.size() != 2) value.fail("is not a list of two numbers: expected [first l, last l]");
    by.band = {ends[0].whole_number(0, kLargestNumber), ends[1].whole_number(0, kLargestNumber)};
    if (by.band->first > by.band->second) value.fail("contains no l: expected [first l, last l] in ascending order");
  }

  void finish(const YamlValue& value) const {
    const int given = window.has_value() + band.has_value() + laplacian_power.has_value();
    if (given != 1)
      value.fail(fmt::format("has {} functions of l: expected exactly one of window, l_range, laplacian_power", given));
    if (window)
      check_spectra_columns(value, *window);
    else if (const auto key = value.find("columns"))
      key->fail("applies to the file of a window only: remove it");
  }
};

/// The values at l = 0 .. lmax for each component.
std::vector<std::vector<double>> windows_of(const FunctionOfL& by, const ValueInfo& alm,
                                            const alm::SpectraTable* table) {
  const auto size = static_cast<std::size_t>(alm.alm->layout().lmax() + 1);
  std::vector<std::vector<double>> windows;
  for (const auto& name : alm.kind.alm_names()) {
    std::vector<double>& window = windows.emplace_back(size, 0.0);
    if (table != nullptr) {
      window = table->columns[*find_column(table->names, name)];
    } else if (by.band) {
      for (std::size_t l = 0; l < size; ++l)
        window[l] = static_cast<Index>(l) >= by.band->first && static_cast<Index>(l) <= by.band->second;
    } else {
      for (std::size_t l = 1; l < size; ++l)
        window[l] = std::pow(static_cast<double>(l) * static_cast<double>(l + 1), *by.laplacian_power);
      if (*by.laplacian_power == 0) window[0] = 1;
    }
  }
  return windows;
}

struct Multiply final : Step<Multiply> {
  std::optional<FunctionOfL> by;
  std::string with, units;

  static Keys<Multiply> keys() {
    KeyOf<Multiply> function = section("by", &Multiply::by, "the function of l").requirement("required with `alm`");
    function.key.applies_to = "alm";
    return {operand("map", ValueSort::kMap, "the map; pixels that are bad in a factor are bad in the product")
                .requirement(kOneFactor),
            operand("alm", ValueSort::kAlm, "the coefficients").requirement(kOneFactor),
            value_name("with", &Multiply::with, ValueSort::kMap,
                       "a map on the same grid, with one component for all, or with one for each component of `map`")
                .requirement("required with `map`"),
            std::move(function),
            text("units", &Multiply::units, "the [unit](job_reference.md#units) of the product")
                .fallback("the product of the units of two maps; that of `alm`"),
            result("the product")};
  }
  void finish(const YamlValue& value) {
    if (operands().size() != 1)
      value.complain(fmt::format("needs one of {} and {}", core::mention({}, "map"), core::mention({}, "alm")));
    const bool is_map = operands().front().sort == ValueSort::kMap;
    if (const auto given = value.find(is_map ? "by" : "with"))
      given->fail(is_map ? "applies to alm only: analyse the map first (step analysis)"
                         : "applies to maps only: remove it");
    if (is_map && with.empty())
      value.complain(fmt::format("lacks {}: name the map to multiply with", core::mention({}, "with")));
    if (!is_map && !by) value.complain(fmt::format("lacks {}: give the function of l", core::mention({}, "by")));
    if (is_map) take("with", with, ValueSort::kMap);
    if (by && by->window) take("by.window", *by->window, ValueSort::kSpectra, {}, by->columns);
  }

  void plan(StepPlanner& planner) const override {
    if (planner.operand().sort == ValueSort::kMap)
      plan_maps(planner);
    else
      plan_alm(planner);
    if (!units.empty()) planner.result().units.assign(core::at(planner.result().kind.components()), units);
  }

  template <class T>
  void execute(StepRun<T>& step) const {
    step.local("multiply", [&] {
      if (step.operand_info().sort == ValueSort::kMap) {
        transform::MapField<T>& product = step.take_map();
        const bool same = step.planned().operands[0] == step.planned().operands[1];
        return ops::multiply(product, same ? product : step.map(1));
      }
      const auto windows = windows_of(*by, step.result_info(), by->window ? &step.spectra(1).front() : nullptr);
      ops::multiply(step.take_alm(), std::span<const std::vector<double>>(windows));
    });
  }

  std::string plan_note(const JobPlan& plan, const PlannedStep& planned) const override {
    const std::vector<std::string> names = plan.values[planned.results.front()].kind.alm_names();
    if (!by || !by->window || names.size() < 2) return {};
    const ValueInfo& table = plan.values[planned.operands[1]];
    if (table.spectra.size() > 1 || table.spectra.front() == names.front()) return {};
    return fmt::format("the only column of {} multiplies all components: {}", table.name, fmt::join(names, ", "));
  }
  bool reuses_operand() const override { return true; }
  bool keeps_bad_pixels() const override { return true; }

 private:
  void plan_alm(StepPlanner& planner) const {
    ValueInfo& product = planner.make_field(ValueSort::kAlm);
    product.alm = planner.operand().alm;
    if (!by->window) return;
    const ValueInfo& table = planner.operand(1);
    const Index lmax = product.alm->layout().lmax();
    if (table.per_item) planner.refuse_operand(1, "has separate windows for each map: use windows shared by all maps");
    if (table.spectra_lmax < lmax)
      planner.refuse_operand(1, fmt::format("ends at l = {}, but {} has lmax = {}: resize the alm to lmax = {} first",
                                            table.spectra_lmax, planner.named(0), lmax, table.spectra_lmax));
    for (const auto& name : product.kind.alm_names())
      if (!find_column(table.spectra, name))
        planner.refuse_operand(
            1, fmt::format("has the columns {}, but none for {}: name one {}, or use a file with one column",
                           fmt::join(table.spectra, ", "), name, name));
  }

  static void plan_maps(StepPlanner& planner) {
    const ValueInfo& map = planner.operand(0);
    const ValueInfo& other = planner.operand(1);
    const grid::RingGrid &grid = map.pixels->grid(), &other_grid = other.pixels->grid();
    if (!grid.same_pixels(other_grid))
      planner.refuse_operand(1,
                             fmt::format("is on {}, but {} is on {}: bring both to one grid with regrid",
                                         other_grid.description().text(), planner.named(0), grid.description().text()));
    const Index components = map.kind.components(), others = other.kind.components();
    if (others != 1 && others != components)
      planner.refuse_operand(1, fmt::format("has the components {}, but {} has {}: use a map with one component, or "
                                            "with one for each{}",
                                            fmt::join(other.kind.map_names(), ", "), planner.named(0),
                                            fmt::join(map.kind.map_names(), ", "),
                                            components == 1 ? ", or swap the two maps" : planner.how_to_select(1)));
    ValueInfo& product = planner.make_field(ValueSort::kMap);
    product.pixels = map.pixels;
    product.coordsys = planner.common_coordinates(0);
    product.units.resize(core::at(components));
    for (std::size_t c = 0; c < product.units.size(); ++c) {
      const std::size_t with_component = others == 1 ? 0 : c;
      product.units[c] =
          unit_product(product.units[c], with_component < other.units.size() ? other.units[with_component] : "");
    }
  }
};

}  // namespace

OperationKind multiply() {
  return Multiply::kind("multiply",
                        "Multiply coefficients by a [function of l](job_reference.md#functions-of-l), or a map by "
                        "another map, pixel by pixel");
}

}  // namespace armilla::job::steps
