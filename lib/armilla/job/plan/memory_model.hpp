#pragma once

#include <armilla/backend/device_estimate.hpp>
#include <armilla/job/parse/operation.hpp>
#include <armilla/job/plan/plan.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace armilla::job {

/// What one rank takes of the memory of its device while it does something.
struct DeviceBytes {
  Index fields = 0;
  core::MemoryEstimate transforms;  ///< tables; kept: Delta; workspace: what they are given
  Index total() const { return fields + transforms.peak(); }
};

/// Memory that one rank is going to need, in bytes, for each action of the schedule, then of that of a batch.
struct MemoryForecast {
  Index baseline = 0;                    ///< the process itself before the job, and what libraries will take
  std::vector<Index> actions;            ///< peak during each action, baseline included
  std::vector<DeviceBytes> device = {};  ///< likewise, of the memory of its device; empty without one
  Index peak() const;
  /// Of the most that is taken of the device at any time.
  DeviceBytes device_peak() const;
};

/// What the values, transforms and steps of a plan take on one rank, counted once: forecasts for any working space of a
/// device.
class MemoryModel {
 public:
  /// Not collective; any rank can ask for any other. The plan outlives it.
  MemoryModel(const JobPlan& plan, int rank);

  /// Whether the plan computes on devices.
  bool has_device() const { return has_device_; }
  /// The least working space that all steps can work with.
  Index min_work() const;
  /// Walks the schedule without doing it; upper bounds. Fields come to a device with the first transform that uses
  /// them, and stay until they are freed; what a step of a transform takes for itself is counted as fields. `baseline`:
  /// resident bytes of that process before the job. `work_bytes`: working space of transforms; without, nothing is
  /// said of devices.
  MemoryForecast forecast(Index baseline, std::optional<Index> work_bytes) const;

 private:
  class Walk;
  /// Of a step with its transform; steps share estimates of equal transforms.
  struct Transform {
    core::MemoryEstimate host;
    backend::DeviceEstimate device;
  };
  struct Step {
    core::MemoryEstimate own;                    ///< in both memories
    std::shared_ptr<const Transform> transform;  ///< null for none
    std::optional<DeviceUse> device;             ///< besides the transform
  };
  /// What writers hold besides the field.
  Index write_bytes(std::size_t output) const;

  const JobPlan& plan_;
  int rank_;
  bool has_device_ = false;
  std::vector<Index> values_;  ///< [value] of all maps of a batch
  std::vector<Step> steps_;
};

/// What libraries take when they are first used: tables and plans of HDF5, cfitsio and FFTW, stacks of threads;
/// measured 2 to 9 MiB.
inline constexpr Index kLibraryBytes = Index{9} << 20;

/// Maps of a value that are there at a time.
Index maps_of(const JobPlan& plan, const ValueInfo& value);

/// Points of a catalogue that `rank` holds.
Index local_points(const JobPlan& plan, const ValueInfo& value, int rank);

/// Bytes of so many maps of a field on `rank`; spectra count nothing, nor do the places of points.
Index field_bytes(const JobPlan& plan, const ValueInfo& value, Index maps, int rank);

/// Of a plan whose use of devices is chosen: MemoryModel::forecast().
MemoryForecast forecast_memory(const JobPlan& plan, int rank, Index baseline);

}  // namespace armilla::job
