#include <armilla/api/access.hpp>
#include <armilla/api/memory_check.hpp>
#include <armilla/api/transform_state.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/core/machine.hpp>
#include <armilla/ops/nonfinite.hpp>
#include <armilla/ops/solvers/accuracy.hpp>
#include <armilla/transform/transform_cache.hpp>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla {

using api::Access;

namespace {

ops::WeightKind weight_kind(Weights weights) {
  switch (weights) {
    case Weights::kRing:
      return ops::WeightKind::kRing;
    case Weights::kPixel:
      return ops::WeightKind::kPixel;
    case Weights::kGrid:
      break;
  }
  return ops::WeightKind::kGrid;
}

}  // namespace

void api::check_quadrature(const RingGrid& grid, const AlmLayout& layout, Index spin) {
  const std::string name = grid.description().text();
  if (!grid.has_weights()) throw InputError(fmt::format("{} has no quadrature weights: use adjoint_synthesis", name));
  const grid::AnalysisLimits& limits = grid.analysis_limits();
  const auto check = [&](const char* key, Index value, const std::string& rule, Index limit) {
    if (value > limit)
      throw InputError(fmt::format("{} = {} exceeds {} = {} of {} (aliased): lower it", key, value, rule, limit, name));
  };
  check("lmax", layout.lmax(), limits.lmax_rule, limits.lmax);
  check("mmax", layout.mmax(), limits.mmax_rule, limits.mmax);
  check("spin", spin, "the highest spin", limits.spin);
}

template <class T>
Transform<T>::Transform(const Communicator& comm, TransformSpec spec)
    : fields_(std::move(spec.fields)), maps_(spec.maps) {
  const core::ThreadScope threads(spec.threads.value_or(0));
  transform::FieldTransformSpec internal;
  api::TransformMemory memory;
  api::check_alike(
      comm, "Transform",
      fmt::format("{} ({} pixels), lmax = {}, mmax = {}, fields {} of spins {}, maps = {}, {} bytes of each "
                  "value, check_finite = {}, backend {}",
                  spec.grid.description().text(), spec.grid.npix(), spec.lmax, spec.mmax.value_or(spec.lmax),
                  fmt::join(fields_.map_names(), ","), fmt::join(fields_.spins(), ","), maps_, sizeof(T),
                  spec.check_finite, spec.backend));
  comm::phase(comm, [&] {
    api::check_spec(fields_, spec.lmax, maps_);
    if (spec.threads && *spec.threads < 1) throw InputError(fmt::format("threads = {}: use 1 or more", *spec.threads));
    const AlmLayout layout(spec.lmax, spec.mmax.value_or(spec.lmax));
    alm_ = std::make_shared<const AlmDistribution>(layout, comm.size());
    pixels_ =
        std::make_shared<const PixelDistribution>(std::make_shared<const RingGrid>(std::move(spec.grid)), comm.size());
    internal.kind = fields_;
    internal.alm = alm_;
    internal.pixels = pixels_;
    internal.maps = maps_;
    internal.backend = backend::kind_of(spec.backend);
    memory.fields = (internal.alm_memory<T>(comm.rank()) + internal.map_memory<T>(comm.rank())).peak();
    // Otherwise, the workspace of fewer bytes per field can be computed without overflow.
    if (memory.fields >= api::kMostBytes) throw ResourceError(fmt::format("maps = {}: too many to allocate", maps_));
    memory.workspace = transform::FieldTransform<T>::memory(internal, comm.rank()).peak();
  });
  api::check_machine(
      comm, memory,
      fmt::format("a transform with its fields on {} with lmax = {}", grid().description().text(), layout().lmax()));
  comm_ = std::make_shared<const Communicator>(comm);
  comm::phase(comm, [&] {
    orders_ = std::make_shared<const api::AlmOrders>(*alm_, comm.rank());
    rings_ = std::make_shared<const api::MapRings>(*pixels_, comm.rank());
  });
  state_.reset(new api::TransformState<T>{
      comm_, {*comm_, std::move(internal)}, spec.threads.value_or(0), spec.check_finite, memory.workspace});
}

template <class T>
std::string Transform<T>::backend() const {
  return name_of(state_->transform.backend());
}

template <class T>
Index Transform<T>::workspace_bytes() const {
  return state_->workspace;
}

template <class T>
int Transform<T>::device() const {
  return state_->transform.memory()->device();
}

template <class T>
Alm<T> Transform<T>::make_alm() const {
  api::check_own_memory(transform::AlmField<T>::memory(fields_, *alm_, comm_->rank(), maps_).peak(), "make_alm()");
  return api::allocated([&] { return Access::make<Alm<T>>(comm_, fields_, alm_, maps_, state_->transform.memory()); });
}

template <class T>
Map<T> Transform<T>::make_map() const {
  api::check_own_memory(transform::MapField<T>::memory(fields_, *pixels_, comm_->rank(), maps_).peak(), "make_map()");
  return api::allocated(
      [&] { return Access::make<Map<T>>(comm_, fields_, pixels_, maps_, state_->transform.memory()); });
}

template <class T>
Alm<T> Transform<T>::alm_of(std::span<std::complex<T>> values) const {
  return adopt_alm(fields_, values, true);
}

template <class T>
Alm<T> Transform<T>::alm_of(std::span<std::complex<T>> values, const FieldKind& fields) const {
  return adopt_alm(fields, values, true);
}

template <class T>
Alm<T> Transform<T>::const_alm_of(std::span<const std::complex<T>> values) const {
  return adopt_alm(fields_, api::for_reading(values), false);
}

template <class T>
Alm<T> Transform<T>::const_alm_of(std::span<const std::complex<T>> values, const FieldKind& fields) const {
  return adopt_alm(fields, api::for_reading(values), false);
}

template <class T>
Alm<T> Transform<T>::device_alm_of(std::complex<T>* values, std::size_t size) const {
  return device_alm_of(values, size, fields_);
}

template <class T>
Alm<T> Transform<T>::device_alm_of(std::complex<T>* values, std::size_t size, const FieldKind& fields) const {
  return adopt_alm(fields, {values, size}, true, device_memory("device_alm_of()", "alm_of()"));
}

template <class T>
Alm<T> Transform<T>::const_device_alm_of(const std::complex<T>* values, std::size_t size) const {
  return const_device_alm_of(values, size, fields_);
}

template <class T>
Alm<T> Transform<T>::const_device_alm_of(const std::complex<T>* values, std::size_t size,
                                         const FieldKind& fields) const {
  return adopt_alm(fields, api::for_reading(values, size), false,
                   device_memory("const_device_alm_of()", "const_alm_of()"));
}

template <class T>
std::shared_ptr<backend::Memory> Transform<T>::device_memory(const char* call, const char* on_host) const {
  return api::device_memory(state_->transform.memory(), call, on_host);
}

template <class T>
Alm<T> Transform<T>::adopt_alm(const FieldKind& fields, std::span<std::complex<T>> values, bool is_writable,
                               std::shared_ptr<backend::Memory> memory) const {
  return Access::make<Alm<T>>(
      comm_, api::adopted_alm(fields, alm_, comm_->rank(), maps_, values, is_writable, std::move(memory)), orders_,
      state_->transform.memory());
}

template <class T>
Map<T> Transform<T>::map_of(std::span<T> values) const {
  return adopt_map(values, true);
}

template <class T>
Map<T> Transform<T>::const_map_of(std::span<const T> values) const {
  return adopt_map(api::for_reading(values), false);
}

template <class T>
Map<T> Transform<T>::device_map_of(T* values, std::size_t size) const {
  return adopt_map({values, size}, true, device_memory("device_map_of()", "map_of()"));
}

template <class T>
Map<T> Transform<T>::const_device_map_of(const T* values, std::size_t size) const {
  return adopt_map(api::for_reading(values, size), false, device_memory("const_device_map_of()", "const_map_of()"));
}

template <class T>
Map<T> Transform<T>::adopt_map(std::span<T> values, bool is_writable, std::shared_ptr<backend::Memory> memory) const {
  return Access::make<Map<T>>(comm_,
                              std::make_shared<transform::MapField<T>>(fields_, pixels_, comm_->rank(), maps_, values,
                                                                       api::access_of(is_writable), std::move(memory)),
                              rings_, state_->transform.memory());
}

template <class T>
void Transform<T>::check_one(const Alm<T>& alm) const {
  api::check_alm(*comm_, fields_, maps_, layout(), alm);
}

template <class T>
void Transform<T>::check_one(const Map<T>& map) const {
  api::check_field(*comm_, fields_, maps_, map, "map");
  if (!map.grid().same_pixels(grid()))
    throw InputError(fmt::format("the map is on {}, but the transform uses {}", map.grid().description().text(),
                                 grid().description().text()));
}

template <class T>
template <class Read, class Written>
void Transform<T>::check(const Read& read, const Written& written) const {
  comm::phase(*comm_, [&] {
    if constexpr (std::is_same_v<Read, Alm<T>>) check_one(read);
    check_one(written);
    if constexpr (std::is_same_v<Read, Map<T>>) check_one(read);
    api::check_writable(written);
    if (!state_->check_finite) return;
    const auto values = read.data();
    const std::span<const T> reals(reinterpret_cast<const T*>(values.data()), values.size_bytes() / sizeof(T));
    const ops::NonfiniteCount count = ops::count_nonfinite(reals, core::kPrecisionOf<T>);
    if (count.total() == 0) return;
    const auto first = std::ranges::find_if(reals, [](T value) { return !std::isfinite(value); }) - reals.begin();
    throw InputError(
        fmt::format("rank {} has {} values that are NaN and {} that are infinite, the first at place {} of data(), so "
                    "that all results would be NaN: set them to finite values, such as 0",
                    comm_->rank(), count.nan, count.infinite,
                    first * static_cast<std::ptrdiff_t>(sizeof(T)) /
                        static_cast<std::ptrdiff_t>(sizeof(typename decltype(values)::value_type))));
  });
}

template <class T>
void Transform<T>::synthesis(const Alm<T>& alm, Map<T>& map) {
  const core::ThreadScope threads(state_->threads);
  check(alm, map);
  state_->transform.synthesis(Access::field(alm), Access::field(map));
}

template <class T>
void Transform<T>::adjoint_synthesis(const Map<T>& map, Alm<T>& alm) {
  const core::ThreadScope threads(state_->threads);
  check(map, alm);
  state_->transform.adjoint_synthesis(Access::field(map), Access::field(alm));
}

template <class T>
void Transform<T>::analysis(const Map<T>& map, Alm<T>& alm, AnalysisOptions options) {
  const core::ThreadScope threads(state_->threads);
  check(map, alm);
  api::check_alike(*comm_, "analysis",
                   fmt::format("iterations = {}, weights {}", options.iterations, static_cast<int>(options.weights)));
  api::check_quadrature(grid(), layout(), fields_.max_spin());
  if (options.iterations < 0) throw InputError(fmt::format("iterations = {}: use 0 or more", options.iterations));
  ops::AnalysisMethod method{{weight_kind(options.weights)}, ops::Jacobi{options.iterations}};
  if (!state_->analysis || !(state_->method == method)) {
    ops::check_weights(method.weights, grid());
    state_->analysis.reset();
    state_->analysis = std::make_unique<ops::Analysis<T>>(state_->transform, method);
    state_->method = std::move(method);
  }
  state_->analysis->run(Access::field(map), Access::field(alm));
}

template <class T>
void Transform<T>::adjoint_analysis(const Alm<T>& alm, Map<T>& map) {
  const core::ThreadScope threads(state_->threads);
  check(alm, map);
  api::check_quadrature(grid(), layout(), fields_.max_spin());
  state_->transform.adjoint_quadrature(Access::field(alm), Access::field(map));
}

template <class T>
std::vector<ToleranceResult> Transform<T>::analysis_to_tolerance(const Map<T>& map, Alm<T>& alm, double tolerance) {
  const core::ThreadScope threads(state_->threads);
  check(map, alm);
  api::check_alike(*comm_, "analysis_to_tolerance", fmt::format("tolerance = {}", tolerance));
  api::check_quadrature(grid(), layout(), fields_.max_spin());
  try {
    ops::check_accuracy(
        {grid(), layout().lmax(), layout().mmax(), fields().max_spin(), core::kPrecisionOf<T>, tolerance});
  } catch (const InputError& error) {
    throw InputError(fmt::format("tolerance = {:.3g} {}", tolerance, error.what()));
  }
  const auto outcomes =
      ops::analysis<T>(state_->transform, Access::field(map), Access::field(alm), {{}, ops::Accuracy{tolerance}});
  std::vector<ToleranceResult> results;
  for (const ops::AnalysisOutcome& outcome : outcomes)
    results.push_back({outcome.converged, outcome.iterations, outcome.alm_error.value_or(0), outcome.map_residual});
  return results;
}

void clear_cache(const Communicator& comm) {
  if (transform::TransformCache* const cache = transform::cache_of(comm)) cache->clear();
}

ARMILLA_INSTANTIATE_CLASS(Transform);

}  // namespace armilla
