#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/transform/field.hpp>

#include <optional>
#include <span>
#include <vector>

namespace armilla::ops {

using core::Index;

/// Weight of a pixel in a fit, in addition to mask and inverse variance.
enum class PixelCount {
  kUniform,  ///< all equal: noise of equal variance in each pixel
  kArea      ///< by its area, the quadrature weight of the grid
};

/// Maps with pixel weights of a fit, or null. Each has one map or the number of maps of the batch, and one component or
/// the number of components of the map. Values are finite; inverse variances are not negative.
template <class T>
struct FitMaps {
  const transform::MapField<T>* mask = nullptr;              ///< M; values other than 0 and 1 enter squared
  const transform::MapField<T>* inverse_variance = nullptr;  ///< the diagonal of N^-1
};

/// Maps and components of the larger of the mask and inverse variance of a fit; zeros if there are none.
struct FitMapsShape {
  Index maps = 0;
  Index components = 0;
};

/// The diagonal W = M N^-1 M of a fit min (map - Y alm)^T W (map - Y alm). A factor for each system (map and spin field
/// of the field, see batch_vectors.hpp) makes its mean per steradian 1 over all used pixels. Y^T W Y is then close to 1
/// for uniform weights. Also holds the weights of the approximate inverse P = Y^T V Y of Y^T W Y, V = area^2 / W, where
/// unused pixels have the mean. This is the pseudo-inverse of Seljebotn et al. 2019, reduced to one diagonal.
template <class T>
class FitWeights {
 public:
  /// Collective. For fields of the shape of `map`. `ring_inverse_variance`: one value for each ring of the grid, or
  /// empty. Throws MapFaults for the weights if maps have negative inverse variances or non-finite values, or if they
  /// leave a map without pixels.
  FitWeights(const comm::Communicator& comm, const transform::MapField<T>& map, PixelCount count,
             std::span<const double> ring_inverse_variance, const FitMaps<T>& maps);

  /// Whether all pixels of a ring have equal weights. If so, rings() has the weight of one pixel of each own ring;
  /// otherwise multiply() applies weights to maps.
  bool by_ring() const { return !pixels_.has_value(); }
  std::span<const double> rings() const { return rings_; }
  void multiply(transform::MapField<T>& map, const std::shared_ptr<backend::Memory>& memory) const;
  /// Collective. Sum of map^2 with these weights, for each system, computed in the memory that holds the map; bitwise
  /// identical in host and device memory.
  std::vector<double> squares(const comm::Communicator& comm, const transform::MapField<T>& map) const;

  /// Not collective. Weights of the own pixels of one component of a map of that shape; 0 for unused pixels.
  std::vector<T> of_pixels(const transform::MapField<T>& map, Index k, Index c) const;

  /// Whether the weights vary so much that P reduces the number of transforms, for one system, and for any system.
  bool is_spread(std::size_t system) const { return spread_[place_of(system)]; }
  bool any_spread() const;
  /// W of a system divided by the weights as given: mask^2 times inverse variance, and area for PixelCount::kArea.
  double scale(std::size_t system) const { return scales_[place_of(system)]; }
  /// Number of used values of a system: pixels with nonzero weight, of all its components and all ranks.
  Index used(std::size_t system) const { return used_[place_of(system)]; }
  /// Number of maps of the weights.
  Index maps() const { return static_cast<Index>(spread_.size() / spin_fields_.size()); }
  /// Weights of V, as rings() and multiply() for W.
  std::span<const double> inverse_rings() const { return inverse_rings_; }
  void multiply_inverse(transform::MapField<T>& map, const std::shared_ptr<backend::Memory>& memory) const;

  /// Memory on `rank`, with FitMaps of that shape.
  static core::MemoryEstimate memory(const dist::PixelDistribution& pixels, int rank, const FitMapsShape& shape);

 private:
  void weigh_pixels(const comm::Communicator& comm, const transform::MapField<T>& map,
                    std::span<const double> ring_factor, double ring_scale, const FitMaps<T>& maps);
  std::size_t place_of(std::size_t system) const {
    return spread_.size() == spin_fields_.size() ? system % spin_fields_.size() : system;
  }

  std::vector<double> area_;  // area of one pixel of each own ring [sr]
  std::vector<double> rings_, inverse_rings_;
  std::optional<transform::MapField<T>> pixels_, inverse_pixels_;
  std::vector<transform::SpinField> spin_fields_;  // spin fields of the maps
  // [map of the weights][spin field]
  std::vector<bool> spread_;
  std::vector<double> scales_;
  std::vector<Index> used_;
};

/// Area of one pixel of each own ring [sr]: the quadrature weight of the grid. Without weights, it is the area of the
/// belt between the midpoints of neighbouring rings, per pixel.
std::vector<double> pixel_areas(const dist::PixelDistribution& pixels, int rank);

}  // namespace armilla::ops
