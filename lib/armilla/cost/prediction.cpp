#include <armilla/cost/prediction.hpp>
#include <armilla/transform/delta_exchange.hpp>

#include <algorithm>

namespace armilla::cost {

namespace {

double seconds_of(const Exchange& exchange, const Occupancy& occupancy, const Rates& rates) {
  return exchange.calls * rates.exchange_seconds(exchange.largest_rank_bytes, exchange.partners, occupancy);
}

/// Time that ranks wait for an exchange of `seconds` that overlaps with a Legendre stage of `legendre` seconds: the
/// time of its first or last part, or the time that exceeds the work on the other parts.
double waiting_seconds(const Exchange& exchange, double seconds, double legendre, const Occupancy& occupancy) {
  const double parts =
      transform::exchange_parts(exchange.orders, static_cast<Index>(exchange.largest_pair_bytes), occupancy.threads);
  return std::max(seconds / parts, seconds - legendre * (parts - 1) / parts);
}

}  // namespace

double Prediction::total() const {
  double sum = 0;
  for (const PhaseSeconds& one : phases) sum += one.seconds;
  return sum;
}

double Prediction::of(const std::string& phase) const {
  const auto found = std::ranges::find(phases, phase, &PhaseSeconds::phase);
  return found == phases.end() ? 0 : found->seconds;
}

void Prediction::add(const std::string& phase, double seconds) {
  if (!(seconds > 0)) return;
  const auto found = std::ranges::find(phases, phase, &PhaseSeconds::phase);
  if (found == phases.end())
    phases.push_back({phase, seconds});
  else
    found->seconds += seconds;
}

void Prediction::add(const Prediction& other, double times) {
  for (const PhaseSeconds& one : other.phases) add(one.phase, times * one.seconds);
}

std::vector<RateUse> rates_used(const Work& work, const Occupancy& occupancy, const Rates& rates,
                                const FileShare& share) {
  std::vector<RateUse> used;
  for (const KernelInfo& row : kernels()) {
    const Item* most = nullptr;
    for (const Item& item : work.items)
      if (item.kernel == row.kernel && item.load.total > 0 &&
          (most == nullptr || item.load.largest > most->load.largest))
        most = &item;
    if (most != nullptr) used.push_back(rates.use(row.kernel, most->size, most->maps, occupancy, share));
  }
  return used;
}

Prediction predict(const Work& work, const Occupancy& occupancy, const Rates& rates, const FileShare& share) {
  Prediction prediction;
  prediction.add("prepare", work.fixed_seconds);
  for (const KernelInfo& row : kernels()) {
    for (const Item& item : work.items) {
      if (item.kernel != row.kernel) continue;
      const double amount = is_of_files(row.kernel) ? item.load.total : item.load.largest;
      prediction.add(row.phase, amount / rates.rate(row.kernel, item.size, item.maps, occupancy, share));
    }
    if (row.kernel != Kernel::kResampling) continue;  // the last kernel of the Legendre stage
    const double legendre = prediction.of("legendre");
    double all = 0;
    for (const Exchange& exchange : work.exchanges) all += seconds_of(exchange, occupancy, rates);
    for (const Exchange& exchange : work.exchanges) {
      const double seconds = seconds_of(exchange, occupancy, rates);
      prediction.add("exchange", waiting_seconds(exchange, seconds, all > 0 ? legendre * seconds / all : 0, occupancy));
    }
  }
  return prediction;
}

}  // namespace armilla::cost
