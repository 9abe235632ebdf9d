#pragma once

#include <armilla/core/types.hpp>

#include <memory>

namespace armilla::backend {

using core::Index;

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
};

/// The memory of the host: copies are those of the C library.
std::shared_ptr<Memory> host_memory();

}  // namespace armilla::backend
