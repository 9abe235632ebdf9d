#include <armilla/comm/phase.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/core/log.hpp>
#include <armilla/job/parse/refuse.hpp>
#include <armilla/job/run/finite_check.hpp>
#include <armilla/job/value/output_file.hpp>
#include <armilla/ops/nonfinite.hpp>

#include <algorithm>
#include <complex>
#include <optional>
#include <span>

#include <fmt/format.h>

namespace armilla::job {

std::string nonfinite_advice() {
  return fmt::format("check the range of the inputs and the factors of the steps, or set {} to write them anyway",
                     core::mention("execution", "on_nonfinite", "warn"));
}

namespace {

/// Storage format of a value.
struct Storage {
  core::Precision precision;
  const ValueInfo* info;
  const OutputSpec* output = nullptr;  ///< null: it is not an output
};

/// std::nullopt for values that are neither written to a file nor kept for the caller. Infinite numbers in maps with
/// bad pixels are found at once, because later steps could turn them into NaN.
std::optional<Storage> storage_of(const JobPlan& plan, std::size_t value) {
  const ValueInfo& info = plan.values[value];
  for (std::size_t i = 0; i < plan.outputs.size(); ++i)
    if (plan.outputs[i].value == value)
      return Storage{info.is_table() ? core::Precision::kDouble : plan.spec.outputs[i].precision, &info,
                     &plan.spec.outputs[i]};
  if (is_kept_for_caller(plan, value) || info.has_bad)
    return Storage{info.is_table() ? core::Precision::kDouble : plan.spec.execution.precision, &info};
  for (const PlannedStep& step : plan.steps)
    for (const std::size_t result : step.results)
      if (plan.values[result].sort == ValueSort::kStatistics && step.operands.front() == value &&
          (is_output(plan, result) || is_kept_for_caller(plan, result)))
        return Storage{core::Precision::kDouble, &info};
  return std::nullopt;
}

struct Counts {
  Index nan = 0, infinite = 0, all = 0;
};

template <class T>
Counts count(std::span<const T> numbers, core::Precision precision) {
  const ops::NonfiniteCount found = ops::count_nonfinite(numbers, precision);
  return {found.nan, found.infinite, static_cast<Index>(numbers.size())};
}

template <class T>
std::span<const T> reals(std::span<const std::complex<T>> numbers) {
  return {reinterpret_cast<const T*>(numbers.data()), 2 * numbers.size()};
}

/// Local values of one map. Spectra are replicated, so only rank 0 counts them. Bad pixels of maps do not count.
template <class T>
Counts own_counts(const comm::Communicator& comm, const Value<T>& value, Index place, const Storage& storage) {
  const bool is_converted = storage.output != nullptr && stores_other_numbers(*storage.output, *storage.info);
  const auto counts_of = [&](std::span<const T> numbers) {
    if (!is_converted) return count(numbers, storage.precision);
    return count(std::span<const T>(as_stored(*storage.output, *storage.info, numbers)), storage.precision);
  };
  if (const auto* map = value.template find<transform::MapField<T>>()) {
    Counts counts = counts_of(numbers_of(*map, place));
    if (storage.info->has_bad) counts.nan = 0;
    return counts;
  }
  if (const auto* alm = value.template find<transform::AlmField<T>>()) {
    const std::span<const std::complex<T>> numbers = numbers_of(*alm, place);
    if (!is_converted) return count(reals(numbers), storage.precision);
    const std::vector<std::complex<T>> other = as_stored(*storage.output, *storage.info, *alm, place);
    return count(reals(std::span<const std::complex<T>>(other)), storage.precision);
  }
  if (const auto* values = value.template find<points::PointField<T>>()) return counts_of(numbers_of(*values, place));
  Counts counts;
  const auto* tables = value.template find<Tables>();
  if (tables == nullptr || !comm.is_root()) return counts;
  const alm::SpectraTable& table = (*tables)[static_cast<std::size_t>(place)];
  const alm::SpectraTable stored = is_converted ? as_stored(*storage.output, *storage.info, table) : table;
  for (const auto& column : stored.columns) {
    const Counts more = count(std::span<const double>(column), storage.precision);
    counts = {counts.nan + more.nan, counts.infinite + more.infinite, counts.all + more.all};
  }
  return counts;
}

Index places_of(const ValueInfo& info, const Batch& batch) { return info.per_item ? batch.maps : 1; }

/// Collective. Counts non-finite values for each map of a value.
template <class T>
std::vector<Counts> all_counts(const comm::Communicator& comm, const Value<T>& value, Index places,
                               const Storage& storage) {
  std::vector<Index> sums;
  comm::phase(comm, [&] {
    for (Index place = 0; place < places; ++place) {
      const Counts own = own_counts(comm, value, place, storage);
      sums.insert(sums.end(), {own.nan, own.infinite, own.all});
    }
  });
  comm.sum(std::span<Index>(sums));
  std::vector<Counts> counts;
  for (std::size_t i = 0; i < sums.size(); i += 3) counts.push_back({sums[i], sums[i + 1], sums[i + 2]});
  return counts;
}

}  // namespace

void handle_nonfinite(const JobPlan& plan, std::size_t value, const std::string& text, bool speaks, RunRecord& record) {
  const auto made = std::ranges::find_if(plan.steps, [&](const PlannedStep& step) {
    return std::ranges::find(step.results, value) != step.results.end();
  });
  const Place& place = plan.spec.steps[static_cast<std::size_t>(made - plan.steps.begin())].place;
  if (plan.spec.execution.on_nonfinite == NonfinitePolicy::kError)
    complain(place, {}, fmt::format("{}: {}", text, nonfinite_advice()));
  if (!speaks) return;
  record.warnings.push_back(plan.spec.word(error_at(place, {}, text)));
  if (record.logs) core::log().warn("{}", record.warnings.back());
}

std::string nonfinite_text(const std::string& name, Index nan, Index infinite, Index all) {
  return fmt::format("'{}' has {} non-finite values out of {} ({} NaN, {} infinite)", name, nan + infinite, all, nan,
                     infinite);
}

template <class T>
std::vector<ops::MapFault> nonfinite_maps(const comm::Communicator& comm, const JobPlan& plan, std::size_t value,
                                          const std::vector<std::size_t>& made_from,
                                          const std::vector<Value<T>>& values, const Batch& batch) {
  const std::optional<Storage> storage = storage_of(plan, value);
  std::vector<ops::MapFault> faults;
  if (!storage || values[value].is_empty()) return faults;
  const ValueInfo& info = plan.values[value];
  const std::vector<Counts> found = all_counts<T>(comm, values[value], places_of(info, batch), *storage);
  for (std::size_t place = 0; place < found.size(); ++place) {
    const auto [nan, infinite, all] = found[place];
    if (nan + infinite > 0 && (!info.per_item || batch.is_there(static_cast<Index>(place))))
      faults.push_back({static_cast<Index>(place), nonfinite_text(info.name, nan, infinite, all)});
  }
  if (faults.empty()) return faults;
  if (storage->precision == core::Precision::kSingle && core::kPrecisionOf<T> == core::Precision::kDouble)
    for (ops::MapFault& fault : faults) fault.reason += " in the single precision of its output";
  for (std::size_t i = 0; i < made_from.size(); ++i) {
    const std::size_t operand = made_from[i];
    if (std::ranges::find(made_from.begin(), made_from.begin() + static_cast<std::ptrdiff_t>(i), operand) !=
        made_from.begin() + static_cast<std::ptrdiff_t>(i))
      continue;
    if (operand == value || values[operand].is_empty()) continue;
    const std::vector<Counts> before = all_counts<T>(comm, values[operand], places_of(plan.values[operand], batch),
                                                     {core::kPrecisionOf<T>, &plan.values[operand]});
    for (ops::MapFault& fault : faults) {
      const auto [nan, infinite, all] =
          before[static_cast<std::size_t>(plan.values[operand].per_item ? fault.place : 0)];
      if (nan + infinite > 0)
        fault.reason += "; its operand " + nonfinite_text(plan.values[operand].name, nan, infinite, all);
    }
  }
  return faults;
}

void warn_nonfinite(const JobPlan& plan, const Place& place, std::size_t value,
                    const std::vector<ops::MapFault>& faults, const Batch& batch, RunRecord& record) {
  for (const ops::MapFault& fault : faults) {
    std::string map;
    if (plan.campaign && plan.values[value].per_item)
      map = fmt::format("map {}: ", plan.campaign->labels[static_cast<std::size_t>(batch.first + fault.place)]);
    record.warnings.push_back(plan.spec.word(error_at(place, {}, map + fault.reason)));
    if (record.logs) core::log().warn("{}", record.warnings.back());
  }
}

ARMILLA_INSTANTIATE(nonfinite_maps);

}  // namespace armilla::job
