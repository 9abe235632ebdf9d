#pragma once

#include <armilla/backend/device_estimate.hpp>
#include <armilla/core/memory_estimate.hpp>

#include <optional>
#include <string>

namespace armilla::job {

struct JobPlan;
struct PlannedStep;

/// Device memory of a step.
struct DeviceUse {
  backend::DeviceEstimate memory;
  /// Minimum workspace that includes fields; std::nullopt if no workspace does.
  std::optional<core::Index> fields_from;
};

/// Memory and devices of a planned step. No member is collective.
class StepResources {
 public:
  /// Memory of run() on `rank` besides results and the transform, in the precision of the job. Memory held between
  /// calls is that of StepRun::keep(). It includes device memory if the step has a transform.
  virtual core::MemoryEstimate memory(const JobPlan& /*plan*/, const PlannedStep& /*planned*/, int /*rank*/) const {
    return {};
  }
  /// Device memory of run(), besides its transform; std::nullopt if the step itself does not compute on the device.
  virtual std::optional<DeviceUse> device_use(const JobPlan& /*plan*/, const PlannedStep& /*planned*/,
                                              int /*rank*/) const {
    return std::nullopt;
  }
  /// Whether the step itself can compute on a device, besides its transform.
  virtual bool uses_device(const PlannedStep& /*planned*/) const { return false; }
  /// Replaces PlannedStep::state for a job that computes on devices.
  virtual void plan_for_device(PlannedStep& /*planned*/) const {}
  /// The reason why it requires CPUs if execution.backend is auto; empty if it does not.
  virtual std::string why_cpu() const { return {}; }

 protected:
  ~StepResources() = default;
};

}  // namespace armilla::job
