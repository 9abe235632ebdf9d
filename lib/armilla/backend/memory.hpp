#pragma once

#include <armilla/core/types.hpp>

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

/// Rows of real numbers of some fields, tables on the host: row r is the length[r] numbers of a field from begin[r] on.
struct NumberRows {
  std::span<const Index> begin;
  std::span<const Index> length;
  Index fields;
  Index field_stride;
};

/// Factors of numbers, there: number i of field f has that at begin[f] + i, with its table on the host. Null: all 1.
template <class T>
struct NumberWeights {
  const T* weight = nullptr;
  std::span<const Index> begin;
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
  /// sums[field][row], on the host, of w x y over the numbers of each row, in double and in one order wherever they are
  /// made, so that the bits are the same (kernels::kSumLanes). For arrays there; done when it returns.
  virtual void sum_products(const NumberRows& rows, const NumberWeights<double>& w, const double* x, const double* y,
                            std::span<double> sums) = 0;
  virtual void sum_products(const NumberRows& rows, const NumberWeights<float>& w, const float* x, const float* y,
                            std::span<double> sums) = 0;
  /// to = (1 + x of the pixel's orbit) from, in double, for maps and orbits there; both maps may be one. Done when it
  /// returns.
  virtual void multiply_orbits(const OrbitRows& rows, const double* x, const double* from, double* to) = 0;
  virtual void multiply_orbits(const OrbitRows& rows, const double* x, const float* from, float* to) = 0;
};

/// The memory of the host: copies are those of the C library.
std::shared_ptr<Memory> host_memory();

}  // namespace armilla::backend
