#include <armilla/capi/objects.hpp>

#include <complex>

using namespace armilla;
using namespace armilla::capi;

namespace {

template <class T>
PointsObject make_points(const Communicator& comm, const armilla_transform_options& options,
                         std::span<const double> theta, std::span<const double> phi, FieldKind fields) {
  PointTransformSpec spec{.lmax = options.lmax, .fields = std::move(fields), .maps = options.maps};
  if (options.mmax >= 0) spec.mmax = options.mmax;
  if (options.accuracy != 0) spec.accuracy = options.accuracy;
  if (options.backend != nullptr) spec.backend = options.backend;
  return {with_device_check(PointTransform<T>(comm, std::move(spec), theta, phi), options), options.device_memory != 0};
}

template <class T>
struct UsedPoints {
  explicit UsedPoints(armilla_points handle)
      : object(Handles::all().use<PointsObject>(handle.id)),
        transform(of_precision<T>(object->transform, PointsObject::kName)) {}

  Handles::Use<PointsObject> object;
  PointTransform<T>& transform;
};

template <class T>
int synthesis(armilla_points points, const std::complex<T>* alm, int64_t alm_size, T* at_points, int64_t size) {
  return guarded([&] {
    const UsedPoints<T> used(points);
    call_with(
        used.transform.comm(), [&] { return alm_at(*used.object, used.transform, alm, alm_size); },
        [&] { return values(at_points, size, "values"); },
        [&](const auto& in, const auto& out) {
          used.object->device_memory ? used.transform.device_synthesis(in, out.data(), out.size())
                                     : used.transform.synthesis(in, out);
        });
  });
}

template <class T>
int adjoint_synthesis(armilla_points points, const T* at_points, int64_t size, std::complex<T>* alm, int64_t alm_size) {
  return guarded([&] {
    const UsedPoints<T> used(points);
    call_with(
        used.transform.comm(), [&] { return values(at_points, size, "values"); },
        [&] { return alm_at(*used.object, used.transform, alm, alm_size); },
        [&](const auto& in, auto& out) {
          used.object->device_memory ? used.transform.device_adjoint_synthesis(in.data(), in.size(), out)
                                     : used.transform.adjoint_synthesis(in, out);
        });
  });
}

}  // namespace

extern "C" {

int armilla_points_create(armilla_session session, const armilla_transform_options* options, const double* theta,
                          const double* phi, int64_t count, armilla_points* points) {
  return create<PointsObject>(points, [&] {
    const auto used = Handles::all().use<SessionObject>(session.id);
    std::span<const double> all_theta, all_phi;
    FieldKind fields;
    comm::phase(used->comm, [&] {
      fields = fields_of(at_pointer(options, "options"));
      all_theta = values(theta, count, "theta");
      all_phi = values(phi, count, "phi");
    });
    return options->single_precision != 0 ? make_points<float>(used->comm, *options, all_theta, all_phi, fields)
                                          : make_points<double>(used->comm, *options, all_theta, all_phi, fields);
  });
}

int armilla_points_sizes(armilla_points points, int64_t* alm_size, int64_t* values_size) {
  return guarded([&] {
    const auto used = Handles::all().use<PointsObject>(points.id);
    std::visit(
        [&](const auto& t) {
          at_pointer(alm_size, "alm_size") = t.alm_size();
          at_pointer(values_size, "values_size") = t.values_size();
        },
        used->transform);
  });
}

int armilla_points_device(armilla_points points, int* device) {
  return guarded([&] {
    const auto used = Handles::all().use<PointsObject>(points.id);
    at_pointer(device, "device") = std::visit([](const auto& t) { return t.device(); }, used->transform);
  });
}

int armilla_points_synthesis(armilla_points points, const std::complex<double>* alm, int64_t alm_size, double* values,
                             int64_t values_size) {
  return synthesis<double>(points, alm, alm_size, values, values_size);
}
int armilla_points_synthesis_float(armilla_points points, const std::complex<float>* alm, int64_t alm_size,
                                   float* values, int64_t values_size) {
  return synthesis<float>(points, alm, alm_size, values, values_size);
}
int armilla_points_adjoint_synthesis(armilla_points points, const double* values, int64_t values_size,
                                     std::complex<double>* alm, int64_t alm_size) {
  return adjoint_synthesis<double>(points, values, values_size, alm, alm_size);
}
int armilla_points_adjoint_synthesis_float(armilla_points points, const float* values, int64_t values_size,
                                           std::complex<float>* alm, int64_t alm_size) {
  return adjoint_synthesis<float>(points, values, values_size, alm, alm_size);
}

int armilla_points_free(armilla_points* points) { return destroy<PointsObject>(points); }

}  // extern "C"
