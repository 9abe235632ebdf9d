#pragma once

#include <armilla/job/operation/step_resources.hpp>
#include <armilla/job/plan/plan.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace armilla::job {

/// Device memory that one rank uses during an action.
struct DeviceBytes {
  Index fields = 0;
  core::MemoryEstimate transforms;  ///< tables; `kept` is Delta; `workspace` is the workspace that is assigned to them
  Index total() const { return fields + transforms.peak(); }
};

/// Memory that one rank will need, in bytes, for each action of the schedule, then for each action of a batch.
struct MemoryForecast {
  Index baseline = 0;                    ///< the process before the job, and memory that libraries will allocate
  std::vector<Index> actions;            ///< peak during each action, including the baseline
  std::vector<DeviceBytes> device = {};  ///< device memory during each action; empty without a device
  Index peak() const;
  /// Peak device memory over all actions.
  DeviceBytes device_peak() const;
};

/// Memory of the values, transforms and steps of a plan on one rank, computed once. Supports forecasts for any device
/// workspace.
class MemoryModel {
 public:
  /// Not collective; any rank can query any other. The plan must outlive the model.
  MemoryModel(const JobPlan& plan, int rank);

  /// Whether the plan computes on devices.
  bool has_device() const { return has_device_; }
  /// The smallest workspace sufficient for all steps.
  Index min_work() const;
  /// Walks the schedule without executing it; results are upper bounds. Fields are copied to a device by the first
  /// transform that uses them and stay there until they are freed. The memory that the step of a transform itself
  /// allocates is counted as fields. `baseline`: resident bytes of that process before the job. `work_bytes`: workspace
  /// of transforms; if unset, devices are not included.
  MemoryForecast forecast(Index baseline, std::optional<Index> work_bytes) const;

 private:
  class Walk;
  /// Memory of a step and its transform; steps share the estimates of equal transforms.
  struct Transform {
    core::MemoryEstimate host;
    backend::DeviceEstimate device;
  };
  struct Step {
    core::MemoryEstimate own;                    ///< in host and device memory
    std::shared_ptr<const Transform> transform;  ///< null if there is none
    std::optional<DeviceUse> device;             ///< device memory besides the transform
  };
  /// Memory that writers need in addition to the field.
  Index write_bytes(std::size_t output) const;

  const JobPlan& plan_;
  int rank_;
  bool has_device_ = false;
  std::vector<Index> values_;  ///< [value] for all maps of a batch
  std::vector<Step> steps_;
};

/// Memory that libraries allocate on first use: tables and plans of HDF5, cfitsio and FFTW, thread stacks; measured 2
/// to 9 MiB.
inline constexpr Index kLibraryBytes = Index{9} << 20;

/// Maps of a value that are in memory at a time.
Index maps_of(const JobPlan& plan, const ValueInfo& value);

/// Points of a catalogue held by `rank`.
Index local_points(const JobPlan& plan, const ValueInfo& value, int rank);

/// Bytes of `maps` maps of a field on `rank`. Spectra and point coordinates are not counted.
Index field_bytes(const JobPlan& plan, const ValueInfo& value, Index maps, int rank);

/// MemoryModel::forecast() for a plan whose use of devices is chosen.
MemoryForecast forecast_memory(const JobPlan& plan, int rank, Index baseline);

}  // namespace armilla::job
