#include <armilla/backend/device_check.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/host_name.hpp>
#include <armilla/transform/backend_choice.hpp>

#include <optional>
#include <utility>

#include <fmt/format.h>

namespace armilla::transform {

namespace {

using backend::Device;
using core::Index;

/// Collective. The text of the lowest rank that gives one that is not empty, on all ranks.
std::string first_text(const comm::Communicator& comm, const std::string& text) {
  std::string first;
  for (std::string& of_rank : comm.gather(text))
    if (first.empty()) first = std::move(of_rank);
  return comm.broadcast(std::move(first));
}

Index count_of(const comm::Communicator& comm, bool mine) {
  Index count = mine ? 1 : 0;
  comm.sum(std::span<Index>(&count, 1));
  return count;
}

backend::Placement place_of(const comm::Communicator& comm) {
  const auto place = comm.node_place();
  return {place.rank, place.ranks};
}

std::string own_rank(const comm::Communicator& comm) {
  return fmt::format("rank {} on {}", comm.rank(), core::host_name());
}

struct Tried {
  DeviceTrial trial;
  std::string fault;  ///< empty where all passed
};

/// Collective; all ranks have a device.
Tried try_devices(const comm::Communicator& comm, const std::string& name, core::Precision precision,
                  const backend::Placement& place, const Device& device) {
  backend::DeviceCheck check;
  comm::phase(comm, [&] {
    check = precision == core::Precision::kSingle ? backend::check_device<float>(name, place)
                                                  : backend::check_device<double>(name, place);
  });
  Tried tried{{.rms = check.rms, .limit = backend::device_check_limit(precision)}, {}};
  comm.max({&tried.trial.rms, 1});
  const bool wrong = !check.fault.empty();
  tried.fault =
      first_text(comm, wrong ? fmt::format("GPU '{}' of {}: {}", device.name, own_rank(comm), check.fault) : "");
  tried.trial.device = first_text(comm, wrong || tried.fault.empty() ? device.name : "");
  tried.trial.passed = tried.fault.empty();
  return tried;
}

BackendChoice take_named(const comm::Communicator& comm, const std::string& name, core::Precision precision) {
  comm::phase(comm, [&] { backend::check_backend(name); });
  BackendChoice choice{.name = name};
  if (!backend::has_device(name)) return choice;
  const backend::Placement place = place_of(comm);
  std::optional<Device> device;
  comm::phase(comm, [&] { device = backend::device_of(name, place).value(); });
  const Tried tried = try_devices(comm, name, precision, place, *device);
  if (!tried.trial.passed)
    throw core::ResourceError(
        fmt::format("execution.backend = {}: the check of devices before the run failed. {}. Nothing that it computes "
                    "can be relied on: leave this node or GPU out, or set execution.backend to cpu",
                    name, tried.fault));
  choice.trial = tried.trial;
  return choice;
}

/// Collective. Whether all ranks are to use the backend of that name, which has devices; else `choice` says why not,
/// where there is anything to say.
bool takes_devices(const comm::Communicator& comm, const std::string& name, core::Precision precision,
                   const std::string& why_cpu, BackendChoice& choice) {
  const backend::Placement place = place_of(comm);
  std::optional<Device> device;
  comm::phase(comm, [&] { device = backend::device_of(name, place); });
  const Index without = count_of(comm, !device);
  if (without == comm.size()) return false;
  if (without > 0) {
    const std::string reason = backend::why_unusable(name);
    choice.warning = fmt::format(
        "execution.backend = auto: {} of {} ranks cannot use the GPUs that the others see, so all compute on CPUs. {}",
        without, comm.size(), first_text(comm, device ? "" : own_rank(comm) + ": " + reason));
    return false;
  }
  if (!why_cpu.empty()) {
    choice.note = fmt::format("execution.backend = auto: on CPUs, though GPUs are visible: {}", why_cpu);
    return false;
  }
  const bool is_slow = !backend::has_fast_doubles(*device);
  const std::string slow = first_text(
      comm, is_slow
                ? fmt::format("GPU '{}' of {} has 1/{} of the rate of FP32 in FP64, in which most of a transform is",
                              device->name, own_rank(comm), device->single_to_double)
                : "");
  if (!slow.empty()) {
    choice.note =
        fmt::format("execution.backend = auto: on CPUs: {}; backend: {} would use it all the same", slow, name);
    return false;
  }
  const Tried tried = try_devices(comm, name, precision, place, *device);
  choice.trial = tried.trial;
  if (!tried.trial.passed)
    choice.warning = fmt::format(
        "execution.backend = auto: the check of devices before the run failed, so all ranks compute on CPUs. {}",
        tried.fault);
  return tried.trial.passed;
}

}  // namespace

BackendChoice choose_backend(const comm::Communicator& comm, const std::string& asked, core::Precision precision,
                             const std::string& why_cpu) {
  if (asked != backend::kAutoBackend) return take_named(comm, asked, precision);
  BackendChoice choice{.automatic = true};
  for (const std::string& name : backend::backend_names()) {
    if (name == backend::kAutoBackend) continue;
    if (backend::has_device(name) && !takes_devices(comm, name, precision, why_cpu, choice)) continue;
    choice.name = name;
    return choice;
  }
  throw core::InternalError("no backend works here");
}

}  // namespace armilla::transform
