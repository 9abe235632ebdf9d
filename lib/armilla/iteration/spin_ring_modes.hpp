#pragma once

#include <armilla/core/aligned_buffer.hpp>
#include <armilla/fft/ring_transform.hpp>
#include <armilla/iteration/ring_mode_layout.hpp>

#include <complex>
#include <memory>
#include <span>
#include <vector>

namespace armilla::iteration {

/// Ring modes of a batch of maps, for one spin field, on the rings of one rank. They are the Fourier coefficients of
/// each ring times the weight of its pixels, restricted to the m of the transform. Stored in the memory of the backend.
template <class T>
class SpinRingModes {
 public:
  using Complex = std::complex<T>;

  virtual ~SpinRingModes() = default;
  /// Computes the modes from the maps of the spin field.
  virtual void set(const T* map) = 0;
  /// Multiplies each map by by[map].
  virtual void scale(std::span<const double> by) = 0;
  /// For each map and local ring, sums[map * rings + ring]: the sum over its pixels of weight * map^2, restricted to
  /// the m of the transform; bitwise identical on any number of threads and ranks.
  virtual void squares(std::span<double> sums) const = 0;
  /// Subtracts the modes of maps with this Delta.
  virtual void subtract(const Complex* delta) = 0;
  /// Delta on the rings, as input of the Legendre stage. It is written to `buffer`, unless it already exists at another
  /// address. Returns its address.
  virtual const Complex* delta(Complex* buffer) const = 0;
};

/// Modes in host memory. Of the m that a ring cannot distinguish, only one is stored (RingModeLayout).
template <class T>
class HostSpinRingModes final : public SpinRingModes<T> {
 public:
  using typename SpinRingModes<T>::Complex;

  /// `tables` must outlive this object; `weight` [sr] is the weight of one pixel, for each local ring.
  HostSpinRingModes(const SpinTables& tables, Index mmax, std::span<const double> weight,
                    std::shared_ptr<fft::PlanCache<T>> plans);

  void set(const T* map) override;
  void scale(std::span<const double> by) override;
  void squares(std::span<double> sums) const override;
  void subtract(const Complex* delta) override;
  const Complex* delta(Complex* buffer) const override;

  /// Memory without FFT plans.
  static core::MemoryEstimate memory(const SpinTables& tables, Index mmax);

 private:
  const SpinTables& tables_;
  RingModeLayout layout_;
  fft::RingTransform<T> rings_;
  std::vector<double> weight_, factor_;
  core::AlignedBuffer<Complex> modes_;
};

}  // namespace armilla::iteration
