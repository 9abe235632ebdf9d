#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/job/value/value.hpp>
#include <armilla/job/value/value_info.hpp>
#include <armilla/ops/odd_samples.hpp>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// @file
/// Checks of the values of inputs for samples that no sky has.

namespace armilla::job {

/// What ops/odd_samples.hpp finds in one map of an input.
struct OddSamples {
  ops::RepeatedLongitude repeated = {};  ///< of a map
  std::vector<double> largest = {};      ///< pole_ranges() of a map, largest_imaginary_m0() of an alm

  /// Whether settle_odd_samples() does anything.
  bool may_need_settling() const {
    return std::ranges::any_of(largest, [](double number) { return number > 0; });
  }
};

/// A warning about a_l0 that have larger imaginary parts than numbers of precision `stored` have rounding errors, or
/// "". `imaginary`, `largest`: [spin field] largest_imaginary_m0() and largest_coefficients(). `source`: name of the
/// alm.
std::string imaginary_warning(const transform::FieldKind& kind, std::span<const double> imaginary,
                              std::span<const double> largest, core::Precision stored, const std::string& source);

/// Not collective. Those of this rank's part of map `place`, whose numbers have precision `stored`.
template <class T>
OddSamples find_odd_samples(const Value<T>& value, Index place, core::Precision stored);

/// Collective. Replaces what each rank has found in these maps of a value by what all ranks have. `info`: of the value.
void join_odd_samples(const comm::Communicator& comm, const ValueInfo& info, std::span<OddSamples* const> maps);

/// Collective. Sets imaginary parts of a_l0 to 0 that are not rounding errors of numbers of precision `stored`; the
/// value of the caller is copied first. Returns a warning about them, or about rings at poles that no field has, with
/// `source` as the name of the map. `samples`: of all ranks.
template <class T>
std::optional<std::string> settle_odd_samples(const comm::Communicator& comm, const OddSamples& samples,
                                              core::Precision stored, const std::string& source, Value<T>& value,
                                              Index place);

}  // namespace armilla::job
