#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/log.hpp>
#include <armilla/transform/backend_choice.hpp>
#include <armilla/transform/device_work.hpp>

#include <optional>

#include <fmt/format.h>

namespace armilla::transform {

namespace {

using backend::Device;
using backend::Kind;
using core::Index;

BackendChoice take_named(const comm::Communicator& comm, Kind kind, core::Precision precision) {
  comm::phase(comm, [&] { backend::check_backend(kind); });
  BackendChoice choice{.kind = kind};
  if (!backend::has_device(kind)) return choice;
  const backend::Placement place = placement(comm, kind);
  std::optional<Device> device;
  comm::phase(comm, [&] { device = backend::device_of(kind, place).value(); });
  choice.trial = try_devices(comm, kind, precision, place, *device);
  if (!choice.trial->passed)
    throw core::ResourceError(
        fmt::format("backend {}: the device check before the run failed. {}. Do not trust results of this GPU: "
                    "exclude the node or GPU, or choose the backend cpu",
                    name_of(kind), choice.trial->fault));
  return choice;
}

/// Collective. Whether all ranks use that backend, which has devices. If not, stores the reason in `choice`, if there
/// is one to report.
bool takes_devices(const comm::Communicator& comm, Kind kind, core::Precision precision, const std::string& why_cpu,
                   BackendChoice& choice) {
  std::string unusable;
  comm::phase(comm, [&] { unusable = backend::why_unusable(kind); });
  const Index without = count_of(comm, !unusable.empty());
  if (without == comm.size()) {
    const std::string reason = backend::why_no_devices();
    const std::string first = first_text(comm, reason.empty() ? "" : own_rank(comm) + ": " + reason);
    if (!first.empty()) choice.warning = fmt::format("automatic backend: all ranks compute on CPUs. {}", first);
    return false;
  }
  if (without > 0) {
    choice.warning = fmt::format(
        "automatic backend: {} of {} ranks cannot use the GPUs that the others see, so all ranks compute on CPUs. {}",
        without, comm.size(), first_text(comm, unusable.empty() ? "" : own_rank(comm) + ": " + unusable));
    return false;
  }
  if (!why_cpu.empty()) {
    choice.note = fmt::format("automatic backend: all ranks compute on CPUs, although GPUs are visible: {}", why_cpu);
    return false;
  }
  const backend::Placement place = placement(comm, kind);
  std::optional<Device> device;
  comm::phase(comm, [&] { device = backend::device_of(kind, place).value(); });
  const bool is_slow = !backend::has_fast_doubles(*device);
  const std::string slow = first_text(
      comm,
      is_slow
          ? fmt::format("the FP64 rate of GPU '{}' of {} is 1/{} of its FP32 rate, and most of a transform is in FP64",
                        device->name, own_rank(comm), device->single_to_double)
          : "");
  if (!slow.empty()) {
    choice.note = fmt::format(
        "automatic backend: all ranks compute on CPUs, because {}; choose the backend {} to use the GPU anyway", slow,
        name_of(kind));
    return false;
  }
  choice.trial = try_devices(comm, kind, precision, place, *device);
  if (!choice.trial->passed)
    choice.warning =
        fmt::format("automatic backend: the device check before the run failed, so all ranks compute on CPUs. {}",
                    choice.trial->fault);
  return choice.trial->passed;
}

}  // namespace

BackendChoice choose_backend(const comm::Communicator& comm, backend::Kind asked, core::Precision precision,
                             const std::string& why_cpu) {
  if (asked != Kind::kAuto) return take_named(comm, asked, precision);
  BackendChoice choice{.automatic = true};
  if (takes_devices(comm, Kind::kCuda, precision, why_cpu, choice)) choice.kind = Kind::kCuda;
  return choice;
}

backend::Kind take_backend(const comm::Communicator& comm, backend::Kind asked, core::Precision precision,
                           const backend::Options& options) {
  const BackendChoice choice = choose_backend(comm, asked, precision, backend::why_cpu(options));
  if (comm.is_root() && !choice.note.empty()) core::log().info("{}", choice.note);
  if (comm.is_root() && !choice.warning.empty()) core::log().warn("{}", choice.warning);
  return choice.kind;
}

}  // namespace armilla::transform
