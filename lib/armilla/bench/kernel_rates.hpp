#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/cost/rates.hpp>

#include <functional>

namespace armilla::bench {

/// Collects the rates of kernels on all ranks. Each rank adds amounts of work and its own seconds; the rate of a kernel
/// is the mean amount divided by the mean time.
class RateCollector {
 public:
  explicit RateCollector(const comm::Communicator& comm) : comm_(comm) {}

  const comm::Communicator& comm() const { return comm_; }
  /// Collective. `amount` units in `seconds` on this rank; times too short to measure are ignored.
  void add(cost::Kernel kernel, double size, bool batch, double amount, double seconds);
  /// Collective. The shortest time of `work` in `rounds` rounds, which all ranks start together.
  double least_seconds(int rounds, const std::function<void()>& work) const;

  cost::RateSet& rates() { return rates_; }

 private:
  const comm::Communicator& comm_;
  cost::RateSet rates_;
};

// Collective functions. Except in the last two, each rank computes independently.

/// Legendre stages, ring FFTs, resampling, tables, ring modes.
void measure_transforms(RateCollector& rates);
/// Points, radial kernels, random coefficients, passes over memory.
void measure_operations(RateCollector& rates);

/// Collective. Latency and bandwidth of all-to-alls; measures nothing on a single rank.
void measure_exchange(RateCollector& rates);
/// Collective. Maps in HDF5 and FITS, written to `folder` and read back.
void measure_files(RateCollector& rates, const std::string& folder);

}  // namespace armilla::bench
