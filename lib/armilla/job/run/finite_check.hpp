#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/job/plan/plan.hpp>
#include <armilla/job/run/batch.hpp>
#include <armilla/job/run/run_record.hpp>
#include <armilla/ops/map_faults.hpp>

#include <string>
#include <vector>

namespace armilla::job {

/// Collective. The maps of a batch of which value number `value` has numbers that are not finite as they are written:
/// in the precision and convention of its output. Nothing for a value that goes to no file and to no statistics. The
/// reasons count numbers of all ranks, and say where the values of `made_from` that are still there have such numbers
/// as well.
template <class T>
std::vector<ops::MapFault> nonfinite_maps(const comm::Communicator& comm, const JobPlan& plan, std::size_t value,
                                          const std::vector<std::size_t>& made_from,
                                          const std::vector<Value<T>>& values, const Batch& batch);

/// Not collective, but all ranks of a group call it alike. By the policy `warn`: a warning for each of the maps, in the
/// log and in the record.
void warn_nonfinite(const JobPlan& plan, const Place& place, std::size_t value,
                    const std::vector<ops::MapFault>& faults, const Batch& batch, RunRecord& record);

/// "'cl' has 2 of 30 numbers that are not finite (0 NaN, 2 infinite)".
std::string nonfinite_text(const std::string& name, Index nan, Index infinite, Index all);

/// What can be done about them, for the end of an error.
extern const char* const kNonfiniteAdvice;

}  // namespace armilla::job
