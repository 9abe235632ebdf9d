#pragma once

#include <armilla/core/types.hpp>

#include <complex>
#include <span>

namespace armilla::backend {

using core::Index;

/// Arrays of a round of the immediate scheme, in the memory of the context.
template <class T>
struct ImmediateRound {
  bool first;              ///< the first analysis: its result is alm; else it is added to alm
  bool last;               ///< nothing is subtracted afterwards
  std::complex<T>* modes;  ///< of the residual maps
  std::complex<T>* delta;  ///< workspace, laid out as the modes
  std::complex<T>* found;  ///< workspace, laid out as alm; not used in the first round
  std::complex<T>* alm;
};

/// What iterations between coefficients and ring modes need of a backend, for one spin field on one rank.
/// Modes are laid out as Delta on the ring side: for each m and ring the sum of map exp(-i m phi), times weights, as
/// Backend::rings_adjoint computes it. Arrays are in the memory of the context; calls return when their results may be
/// used. The m of a class of aliases on a ring are changed in ascending order.
template <class T>
class RingModeStage {
 public:
  using Complex = std::complex<T>;

  virtual ~RingModeStage() = default;
  /// `weight` [sr] of a pixel of each ring slot, for the calls below.
  virtual void set_weights(std::span<const double> weight) = 0;
  /// Subtracts the modes of maps with that Delta, times the weights, from `modes`.
  virtual void subtract(const Complex* delta, Complex* modes) = 0;
  /// Delta of maps -> their modes times the weights, in place.
  virtual void fold_aliases(Complex* delta) = 0;
  /// Modes of each map times by[map].
  virtual void scale(std::span<const double> by, Complex* modes) = 0;
  /// Of each map and ring slot, sums[map * slots + slot] on the host: the sum over the pixels of weight * map^2, as far
  /// as the m of the transform go.
  virtual void squares(const Complex* modes, std::span<double> sums) = 0;
  /// For whole maps on one rank: analyses the residual maps m by m, and subtracts the coefficients of one m before the
  /// next. m that are aliases of each other on no ring are computed together; results are bitwise identical.
  virtual void immediate_round(const ImmediateRound<T>& round) = 0;
};

}  // namespace armilla::backend
