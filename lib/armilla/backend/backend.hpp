#pragma once

#include <armilla/backend/options.hpp>
#include <armilla/fft/ring_transform.hpp>
#include <armilla/legendre/engine.hpp>
#include <armilla/math/equidistant_weights.hpp>

#include <complex>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace armilla::backend {

/// What a rank computes with: both stages of a transform, on data in host memory.
template <class T>
class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string name() const = 0;
  /// alm -> Delta on the m side; as legendre::Engine::synthesis.
  virtual void legendre_synthesis(const std::complex<T>* alm, std::complex<T>* delta,
                                  const legendre::Progress& progress) = 0;
  /// Delta -> alm; as legendre::Engine::adjoint.
  virtual void legendre_adjoint(const std::complex<T>* delta, std::complex<T>* alm,
                                const legendre::Progress& progress) = 0;
  /// Delta -> alm with the exact quadrature in theta, which the backend must have been made with; overwrites Delta.
  virtual void legendre_analysis(std::complex<T>* delta, std::complex<T>* alm, const legendre::Progress& progress) = 0;
  /// Its transpose: alm -> Delta.
  virtual void legendre_adjoint_analysis(const std::complex<T>* alm, std::complex<T>* delta,
                                         const legendre::Progress& progress) = 0;
  /// Delta on the ring side -> pixels; as fft::RingTransform::synthesis.
  virtual void rings_synthesis(const std::complex<T>* delta, std::span<const double> factor, T* map) = 0;
  /// Pixels -> Delta; as fft::RingTransform::adjoint.
  virtual void rings_adjoint(const T* map, std::span<const double> factor, std::complex<T>* delta) = 0;
};

/// Names that a job may ask for: "auto", then one per row of the table of backends.
std::vector<std::string> backend_names();

/// Throws InputError for a name that does not exist, ResourceError for one that cannot work in this build or on this
/// machine. "auto" takes the first backend of the table that can. A circle with points asks for the exact quadrature in
/// theta; the rings must lie on it.
template <class T>
std::unique_ptr<Backend<T>> make_backend(const std::string& name, const Options& options,
                                         const legendre::Task& legendre_task, const fft::RingTask& ring_task,
                                         const math::MeridianCircle& circle, std::shared_ptr<fft::PlanCache<T>> plans);

/// As make_backend, but only says whether it would throw: for jobs, before anything large is allocated.
void check_backend(const std::string& name);

extern template std::unique_ptr<Backend<float>> make_backend<float>(const std::string&, const Options&,
                                                                    const legendre::Task&, const fft::RingTask&,
                                                                    const math::MeridianCircle&,
                                                                    std::shared_ptr<fft::PlanCache<float>>);
extern template std::unique_ptr<Backend<double>> make_backend<double>(const std::string&, const Options&,
                                                                      const legendre::Task&, const fft::RingTask&,
                                                                      const math::MeridianCircle&,
                                                                      std::shared_ptr<fft::PlanCache<double>>);

}  // namespace armilla::backend
