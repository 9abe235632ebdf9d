#pragma once

#include <armilla/api/names.hpp>

#include <complex>
#include <memory>
#include <optional>
#include <span>
#include <vector>

/// @file
/// The two stages of a transform alone, for programs with their own exchange between them.

namespace armilla {

namespace api {
template <class T>
struct LegendreStageState;
template <class T>
struct RingStageState;
}  // namespace api

/// Parameters of both stages, for one scalar or one pair of a spin > 0.
struct StageSpec {
  RingGrid grid;                   ///< the whole grid
  Index lmax;                      ///< highest degree
  std::optional<Index> mmax = {};  ///< highest order; default: lmax
  Index spin = 0;                  ///< of the field: one component, or two for spin > 0
  Index maps = 1;                  ///< number of maps transformed together
};

/// The Legendre stage of some orders m, on all rings of a grid: Delta_m(theta) = sum over l of a_lm lambda_lm(theta),
/// without exp(i m phi). Local to the process; uses OpenMP threads; one call at a time. T is float or double.
///
/// Coefficients are [map][component][order of the list][l = m .. lmax]. Delta is [order of the list][ring of the
/// grid][component][map]. It is 0 where an order is negligible near the poles.
template <class T = double>
class LegendreStage {
 public:
  /// `orders`: different m, 0 .. mmax, ascending. Throws InputError for others, for lmax below 0 or the spin, and maps
  /// <
  /// 1. Throws ResourceError if memory is insufficient.
  LegendreStage(StageSpec spec, std::vector<Index> orders);
  LegendreStage(LegendreStage&& other) noexcept;             ///< moves the stage
  LegendreStage& operator=(LegendreStage&& other) noexcept;  ///< moves the stage
  ~LegendreStage();

  Index alm_size() const;    ///< number of coefficients
  Index delta_size() const;  ///< number of values of Delta
  /// Overwrites delta. Throws InputError for other sizes.
  void synthesis(std::span<const std::complex<T>> alm, std::span<std::complex<T>> delta);
  /// The transpose: a_lm = sum over rings of Delta_m lambda_lm. Overwrites alm. Throws InputError for other sizes.
  void adjoint_synthesis(std::span<const std::complex<T>> delta, std::span<std::complex<T>> alm);

 private:
  std::unique_ptr<api::LegendreStageState<T>> state_;
};

/// The ring stage of some rings, for all m = 0 .. mmax: pixels = Re Delta_0 + 2 Re sum over m > 0 of Delta_m exp(i m
/// phi). Local to the process; uses OpenMP threads; one call at a time. T is float or double.
///
/// Delta is [m][ring of the list][component][map]. Maps are [map][component][pixel], the rings of the list one after
/// the other. A ring and its mirror image share a Fourier transform if both are in the list: results may differ in the
/// last bits from those of other lists.
template <class T = double>
class RingStage {
 public:
  /// `rings`: different indices of rings of the grid. Throws InputError and ResourceError like LegendreStage.
  RingStage(StageSpec spec, std::vector<Index> rings);
  RingStage(RingStage&& other) noexcept;             ///< moves the stage
  RingStage& operator=(RingStage&& other) noexcept;  ///< moves the stage
  ~RingStage();

  Index delta_size() const;  ///< number of values of Delta
  Index map_size() const;    ///< number of pixels of all components and maps
  /// Overwrites map. Throws InputError for other sizes.
  void synthesis(std::span<const std::complex<T>> delta, std::span<T> map);
  /// The transpose: Delta_m = sum over the pixels of a ring of map exp(-i m phi), without weights. Overwrites delta,
  /// with 0 where an order is negligible near the poles. Throws InputError for other sizes.
  void adjoint_synthesis(std::span<const T> map, std::span<std::complex<T>> delta);

 private:
  std::unique_ptr<api::RingStageState<T>> state_;
};

}  // namespace armilla
