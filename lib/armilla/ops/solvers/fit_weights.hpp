#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/transform/field.hpp>

#include <optional>
#include <span>
#include <vector>

namespace armilla::ops {

using core::Index;

/// What a pixel counts in a fit besides what mask and inverse variance say.
enum class PixelCount {
  kUniform,  ///< all alike: noise of equal variance in each pixel
  kArea      ///< by its area, the quadrature weight of the grid
};

/// Maps that weigh the pixels of a fit; null for none. Each has one map for all maps of the batch or as many as it, and
/// one component for all or as many; values are finite, inverse variances not negative.
template <class T>
struct FitMaps {
  const transform::MapField<T>* mask = nullptr;              ///< M; what it is not 0 or 1 counts squared
  const transform::MapField<T>* inverse_variance = nullptr;  ///< the diagonal of N^-1
};

/// Maps and components of the larger of the mask and inverse variance of a fit; zeros for none.
struct FitMapsShape {
  Index maps = 0;
  Index components = 0;
};

/// The diagonal W = M N^-1 M of a fit min (map - Y alm)^T W (map - Y alm), times a factor for each system (map and spin
/// field of the field, see batch_vectors.hpp) that makes its mean per steradian 1 over all pixels that count: then Y^T
/// W Y is near 1 if all pixels count alike. Besides, the weights of the approximate inverse P = Y^T V Y of Y^T W Y,
/// V = area^2 / W, where pixels that do not count have the mean (Seljebotn et al. 2019, their pseudo-inverse, cut down
/// to one diagonal).
template <class T>
class FitWeights {
 public:
  /// Collective. For fields of the shape of `map`. `ring_inverse_variance`: one for each ring of the grid, or none.
  /// Throws MapFaults of the weights where maps have negative inverse variances or numbers that are not finite, and
  /// where they leave a map without pixels.
  FitWeights(const comm::Communicator& comm, const transform::MapField<T>& map, PixelCount count,
             std::span<const double> ring_inverse_variance, const FitMaps<T>& maps);

  /// Whether all pixels of a ring weigh alike: then rings() has the weight of one pixel of each own ring, else
  /// multiply() weighs maps.
  bool by_ring() const { return !pixels_.has_value(); }
  std::span<const double> rings() const { return rings_; }
  void multiply(transform::MapField<T>& map, const std::shared_ptr<backend::Memory>& memory) const;
  /// Collective. Sum of map^2 with these weights, of each system, computed where the map is in memory; bitwise
  /// identical in any memory.
  std::vector<double> squares(const comm::Communicator& comm, const transform::MapField<T>& map) const;

  /// Of the own pixels of one component of a map of that shape, 0 if they do not count. Not collective.
  std::vector<T> of_pixels(const transform::MapField<T>& map, Index k, Index c) const;

  /// Whether the weights vary so much that P is worth its two transforms, for a system, and for any of them.
  bool is_spread(std::size_t system) const {
    return spread_[spread_.size() == spin_fields_.size() ? system % spin_fields_.size() : system];
  }
  bool any_spread() const;
  /// The same for V.
  std::span<const double> inverse_rings() const { return inverse_rings_; }
  void multiply_inverse(transform::MapField<T>& map, const std::shared_ptr<backend::Memory>& memory) const;

  /// On `rank`, from FitMaps of that shape.
  static core::MemoryEstimate memory(const dist::PixelDistribution& pixels, int rank, const FitMapsShape& shape);

 private:
  void weigh_pixels(const comm::Communicator& comm, const transform::MapField<T>& map,
                    std::span<const double> ring_factor, const FitMaps<T>& maps);

  std::vector<double> area_;  // of one pixel of each own ring [sr]
  std::vector<double> rings_, inverse_rings_;
  std::optional<transform::MapField<T>> pixels_, inverse_pixels_;
  std::vector<transform::SpinField> spin_fields_;  // of the fields
  std::vector<bool> spread_;                       // [map of the weights][spin field]
};

/// Area of one pixel of each own ring [sr]: the quadrature weight of the grid, or where it has none, that of the belt
/// between the middles of neighbouring rings.
std::vector<double> pixel_areas(const dist::PixelDistribution& pixels, int rank);

}  // namespace armilla::ops
