#pragma once

#include <armilla/backend/ring_mode_stage.hpp>
#include <armilla/core/types.hpp>
#include <armilla/legendre/engine.hpp>

#include <complex>
#include <span>

namespace armilla::backend {

/// Both stages of the transforms of one spin field on one rank. Coefficients, Delta and pixels are in the memory of the
/// context that made them; factors are in host memory. Results are complete when a call returns.
template <class T>
class FieldStages {
 public:
  virtual ~FieldStages() = default;
  /// alm -> Delta on the m side; as legendre::Engine::synthesis.
  virtual void legendre_synthesis(const std::complex<T>* alm, std::complex<T>* delta,
                                  const legendre::Progress& progress) = 0;
  /// Delta -> alm; as legendre::Engine::adjoint.
  virtual void legendre_adjoint(const std::complex<T>* delta, std::complex<T>* alm,
                                const legendre::Progress& progress) = 0;
  /// Delta -> alm with exact quadrature in theta; the stages must have been created with it. Overwrites Delta.
  virtual void legendre_analysis(std::complex<T>* delta, std::complex<T>* alm, const legendre::Progress& progress) = 0;
  /// Transpose of legendre_analysis(): alm -> Delta.
  virtual void legendre_adjoint_analysis(const std::complex<T>* alm, std::complex<T>* delta,
                                         const legendre::Progress& progress) = 0;
  /// Delta on the ring side -> pixels; as fft::RingTransform::synthesis.
  virtual void rings_synthesis(const std::complex<T>* delta, std::span<const double> factor, T* map) = 0;
  /// Pixels -> Delta; as fft::RingTransform::adjoint.
  virtual void rings_adjoint(const T* map, std::span<const double> factor, std::complex<T>* delta) = 0;
  /// Iterations in ring modes. The first call builds their tables, which are kept. Null without them: CPUs
  /// use iteration/ring_modes.hpp. Throws ResourceError.
  virtual RingModeStage<T>* ring_modes() { return nullptr; }
};

}  // namespace armilla::backend
