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
  Index least_work() const;
  Index in_parts(Index work_bytes) const;

 private:
  std::vector<std::shared_ptr<const transform::DeviceDemand>> all_;
  std::vector<std::shared_ptr<const transform::DeviceDemand>> of_step_;  ///< [step], null where it has no transform
};

/// During each action of the schedule, then of that of a batch, found by walking them, where all arrays stay on the
/// device: upper bounds. Fields come there with the first transform that uses them, and stay until they are freed; what
/// a step of a transform takes for itself is counted as fields.
std::vector<DeviceBytes> forecast_whole(const JobPlan& plan, int rank, const DeviceDemands& demands, Index work_bytes);

/// In parts: each step of a transform takes the room that it is given at most.
std::vector<DeviceBytes> forecast_in_parts(const JobPlan& plan, const backend::DeviceUse& use);

/// Of the most that is taken at any time.
DeviceBytes peak_of(const std::vector<DeviceBytes>& actions);

/// Whether the plan fits whole into `room` bytes on that rank, or in parts.
bool fits_whole(const JobPlan& plan, int rank, Index room);
bool fits_in_parts(const JobPlan& plan, int rank, Index room);

/// Collective. Bytes that each rank may take of its device: of the rank that has least. kNoDevice where the backend of
/// the job has no device, or cannot work here, as may be on the machine of a dry run.
Index device_room(const comm::Communicator& world, const JobPlan& plan);

/// Collective over all ranks, with the plan of their own group, whose rank `rank` it is. Decides for all transforms of
/// the job whether their arrays stay on the devices, or pass through in parts, and warns of the latter in
/// plan.warnings. Throws ResourceError, which says how much is needed, where not even parts fit, and what to do
/// where a step cannot be done in parts (Operation::why_not_in_parts). Does nothing where the
/// backend has no device; without room (a dry run elsewhere) the plan is for devices that are large enough.
void choose_device_use(const comm::Communicator& world, JobPlan& plan, int rank);

}  // namespace armilla::job
