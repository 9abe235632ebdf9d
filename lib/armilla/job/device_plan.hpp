#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/job/plan.hpp>
#include <armilla/transform/device_demand.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace armilla::job {

/// What one rank takes of the memory of its device, in bytes, while it does something.
struct DeviceBytes {
  Index fields = 0;
  Index delta = 0;
  Index tables = 0;
  Index work = 0;
  Index total() const { return fields + delta + tables + work; }
};

/// What the transforms of a plan take of a device on one rank, counted once.
class DeviceDemands {
 public:
  /// Not collective; any rank can ask for any other.
  DeviceDemands(const JobPlan& plan, int rank);

  bool any() const { return !all_.empty(); }
  const transform::DeviceDemand& of_step(std::size_t step) const { return *of_step_[step]; }
  Index min_work() const;

 private:
  std::vector<std::shared_ptr<const transform::DeviceDemand>> all_;
  std::vector<std::shared_ptr<const transform::DeviceDemand>> of_step_;  ///< [step], null where it has no transform
};

/// During each action of the schedule, then of that of a batch, found by walking them: upper bounds. Fields come there
/// with the first transform that uses them, and stay until they are freed; what a step of a transform takes for itself
/// is counted as fields.
std::vector<DeviceBytes> forecast_device(const JobPlan& plan, int rank, const DeviceDemands& demands, Index work_bytes);

/// Of the most that is taken at any time.
DeviceBytes peak_of(const std::vector<DeviceBytes>& actions);

/// Whether the plan fits into `room` bytes of a device on that rank; true for kNoDevice.
bool fits_device(const JobPlan& plan, int rank, Index room);

/// Collective. Bytes that each rank may take of its device: of the rank that has least. kNoDevice where the backend of
/// the job has no device, or cannot work here, as may be on the machine of a dry run.
Index device_room(const comm::Communicator& world, const JobPlan& plan);

/// Collective over all ranks, with the plan of their own group, whose rank `rank` it is. Chooses the working space of
/// all transforms of the job on devices. Throws ResourceError, which says how much is needed and what to do, where a
/// device is too small. Does nothing where the backend has no device; without room (a dry run elsewhere) the plan is
/// for devices that are large enough.
void choose_device_work(const comm::Communicator& world, JobPlan& plan, int rank);

}  // namespace armilla::job
