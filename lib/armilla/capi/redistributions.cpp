#include <armilla/capi/objects.hpp>

#include <complex>

using namespace armilla;
using namespace armilla::capi;

namespace {

// Collective. make(transform, distribution) creates the redistribution.
template <class Make>
int create_redistribution(armilla_transform transform, armilla_redistribution* redistribution, const Make& make) {
  return create<RedistributionObject>(redistribution, [&] {
    const auto used = Handles::all().use<TransformObject>(transform.id);
    return std::visit([&](const auto& t) { return RedistributionObject{used.shared(), make(t)}; }, used->transform);
  });
}

// Collective. Lists of the program, which may be wrong on one rank.
std::span<const Index> list(const Communicator& comm, const int64_t* pointer, int64_t count, const char* name) {
  std::span<const Index> all;
  comm::phase(comm, [&] { all = values(pointer, count, name); });
  return all;
}

Strides strides_of(const armilla_strides* strides) {
  if (strides == nullptr) return {};
  return {strides->map, strides->component, strides->index};
}

/// A redistribution in use, of type Kind, and its transform.
template <class Kind, class T>
struct UsedRedistribution {
  explicit UsedRedistribution(armilla_redistribution handle)
      : object(Handles::all().use<RedistributionObject>(handle.id)),
        transform(of_precision<T>(object->transform->transform, "transform of the redistribution")) {
    if (std::get_if<Kind>(&object->redistribution) == nullptr)
      throw InputError(
          "the redistribution is of the other kind: use one of pixels for maps, and one of coefficients or "
          "orders for alm");
  }
  const Kind& kind() const { return *std::get_if<Kind>(&object->redistribution); }

  Handles::Use<RedistributionObject> object;
  Transform<T>& transform;
};

template <class T>
int to_map(armilla_redistribution handle, const T* program, int64_t size, const armilla_strides* strides, T* map,
           int64_t map_size, const T* fill) {
  return guarded([&] {
    const UsedRedistribution<PixelRedistribution, T> used(handle);
    call_with(
        used.transform.comm(), [&] { return values(program, size, "values"); },
        [&] { return map_at(*used.object->transform, used.transform, map, map_size); },
        [&](const auto& in, auto& out) {
          used.kind().template to_map<T>(in, out, fill == nullptr ? std::nullopt : std::optional<T>(*fill),
                                         strides_of(strides));
        });
  });
}

template <class T>
int from_map(armilla_redistribution handle, const T* map, int64_t map_size, T* program, int64_t size,
             const armilla_strides* strides) {
  return guarded([&] {
    const UsedRedistribution<PixelRedistribution, T> used(handle);
    call_with(
        used.transform.comm(), [&] { return map_at(*used.object->transform, used.transform, map, map_size); },
        [&] { return values(program, size, "values"); },
        [&](const auto& in, const auto& out) { used.kind().template from_map<T>(in, out, strides_of(strides)); });
  });
}

template <class T>
int to_alm(armilla_redistribution handle, const std::complex<T>* program, int64_t size, const armilla_strides* strides,
           std::complex<T>* alm, int64_t alm_size, const std::complex<T>* fill) {
  return guarded([&] {
    const UsedRedistribution<AlmRedistribution, T> used(handle);
    call_with(
        used.transform.comm(), [&] { return values(program, size, "values"); },
        [&] { return alm_at(*used.object->transform, used.transform, alm, alm_size); },
        [&](const auto& in, auto& out) {
          using Fill = std::optional<std::complex<T>>;
          used.kind().template to_alm<T>(in, out, fill == nullptr ? Fill() : Fill(*fill), strides_of(strides));
        });
  });
}

template <class T>
int from_alm(armilla_redistribution handle, const std::complex<T>* alm, int64_t alm_size, std::complex<T>* program,
             int64_t size, const armilla_strides* strides) {
  return guarded([&] {
    const UsedRedistribution<AlmRedistribution, T> used(handle);
    call_with(
        used.transform.comm(), [&] { return alm_at(*used.object->transform, used.transform, alm, alm_size); },
        [&] { return values(program, size, "values"); },
        [&](const auto& in, const auto& out) { used.kind().template from_alm<T>(in, out, strides_of(strides)); });
  });
}

}  // namespace

extern "C" {

int armilla_redistribution_of_pixels(armilla_transform transform, const int64_t* pixels, int64_t count,
                                     armilla_redistribution* redistribution) {
  return create_redistribution(transform, redistribution, [&](const auto& t) {
    return PixelRedistribution(t.comm(), t.pixel_distribution(), list(t.comm(), pixels, count, "pixels"));
  });
}

int armilla_redistribution_of_coefficients(armilla_transform transform, const int64_t* l, const int64_t* m,
                                           int64_t count, armilla_redistribution* redistribution) {
  return create_redistribution(transform, redistribution, [&](const auto& t) {
    return AlmRedistribution(t.comm(), t.alm_distribution(), list(t.comm(), l, count, "l"),
                             list(t.comm(), m, count, "m"));
  });
}

int armilla_redistribution_of_orders(armilla_transform transform, const int64_t* m, int64_t count,
                                     armilla_redistribution* redistribution) {
  return create_redistribution(transform, redistribution, [&](const auto& t) {
    return AlmRedistribution::of_orders(t.comm(), t.alm_distribution(), list(t.comm(), m, count, "m"));
  });
}

int armilla_redistribution_size(armilla_redistribution redistribution, int64_t* size) {
  return guarded([&] {
    const auto used = Handles::all().use<RedistributionObject>(redistribution.id);
    at_pointer(size, "size") = std::visit([](const auto& kind) { return kind.size(); }, used->redistribution);
  });
}

int armilla_redistribute_to_map(armilla_redistribution redistribution, const double* values, int64_t size,
                                const armilla_strides* strides, double* map, int64_t map_size, const double* fill) {
  return to_map(redistribution, values, size, strides, map, map_size, fill);
}
int armilla_redistribute_to_map_float(armilla_redistribution redistribution, const float* values, int64_t size,
                                      const armilla_strides* strides, float* map, int64_t map_size, const float* fill) {
  return to_map(redistribution, values, size, strides, map, map_size, fill);
}
int armilla_redistribute_from_map(armilla_redistribution redistribution, const double* map, int64_t map_size,
                                  double* values, int64_t size, const armilla_strides* strides) {
  return from_map(redistribution, map, map_size, values, size, strides);
}
int armilla_redistribute_from_map_float(armilla_redistribution redistribution, const float* map, int64_t map_size,
                                        float* values, int64_t size, const armilla_strides* strides) {
  return from_map(redistribution, map, map_size, values, size, strides);
}
int armilla_redistribute_to_alm(armilla_redistribution redistribution, const std::complex<double>* values, int64_t size,
                                const armilla_strides* strides, std::complex<double>* alm, int64_t alm_size,
                                const std::complex<double>* fill) {
  return to_alm(redistribution, values, size, strides, alm, alm_size, fill);
}
int armilla_redistribute_to_alm_float(armilla_redistribution redistribution, const std::complex<float>* values,
                                      int64_t size, const armilla_strides* strides, std::complex<float>* alm,
                                      int64_t alm_size, const std::complex<float>* fill) {
  return to_alm(redistribution, values, size, strides, alm, alm_size, fill);
}
int armilla_redistribute_from_alm(armilla_redistribution redistribution, const std::complex<double>* alm,
                                  int64_t alm_size, std::complex<double>* values, int64_t size,
                                  const armilla_strides* strides) {
  return from_alm(redistribution, alm, alm_size, values, size, strides);
}
int armilla_redistribute_from_alm_float(armilla_redistribution redistribution, const std::complex<float>* alm,
                                        int64_t alm_size, std::complex<float>* values, int64_t size,
                                        const armilla_strides* strides) {
  return from_alm(redistribution, alm, alm_size, values, size, strides);
}

int armilla_redistribution_free(armilla_redistribution* redistribution) {
  return destroy<RedistributionObject>(redistribution);
}

}  // extern "C"
