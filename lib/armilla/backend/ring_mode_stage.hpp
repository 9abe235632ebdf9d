#pragma once

#include <armilla/core/types.hpp>

#include <complex>
#include <span>

namespace armilla::backend {

using core::Index;

/// Arrays of a round of the immediate scheme, in the memory of the context.
template <class T>
struct ImmediateRound {
  bool first;              ///< the first analysis: what is found is alm, else it is added to it
  bool last;               ///< nothing is subtracted any more
  std::complex<T>* modes;  ///< of what is left of the maps
  std::complex<T>* delta;  ///< to work in, laid out as the modes
  std::complex<T>* found;  ///< to work in, laid out as alm; nobody looks at it in the first round
  std::complex<T>* alm;
};

/// What iterations between coefficients and ring modes need of a backend, for one part of a field on one rank.
/// Modes stand where Delta does on the ring side, and have for each m the sum of map exp(-i m phi) over a ring, times
/// weights: what Backend::rings_adjoint makes. Arrays stand in the memory of the context; calls return when their
/// results may be used. Each class of m that a ring cannot tell apart is changed by ascending m.
template <class T>
class RingModeStage {
 public:
  using Complex = std::complex<T>;

  virtual ~RingModeStage() = default;
  /// `weight` [sr] of a pixel of each ring slot, for the calls below.
  virtual void set_weights(std::span<const double> weight) = 0;
  /// Modes, less those of maps with that Delta times the weights.
  virtual void subtract(const Complex* delta, Complex* modes) = 0;
  /// Delta of maps -> their modes times the weights, in place.
  virtual void fold_aliases(Complex* delta) = 0;
  /// Modes of each map times by[map].
  virtual void scale(std::span<const double> by, Complex* modes) = 0;
  /// Of each map and ring slot, sums[map * slots + slot] on the host: the sum over the pixels of weight * map^2, as far
  /// as the m of the transform go.
  virtual void squares(const Complex* modes, std::span<double> sums) = 0;
  /// For whole maps on one rank: of each m in turn the coefficients of what is left, which are subtracted before the
  /// next m is looked at. m that meet on no ring go together, with the same bits.
  virtual void immediate_round(const ImmediateRound<T>& round) = 0;
};

}  // namespace armilla::backend
