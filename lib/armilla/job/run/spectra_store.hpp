#pragma once

#include <armilla/alm/spectra_table.hpp>
#include <armilla/core/types.hpp>

#include <span>

namespace armilla::job {

using core::Index;

/// Stores the spectra of all maps of a campaign. Mean and covariance can then be computed in map order, so that they
/// are bitwise identical for any distribution of maps.
class SpectraStore {
 public:
  SpectraStore(Index maps, Index spectra, Index lmax) : maps_(maps), spectra_(spectra), lmax_(lmax) {}
  SpectraStore(const SpectraStore&) = delete;
  SpectraStore& operator=(const SpectraStore&) = delete;
  virtual ~SpectraStore() = default;

  Index maps() const { return maps_; }
  Index spectra() const { return spectra_; }
  Index lmax() const { return lmax_; }

  /// Not collective; called by one rank for each map.
  virtual void put(Index map, const alm::SpectraTable& table) = 0;
  /// Collective, after all put() calls; get() can be used afterwards.
  virtual void finish() = 0;
  /// Not collective. The spectrum with index `spectrum` of one map, l = 0 .. lmax.
  virtual void get(Index map, Index spectrum, std::span<double> values) const = 0;

 private:
  Index maps_, spectra_, lmax_;
};

}  // namespace armilla::job
