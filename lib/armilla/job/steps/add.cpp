#include <armilla/job/steps/rows.hpp>
#include <armilla/job/steps/step.hpp>
#include <armilla/job/value/unit_powers.hpp>
#include <armilla/ops/alm_algebra.hpp>
#include <armilla/ops/map_algebra.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job::steps {

namespace {

const char* const kOneFirst = "exactly one of `map` and `alm` is required";
const char* const kOneSummand = "exactly one of `with` and `number` is required";

struct Add final : Step<Add> {
  double factor = 1;        // of the first summand
  double other_factor = 1;  // of `with`
  std::optional<double> number_added;
  std::string with, units;

  static Keys<Add> keys() {
    KeyOf<Add> second = value_name("with", &Add::with, ValueSort::kAlm,
                                   "the second summand, of the type of the first: a map on the same grid, or an alm");
    second.key.form = "map or alm";
    return {
        operand("map", ValueSort::kMap, "the first summand; pixels that are bad in a summand are bad in the sum")
            .requirement(kOneFirst),
        operand("alm", ValueSort::kAlm, "the first summand").requirement(kOneFirst),
        std::move(second).requirement(kOneSummand),
        number("number", &Add::number_added, -kAny, kAny, "with a map of scalars: a number added to all pixels")
            .requirement(kOneSummand),
        other("factors", "[number, number]", "the factors of the two summands", parse_factors).fallback("[1, 1]"),
        text("units", &Add::units,
             "the [unit](job_reference.md#units) of the sum. Summands are converted to it; those without a unit are "
             "taken to be in it")
            .fallback("that of the first summand"),
        result("the sum")};
  }

  static void parse_factors(Add& add, const YamlValue& value, const ParseContext&) {
    const auto items = value.items();
    if (items.size() != 2) value.fail("is not a list of two numbers: expected a value such as [1, -1]");
    add.factor = parse_finite(items[0]);
    add.other_factor = parse_finite(items[1]);
  }
  void finish(const YamlValue& value) {
    if (operands().size() != 1)
      value.complain(fmt::format("needs one of {} and {}", core::mention({}, "map"), core::mention({}, "alm")));
    if (with.empty() != number_added.has_value())
      value.complain(fmt::format("needs one of {} and {}", core::mention({}, "with"), core::mention({}, "number")));
    const ValueSort sort = operands().front().sort;
    if (number_added && sort != ValueSort::kMap)
      value.at("number").fail("applies to maps only: remove it, or add alm of a constant map");
    if (!with.empty()) take("with", with, sort);
  }

  void plan(StepPlanner& planner) const override {
    const ValueInfo& first = planner.operand();
    if (number_added) {
      if (first.kind.max_spin() > 0)
        planner.refuse_key("number", fmt::format("{}", *number_added),
                           fmt::format("is a scalar, but {} has the components {}: select a scalar first",
                                       planner.named(0), fmt::join(first.kind.map_names(), ", ")));
    } else if (first.sort == ValueSort::kAlm) {
      planner.check_same_alm();
    } else {
      planner.check_same_kind();
      check_same_grid(planner);
    }
    ValueInfo& sum = planner.make_field(first.sort);
    sum.alm = first.alm;
    sum.pixels = first.pixels;
    if (!number_added) sum.coordsys = planner.common_coordinates(0);
    Factors factors;
    sum.units = units_of_sum(planner);
    factors.first = factors_to(planner, 0, sum.units, factor);
    if (!number_added) factors.second = factors_to(planner, 1, sum.units, other_factor);
    set_state(planner.planned(), std::move(factors));
  }

  template <class T>
  void execute(StepRun<T>& step) const {
    const auto& [first, second] = state_of<Factors>(step.planned());
    step.local("add", [&] {
      if (step.operand_info().sort == ValueSort::kAlm)
        add_alm(step, first, second);
      else
        add_maps(step, first, second);
    });
  }

  bool reuses_operand() const override { return true; }
  bool keeps_bad_pixels() const override { return true; }

 private:
  /// Of the components of the two summands, with the conversion of units.
  struct Factors {
    std::vector<double> first, second;
  };

  static void check_same_grid(const StepPlanner& planner) {
    const grid::RingGrid &first = planner.operand(0).pixels->grid(), &second = planner.operand(1).pixels->grid();
    if (!first.same_pixels(second))
      planner.refuse_operand(1, fmt::format("is on {}, but {} is on {}: bring both to one grid with regrid",
                                            second.description().text(), planner.named(0), first.description().text()));
  }

  std::vector<std::string> units_of_sum(const StepPlanner& planner) const {
    std::vector<std::string> of_first = planner.operand().units;
    of_first.resize(core::at(planner.operand().kind.components()));
    if (!units.empty()) std::ranges::fill(of_first, units);
    return of_first;
  }

  /// The factors of a summand, for a sum with the units `to`.
  std::vector<double> factors_to(const StepPlanner& planner, std::size_t number, const std::vector<std::string>& to,
                                 double factor_of_all) const {
    std::vector<std::string> from = planner.operand(number).units;
    from.resize(to.size());
    std::vector<double> factors;
    for (std::size_t c = 0; c < to.size(); ++c) {
      const bool is_stated = from[c].empty() && !units.empty();
      const auto conversion = from[c] == to[c] || is_stated ? 1.0 : unit_factor(from[c], to[c]);
      if (!conversion) refuse_units(planner, number, from, to);
      factors.push_back(*conversion * factor_of_all);
    }
    return factors;
  }

  [[noreturn]] void refuse_units(const StepPlanner& planner, std::size_t number, const std::vector<std::string>& from,
                                 const std::vector<std::string>& to) const {
    const auto text = [](const std::vector<std::string>& names) {
      const bool none = std::ranges::all_of(names, [](const std::string& name) { return name.empty(); });
      return none ? std::string("no units") : fmt::format("the units {}", fmt::join(names, ", "));
    };
    const std::string other = number == 0 || !units.empty() ? "the sum" : fmt::format("{}", planner.named(0));
    planner.refuse_operand(
        number, fmt::format("has {}, but {} has {}, and there is no known conversion: set {} to the unit of the sum, "
                            "if a summand has none, or scale it to the unit of the other",
                            text(from), other, text(to), core::mention({}, "units")));
  }

  template <class T>
  void add_alm(StepRun<T>& step, const std::vector<double>& first, const std::vector<double>& second) const {
    transform::AlmField<T>& sum = step.take_alm();
    const bool same = step.planned().operands[0] == step.planned().operands[1];
    ops::add(sum, first, same ? sum : step.alm(1), second);
  }
  template <class T>
  void add_maps(StepRun<T>& step, const std::vector<double>& first, const std::vector<double>& second) const {
    transform::MapField<T>& sum = step.take_map();
    if (number_added) {
      if (std::ranges::any_of(first, [](double one) { return one != 1; })) ops::scale(sum, first);
      ops::add(sum, *number_added * other_factor);
      return;
    }
    const bool same = step.planned().operands[0] == step.planned().operands[1];
    ops::add(sum, first, same ? sum : step.map(1), second);
  }
};

}  // namespace

OperationKind add() {
  return Add::kind(
      "add",
      "Add two maps, pixel by pixel, or a map and a number, or coefficients: factors[0] `map` + factors[1] "
      "`with`; maps must have the same grid, coefficients the same lmax and mmax");
}

}  // namespace armilla::job::steps
