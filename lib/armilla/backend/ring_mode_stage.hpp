#pragma once

#include <armilla/core/types.hpp>

#include <complex>
#include <span>

namespace armilla::backend {

using core::Index;

/// Arrays of a round of the immediate scheme, in the memory of the context.
template <class T>
struct ImmediateRound {
  bool first;              ///< the first analysis: its result overwrites alm; otherwise it is added to alm
  bool last;               ///< no subtraction follows
  std::complex<T>* modes;  ///< of the residual maps
  std::complex<T>* delta;  ///< workspace, with the layout of the modes
  std::complex<T>* found;  ///< workspace, with the layout of alm; unused in the first round
  std::complex<T>* alm;
};

/// Operations for iterations between coefficients and ring modes, for one spin field on one rank. Modes have the
/// layout of Delta on the ring side. For each m and ring they are the sum of map exp(-i m phi), times weights, as
/// computed by FieldStages::rings_adjoint. Arrays are in the memory of the context; results are complete when calls
/// return. The m of an alias class on a ring are changed in ascending order.
template <class T>
class RingModeStage {
 public:
  using Complex = std::complex<T>;

  virtual ~RingModeStage() = default;
  /// `weight` [sr] of a pixel of each ring slot, for the calls below.
  virtual void set_weights(std::span<const double> weight) = 0;
  /// Subtracts from `modes` the modes of the maps with this Delta, times the weights.
  virtual void subtract(const Complex* delta, Complex* modes) = 0;
  /// Transforms Delta of maps to their modes times the weights, in place.
  virtual void fold_aliases(Complex* delta) = 0;
  /// Multiplies the modes of each map by by[map].
  virtual void scale(std::span<const double> by, Complex* modes) = 0;
  /// For each map and ring slot, sums[map * slots + slot] on the host: the sum over the pixels of weight * map^2,
  /// restricted to the m of the transform.
  virtual void squares(const Complex* modes, std::span<double> sums) = 0;
  /// For whole maps on one rank: analyses the residual maps m by m, and subtracts the coefficients of one m before the
  /// next. m that are not aliases of each other on any ring are computed together; results are bitwise identical.
  virtual void immediate_round(const ImmediateRound<T>& round) = 0;
};

}  // namespace armilla::backend
