#pragma once

#include <armilla/backend/context.hpp>
#include <armilla/comm/communicator.hpp>
#include <armilla/transform/device_work.hpp>

#include <kernels/core/device.hpp>
#include <support/device_bytes.hpp>

namespace armilla::test {

/// While it is there, each rank has no more of its device than what makes `room` bytes of backend::device_room.
/// Collective in that all ranks make one.
class DeviceLimit {
 public:
  DeviceLimit(const comm::Communicator& comm, core::Index room) {
    constexpr auto kCuda = backend::Kind::kCuda;
    constexpr core::Index kProbe = core::Index{1} << 30;
    const core::Index held = device_bytes_held(comm);
    kernels::limit_device_memory(held + kProbe);
    const core::Index probed = backend::device_room(kCuda, transform::placement(comm, kCuda));
    const double scale = static_cast<double>(kProbe) / static_cast<double>(probed);
    kernels::limit_device_memory(held + static_cast<core::Index>(static_cast<double>(room + 16) * scale));
  }
  ~DeviceLimit() { kernels::limit_device_memory(-1); }
  DeviceLimit(const DeviceLimit&) = delete;
  DeviceLimit& operator=(const DeviceLimit&) = delete;
};

}  // namespace armilla::test
