#include <armilla/core/cache.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/input_file.hpp>
#include <armilla/core/read_file.hpp>
#include <armilla/core/text.hpp>
#include <armilla/cost/rates.hpp>
#include <armilla/cost/rates_json.hpp>
#include <armilla/legendre/scalar_kernel.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>
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

const RateSet& assumed() {
  static const RateSet set = built_in_rates();
  return set;
}

/// A forecast for more than this many times the threads of a node, or nodes, of the measurement is pointed out.
constexpr int kFarFactor = 2;

bool any_set(const RateSet& /*set*/) { return true; }

int nodes_of(const Occupancy& occupancy) {
  return (occupancy.ranks + occupancy.ranks_per_node - 1) / occupancy.ranks_per_node;
}

/// Threads on the busiest node.
Index threads_of_node(const Occupancy& occupancy) {
  return static_cast<Index>(occupancy.threads) * std::min(occupancy.ranks, occupancy.ranks_per_node);
}

/// Number of processes that read or write a file at the same time.
int processes_at_files(Kernel kernel, const Occupancy& occupancy) {
  const bool alone = kernel == Kernel::kWriteFits || kernel == Kernel::kReadText;
  return alone ? 1 : occupancy.ranks;
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
  rates.source_ =
      fmt::format("built-in rates, not calibrated: {}; run armilla bench --calibrate on the machine", kBuiltInMachine);
  rates.sets_ = {built_in_rates()};
  return rates;
}

Rates Rates::from_file(const std::string& file) {
  try {
    core::check_readable(file);
  } catch (const core::InputError& error) {
    throw core::InputError(fmt::format(
        "rates file {} cannot be read: specify a file written by armilla bench --calibrate ({})", file, error.what()));
  }
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

std::string Rates::source() const {
  std::vector<std::string> given;
  if (given_.fma_peak) given.push_back(fmt::format("{:.3g} GFMA/s of peak per core", *given_.fma_peak / 1e9));
  if (given_.file_system) given.push_back(fmt::format("{:.3g} GB/s of the file system", *given_.file_system / 1e9));
  return given.empty() ? source_ : fmt::format("given: {}; for the rest, {}", fmt::join(given, " and "), source_);
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

const RateSet& Rates::nearest(const Occupancy& occupancy, const std::function<bool(const RateSet&)>& fits) const {
  const RateSet* best = nullptr;
  double least = 0;
  for (const RateSet& set : sets_) {
    if (!fits(set)) continue;
    const double far = distance(set.occupancy, occupancy);
    if (best != nullptr && far >= least) continue;
    best = &set;
    least = far;
  }
  return best != nullptr ? *best : assumed();
}

const RateSet& Rates::set_of(Kernel kernel, const Occupancy& occupancy) const {
  const bool is_given = given_.fma_peak && is_of_legendre(kernel);
  const RateSet& set = nearest(occupancy, any_set);
  return !is_given && set.samples.contains(kernel) ? set : assumed();
}

Rates::FileRate Rates::file_rate(double of_processes, const Occupancy& occupancy, const FileShare& share) const {
  const double nodes = share.nodes > 0 ? share.nodes : nodes_of(occupancy);
  return std::min(
      {FileRate{of_processes, FileLimit::kProcesses}, FileRate{node_network(occupancy) * nodes, FileLimit::kNetwork},
       FileRate{file_system() / share.groups, FileLimit::kFileSystem}},
      [](const FileRate& a, const FileRate& b) { return a.rate < b.rate; });
}

RateUse Rates::use(Kernel kernel, double size, Index maps, const Occupancy& occupancy, const FileShare& share) const {
  const RateSet& set = set_of(kernel, occupancy);
  const auto found = rate_of(set, kernel, size, maps > 1);
  if (!found) throw core::InternalError(fmt::format("no built-in rate for {}", info(kernel).name));
  RateUse used{kernel, *found, *found, source_of(set)};
  if (kernel == Kernel::kFiles) return used;
  if (is_of_files(kernel)) {
    used.of_cores = *found / processes_at_files(kernel, set.occupancy) * processes_at_files(kernel, occupancy);
    const FileRate limited = file_rate(used.of_cores, occupancy, share);
    used.rate = limited.rate;
    if (limited.limit == FileLimit::kNetwork)
      used.source = "network of the nodes, " + node_network_source(occupancy);
    else if (limited.limit == FileLimit::kFileSystem)
      used.source = fmt::format("file system, {}", file_system_source());
    return used;
  }
  used.rate *= static_cast<double>(occupancy.threads) / set.occupancy.threads;
  if (given_.fma_peak && is_of_legendre(kernel)) {
    used.rate *= *given_.fma_peak / kBuiltInFmaPeak;
    used.source = fmt::format("given: {:.3g} GFMA/s of peak per core", *given_.fma_peak / 1e9);
  }
  return used;
}

std::string Rates::source_of(const RateSet& set) const {
  if (!calibrated_ || &set == &assumed()) return fmt::format("built in: {}", kBuiltInMachine);
  return fmt::format("measured on {} with {} rank{} of {} thread{}", machine_, set.occupancy.ranks,
                     set.occupancy.ranks == 1 ? "" : "s", set.occupancy.threads, set.occupancy.threads == 1 ? "" : "s");
}

const RateSet& Rates::network(const Occupancy& occupancy) const {
  return nearest(occupancy, [](const RateSet& set) { return set.bandwidth > 0 && nodes_of(set.occupancy) > 1; });
}

const RateSet& Rates::exchange_set(const Occupancy& occupancy) const {
  if (nodes_of(occupancy) > 1) return network(occupancy);
  return nearest(occupancy, [](const RateSet& set) { return set.bandwidth > 0; });
}

double Rates::node_network(const Occupancy& occupancy) const {
  const RateSet& set = network(occupancy);
  return set.bandwidth * set.occupancy.ranks_per_node;
}

std::string Rates::network_source(const RateSet& set) const {
  return !calibrated_ || &set == &assumed() ? "assumed" : source_of(set);
}

std::string Rates::node_network_source(const Occupancy& occupancy) const { return network_source(network(occupancy)); }

ExchangeRate Rates::exchange(const Occupancy& occupancy) const {
  const RateSet& set = exchange_set(occupancy);
  // Ranks of a node share its network.
  return {set.latency, set.bandwidth * set.occupancy.ranks_per_node / occupancy.ranks_per_node, network_source(set)};
}

std::string Rates::extrapolation(const Occupancy& occupancy) const {
  if (!calibrated_) return {};
  const Occupancy& measured = nearest(occupancy, any_set).occupancy;
  const bool more_threads = threads_of_node(occupancy) > kFarFactor * threads_of_node(measured);
  const bool more_nodes = nodes_of(occupancy) > kFarFactor * nodes_of(measured);
  if (!more_threads && !more_nodes) return {};
  const auto described = [](const Occupancy& one) {
    const Index threads = static_cast<Index>(one.ranks) * one.threads;
    return fmt::format("{} thread{} on {} node{}", threads, threads == 1 ? "" : "s", nodes_of(one),
                       nodes_of(one) == 1 ? "" : "s");
  };
  return fmt::format(
      "the rates were measured with {} and are extrapolated to {}, where memory bandwidth, the network or the file "
      "system may limit them: run armilla bench --calibrate on several nodes with that many ranks and threads per node",
      described(measured), described(occupancy));
}

double parse_rate(const std::string& text) {
  constexpr std::string_view kPrefixes = "kMGT";
  double value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  const std::string_view rest(end, static_cast<std::size_t>(last - end));
  const auto prefix = rest.size() == 1 ? kPrefixes.find(rest.front()) : std::string_view::npos;
  const bool is_number = error == std::errc() && (rest.empty() || prefix != std::string_view::npos);
  const double rate = is_number && !rest.empty() ? value * std::pow(1000.0, static_cast<double>(prefix) + 1) : value;
  if (!is_number || !(rate > 0) || !std::isfinite(rate))
    throw core::InputError(
        fmt::format("'{}' is not a rate: use a positive number per second, such as 5e9 or 20G", core::excerpt(text)));
  return rate;
}

double Rates::exchange_seconds(double bytes, int partners, const Occupancy& occupancy) const {
  if (partners == 0) return 0;
  const ExchangeRate rate = exchange(occupancy);
  return rate.latency * partners + bytes / rate.bandwidth;
}

int Rates::cores(const Occupancy& occupancy) const { return nearest(occupancy, any_set).cores; }

Index Rates::process_bytes(const Occupancy& occupancy) const {
  const RateSet& set =
      nearest(occupancy, [&](const RateSet& one) { return occupancy.ranks == 1 || one.bandwidth > 0; });
  return set.process_bytes + set.peer_bytes * (occupancy.ranks_per_node - set.occupancy.ranks_per_node);
}

}  // namespace armilla::cost
