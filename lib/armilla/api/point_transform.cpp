#include <armilla/api/access.hpp>
#include <armilla/api/memory_check.hpp>
#include <armilla/api/point_transform.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/ops/point_analysis.hpp>
#include <armilla/points/point_owners.hpp>
#include <armilla/transform/backend_choice.hpp>

#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla {

using api::Access;

template <class T>
struct api::PointTransformState {
  std::shared_ptr<const Communicator> comm;  // used by the transform
  points::PointTransform<T> transform;
};

namespace {

/// Spans [map, component] of values.
template <class T>
std::vector<std::span<T>> fields_of(std::span<T> values, Index fields) {
  std::vector<std::span<T>> spans;
  const std::size_t points = values.size() / core::at(fields);
  for (std::size_t f = 0; f < core::at(fields); ++f) spans.push_back(values.subspan(f * points, points));
  return spans;
}

/// [row pair] number of these points; invalid points, which the transform refuses, are not counted.
template <class T>
std::vector<Index> count_pairs(const points::PointTransformSpec& spec, std::span<const double> theta) {
  const Index rows = points::PointTransform<T>::rows(spec);
  std::vector<Index> counts(core::at(rows / 2), 0);
  for (const double one : theta)
    if (one >= 0 && one <= core::kPi) ++counts[core::at(points::PointOwners::pair_of(one, rows))];
  return counts;
}

/// Collective. Least-squares coefficients of values.
template <class T, class Values>
std::vector<PointAnalysisResult> fit(points::PointTransform<T>& transform, const Values& values,
                                     transform::AlmField<T>& alm, std::span<const double> inverse_variance,
                                     const PointAnalysisOptions& options) {
  api::check_alike(transform.comm(), "analysis",
                   fmt::format("tolerance = {}, max_iterations = {}, regularise = {}", options.tolerance.value_or(0),
                               options.max_iterations, options.regularise));
  if (options.tolerance && !(*options.tolerance > 0 && *options.tolerance < 1))
    throw InputError(fmt::format("tolerance = {}: use a number between 0 and 1", *options.tolerance));
  if (options.max_iterations < 1)
    throw InputError(fmt::format("max_iterations = {}: use 1 or more", options.max_iterations));
  if (!(options.regularise >= 0) || !std::isfinite(options.regularise))
    throw InputError(fmt::format("regularise = {}: use a number that is at least 0", options.regularise));
  ops::ConjugateGradients solver;
  solver.regularise.penalty = options.regularise;
  solver.tolerance = options.tolerance;
  solver.max_iterations = options.max_iterations;
  ops::PointAnalysis<T> analysis(transform, inverse_variance);
  std::vector<PointAnalysisResult> results;
  for (const ops::AnalysisOutcome& outcome : analysis.run(values, alm, {{}, solver}))
    results.push_back({outcome.converged, outcome.iterations, outcome.map_residual, outcome.condition});
  return results;
}

}  // namespace

template <class T>
PointTransform<T>::PointTransform(const Communicator& comm, PointTransformSpec spec, std::span<const double> theta,
                                  std::span<const double> phi)
    : fields_(std::move(spec.fields)), maps_(spec.maps) {
  const double accuracy = spec.accuracy.value_or(points::kDefaultAccuracy<T>);
  api::check_alike(
      comm, "PointTransform",
      fmt::format(
          "lmax = {}, mmax = {}, fields {} of spins {}, maps = {}, {} bytes of each value, accuracy = {}, backend {}",
          spec.lmax, spec.mmax.value_or(spec.lmax), fmt::join(fields_.map_names(), ","),
          fmt::join(fields_.spins(), ","), maps_, sizeof(T), accuracy, spec.backend));
  points::PointTransformSpec internal;
  api::TransformMemory memory;
  std::vector<Index> counts;
  comm::phase(comm, [&] {
    api::check_spec(fields_, spec.lmax, maps_);
    alm_ = std::make_shared<const AlmDistribution>(AlmLayout(spec.lmax, spec.mmax.value_or(spec.lmax)), comm.size());
    internal = {
        .kind = fields_, .alm = alm_, .maps = maps_, .accuracy = accuracy, .backend = backend::kind_of(spec.backend)};
    memory.fields = transform::AlmField<T>::memory(fields_, *alm_, comm.rank(), maps_).peak();
    if (memory.fields >= api::kMostBytes) throw ResourceError(fmt::format("maps = {}: too many to allocate", maps_));
    counts = count_pairs<T>(internal, theta);
  });
  comm.sum(std::span<Index>(counts));
  comm::phase(comm, [&] {
    memory.workspace =
        points::PointTransform<T>::memory(internal, counts, comm.size(), comm.rank(), static_cast<Index>(theta.size()))
            .peak();
  });
  api::check_machine(comm, memory, fmt::format("a transform at points with lmax = {}", layout().lmax()));
  comm_ = std::make_shared<const Communicator>(comm);
  comm::phase(comm, [&] {
    orders_ = std::make_shared<const api::AlmOrders>(*alm_, comm.rank());
    backend::check_backend(internal.backend);
  });
  if (internal.backend == backend::Kind::kAuto)
    internal.backend = transform::take_backend(*comm_, internal.backend, core::kPrecisionOf<T>, {});
  state_.reset(new api::PointTransformState<T>{comm_, {*comm_, std::move(internal), theta, phi}});
}

template <class T>
std::string PointTransform<T>::backend() const {
  return name_of(state_->transform.spec().backend);
}

template <class T>
int PointTransform<T>::device() const {
  return state_->transform.memory()->device();
}

template <class T>
Index PointTransform<T>::points() const {
  return state_->transform.points();
}

template <class T>
Alm<T> PointTransform<T>::make_alm() const {
  api::check_own_memory(transform::AlmField<T>::memory(fields_, *alm_, comm_->rank(), maps_).peak(), "make_alm()");
  return api::allocated([&] { return Access::make<Alm<T>>(comm_, fields_, alm_, maps_, state_->transform.memory()); });
}

template <class T>
Alm<T> PointTransform<T>::alm_of(std::span<std::complex<T>> values) const {
  return adopt_alm(values, true);
}

template <class T>
Alm<T> PointTransform<T>::const_alm_of(std::span<const std::complex<T>> values) const {
  return adopt_alm(api::for_reading(values), false);
}

template <class T>
Alm<T> PointTransform<T>::device_alm_of(std::complex<T>* values, std::size_t size) const {
  return adopt_alm({values, size}, true, device_memory("device_alm_of()", "alm_of()"));
}

template <class T>
Alm<T> PointTransform<T>::const_device_alm_of(const std::complex<T>* values, std::size_t size) const {
  return adopt_alm(api::for_reading(values, size), false, device_memory("const_device_alm_of()", "const_alm_of()"));
}

template <class T>
std::shared_ptr<backend::Memory> PointTransform<T>::device_memory(const char* call, const char* on_host) const {
  return api::device_memory(state_->transform.memory(), call, on_host);
}

template <class T>
Alm<T> PointTransform<T>::adopt_alm(std::span<std::complex<T>> values, bool is_writable,
                                    std::shared_ptr<backend::Memory> memory) const {
  return Access::make<Alm<T>>(
      comm_, api::adopted_alm(fields_, alm_, comm_->rank(), maps_, values, is_writable, std::move(memory)), orders_,
      state_->transform.memory());
}

// Collective.
template <class T>
void PointTransform<T>::check(const Alm<T>& alm, std::size_t values) const {
  comm::phase(*comm_, [&] {
    api::check_alm(*comm_, fields_, maps_, layout(), alm);
    if (values != core::at(values_size()))
      throw InputError(fmt::format("{} values for {} maps of {} components at {} points: pass {}", values, maps_,
                                   fields_.components(), points(), values_size()));
  });
}

template <class T>
void PointTransform<T>::synthesis(const Alm<T>& alm, std::span<T> values) {
  check(alm, values.size());
  state_->transform.synthesis(Access::field(alm), fields_of(values, maps_ * fields_.components()));
}

template <class T>
void PointTransform<T>::adjoint_synthesis(std::span<const T> values, Alm<T>& alm) {
  check(alm, values.size());
  comm::phase(*comm_, [&] { api::check_writable(alm); });
  state_->transform.adjoint_synthesis(fields_of(values, maps_ * fields_.components()), Access::field(alm));
}

template <class T>
void PointTransform<T>::device_synthesis(const Alm<T>& alm, T* values, std::size_t size) {
  check(alm, size);
  std::optional<backend::DualBuffer<T>> there;
  comm::phase(*comm_, [&] {
    there.emplace(std::span(values, size), backend::Access::kReadWrite,
                  device_memory("device_synthesis()", "synthesis()"));
  });
  state_->transform.synthesis(Access::field(alm), *there);
  comm::phase(*comm_, [&] { there->deliver(); });
}

template <class T>
void PointTransform<T>::device_adjoint_synthesis(const T* values, std::size_t size, Alm<T>& alm) {
  check(alm, size);
  std::optional<backend::DualBuffer<T>> there;
  comm::phase(*comm_, [&] {
    api::check_writable(alm);
    there.emplace(api::for_reading(values, size), backend::Access::kRead,
                  device_memory("device_adjoint_synthesis()", "adjoint_synthesis()"));
  });
  state_->transform.adjoint_synthesis(*there, Access::field(alm));
}

template <class T>
std::vector<PointAnalysisResult> PointTransform<T>::analysis(std::span<const T> values, Alm<T>& alm,
                                                             std::span<const double> inverse_variance,
                                                             PointAnalysisOptions options) {
  check(alm, values.size());
  comm::phase(*comm_, [&] { api::check_writable(alm); });
  return fit(state_->transform, values, Access::field(alm), inverse_variance, options);
}

template <class T>
std::vector<PointAnalysisResult> PointTransform<T>::device_analysis(const T* values, std::size_t size, Alm<T>& alm,
                                                                    std::span<const double> inverse_variance,
                                                                    PointAnalysisOptions options) {
  check(alm, size);
  std::optional<backend::DualBuffer<T>> there;
  comm::phase(*comm_, [&] {
    api::check_writable(alm);
    there.emplace(api::for_reading(values, size), backend::Access::kRead,
                  device_memory("device_analysis()", "analysis()"));
  });
  return fit(state_->transform, *there, Access::field(alm), inverse_variance, options);
}

ARMILLA_INSTANTIATE_CLASS(PointTransform);

}  // namespace armilla
