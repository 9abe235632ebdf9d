#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/job/plan/plan.hpp>
#include <armilla/job/run/run_record.hpp>
#include <armilla/ops/map_faults.hpp>

#include <string>
#include <vector>

namespace armilla::job {

/// Collective. Finds the maps of a batch for which the value with index `value` is not finite in the precision and
/// convention of its output. Returns an empty list if the value is used for no file and no statistics, and not kept for
/// the caller. The reasons include counts over all ranks. They also name the values of `made_from` still in memory that
/// are not finite.
template <class T>
std::vector<ops::MapFault> nonfinite_maps(const comm::Communicator& comm, const JobPlan& plan, std::size_t value,
                                          const std::vector<std::size_t>& made_from,
                                          const std::vector<Value<T>>& values, const Batch& batch);

/// Does not communicate, but all ranks of a group must call it in the same order. For the policy `warn`: warns about
/// each of the maps, in the log and in the record.
void warn_nonfinite(const JobPlan& plan, const Place& place, std::size_t value,
                    const std::vector<ops::MapFault>& faults, const Batch& batch, RunRecord& record);

/// Handles non-finite numbers in a result of all maps, described by `text`: throws InputError, or warns on one rank
/// (`speaks`), according to the policy of the job. Called identically on all ranks.
void handle_nonfinite(const JobPlan& plan, std::size_t value, const std::string& text, bool speaks, RunRecord& record);

/// "'cl' has 2 non-finite values out of 30 (0 NaN, 2 infinite)".
std::string nonfinite_text(const std::string& name, Index nan, Index infinite, Index all);

/// Advice on non-finite values, appended to an error message.
std::string nonfinite_advice();

}  // namespace armilla::job
