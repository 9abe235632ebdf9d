#include <armilla/capi/objects.hpp>

#include <algorithm>
#include <array>
#include <complex>
#include <sstream>

namespace armilla::capi {

std::vector<std::string> names_of(const std::string& list) {
  std::vector<std::string> names;
  std::istringstream stream(list);
  for (std::string name; std::getline(stream, name, ',');) names.push_back(name);
  return names;
}

FieldKind fields_of(const armilla_transform_options& options) {
  const std::vector<std::string> names = names_of(text(options.fields, "options.fields"));
  std::vector<Index> spins;
  if (options.spins != nullptr) spins.assign(options.spins, options.spins + names.size());
  return FieldKind::from_names(names, spins);
}

namespace {

template <class T>
TransformObject make_transform(const Communicator& comm, const RingGrid& grid,
                               const armilla_transform_options& options) {
  TransformSpec spec{.grid = grid, .lmax = options.lmax};
  comm::phase(comm, [&] { spec.fields = fields_of(options); });
  if (options.mmax >= 0) spec.mmax = options.mmax;
  spec.maps = options.maps;
  spec.backend = options.backend == nullptr ? "auto" : options.backend;
  if (options.threads != 0) spec.threads = options.threads;
  spec.check_finite = options.check_finite != 0;
  return {with_device_check(Transform<T>(comm, std::move(spec)), options), options.device_memory != 0};
}

Weights weights_of(int weights) {
  switch (weights) {
    case ARMILLA_WEIGHTS_GRID:
      return Weights::kGrid;
    case ARMILLA_WEIGHTS_RING:
      return Weights::kRing;
    case ARMILLA_WEIGHTS_PIXEL:
      return Weights::kPixel;
    default:
      throw InputError(fmt::format("weights = {}: use one of armilla_weights", weights));
  }
}

VectorOptions vector_options(const armilla_vector_options* options) {
  if (options == nullptr) return {};
  if (options->axes != ARMILLA_EAST_NORTH && options->axes != ARMILLA_SOUTH_EAST)
    throw InputError(fmt::format("options.axes = {}: use one of armilla_axes", options->axes));
  if (options->factor < ARMILLA_FACTOR_NONE || options->factor > ARMILLA_FACTOR_INVERSE_COS_LATITUDE)
    throw InputError(fmt::format("options.factor = {}: use one of armilla_factor", options->factor));
  return {options->radius, static_cast<VectorOptions::Axes>(options->axes),
          static_cast<VectorOptions::Factor>(options->factor)};
}

/// `count` scalars for each pair of a transform.
template <class T>
FieldKind scalars_of(const Transform<T>& transform, Index count) {
  std::vector<FieldKind> scalars;
  const Index all = count * static_cast<Index>(transform.fields().spin_fields().size());
  for (Index i = 0; i < all; ++i) scalars.push_back(FieldKind::scalar(fmt::format("S{}", i)));
  return FieldKind::joined(scalars);
}

template <class T>
int synthesis(armilla_transform transform, const std::complex<T>* alm, int64_t alm_size, T* map, int64_t map_size) {
  return guarded([&] {
    const UsedTransform<T> used(transform);
    call_with(
        used.transform.comm(), [&] { return used.alm(alm, alm_size); }, [&] { return used.map(map, map_size); },
        [&](const auto& in, auto& out) { used.transform.synthesis(in, out); });
  });
}

template <class T>
int adjoint_synthesis(armilla_transform transform, const T* map, int64_t map_size, std::complex<T>* alm,
                      int64_t alm_size) {
  return guarded([&] {
    const UsedTransform<T> used(transform);
    call_with(
        used.transform.comm(), [&] { return used.map(map, map_size); }, [&] { return used.alm(alm, alm_size); },
        [&](const auto& in, auto& out) { used.transform.adjoint_synthesis(in, out); });
  });
}

template <class T>
int analysis(armilla_transform transform, const T* map, int64_t map_size, std::complex<T>* alm, int64_t alm_size,
             int64_t iterations, int weights) {
  return guarded([&] {
    const UsedTransform<T> used(transform);
    AnalysisOptions options{.iterations = iterations};
    call_with(
        used.transform.comm(),
        [&] {
          options.weights = weights_of(weights);
          return used.map(map, map_size);
        },
        [&] { return used.alm(alm, alm_size); },
        [&](const auto& in, auto& out) { used.transform.analysis(in, out, options); });
  });
}

template <class T>
int adjoint_analysis(armilla_transform transform, const std::complex<T>* alm, int64_t alm_size, T* map,
                     int64_t map_size) {
  return guarded([&] {
    const UsedTransform<T> used(transform);
    call_with(
        used.transform.comm(), [&] { return used.alm(alm, alm_size); }, [&] { return used.map(map, map_size); },
        [&](const auto& in, auto& out) { used.transform.adjoint_analysis(in, out); });
  });
}

template <class T>
using VectorsToMap = void (Transform<T>::*)(const Alm<T>&, Map<T>&, const VectorOptions&);
template <class T>
using VectorsToAlm = void (Transform<T>::*)(const Map<T>&, Alm<T>&, const VectorOptions&);

// `of_pair`: scalars for each pair.
template <class T>
int to_vectors(armilla_transform transform, Index of_pair, const std::complex<T>* alm, int64_t alm_size, T* map,
               int64_t map_size, const armilla_vector_options* options, VectorsToMap<T> call) {
  return guarded([&] {
    const UsedTransform<T> used(transform);
    VectorOptions given;
    call_with(
        used.transform.comm(),
        [&] {
          given = vector_options(options);
          return used.alm(alm, alm_size, scalars_of(used.transform, of_pair));
        },
        [&] { return used.map(map, map_size); },
        [&](const auto& in, auto& out) { (used.transform.*call)(in, out, given); });
  });
}

template <class T>
int from_vectors(armilla_transform transform, Index of_pair, const T* map, int64_t map_size, std::complex<T>* alm,
                 int64_t alm_size, const armilla_vector_options* options, VectorsToAlm<T> call) {
  return guarded([&] {
    const UsedTransform<T> used(transform);
    VectorOptions given;
    call_with(
        used.transform.comm(),
        [&] {
          given = vector_options(options);
          return used.map(map, map_size);
        },
        [&] { return used.alm(alm, alm_size, scalars_of(used.transform, of_pair)); },
        [&](const auto& in, auto& out) { (used.transform.*call)(in, out, given); });
  });
}

/// `make(pointer)`: a field with the values at the pointer.
template <class Value, class Make>
int products(armilla_transform transform, const Value* a, const Value* b, double* to, int64_t maps, const Make& make) {
  return guarded([&] {
    const UsedTransform<double> used(transform);
    std::span<double> results;
    call_with(
        used.transform.comm(),
        [&] {
          results = values(to, maps, "products");
          if (maps != used.transform.maps())
            throw InputError(fmt::format("maps = {}: the transform has {}", maps, used.transform.maps()));
          return make(used, a);
        },
        [&] { return make(used, b); },
        [&](const auto& left, const auto& right) { std::ranges::copy(inner_products(left, right), results.begin()); });
  });
}

}  // namespace

}  // namespace armilla::capi

using namespace armilla;
using namespace armilla::capi;

extern "C" {

int armilla_transform_options_init(armilla_transform_options* options) {
  return guarded([&] {
    at_pointer(options, "options") = {.lmax = -1,
                                      .mmax = -1,
                                      .maps = 1,
                                      .fields = "T",
                                      .spins = nullptr,
                                      .single_precision = 0,
                                      .threads = 0,
                                      .check_finite = 0,
                                      .backend = "auto",
                                      .accuracy = 0,
                                      .device_memory = 0};
  });
}

int armilla_transform_create(armilla_session session, armilla_grid grid, const armilla_transform_options* options,
                             armilla_transform* transform) {
  return create<TransformObject>(transform, [&] {
    const auto used_session = Handles::all().use<SessionObject>(session.id);
    const auto used_grid = Handles::all().use<GridObject>(grid.id);
    return at_pointer(options, "options").single_precision != 0
               ? make_transform<float>(used_session->comm, used_grid->grid, *options)
               : make_transform<double>(used_session->comm, used_grid->grid, *options);
  });
}

int armilla_transform_sizes(armilla_transform transform, int64_t* alm_size, int64_t* map_size) {
  return guarded([&] {
    const auto used = Handles::all().use<TransformObject>(transform.id);
    std::visit(
        [&](const auto& t) {
          const Index fields = t.maps() * t.fields().components();
          at_pointer(alm_size, "alm_size") = fields * t.alm_distribution().local_size(t.comm().rank());
          at_pointer(map_size, "map_size") = fields * t.pixel_distribution().local_pixels(t.comm().rank());
        },
        used->transform);
  });
}

int armilla_transform_device(armilla_transform transform, int* device) {
  return guarded([&] {
    const auto used = Handles::all().use<TransformObject>(transform.id);
    at_pointer(device, "device") = std::visit([](const auto& t) { return t.device(); }, used->transform);
  });
}

int armilla_transform_orders(armilla_transform transform, int64_t* count, int64_t* orders, int64_t capacity) {
  return guarded([&] {
    const auto used = Handles::all().use<TransformObject>(transform.id);
    const std::vector<Index> own =
        std::visit([](const auto& t) { return t.alm_distribution().local_m(t.comm().rank()); }, used->transform);
    at_pointer(count, "count") = static_cast<Index>(own.size());
    if (orders == nullptr) return;
    if (capacity < static_cast<Index>(own.size()))
      throw InputError(fmt::format("capacity = {}: this rank has {} orders", capacity, own.size()));
    std::ranges::copy(own, orders);
  });
}

int armilla_transform_pixel_ranges(armilla_transform transform, int* count, int64_t first[2], int64_t pixels[2]) {
  return guarded([&] {
    const auto used = Handles::all().use<TransformObject>(transform.id);
    const std::vector<PixelRange> ranges =
        std::visit([](const auto& t) { return t.pixel_distribution().pixel_ranges(t.comm().rank()); }, used->transform);
    at_pointer(count, "count") = static_cast<int>(ranges.size());
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      values(first, 2, "first")[i] = ranges[i].first;
      values(pixels, 2, "pixels")[i] = ranges[i].count;
    }
  });
}

int armilla_transform_free(armilla_transform* transform) { return destroy<TransformObject>(transform); }

int armilla_synthesis(armilla_transform transform, const std::complex<double>* alm, int64_t alm_size, double* map,
                      int64_t map_size) {
  return synthesis<double>(transform, alm, alm_size, map, map_size);
}
int armilla_synthesis_float(armilla_transform transform, const std::complex<float>* alm, int64_t alm_size, float* map,
                            int64_t map_size) {
  return synthesis<float>(transform, alm, alm_size, map, map_size);
}
int armilla_adjoint_synthesis(armilla_transform transform, const double* map, int64_t map_size,
                              std::complex<double>* alm, int64_t alm_size) {
  return adjoint_synthesis<double>(transform, map, map_size, alm, alm_size);
}
int armilla_adjoint_synthesis_float(armilla_transform transform, const float* map, int64_t map_size,
                                    std::complex<float>* alm, int64_t alm_size) {
  return adjoint_synthesis<float>(transform, map, map_size, alm, alm_size);
}
int armilla_analysis(armilla_transform transform, const double* map, int64_t map_size, std::complex<double>* alm,
                     int64_t alm_size, int64_t iterations, int weights) {
  return analysis<double>(transform, map, map_size, alm, alm_size, iterations, weights);
}
int armilla_analysis_float(armilla_transform transform, const float* map, int64_t map_size, std::complex<float>* alm,
                           int64_t alm_size, int64_t iterations, int weights) {
  return analysis<float>(transform, map, map_size, alm, alm_size, iterations, weights);
}
int armilla_adjoint_analysis(armilla_transform transform, const std::complex<double>* alm, int64_t alm_size,
                             double* map, int64_t map_size) {
  return adjoint_analysis<double>(transform, alm, alm_size, map, map_size);
}
int armilla_adjoint_analysis_float(armilla_transform transform, const std::complex<float>* alm, int64_t alm_size,
                                   float* map, int64_t map_size) {
  return adjoint_analysis<float>(transform, alm, alm_size, map, map_size);
}

int armilla_vector_fields(armilla_transform transform, const std::complex<double>* vorticity_divergence,
                          int64_t alm_size, double* map, int64_t map_size, const armilla_vector_options* options) {
  return to_vectors<double>(transform, 2, vorticity_divergence, alm_size, map, map_size, options,
                            &Transform<double>::vector_fields);
}
int armilla_vector_fields_float(armilla_transform transform, const std::complex<float>* vorticity_divergence,
                                int64_t alm_size, float* map, int64_t map_size, const armilla_vector_options* options) {
  return to_vectors<float>(transform, 2, vorticity_divergence, alm_size, map, map_size, options,
                           &Transform<float>::vector_fields);
}
int armilla_vorticity_divergence(armilla_transform transform, const double* map, int64_t map_size,
                                 std::complex<double>* vorticity_divergence, int64_t alm_size,
                                 const armilla_vector_options* options) {
  return from_vectors<double>(transform, 2, map, map_size, vorticity_divergence, alm_size, options,
                              &Transform<double>::vorticity_divergence);
}
int armilla_vorticity_divergence_float(armilla_transform transform, const float* map, int64_t map_size,
                                       std::complex<float>* vorticity_divergence, int64_t alm_size,
                                       const armilla_vector_options* options) {
  return from_vectors<float>(transform, 2, map, map_size, vorticity_divergence, alm_size, options,
                             &Transform<float>::vorticity_divergence);
}
int armilla_gradient(armilla_transform transform, const std::complex<double>* potential, int64_t alm_size, double* map,
                     int64_t map_size, const armilla_vector_options* options) {
  return to_vectors<double>(transform, 1, potential, alm_size, map, map_size, options, &Transform<double>::gradient);
}
int armilla_gradient_float(armilla_transform transform, const std::complex<float>* potential, int64_t alm_size,
                           float* map, int64_t map_size, const armilla_vector_options* options) {
  return to_vectors<float>(transform, 1, potential, alm_size, map, map_size, options, &Transform<float>::gradient);
}
int armilla_adjoint_gradient(armilla_transform transform, const double* map, int64_t map_size,
                             std::complex<double>* potential, int64_t alm_size, const armilla_vector_options* options) {
  return from_vectors<double>(transform, 1, map, map_size, potential, alm_size, options,
                              &Transform<double>::adjoint_gradient);
}
int armilla_adjoint_gradient_float(armilla_transform transform, const float* map, int64_t map_size,
                                   std::complex<float>* potential, int64_t alm_size,
                                   const armilla_vector_options* options) {
  return from_vectors<float>(transform, 1, map, map_size, potential, alm_size, options,
                             &Transform<float>::adjoint_gradient);
}

int armilla_alm_products(armilla_transform transform, const std::complex<double>* a, const std::complex<double>* b,
                         int64_t alm_size, double* products_, int64_t maps) {
  return products(transform, a, b, products_, maps,
                  [&](const auto& used, const auto* values) { return used.alm(values, alm_size); });
}
int armilla_map_products(armilla_transform transform, const double* a, const double* b, int64_t map_size,
                         double* products_, int64_t maps) {
  return products(transform, a, b, products_, maps,
                  [&](const auto& used, const auto* values) { return used.map(values, map_size); });
}

}  // extern "C"
