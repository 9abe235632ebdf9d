#include <armilla/core/cache.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/read_file.hpp>
#include <armilla/cost/rates.hpp>
#include <armilla/cost/rates_json.hpp>
#include <armilla/legendre/scalar_kernel.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <fstream>
#include <optional>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace armilla::cost {

namespace {

/// Distance between two occupancies: weighted sum of the logarithms (base 2) of the ratios of cores in use, threads,
/// and ranks per node.
double distance(const Occupancy& a, const Occupancy& b) {
  const auto logs = [](double x, double y) { return std::abs(std::log2(x) - std::log2(y)); };
  return logs(static_cast<double>(a.threads) * a.ranks_per_node, static_cast<double>(b.threads) * b.ranks_per_node) +
         0.5 * logs(a.threads, b.threads) + 0.25 * logs(a.ranks_per_node, b.ranks_per_node);
}

/// Interpolates between samples of the same batching, linearly in the logarithm of the size. Beyond the range of sizes,
/// returns the nearest sample.
std::optional<double> interpolated(const std::vector<Sample>& samples, double size, bool batch) {
  const Sample* below = nullptr;
  const Sample* above = nullptr;
  for (const Sample& sample : samples) {
    if (sample.batch != batch) continue;
    if (sample.size <= size && (below == nullptr || sample.size > below->size)) below = &sample;
    if (sample.size >= size && (above == nullptr || sample.size < above->size)) above = &sample;
  }
  if (below == nullptr && above == nullptr) return std::nullopt;
  if (below == nullptr) return above->rate;
  if (above == nullptr || above->size == below->size) return below->rate;
  const double weight = std::log(size / below->size) / std::log(above->size / below->size);
  return below->rate + weight * (above->rate - below->rate);
}

std::optional<double> rate_of(const RateSet& set, Kernel kernel, double size, bool batch) {
  const auto found = set.samples.find(kernel);
  if (found == set.samples.end()) return std::nullopt;
  if (const auto rate = interpolated(found->second, size, batch)) return rate;
  return interpolated(found->second, size, !batch);
}

}  // namespace

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(':');
    if (line.starts_with("model name") && colon != std::string::npos && colon + 2 < line.size())
      return line.substr(colon + 2);
  }
  return "unknown";
}

std::filesystem::path Rates::cache_file() {
  const std::filesystem::path folder = core::cache_folder();
  if (folder.empty()) return {};
  std::string name = processor_name() + "-" + legendre::kernel_instruction_set();
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-') c = '_';
  return folder / "rates" / (name + ".json");
}

Rates Rates::built_in() {
  Rates rates;
  rates.machine_ = processor_name();
  rates.instruction_set_ = legendre::kernel_instruction_set();
  rates.source_ = "built-in rates, not calibrated: run armilla bench --calibrate on the machine";
  rates.sets_ = {built_in_rates()};
  return rates;
}

Rates Rates::from_file(const std::string& file) {
  const auto [text, error] = core::read_file(file);
  if (error != 0)
    throw core::InputError(
        fmt::format("rates file {} cannot be read ({}): specify a file written by armilla bench --calibrate", file,
                    std::strerror(error)));
  Rates rates = built_in();
  RatesFile content = parse_rates(text, file);
  rates.machine_ = std::move(content.machine);
  rates.instruction_set_ = std::move(content.instruction_set);
  rates.sets_ = std::move(content.sets);
  rates.calibrated_ = true;
  rates.source_ = file;
  return rates;
}

Rates Rates::of_this_machine() {
  const std::filesystem::path file = cache_file();
  std::error_code error;
  if (file.empty() || !std::filesystem::exists(file, error)) return built_in();
  return from_file(file.string());
}

std::string Rates::text() const { return rates_text({machine_, instruction_set_, sets_}); }

void Rates::put(const RateSet& set) {
  if (!calibrated_) sets_.clear();
  calibrated_ = true;
  const auto same = [&](const RateSet& other) {
    return other.occupancy.ranks == set.occupancy.ranks &&
           other.occupancy.ranks_per_node == set.occupancy.ranks_per_node &&
           other.occupancy.threads == set.occupancy.threads;
  };
  std::erase_if(sets_, same);
  sets_.push_back(set);
}

const RateSet& Rates::nearest(const Occupancy& occupancy, bool with_exchange) const {
  const RateSet* best = nullptr;
  double least = 0;
  for (const RateSet& set : sets_) {
    if (with_exchange && set.bandwidth <= 0) continue;
    const double far = distance(set.occupancy, occupancy);
    if (best != nullptr && far >= least) continue;
    best = &set;
    least = far;
  }
  static const RateSet fallback = built_in_rates();
  return best != nullptr ? *best : fallback;
}

double Rates::rate(Kernel kernel, double size, Index maps, const Occupancy& occupancy) const {
  const RateSet* set = &nearest(occupancy, false);
  static const RateSet fallback = built_in_rates();
  auto rate = rate_of(*set, kernel, size, maps > 1);
  if (!rate) {
    set = &fallback;
    rate = rate_of(*set, kernel, size, maps > 1);
  }
  if (!rate) throw core::InternalError(fmt::format("no built-in rate for {}", info(kernel).name));
  return is_of_files(kernel) ? *rate : *rate * occupancy.threads / set->occupancy.threads;
}

double Rates::exchange_seconds(double bytes, int partners, const Occupancy& occupancy) const {
  if (partners == 0) return 0;
  const RateSet& set = nearest(occupancy, true);
  // Ranks of a node share its network bandwidth.
  const double bandwidth = set.bandwidth * set.occupancy.ranks_per_node / occupancy.ranks_per_node;
  return set.latency * partners + bytes / bandwidth;
}

Index Rates::process_bytes(const Occupancy& occupancy) const {
  const RateSet& set = nearest(occupancy, occupancy.ranks > 1);
  return set.process_bytes + set.peer_bytes * (occupancy.ranks_per_node - set.occupancy.ranks_per_node);
}

}  // namespace armilla::cost
