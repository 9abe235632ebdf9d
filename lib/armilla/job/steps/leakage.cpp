#include <armilla/core/error.hpp>
#include <armilla/job/parse_values.hpp>
#include <armilla/job/step_planner.hpp>
#include <armilla/job/step_run.hpp>
#include <armilla/job/steps/analysis.hpp>
#include <armilla/job/steps/analysis_method.hpp>
#include <armilla/job/steps/leakage.hpp>
#include <armilla/job/steps/mask.hpp>
#include <armilla/job/steps/select.hpp>
#include <armilla/job/steps/synthesis.hpp>
#include <armilla/ops/leakage.hpp>
#include <armilla/ops/mask.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job::steps {

namespace {

/// Components of E, B.
constexpr Index kE = 0;
constexpr Index kB = 1;

/// The first step: a mask with one component, on a map that is polarisation.
struct MaskPolarisation final : Mask {
  using Mask::Mask;

  void plan(StepPlanner& planner) const override {
    const transform::FieldKind& kind = planner.operand(0).kind;
    if (kind.parts().size() != 1 || kind.max_spin() == 0)
      planner.refuse_operand(
          0, fmt::format("has the fields {}, but leakage is between the E and B of Q, U: read it with fields: [Q, U], "
                         "or take them from it with a step select",
                         fmt::join(kind.map_names(), ", ")));
    if (const Index components = planner.operand(1).kind.components(); components != 1)
      planner.refuse_operand(1, fmt::format("has {} components: give one, which Q and U share", components));
    Mask::plan(planner);
  }
};

std::vector<std::shared_ptr<const Operation>> parse(const YamlValue& value, const ParseContext&) {
  const std::string out = value.text("out");
  const auto name = [&](const char* key) {
    const auto given = value.find(key);
    return given ? given->text() : fmt::format("{} ({})", out, key);
  };
  const auto between = [&](const char* what) { return fmt::format("{} ({})", out, what); };
  const std::string mask = value.text("mask");
  const auto analysis = [&](const std::string& map, const std::string& alm) {
    auto step = std::make_shared<Analysis>(map, parse_analysis_method(value), alm);
    step->limits = parse_lmax_mmax(value);
    if (const auto allow = value.find("allow_aliasing"))
      step->aliasing = allow->yes_or_no() ? Analysis::Aliasing::kAllow : Analysis::Aliasing::kRefuse;
    return step;
  };
  const auto select_b = [&](const std::string& alm, const std::string& b) {
    return std::make_shared<const Select>(ValueSort::kAlm, alm, Components(kB), b);
  };
  const auto like_mask = [&](const std::string& alm, const std::string& map) {
    return std::make_shared<const Synthesis>(alm, mask, map);
  };

  // All of spin 2 first, then all scalars, so that one transform is built for each.
  std::vector<std::shared_ptr<const Operation>> steps{
      std::make_shared<const MaskPolarisation>(value.text("map"), mask, between("masked")),
      analysis(between("masked"), between("E, B")),
      select_b(between("E, B"), between("B")),
      std::make_shared<const KeepOnly>(between("E, B"), Components(kE), between("E")),
      like_mask(between("E"), between("Q, U of E")),
      std::make_shared<const Mask>(between("Q, U of E"), mask, between("masked Q, U of E")),
      analysis(between("masked Q, U of E"), between("E, B of E")),
      select_b(between("E, B of E"), between("B of E")),
      like_mask(between("B"), name("b_map")),
      like_mask(between("B of E"), name("template")),
      std::make_shared<const RemoveLeakage>(name("b_map"), name("template"), mask, out),
  };
  if (value.find("alm")) steps.push_back(analysis(out, value.text("alm")));
  return steps;
}

template <class T>
void run_as(const RemoveLeakage&, StepRun<T>& step) {
  const std::vector<ops::LeakageFit> fits = [&] {
    const core::ScopedPhase timer(step.record().timers, "fit");
    return ops::fit_leakage(step.comm(), step.map(0), step.map(1), step.map(2));
  }();
  LeakageFits found{step.place().path, step.result_info().name, {}};
  for (std::size_t k = 0; k < fits.size(); ++k)
    if (step.batch().is_there(static_cast<Index>(k)))
      found.lines.push_back({step.batch().first + static_cast<Index>(k), fits[k].slope, fits[k].intercept});
  step.local("fit", [&] { ops::remove_leakage(step.take_map(), step.map(1), step.map(2), fits); });
  add_leakage(step.record().leakage, found);
}

}  // namespace

OperationKind Leakage::kind() {
  return {"leakage",
          {"map", "mask", "lmax", "mmax", "method", "tolerance", "allow_aliasing", "b_map", "template", "alm", "out"},
          parse};
}

RemoveLeakage::RemoveLeakage(const std::string& map, const std::string& pattern, const std::string& mask,
                             const std::string& out) {
  take("b_map", map, ValueSort::kMap);
  take("template", pattern, ValueSort::kMap);
  take("mask", mask, ValueSort::kMap);
  make(out);
}

void RemoveLeakage::plan(StepPlanner& planner) const {
  planner.make_field(ValueSort::kMap).pixels = planner.operand().pixels;
}

void RemoveLeakage::run(StepRun<float>& step) const { run_as(*this, step); }
void RemoveLeakage::run(StepRun<double>& step) const { run_as(*this, step); }

}  // namespace armilla::job::steps
