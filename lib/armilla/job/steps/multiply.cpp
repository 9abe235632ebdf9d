#include <armilla/core/error.hpp>
#include <armilla/io/read.hpp>
#include <armilla/job/step_planner.hpp>
#include <armilla/job/step_run.hpp>
#include <armilla/job/steps/multiply.hpp>
#include <armilla/ops/alm_algebra.hpp>

#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace armilla::job::steps {

namespace {

/// The column for a component: under its own name, that of HEALPix's files of windows, or the only one.
const std::vector<double>* find_column(const alm::SpectraTable& table, const std::string& component) {
  if (const auto* column = table.find(component)) return column;
  if (const auto* column = table.find(component == "T" ? "TEMPERATURE" : "POLARIZATION")) return column;
  return table.columns.size() == 1 ? &table.columns.front() : nullptr;
}

/// The values at l = 0 .. lmax for each component.
std::vector<std::vector<double>> windows_of(const Multiply& multiply, const ValueInfo& alm,
                                            const std::optional<alm::SpectraTable>& table) {
  const auto size = static_cast<std::size_t>(alm.alm->layout().lmax() + 1);
  std::vector<std::vector<double>> windows;
  for (const auto& name : alm.kind.alm_names()) {
    std::vector<double>& window = windows.emplace_back(size, 0.0);
    if (table) {
      window = *find_column(*table, name);
    } else if (multiply.band) {
      for (std::size_t l = 0; l < size; ++l)
        window[l] = static_cast<Index>(l) >= multiply.band->first && static_cast<Index>(l) <= multiply.band->second;
    } else {
      for (std::size_t l = 1; l < size; ++l)
        window[l] = std::pow(static_cast<double>(l) * static_cast<double>(l + 1), *multiply.laplacian_power);
      if (*multiply.laplacian_power == 0) window[0] = 1;
    }
  }
  return windows;
}

template <class T>
void run_as(const Multiply& multiply, StepRun<T>& step) {
  step.local("multiply", [&] {
    const auto windows = windows_of(multiply, step.result_info(), step.planned().table);
    ops::multiply(step.take_alm(), std::span<const std::vector<double>>(windows));
  });
}

}  // namespace

Multiply::Multiply(const YamlValue& value, const ParseContext& context) {
  take(value, "alm", ValueSort::kAlm);
  make(value);
  const YamlValue by = value.at("by");
  by.expect_keys(std::vector<std::string>{"window", "l_range", "laplacian_power"});
  if (by.members().size() != 1)
    by.fail(
        fmt::format("names {} functions of l: expected one of window, l_range, laplacian_power", by.members().size()));
  if (const auto file = by.find("window")) window = {file->place(), context.resolve(file->text())};
  if (const auto range = by.find("l_range")) {
    const auto ends = range->items();
    if (ends.size() != 2) range->fail("does not have two numbers: expected [first l, last l]");
    band = {ends[0].whole_number(0, kLargestNumber), ends[1].whole_number(0, kLargestNumber)};
    if (band->first > band->second) range->fail("holds no l: expected [first l, last l] in ascending order");
  }
  if (const auto power = by.find("laplacian_power")) laplacian_power = parse_finite(*power);
}

OperationKind Multiply::kind() { return {"multiply", {"alm", "by", "out"}, parse_step<Multiply>}; }

void Multiply::plan(StepPlanner& planner) const {
  ValueInfo& product = planner.make_field(ValueSort::kAlm);
  product.alm = planner.operand().alm;
  if (!window) return;
  const std::string& file = window->second;
  try {
    planner.planned().table = io::read_spectra(file, false);
  } catch (const core::InputError& error) {
    planner.rethrow("by.window", error.what());
  }
  const alm::SpectraTable& table = *planner.planned().table;
  const Index lmax = product.alm->layout().lmax();
  if (table.lmax < lmax)
    planner.refuse_key("by.window", file,
                       fmt::format("ends at l = {}, and '{}' has lmax = {}: resize that one to lmax = {} first",
                                   table.lmax, planner.operand().name, lmax, table.lmax));
  for (const auto& name : product.kind.alm_names())
    if (find_column(table, name) == nullptr)
      planner.refuse_key("by.window", file,
                         fmt::format("has the columns {}, and none for {}: name one {}, or give a file of one column",
                                     fmt::join(table.names, ", "), name, name));
  double sum = 0;
  for (const auto& column : table.columns) sum = std::accumulate(column.begin(), column.end(), sum);
  planner.builder().note(file, fmt::format("{} to l = {}, sum {:.17g}", fmt::join(table.names, " "), table.lmax, sum));
}

std::vector<std::pair<Place, std::string>> Multiply::files() const {
  if (!window) return {};
  return {*window};
}

void Multiply::run(StepRun<float>& step) const { run_as(*this, step); }
void Multiply::run(StepRun<double>& step) const { run_as(*this, step); }

}  // namespace armilla::job::steps
