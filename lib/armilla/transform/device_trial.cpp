#include <armilla/comm/phase.hpp>
#include <armilla/core/host_name.hpp>
#include <armilla/transform/device_trial.hpp>
#include <armilla/transform/transform_cache.hpp>

#include <optional>
#include <utility>

#include <fmt/format.h>

namespace armilla::transform {

namespace {

using backend::DeviceCheck;

/// Collective. Each rank checks its own device.
DeviceCheck check_own_device(const comm::Communicator& comm, backend::Kind kind, core::Precision precision,
                             const backend::Placement& place) {
  DeviceCheck check;
  comm::phase(comm, [&] {
    check = precision == core::Precision::kSingle ? backend::check_device<float>(kind, place)
                                                  : backend::check_device<double>(kind, place);
  });
  return check;
}

}  // namespace

std::string first_text(const comm::Communicator& comm, const std::string& text) {
  std::string first;
  for (std::string& of_rank : comm.gather(text))
    if (first.empty()) first = std::move(of_rank);
  return comm.broadcast(std::move(first));
}

core::Index count_of(const comm::Communicator& comm, bool mine) {
  core::Index count = mine ? 1 : 0;
  comm.sum(std::span<core::Index>(&count, 1));
  return count;
}

std::string own_rank(const comm::Communicator& comm) {
  return fmt::format("rank {} on {}", comm.rank(), core::host_name());
}

DeviceTrial try_devices(const comm::Communicator& comm, backend::Kind kind, core::Precision precision,
                        const backend::Placement& place, const backend::Device& device) {
  TransformCache* cache = nullptr;
  std::optional<DeviceTrial> passed;
  comm::phase(comm, [&] {
    cache = cache_of(comm);
    if (cache == nullptr) return;
    const auto known = cache->passed_trials().find({kind, precision});
    if (known != cache->passed_trials().end()) passed = known->second;
  });
  if (count_of(comm, passed.has_value()) == comm.size()) {
    passed->kept = true;
    return *passed;
  }
  const DeviceCheck check = check_own_device(comm, kind, precision, place);
  DeviceTrial trial{.rms = check.rms, .limit = backend::device_check_limit(precision)};
  comm.max({&trial.rms, 1});
  const bool wrong = !check.fault.empty();
  trial.fault =
      first_text(comm, wrong ? fmt::format("GPU '{}' of {}: {}", device.name, own_rank(comm), check.fault) : "");
  trial.device = first_text(comm, wrong || trial.fault.empty() ? device.name : "");
  trial.passed = trial.fault.empty();
  comm::phase(comm, [&] {
    if (trial.passed && cache != nullptr) cache->passed_trials().insert_or_assign({kind, precision}, trial);
  });
  return trial;
}

}  // namespace armilla::transform
