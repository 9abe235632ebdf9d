#pragma once

#include <armilla/job/plan/plan.hpp>
#include <armilla/job/run/spectra_store.hpp>
#include <armilla/job/value/value.hpp>
#include <armilla/ops/nonfinite.hpp>

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace armilla::job {

/// Mean and covariance of the spectra of a campaign. Each sum runs over the maps in order on a single rank, so results
/// are bitwise identical on any number of ranks. The covariance is computed from the deviations from the mean.
class SpectraStatistics {
 public:
  /// Collective. Computes the mean over the maps whose `there` is not 0.
  SpectraStatistics(const comm::Communicator& comm, const SpectraStore& store, const ValueInfo& info,
                    std::span<const Index> there);

  const alm::SpectraTable& mean() const { return mean_; }
  Index count() const { return static_cast<Index>(maps_.size()); }
  /// Handles non-finite values; `all` is the number of values. Called identically on all ranks. If it throws, no file
  /// is written.
  using OnNonfinite = std::function<void(const ops::NonfiniteCount& found, Index all)>;
  /// Collective. HDF5 holds the mean, the covariance and the number of maps; FITS and text hold the mean. The
  /// covariance of fewer than two maps is NaN and is not counted as non-finite.
  void write(const core::OutputPath& output, const OnNonfinite& on_nonfinite) const;
  /// Collective. The mean, then for each spectrum its covariance, with a column for each l'. The same on all ranks.
  Tables tables(const OnNonfinite& on_nonfinite) const;

 private:
  /// Rows first .. first + count - 1 of the covariance matrix [l][l'] of one spectrum.
  std::vector<double> covariance_rows(Index spectrum, Index first, Index count) const;

  const comm::Communicator& comm_;
  const SpectraStore& store_;
  std::vector<Index> maps_;
  alm::SpectraTable mean_;
};

}  // namespace armilla::job
