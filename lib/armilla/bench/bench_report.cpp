#include <armilla/bench/bench.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace armilla::bench {

namespace {

// The requested resampling, and what "auto" selected.
std::string resampling_text(const BenchRecord& record) {
  const std::string asked = name_of(record.parameters.theta_resampling);
  return asked == "auto" ? asked + (record.resampled ? ":on" : ":off") : asked;
}

}  // namespace

nlohmann::json bench_json(const BenchRecord& record) {
  const BenchCase& parameters = record.parameters;
  return {
      {"grid", parameters.grid_text},
      {"lmax", parameters.lmax},
      {"spin", parameters.spin},
      {"direction", name_of(parameters.direction)},
      {"maps", parameters.maps},
      {"precision", name_of(parameters.precision)},
      {"backend", name_of(record.backend)},
      {"engine", parameters.engine},
      {"theta_resampling", name_of(parameters.theta_resampling)},
      {"resampled", record.resampled},
      {"rounds", parameters.rounds},
      {"ranks", record.ranks},
      {"threads", record.threads},
      {"plan_seconds", record.plan_seconds},
      {"seconds", record.seconds},
      {"phases",
       {{"legendre", record.legendre_seconds}, {"exchange", record.exchange_seconds}, {"rings", record.rings_seconds}}},
      {"fma", record.fma},
      {"fma_peak", record.fma_peak},
      {"fma_fraction", record.fma_fraction},
      {"error", record.error},
  };
}

std::string bench_table_head() {
  return fmt::format(
      "{:<16} {:>5} {:>4} {:<16} {:>4} {:<6} {:<8} {:<9} {:<8} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>5} {:>8}\n",
      "grid", "lmax", "spin", "direction", "maps", "prec.", "backend", "engine", "resample", "plan[ms]", "all[ms]",
      "fastest", "legendre", "exchange", "rings", "peak%", "error");
}

std::string bench_table_row(const BenchRecord& record) {
  const BenchCase& parameters = record.parameters;
  return fmt::format(
      "{:<16} {:>5} {:>4} {:<16} {:>4} {:<6} {:<8} {:<9} {:<8} {:>9.1f} {:>9.3f} {:>9.3f} {:>9.3f} {:>9.3f} {:>9.3f} "
      "{:>5.1f} "
      "{:>8.1e}\n",
      parameters.grid_text, parameters.lmax, parameters.spin, name_of(parameters.direction), parameters.maps,
      name_of(parameters.precision), name_of(record.backend), parameters.engine, resampling_text(record),
      1e3 * record.plan_seconds, 1e3 * median(record.seconds), 1e3 * *std::ranges::min_element(record.seconds),
      1e3 * record.legendre_seconds, 1e3 * record.exchange_seconds, 1e3 * record.rings_seconds,
      100 * record.fma_fraction, record.error);
}

}  // namespace armilla::bench
