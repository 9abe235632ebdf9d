#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/core/error.hpp>
#include <armilla/job/plan/plan.hpp>
#include <armilla/job/run/run_record.hpp>
#include <armilla/job/run/sample_checks.hpp>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace armilla::job {

/// A map that one rank has read, or tried to.
struct ReadMap {
  std::optional<core::CaughtError> error = {};
  core::FileState seen = {};  ///< of the file, when its header was read
  BadPixels bad = {};
  Index good = 0;  ///< pixels of a map for which no component is missing
  OddSamples odd = {};
};

/// Sets the values of map `place` that are not finite to 0.
template <class T>
void zero_bad_pixels(transform::MapField<T>& map, Index place);

/// Reads the maps of one input, of a job or of the public interface, and applies the policies of the input.
template <class T>
class InputReader {
 public:
  /// `info`: of the value that the input makes. The arguments must outlive it.
  InputReader(const comm::Communicator& comm, const InputSpec& spec, const PlannedInput& planned, const ValueInfo& info,
              Wording word = job_wording)
      : comm_(comm), spec_(spec), planned_(planned), info_(info), word_(std::move(word)) {}
  /// Reads an input of a plan.
  InputReader(const comm::Communicator& comm, const JobPlan& plan, std::size_t input)
      : InputReader(comm, plan.spec.inputs[input], plan.inputs[input], plan.values[plan.inputs[input].value],
                    plan.spec.word) {}

  /// Collective. Reads an input of a single map into map `place` of a value, which is allocated if it is empty. Returns
  /// what was found on all ranks, with bad pixels that are NaN. Throws the errors of the input.
  std::vector<ReadMap> read_single(Value<T>& value, Index place, core::PhaseTimers& timers);

  /// Not collective. Allocates the value of `maps` maps, or borrows that of the caller; for values at points, reads the
  /// points of the first map, or of the reference. Throws InputError, or std::bad_alloc.
  void allocate(Value<T>& value, Index maps);
  /// Not collective. Reads the map with index `item` of a campaign, or 0, into map `place` of an allocated value. The
  /// points of values must be those of the reference. Missing pixels become NaN.
  ReadMap read(Index item, Value<T>& value, Index place) const;
  /// Not collective. Reads the points of this map of values, which are those of all maps of the job if they can be
  /// read.
  void set_reference(Index item);

  /// Collective. The errors of maps that were read on all ranks, the first with index `first`: of the lowest rank that
  /// failed, of files that differ between ranks, of bad pixels that the job does not accept, and of repeated
  /// longitudes. Sets the counts of bad pixels and the odd samples to those of all ranks.
  std::vector<std::optional<core::CaughtError>> errors(std::vector<ReadMap>& maps, Index first) const;
  /// Collective. Corrects odd samples of a map that can be corrected (settle_odd_samples()). Returns a warning about
  /// them. `map`: of all ranks, read into map `place`.
  std::optional<std::string> settle(Value<T>& value, const ReadMap& map, Index item, Index place) const;
  /// Collective. Settles odd samples, removes the monopole, makes the mask of good pixels, and zeroes bad pixels, if
  /// the job requests it. `maps`: those of the value, of all ranks, the first with index `first`; empty ones are
  /// absent.
  void finish(Value<T>& value, const std::vector<ReadMap>& maps, Index first, std::vector<Value<T>>& values,
              RunRecord* record) const;

 private:
  std::string text_of(Index item) const;
  std::optional<core::CaughtError> repeated_error(const ReadMap& map, Index item) const;

  const comm::Communicator& comm_;
  const InputSpec& spec_;
  const PlannedInput& planned_;
  const ValueInfo& info_;
  Wording word_;                                       ///< of warnings
  Index reference_ = 0;                                ///< map that defines the points
  std::shared_ptr<const points::LocalPoints> places_;  ///< of values
};

extern template void zero_bad_pixels<float>(transform::MapField<float>&, Index);
extern template void zero_bad_pixels<double>(transform::MapField<double>&, Index);
extern template class InputReader<float>;
extern template class InputReader<double>;

}  // namespace armilla::job
