#pragma once

#include <armilla/api/alm.hpp>
#include <armilla/api/names.hpp>

#include <complex>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace armilla {

namespace api {
template <class T>
struct PointTransformState;
struct AlmOrders;
}  // namespace api

/// Parameters of a PointTransform.
struct PointTransformSpec {
  Index lmax;                              ///< highest degree of the coefficients
  std::optional<Index> mmax = {};          ///< highest order; default: lmax
  FieldKind fields = FieldKind::scalar();  ///< names and spins of the components
  Index maps = 1;                          ///< number of maps transformed together by each call
  std::optional<double> accuracy = {};     ///< relative rms error; default: 1e-10, in single precision 1e-6
  std::string backend = "auto";            ///< "cpu", "cuda", or "auto": GPUs if all ranks can use one, else CPUs
};

/// Parameters of PointTransform::analysis().
struct PointAnalysisOptions {
  /// Tolerance for the residual of the normal equations, relative to that for alm = 0; default: 1e-10, in single
  /// precision 1e-4.
  std::optional<double> tolerance = {};
  Index max_iterations = 1000;  ///< of conjugate gradients
  /// Tikhonov penalty lambda >= 0, in the unit of the inverse variances: lambda times the sum over l and m, of both
  /// signs, of |alm|^2 is added to the minimised sum. It makes fits unique that the values do not determine.
  double regularise = 0;
};

/// Result of PointTransform::analysis() for one map: the worst of its spin fields (T; Q with U).
struct PointAnalysisResult {
  bool converged;    ///< whether the tolerance was reached
  Index iterations;  ///< number of iterations
  double residual;   ///< rms of values - Y alm divided by that of the values, with the weights of the fit
  double condition;  ///< lower bound on the condition number of the normal equations, from the iterations
};

/// Transforms between values of fields at arbitrary points of the sphere and coefficients up to one lmax, for fields of
/// any mixture of spins. T is float or double; `PointTransform t(comm, spec, theta, phi)` is a
/// PointTransform<double>. Points are sorted, and workspace allocated, at construction. Destroying and moving it is
/// local, as for Transform. Values of spin > 0 are components along theta and phi at the point.
///
/// Values of synthesis() are bitwise identical on any number of ranks and threads. Results of adjoint_synthesis() and
/// analysis() are bitwise identical on any number of threads, and equal to rounding on any number of ranks.
template <class T = double>
class PointTransform {
 public:
  /// Collective. `theta` in [0, pi] and `phi`, any finite value, both in rad, are the points of this rank; there may be
  /// none. They are not used afterwards. Throws InputError for invalid points, lmax below 0 or below the spin, mmax >
  /// lmax, maps < 1, an accuracy that the precision does not allow, and unknown backends. Throws ResourceError if
  /// memory is insufficient for the transform with one Alm, or if the named backend is not available, and prints a
  /// warning, like the constructor of Transform.
  PointTransform(const Communicator& comm, PointTransformSpec spec, std::span<const double> theta,
                 std::span<const double> phi);
  /// Not collective.
  PointTransform(PointTransform&& other) noexcept = default;
  /// Not collective. Releases the previous transform.
  PointTransform& operator=(PointTransform&& other) noexcept = default;

  const Communicator& comm() const { return *comm_; }         ///< the ranks of the transform
  const AlmLayout& layout() const { return alm_->layout(); }  ///< lmax and mmax of its coefficients
  const FieldKind& fields() const { return fields_; }         ///< names and spins of the components
  Index points() const;                                       ///< number of points of this rank
  /// Name of the backend in use: "cpu" or "cuda".
  std::string backend() const;
  /// CUDA index of the GPU of this rank, as cudaSetDevice() takes it; -1 on CPUs.
  int device() const;
  /// Number of values of this rank: maps times components times points().
  Index values_size() const { return maps_ * fields_.components() * points(); }

  /// Coefficients with the layout of the transform, all 0. Not collective. Throws ResourceError like
  /// Transform::make_alm().
  Alm<T> make_alm() const;
  /// Number of values of this rank in data() of such coefficients.
  Index alm_size() const { return maps_ * fields_.components() * alm_->local_size(comm_->rank()); }
  /// Coefficients in memory of the caller, as Transform::alm_of() and const_alm_of().
  Alm<T> alm_of(std::span<std::complex<T>> values) const;
  /// The same for memory that is only read.
  Alm<T> const_alm_of(std::span<const std::complex<T>> values) const;
  /// Coefficients in memory of the caller on the GPU, as Transform::device_alm_of() and const_device_alm_of().
  Alm<T> device_alm_of(std::complex<T>* values, std::size_t size) const;
  /// The same for memory that is only read.
  Alm<T> const_device_alm_of(const std::complex<T>* values, std::size_t size) const;

  /// Collective. values = Y alm: the fields with these coefficients at the points. Overwrites values,
  /// [map][component][point] of this rank, values_size() elements; throws InputError for another size.
  void synthesis(const Alm<T>& alm, std::span<T> values);
  /// Collective. alm = Y^T values: the sum over points of value times conj(Y_lm), without weights. Overwrites alm.
  void adjoint_synthesis(std::span<const T> values, Alm<T>& alm);
  /// Collective. Like synthesis(), with `size` values in memory of the caller on the GPU, for which the rules of
  /// Transform::device_map_of() apply. They are copied to the host only if there are several ranks.
  void device_synthesis(const Alm<T>& alm, T* values, std::size_t size);
  /// Collective. Like adjoint_synthesis(), likewise.
  void device_adjoint_synthesis(const T* values, std::size_t size, Alm<T>& alm);
  /// Collective. Computes the coefficients that minimise the sum over points of w (value - Y alm)^2, where w are the
  /// inverse variances of the points of this rank, or empty on all ranks for equal weights. Overwrites alm; returns the
  /// result for each map. Throws InputError for values that are not finite, and for weights that are negative, not
  /// finite or all 0. Without penalty, also throws InputError if there are fewer values with nonzero weight than
  /// unknowns.
  std::vector<PointAnalysisResult> analysis(std::span<const T> values, Alm<T>& alm,
                                            std::span<const double> inverse_variance = {},
                                            PointAnalysisOptions options = {});
  /// Collective. Like analysis(), with values in memory of the caller on the GPU, as for device_adjoint_synthesis().
  /// The inverse variances are on the host, to which the values are copied once, for the checks.
  std::vector<PointAnalysisResult> device_analysis(const T* values, std::size_t size, Alm<T>& alm,
                                                   std::span<const double> inverse_variance = {},
                                                   PointAnalysisOptions options = {});

 private:
  Alm<T> adopt_alm(std::span<std::complex<T>> values, bool is_writable,
                   std::shared_ptr<backend::Memory> memory = {}) const;
  /// The memory of the GPU. Throws InputError without one, where `on_host` replaces `call`.
  std::shared_ptr<backend::Memory> device_memory(const char* call, const char* on_host) const;
  void check(const Alm<T>& alm, std::size_t values) const;

  std::shared_ptr<const Communicator> comm_;
  FieldKind fields_;
  std::shared_ptr<const AlmDistribution> alm_;
  Index maps_;
  std::shared_ptr<const api::AlmOrders> orders_;
  std::shared_ptr<api::PointTransformState<T>> state_;
};

}  // namespace armilla
