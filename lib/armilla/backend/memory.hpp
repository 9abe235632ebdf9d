#pragma once

#include <armilla/core/types.hpp>
#include <armilla/math/sum_grids.hpp>

#include <complex>
#include <memory>
#include <span>

namespace armilla::backend {

using core::Index;

/// Rows of coefficients of some fields, tables on the host: degree l of own m number k, m[k] <= l < degrees, stands at
/// offset[k] + l of its field.
struct DegreeRows {
  std::span<const Index> m;
  std::span<const Index> offset;
  Index degrees;
  Index fields;
  Index field_stride;
};

/// Real inner products of coefficients of two arrays, tables on the host: that of system s is over the length[s] from
/// begin[s] on, where a component of `period` begins. Places once_begin .. once_end - 1 of a component count once, all
/// others, which stand for m and -m, twice.
struct InnerProducts {
  std::span<const Index> begin;
  std::span<const Index> length;
  Index period;
  Index once_begin, once_end;
};

/// Sums of weighted squares of the pixels of a map, tables on the host but for pixel_weight: that of system s is over
/// the length[s] pixels from begin[s] on, where a component of `period` begins. A pixel has the weight of its ring, or
/// its own where pixel_weight is not null.
template <class T>
struct WeightedSquares {
  std::span<const Index> begin;
  std::span<const Index> length;
  Index period;
  std::span<const Index> ring_begin;    ///< [ring, and the end] first pixel in a component
  std::span<const double> ring_weight;  ///< [ring]
  const T* pixel_weight;
  std::span<const Index> weight_begin;  ///< [system] weight of its first pixel
  Index weight_period;                  ///< after so many pixels of a system weights begin anew
};

/// HEALPix rings of a component of a map, tables on the host, with a number for each orbit of the grid's symmetry.
struct OrbitRows {
  std::span<const Index> ring_begin;  ///< [ring, and the end] first pixel
  std::span<const Index> quarter;     ///< [ring] pixels of a quarter of it
  std::span<const Index> shifted;     ///< [ring] 1 where the first pixel lies half a pixel from phi = 0, else 0
  std::span<const Index> first;       ///< [ring] its first orbit
  Index fields;                       ///< components of all maps
};

/// Where a backend computes, as a place for numbers. One caller at a time.
class Memory {
 public:
  virtual ~Memory() = default;
  virtual core::MemorySpace space() const = 0;
  /// The device, by CUDA's index; -1 for the host. Memories of one device are one place: what one has, the others may
  /// use.
  virtual int device() const = 0;
  /// Bytes there, aligned for any number, and in host memory that is copied fast to and from there; not initialised.
  /// Throw ResourceError or std::bad_alloc where they do not fit.
  virtual std::shared_ptr<void> allocate(Index bytes) = 0;
  virtual std::shared_ptr<void> allocate_host(Index bytes) = 0;
  /// Copies; done when they return.
  virtual void to_host(void* host, const void* there, Index bytes) = 0;
  virtual void from_host(void* there, const void* host, Index bytes) = 0;
  /// y_i = a x_i + b y_i, i = 0 .. count - 1, for arrays there; done when it returns.
  virtual void combine(double a, const double* x, double b, double* y, Index count) = 0;
  virtual void combine(float a, const float* x, float b, float* y, Index count) = 0;
  /// y_i = x_i y_i, likewise.
  virtual void multiply(const double* x, double* y, Index count) = 0;
  virtual void multiply(const float* x, float* y, Index count) = 0;
  /// y_i = x_i y_i where x_i is not 0, and 0 where it is, even if y_i is not a number; likewise.
  virtual void mask(const double* x, double* y, Index count) = 0;
  virtual void mask(const float* x, float* y, Index count) = 0;
  /// alm = factors[l] alm, computed in double, for coefficients there; done when it returns. `factors`, on the host,
  /// has one for each degree.
  virtual void multiply_degrees(const DegreeRows& rows, std::span<const double> factors, std::complex<double>* alm) = 0;
  virtual void multiply_degrees(const DegreeRows& rows, std::span<const double> factors, std::complex<float>* alm) = 0;
  /// Largest magnitude of the terms of each system, in double, 0 where there are none; and the parts of its sum by
  /// grids [system][level] (math::add_parts), [system][level], exact and so the same wherever they are made. For
  /// coefficients there; done when they return.
  virtual void largest_products(const InnerProducts& products, const std::complex<double>* x,
                                const std::complex<double>* y, std::span<double> largest) = 0;
  virtual void largest_products(const InnerProducts& products, const std::complex<float>* x,
                                const std::complex<float>* y, std::span<double> largest) = 0;
  virtual void sum_products(const InnerProducts& products, const std::complex<double>* x, const std::complex<double>* y,
                            std::span<const math::SumGrids> grids, std::span<math::SumGrids> parts) = 0;
  virtual void sum_products(const InnerProducts& products, const std::complex<float>* x, const std::complex<float>* y,
                            std::span<const math::SumGrids> grids, std::span<math::SumGrids> parts) = 0;
  /// The same of weighted squares of pixels there.
  virtual void largest_squares(const WeightedSquares<double>& squares, const double* x, std::span<double> largest) = 0;
  virtual void largest_squares(const WeightedSquares<float>& squares, const float* x, std::span<double> largest) = 0;
  virtual void sum_squares(const WeightedSquares<double>& squares, const double* x,
                           std::span<const math::SumGrids> grids, std::span<math::SumGrids> parts) = 0;
  virtual void sum_squares(const WeightedSquares<float>& squares, const float* x, std::span<const math::SumGrids> grids,
                           std::span<math::SumGrids> parts) = 0;
  /// to = (1 + x of the pixel's orbit) from, in double, for maps and orbits there; both maps may be one. Done when it
  /// returns.
  virtual void multiply_orbits(const OrbitRows& rows, const double* x, const double* from, double* to) = 0;
  virtual void multiply_orbits(const OrbitRows& rows, const double* x, const float* from, float* to) = 0;
};

/// The memory of the host: copies are those of the C library.
std::shared_ptr<Memory> host_memory();

}  // namespace armilla::backend
