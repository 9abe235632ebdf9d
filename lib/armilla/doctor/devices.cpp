#include <armilla/backend/context.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/doctor/checks.hpp>
#include <armilla/transform/device_trial.hpp>
#include <armilla/transform/device_work.hpp>
#include <armilla/transform/exchange_path.hpp>

#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>

namespace armilla::doctor {

namespace {

using core::Index;

/// Collective. The path of transforms between devices, with an exchange of test values by MPI if it is used.
void examine_exchange(const comm::Communicator& world, backend::Memory& memory, MpiFacts& mpi,
                      std::vector<Finding>& findings) {
  const transform::ExchangeChoice choice = transform::choose_exchange_path(world, memory);
  mpi.device_path = transform::name_of(choice.path);
  mpi.why_not_peers = choice.why_not_peers;
  if (!mpi.claims_device_memory) return;
  Index sent = 0;
  const Index wrong = transform::exchange_errors(world, transform::ExchangePath::kMpi, memory, &sent);
  mpi.device_exchange = wrong == 0 ? "right" : "wrong";
  if (wrong > 0)
    findings.push_back({Severity::kError, "MPI",
                        fmt::format("MPI reports support for device memory, but {} of {} values in an exchange "
                                    "between GPUs are wrong: use another MPI library",
                                    wrong, sent)});
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
  std::unique_ptr<backend::Context<double>> context;
  comm::phase(world, [&] { context = backend::make_context<double>(backend::Kind::kCuda, place); });
  examine_exchange(world, *context->memory(), mpi, findings);
  return fmt::format("passed: rms difference from the CPU {:.1g}, limit {:.0g}", trial.rms, trial.limit);
}

}  // namespace armilla::doctor
