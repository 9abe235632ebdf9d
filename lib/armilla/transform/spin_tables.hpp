#pragma once

#include <armilla/backend/context.hpp>
#include <armilla/dist/exchange_plan.hpp>
#include <armilla/transform/field_transform.hpp>

#include <memory>
#include <vector>

namespace armilla::transform {

/// The tables of one spin field on one rank, used by its exchange and its backend. Not movable, because the backend
/// holds spans to them.
struct SpinTables {
  SpinTables(const FieldTransformSpec& spec, const SpinField& spin_field, int rank);
  SpinTables(const SpinTables&) = delete;
  SpinTables& operator=(const SpinTables&) = delete;

  legendre::Task legendre_task() const;
  fft::RingTask ring_task() const;
  /// Start of the spin field in the rank's coefficients and pixels of a field.
  Index alm_begin() const { return spin_field.first * alm_size; }
  Index map_begin() const { return spin_field.first * map_size; }
  core::MemoryEstimate memory() const;

  SpinField spin_field;
  Index maps;
  bool campaign;
  Index lmax;
  int ranks;
  dist::ExchangePlan exchange;
  std::vector<Index> own_m;
  std::vector<Index> alm_offsets;
  Index alm_size;                 ///< coefficients of one component
  Index alm_stride;               ///< coefficients of one map with all its components
  Index map_size;                 ///< pixels of one component
  Index map_stride;               ///< pixels of one map with all its components
  std::vector<double> cos_theta;  ///< [pair]
  std::vector<double> sin_theta;
  std::vector<fft::RingShape> rings;  ///< [slot]
  /// [slot] weight of one pixel [sr], or 1 / nphi if the Legendre stage applies the weights in theta; empty if the grid
  /// has none.
  std::vector<double> quadrature;
};

/// Selects from weights of all rings of a grid those of the rings of a rank, in its order.
std::vector<double> own_weights(const dist::PixelDistribution& pixels, int rank, std::span<const double> weight);

}  // namespace armilla::transform
