#include <armilla/bench/calibration.hpp>
#include <armilla/bench/kernel_rates.hpp>
#include <armilla/core/machine.hpp>
#include <armilla/core/timer.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <thread>

namespace armilla::bench {

namespace {

/// Shorter times are dominated by noise of the clock.
constexpr double kLeastSeconds = 1e-6;

}  // namespace

void RateCollector::add(cost::Kernel kernel, double size, bool batch, double amount, double seconds) {
  std::array<double, 2> both{amount, seconds};
  comm_.sum(both);
  if (both[1] < kLeastSeconds * comm_.size() || !(both[0] > 0)) return;
  rates_.samples[kernel].push_back({size, batch, both[0] / both[1]});
}

double RateCollector::least_seconds(int rounds, const std::function<void()>& work) const {
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < rounds; ++round) {
    comm_.barrier();
    const double start = core::now_seconds();
    work();
    least = std::min(least, core::now_seconds() - start);
  }
  return least;
}

cost::RateSet calibrate(const comm::Communicator& comm, const CalibrationOptions& options) {
  RateCollector rates(comm);
  const auto tell = [&](const char* what) {
    if (options.tell && comm.is_root()) options.tell(what);
  };
  std::array<core::Index, 2> most{core::resident_bytes(), comm.node_rank().ranks};
  comm.max(std::span<core::Index>(most));
  rates.rates().process_bytes = most[0];
  rates.rates().occupancy = {comm.size(), static_cast<int>(most[1]), core::thread_count()};
  rates.rates().cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  tell("files");
  measure_files(rates, options.folder);
  tell("exchange between ranks");
  measure_exchange(rates);
  tell("transforms");
  measure_transforms(rates);
  tell("points, radial kernels, memory");
  measure_operations(rates);
  return rates.rates();
}

}  // namespace armilla::bench
