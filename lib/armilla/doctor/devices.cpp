#include <armilla/backend/context.hpp>
#include <armilla/comm/parted_exchange.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/doctor/checks.hpp>
#include <armilla/transform/device_trial.hpp>
#include <armilla/transform/device_work.hpp>

#include <algorithm>
#include <complex>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>

namespace armilla::doctor {

namespace {

using Number = std::complex<double>;
constexpr Index kNumbers = 4096;  // values sent to each rank

/// Value i that rank `from` sends to rank `to`.
Number number_of(int from, int to, Index i) {
  return {static_cast<double>(from) + 0.5, static_cast<double>(to) * 1e6 + static_cast<double>(i)};
}

/// The values that a rank sends to all ranks.
std::vector<Number> sent_by(int rank, int ranks) {
  std::vector<Number> numbers;
  for (int to = 0; to < ranks; ++to)
    for (Index i = 0; i < kNumbers; ++i) numbers.push_back(number_of(rank, to, i));
  return numbers;
}

/// The values that a rank receives from all ranks.
std::vector<Number> received_by(int rank, int ranks) {
  std::vector<Number> numbers;
  for (int from = 0; from < ranks; ++from)
    for (Index i = 0; i < kNumbers; ++i) numbers.push_back(number_of(from, rank, i));
  return numbers;
}

/// Collective. Number of values on all ranks that arrive incorrectly in the exchange of transforms, from device to
/// device, there and back.
Index exchange_errors(const comm::Communicator& world, backend::Memory& memory) {
  using Exchange = comm::PartedExchange<double>;
  std::vector<Number> here, there, found;
  Index bytes = 0;
  std::shared_ptr<void> here_device, there_device;
  core::ExchangePart part;
  comm::phase(world, [&] {
    here = sent_by(world.rank(), world.size());
    there = received_by(world.rank(), world.size());
    found.resize(here.size());
    bytes = static_cast<Index>(here.size() * sizeof(Number));
    for (auto* counts : {&part.here_counts, &part.there_counts}) counts->assign(core::at(world.size()), kNumbers);
    for (auto* begins : {&part.here_displacements, &part.there_displacements})
      for (int rank = 0; rank < world.size(); ++rank) begins->push_back(kNumbers * rank);
    here_device = memory.allocate(bytes);
    there_device = memory.allocate(bytes);
    memory.from_host(here_device.get(), here.data(), bytes);
    memory.from_host(there_device.get(), found.data(), bytes);
  });
  Exchange exchange(world, {part}, core::MemorySpace::kDevice);
  Index wrong = 0;
  const auto carry = [&](Exchange::Direction direction, void* from, void* to, const std::vector<Number>& expected) {
    exchange.begin(direction, static_cast<const Number*>(from), static_cast<Number*>(to));
    exchange.finish();
    comm::phase(world, [&] {
      memory.to_host(found.data(), to, bytes);
      for (std::size_t i = 0; i < found.size(); ++i) wrong += found[i] == expected[i] ? 0 : 1;
      std::ranges::fill(found, Number{});
      memory.from_host(from, found.data(), bytes);  // so that the way back has to fill it
    });
  };
  carry(Exchange::Direction::kForward, here_device.get(), there_device.get(), there);
  carry(Exchange::Direction::kBackward, there_device.get(), here_device.get(), here);
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
                                      wrong, 2 * kNumbers * world.size() * world.size())});
  }
  return fmt::format("passed: rms difference from the CPU {:.1g}, limit {:.0g}", trial.rms, trial.limit);
}

}  // namespace armilla::doctor
