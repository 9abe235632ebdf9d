#pragma once

#include <armilla/core/types.hpp>

#include <complex>
#include <span>

namespace armilla::kernels {
struct DeflectionFaults;
struct MapRing;
}  // namespace armilla::kernels

namespace armilla::backend {

using core::Index;

/// Rows of coefficients of some fields, with tables on the host. Degree l of the k-th local m, m[k] <= l < degrees, has
/// index offset[k] + l in its field.
struct DegreeRows {
  std::span<const Index> m;
  std::span<const Index> offset;
  Index degrees;
  Index fields;
  Index field_stride;
};

/// Rows of real values of some fields, with tables on the host. Row r consists of length[r] values of a field, starting
/// at begin[r].
struct NumberRows {
  std::span<const Index> begin;
  std::span<const Index> length;
  Index fields;
  Index field_stride;
};

/// Weights of values: value i of field f has weight[begin[f] + i]; the table `begin` is on the host. Null: all weights
/// are 1.
template <class T>
struct NumberWeights {
  const T* weight = nullptr;
  std::span<const Index> begin;
};

/// HEALPix rings of a component of a map, with tables on the host, and one value for each orbit of the grid's symmetry.
struct OrbitRings {
  std::span<const Index> begin;    ///< [ring, and the end] first pixel
  std::span<const Index> quarter;  ///< [ring] pixels of a quarter of it
  std::span<const Index> shifted;  ///< [ring] 1 if the first pixel is half a pixel from phi = 0, else 0
  std::span<const Index> first;    ///< [ring] its first orbit
  Index fields;                    ///< components of all maps
};

/// Rings of a component of a map in the order of its pixels, with tables on the host.
struct MapRings {
  std::span<const Index> begin;   ///< [ring, and the end] first pixel
  const kernels::MapRing* rings;  ///< [ring]

  std::size_t count() const { return begin.size() - 1; }
  Index pixels() const { return begin.back(); }
};

/// Arithmetic on arrays of T in one memory (Memory::ops). Results are complete when calls return; one call at a time.
template <class T>
class ArrayOps {
 public:
  virtual ~ArrayOps() = default;
  /// y_i = a x_i + b y_i, i = 0 .. count - 1.
  virtual void combine(T a, const T* x, T b, T* y, Index count) const = 0;
  /// y_i = x_i y_i.
  virtual void multiply(const T* x, T* y, Index count) const = 0;
  /// y_i = x_i y_i where x_i is not 0, otherwise 0, even if y_i is NaN.
  virtual void mask(const T* x, T* y, Index count) const = 0;
  /// alm = factors[l] alm, computed in double. `factors` is on the host, with one factor for each degree.
  virtual void multiply_degrees(const DegreeRows& rows, std::span<const double> factors,
                                std::complex<T>* alm) const = 0;
  /// to = factors[k] from for all degrees of the k-th local m, in T; `to` may be `from`. `factors` is on the host.
  virtual void multiply_orders(const DegreeRows& rows, std::span<const T> factors, const std::complex<T>* from,
                               std::complex<T>* to) const = 0;
  /// sums[field][row], on the host: sums of w x y over the values of each row, in double. The summation order is the
  /// same in every memory (kernels::kSumLanes), so results are bitwise identical.
  virtual void sum_products(const NumberRows& rows, const NumberWeights<T>& w, const T* x, const T* y,
                            std::span<double> sums) const = 0;
  /// to = (1 + x of the pixel's orbit) from, in double; `to` may be `from`.
  virtual void multiply_orbits(const OrbitRings& rings, const double* x, const T* from, T* to) const = 0;
  /// theta, phi, gamma [pixel] = angles of the pixels of rings after displacement by tangent vectors along theta and
  /// phi (kernels::Displacement), in double.
  virtual void displace(const MapRings& rings, const T* south, const T* east, double* theta, double* phi,
                        double* gamma) const = 0;
  /// Multiplies first_i + i second_i by exp(i spin gamma_i), in double.
  virtual void turn(Index spin, const double* gamma, T* first, T* second, Index count) const = 0;
  /// Checks displacements by tangent vectors; their determinants may be null.
  virtual kernels::DeflectionFaults find_faults(const T* south, const T* east, const T* determinant,
                                                Index count) const = 0;
  /// to_i = factors_i from_i, in double; null factors are 1.
  virtual void scale(const double* factors, const T* from, T* to, Index count) const = 0;
};

}  // namespace armilla::backend
