#pragma once

#include <armilla/job/device_plan.hpp>
#include <armilla/job/plan.hpp>

#include <vector>

namespace armilla::job {

/// Memory that one rank is going to need, in bytes, found by walking the schedule without doing it.
struct MemoryForecast {
  Index baseline = 0;          ///< the process itself before the job, and what libraries will take
  std::vector<Index> actions;  ///< peak during each action of the schedule, then of that of a batch, baseline included
  std::vector<DeviceBytes> device = {};  ///< likewise, of the memory of its device; empty without one
  Index peak() const;
};

/// Not collective; any rank can forecast any other. `baseline`: resident bytes of that process before the job.
MemoryForecast forecast_memory(const JobPlan& plan, int rank, Index baseline);

/// Bytes of one map or alm on `rank`; spectra count nothing.
Index field_bytes(const ValueInfo& value, core::Precision precision, int rank);

}  // namespace armilla::job
