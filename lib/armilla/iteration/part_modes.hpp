#pragma once

#include <armilla/core/aligned_buffer.hpp>
#include <armilla/fft/ring_transform.hpp>
#include <armilla/iteration/ring_mode_layout.hpp>

#include <complex>
#include <memory>
#include <span>
#include <vector>

namespace armilla::iteration {

/// Ring modes of a batch of maps, for one part of a field, on the rings of one rank: the Fourier coefficients of each
/// ring times the weight of its pixels, as far as the m of the transform go. Where the backend computes.
template <class T>
class PartModes {
 public:
  using Complex = std::complex<T>;

  virtual ~PartModes() = default;
  /// From the maps of the part.
  virtual void set(const T* map) = 0;
  /// Multiplies each map by a number of its own: by[map].
  virtual void scale(std::span<const double> by) = 0;
  /// Of each map and own ring, sums[map * rings + ring]: the sum over its pixels of weight * map^2, as far as the m of
  /// the transform go; the same bits on any number of threads and ranks.
  virtual void squares(std::span<double> sums) const = 0;
  /// Subtracts maps with that Delta.
  virtual void subtract(const Complex* delta) = 0;
  /// Delta on the rings, as the Legendre stage is to take it: in `buffer`, or where it stands.
  virtual const Complex* delta(Complex* buffer) const = 0;
};

/// In host memory, of m that a ring cannot tell apart only one (RingModeLayout).
template <class T>
class HostPartModes final : public PartModes<T> {
 public:
  using typename PartModes<T>::Complex;

  /// `tables` outlive it; `weight` [sr] of a pixel of each own ring.
  HostPartModes(const PartTables& tables, Index mmax, std::span<const double> weight,
                std::shared_ptr<fft::PlanCache<T>> plans);

  void set(const T* map) override;
  void scale(std::span<const double> by) override;
  void squares(std::span<double> sums) const override;
  void subtract(const Complex* delta) override;
  const Complex* delta(Complex* buffer) const override;

  /// Bytes that it has, without plans.
  static Index bytes(const PartTables& tables, Index mmax);

 private:
  const PartTables& tables_;
  RingModeLayout layout_;
  fft::RingTransform<T> rings_;
  std::vector<double> weight_, factor_;
  core::AlignedBuffer<Complex> modes_;
};

extern template class HostPartModes<float>;
extern template class HostPartModes<double>;

}  // namespace armilla::iteration
