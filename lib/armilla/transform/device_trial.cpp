#include <armilla/backend/kept_check.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/host_name.hpp>
#include <armilla/transform/device_trial.hpp>

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace armilla::transform {

namespace {

using backend::DeviceCheck;

constexpr char kYes = '+';
constexpr char kNo = '-';

/// Collective. Whether this rank is responsible for its device: of all ranks with the same key, the first one with a
/// cached result, otherwise the first one.
bool answers(const comm::Communicator& comm, const std::string& key, bool knows) {
  const std::vector<std::string> all = comm.gather((knows ? kYes : kNo) + key);
  std::string answering(all.size(), kNo);
  std::set<std::string> keys;
  for (const char known : {kYes, kNo})
    for (std::size_t rank = 0; rank < all.size(); ++rank)
      if (all[rank].front() == known && keys.insert(all[rank].substr(1)).second) answering[rank] = kYes;
  return comm.broadcast(std::move(answering))[static_cast<std::size_t>(comm.rank())] == kYes;
}

/// Collective. Distributes the checks of all devices over the ranks. A rank that is not responsible for its device
/// returns a check that passed. `fresh`: whether this rank has run a check, not only read a cached result.
DeviceCheck check_in_children(const comm::Communicator& comm, backend::Kind kind, core::Precision precision,
                              const backend::Placement& place, const backend::Device& device,
                              const backend::CheckMethod& method, bool& fresh) {
  std::string key;
  std::optional<DeviceCheck> kept;
  comm::phase(comm, [&] {
    key = backend::check_key(kind, device, precision);
    kept = backend::find_kept_check(key, method.limit_seconds);
  });
  const bool is_mine = answers(comm, key, kept.has_value());
  fresh = is_mine && !kept;
  DeviceCheck check;
  comm::phase(comm, [&] {
    if (fresh) kept = backend::keep_check(key, backend::check_device_in_child(method, kind, place, precision));
    if (is_mine) check = *kept;
  });
  return check;
}

/// Collective. Each rank checks its own device.
DeviceCheck check_in_this_process(const comm::Communicator& comm, backend::Kind kind, core::Precision precision,
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
                        const backend::Placement& place, const backend::Device& device,
                        const backend::CheckMethod& method) {
  bool fresh = true;
  const DeviceCheck check = method.program.empty()
                                ? check_in_this_process(comm, kind, precision, place)
                                : check_in_children(comm, kind, precision, place, device, method, fresh);
  DeviceTrial trial{.rms = check.rms, .limit = backend::device_check_limit(precision)};
  comm.max({&trial.rms, 1});
  trial.kept = count_of(comm, fresh) == 0;
  const bool wrong = !check.fault.empty();
  trial.fault =
      first_text(comm, wrong ? fmt::format("GPU '{}' of {}: {}", device.name, own_rank(comm), check.fault) : "");
  trial.device = first_text(comm, wrong || trial.fault.empty() ? device.name : "");
  trial.passed = trial.fault.empty();
  return trial;
}

}  // namespace armilla::transform
