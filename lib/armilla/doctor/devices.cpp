#include <armilla/backend/context.hpp>
#include <armilla/comm/exchange.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/doctor/checks.hpp>
#include <armilla/transform/device_trial.hpp>
#include <armilla/transform/device_work.hpp>

#include <complex>
#include <memory>
#include <optional>

#include <fmt/format.h>

namespace armilla::doctor {

namespace {

using Number = std::complex<double>;
constexpr Index kNumbers = 4096;  // values sent to each rank

/// Value i that rank `from` sends to rank `to`.
Number number_of(int from, int to, Index i) {
  return {static_cast<double>(from) + 0.5, static_cast<double>(to) * 1e6 + static_cast<double>(i)};
}

/// Collective. Number of values on all ranks that arrive incorrectly in an exchange from device to device.
Index exchange_errors(const comm::Communicator& world, backend::Memory& memory) {
  const Index all = kNumbers * world.size();
  const Index bytes = all * static_cast<Index>(sizeof(Number));
  std::vector<Number> host(core::at(all));
  std::shared_ptr<void> sent, received;
  std::vector<Index> counts(core::at(world.size()), kNumbers), begins;
  comm::phase(world, [&] {
    for (int rank = 0; rank < world.size(); ++rank) {
      begins.push_back(kNumbers * rank);
      for (Index i = 0; i < kNumbers; ++i) host[core::at(kNumbers * rank + i)] = number_of(world.rank(), rank, i);
    }
    sent = memory.allocate(bytes);
    received = memory.allocate(bytes);
    memory.from_host(sent.get(), host.data(), bytes);
  });
  comm::exchange<double>(world, {static_cast<const Number*>(sent.get()), core::at(all)}, counts, begins,
                         {static_cast<Number*>(received.get()), core::at(all)}, counts, begins);
  Index wrong = 0;
  comm::phase(world, [&] {
    memory.to_host(host.data(), received.get(), bytes);
    for (int rank = 0; rank < world.size(); ++rank)
      for (Index i = 0; i < kNumbers; ++i)
        if (host[core::at(kNumbers * rank + i)] != number_of(rank, world.rank(), i)) ++wrong;
  });
  world.sum({&wrong, 1});
  return wrong;
}

}  // namespace

std::string examine_devices(const comm::Communicator& world, MpiFacts& mpi, std::vector<Finding>& findings) {
  const backend::Placement place = transform::placement(world, backend::Kind::kCuda);
  std::optional<backend::Device> device;
  comm::phase(world, [&] { device = backend::device_of(backend::Kind::kCuda, place); });
  if (transform::count_of(world, device.has_value()) < world.size()) return "";
  const transform::DeviceTrial trial =
      transform::try_devices(world, backend::Kind::kCuda, core::Precision::kDouble, place, *device);
  if (!trial.passed) {
    findings.push_back({Severity::kError, "GPU", trial.fault});
    return "failed: " + trial.fault;
  }
  if (!backend::has_fast_doubles(*device))
    findings.push_back(
        {Severity::kWarning, "GPU",
         fmt::format("the FP64 rate of '{}' is 1/{} of its FP32 rate: jobs with backend: auto run on CPUs",
                     device->name, device->single_to_double)});
  if (mpi.claims_device_memory) {
    std::unique_ptr<backend::Context<double>> context;
    comm::phase(world, [&] { context = backend::make_context<double>(backend::Kind::kCuda, place); });
    const Index wrong = exchange_errors(world, *context->memory());
    mpi.device_exchange = wrong == 0 ? "right" : "wrong";
    if (wrong > 0)
      findings.push_back({Severity::kError, "MPI",
                          fmt::format("MPI reports support for device memory, but {} of {} values in an exchange "
                                      "between GPUs are wrong: use another MPI library",
                                      wrong, kNumbers * world.size() * world.size())});
  }
  return fmt::format("passed: rms difference from the CPU {:.1g}, limit {:.0g}", trial.rms, trial.limit);
}

}  // namespace armilla::doctor
