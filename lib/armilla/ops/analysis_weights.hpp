#pragma once

#include <armilla/ops/pixel_weights.hpp>
#include <armilla/transform/field_transform.hpp>

#include <optional>
#include <string>
#include <vector>

namespace armilla::ops {

/// Pixel weights of an analysis.
enum class WeightKind {
  kGrid,  ///< the quadrature weights of the grid
  /// One weight per ring. HEALPix: exact for zonal harmonics up to a degree (grid::healpix_ring_weights). Equiangular
  /// grids: exact for fields without power above lmax, up to AnalysisLimits::weights_lmax.
  kRing,
  kPixel  ///< HEALPix: pixel weights, exact for all harmonics up to a degree (PixelWeights)
};

struct WeightsSpec {
  WeightKind kind = WeightKind::kGrid;
  std::optional<Index> degree = {};  ///< HEALPix: of ring and pixel weights; if empty, the default for this nside

  friend bool operator==(const WeightsSpec&, const WeightsSpec&) = default;
};

/// Throws InputError, which lists the available weights, if the grid has no such weights, or not to that degree.
void check_weights(const WeightsSpec& spec, const grid::RingGrid& grid);

/// Quadrature weights of the local rings of one rank.
class AnalysisWeights {
 public:
  /// Collective. Computes the weights, or reads them from the cache. Throws InputError like check_weights().
  AnalysisWeights(const comm::Communicator& comm, std::shared_ptr<const dist::PixelDistribution> pixels,
                  const WeightsSpec& spec);

  /// Collective over ranks that will use them in groups. Computes weights that are missing from the cache on all ranks
  /// together, so that each group can read them. No effect without a cache.
  static void prepare(const comm::Communicator& world, const std::shared_ptr<const grid::RingGrid>& grid,
                      const WeightsSpec& spec);

  /// Collective. alm = Y^T W map; overwrites alm. `scratch` is a scratch map, which may be `map` itself, or null if
  /// needs_scratch() is false.
  template <class T>
  void quadrature(transform::FieldTransform<T>& transform, const transform::MapField<T>& map,
                  transform::AlmField<T>& alm, transform::MapField<T>* scratch) const;
  static bool needs_scratch(const WeightsSpec& spec) { return spec.kind == WeightKind::kPixel; }
  /// Whether quadrature() multiplies each ring by a constant, for degrees up to `lmax`.
  static bool are_of_rings(const WeightsSpec& spec, const grid::RingGrid& grid, Index lmax) {
    return spec.kind == WeightKind::kRing || (spec.kind == WeightKind::kGrid && !grid.needs_theta_quadrature(lmax));
  }
  bool needs_scratch() const { return spec_.kind == WeightKind::kPixel; }
  WeightsSpec spec() const { return spec_; }
  /// Returns these constants [sr], for a pixel of each ring of the grid. Requires are_of_rings().
  std::vector<double> of_rings(const grid::RingGrid& grid) const;

  /// Memory on `rank`; the constructor uses the workspace.
  static core::MemoryEstimate memory(const dist::PixelDistribution& pixels, const WeightsSpec& spec, int rank);

 private:
  WeightsSpec spec_;
  std::vector<double> corrections_;  // relative corrections of ring weights, [pair of rings, starting at the pole]
  std::vector<double> ring_;         // weight of one pixel [sr], [own ring]
  std::optional<PixelWeights> pixel_;
};

}  // namespace armilla::ops
