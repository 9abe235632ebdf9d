#pragma once

#include <armilla/api/alm.hpp>
#include <armilla/api/map.hpp>
#include <armilla/api/names.hpp>
#include <armilla/api/strides.hpp>

#include <complex>
#include <memory>
#include <optional>
#include <span>

/// @file
/// Values on pixels or coefficients that the program distributes over ranks in its own way.

namespace armilla {

namespace api {
struct PixelOwners;
struct AlmOwners;
}  // namespace api

/// Moves values between maps of a transform and any pixels, which the program distributes: one all-to-all, planned at
/// construction. Each rank names its pixels, also none, in any order. Not copyable; moving and destruction are local.
/// All other calls are collective over the ranks of the communicator.
class PixelRedistribution {
 public:
  /// Collective. `pixels`: indices, in the grid of `pixels_of`, of the pixels of this rank of the program, in its
  /// order. `pixels_of` is the distribution of the maps, such as Map::distribution() or Transform::pixels(). Throws
  /// InputError for an index that the grid does not have, with the rank and the position, and for another number of
  /// ranks than that of the distribution.
  PixelRedistribution(const Communicator& comm, const PixelDistribution& pixels_of, std::span<const Index> pixels);
  PixelRedistribution(PixelRedistribution&& other) noexcept;             ///< not collective
  PixelRedistribution& operator=(PixelRedistribution&& other) noexcept;  ///< not collective
  ~PixelRedistribution();                                                ///< not collective

  /// Number of pixels of this rank of the program.
  Index size() const;
  /// Collective. Overwrites all pixels of `map` with values of the program: [map][component][pixel] by default, or at
  /// `strides`; the pixels are those of the constructor. Pixels that no rank has become `fill`. Throws InputError,
  /// with an index, if several ranks or places have the same pixel, if pixels are missing and there is no `fill`, and
  /// for a wrong size of `values` or another grid.
  template <class T>
  void to_map(std::span<const T> values, Map<T>& map, std::optional<T> fill = {}, const Strides& strides = {}) const;
  /// Collective. Overwrites the values of the program with those of its pixels. Several ranks and places may have the
  /// same pixel. Throws InputError for a wrong size of `values` or another grid.
  template <class T>
  void from_map(const Map<T>& map, std::span<T> values, const Strides& strides = {}) const;

 private:
  std::unique_ptr<api::PixelOwners> owners_;
};

/// The same for coefficients, which the program distributes by (l, m) or by m.
class AlmRedistribution {
 public:
  /// Collective. `l` and `m`, of equal size: the coefficients of this rank of the program, 0 <= m <= l; in its order.
  /// `alm_of`: the distribution of the coefficients, such as Alm::distribution(). Throws InputError for a coefficient
  /// that the layout does not have, with the rank and the position, and for another number of ranks than that of the
  /// distribution.
  AlmRedistribution(const Communicator& comm, const AlmDistribution& alm_of, std::span<const Index> l,
                    std::span<const Index> m);
  /// Collective. `m`: orders of this rank of the program, in its order, each with its coefficients l = m .. lmax in
  /// ascending order. Throws like the constructor.
  static AlmRedistribution of_orders(const Communicator& comm, const AlmDistribution& alm_of, std::span<const Index> m);
  AlmRedistribution(AlmRedistribution&& other) noexcept;             ///< not collective
  AlmRedistribution& operator=(AlmRedistribution&& other) noexcept;  ///< not collective
  ~AlmRedistribution();                                              ///< not collective

  /// Number of coefficients of this rank of the program.
  Index size() const;
  /// Collective. Like PixelRedistribution::to_map().
  template <class T>
  void to_alm(std::span<const std::complex<T>> values, Alm<T>& alm, std::optional<std::complex<T>> fill = {},
              const Strides& strides = {}) const;
  /// Collective. Like PixelRedistribution::from_map().
  template <class T>
  void from_alm(const Alm<T>& alm, std::span<std::complex<T>> values, const Strides& strides = {}) const;

 private:
  std::unique_ptr<api::AlmOwners> owners_;
};

}  // namespace armilla
