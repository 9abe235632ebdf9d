#include <armilla/api/transform.hpp>
#include <armilla/comm/phase.hpp>

#include <algorithm>
#include <complex>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "call_guard.hpp"
#include "interpreter_lock.hpp"
#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace armilla::python {

namespace {

Weights weights_of(const std::string& name) {
  if (name == "grid") return Weights::kGrid;
  if (name == "ring") return Weights::kRing;
  if (name == "pixel") return Weights::kPixel;
  throw InputError(fmt::format("weights = '{}': use 'grid', 'ring' or 'pixel'", name));
}

VectorOptions vector_options(double radius, const std::string& axes, const std::string& factor) {
  using Axes = VectorOptions::Axes;
  using Factor = VectorOptions::Factor;
  VectorOptions options;
  options.radius = radius;
  if (axes == "south_east")
    options.axes = Axes::kSouthEast;
  else if (axes != "east_north")
    throw InputError(fmt::format("axes = '{}': use 'east_north' or 'south_east'", axes));
  if (factor == "cos_latitude")
    options.factor = Factor::kCosLatitude;
  else if (factor == "inverse_cos_latitude")
    options.factor = Factor::kInverseCosLatitude;
  else if (factor != "none")
    throw InputError(fmt::format("factor = '{}': use 'none', 'cos_latitude' or 'inverse_cos_latitude'", factor));
  return options;
}

/// A transform with the arrays of Python. Its methods are those of Transform.
template <class T>
class Plan {
 public:
  using Value = std::complex<T>;

  Plan(const Communicator& comm, const Grid& grid, Index lmax, std::optional<Index> mmax, const FieldKind& fields,
       Index maps, const std::string& backend, std::optional<int> threads, bool check_finite)
      : threads_(threads.value_or(0)),
        transform_(make(comm, {*grid.grid, lmax, mmax, fields, maps, backend, threads, check_finite})),
        uses_(uses_of(threads_, comm.size(), transform_.device())) {}

  const Transform<T>& transform() const { return transform_; }

  void synthesis(nb::handle alm, nb::handle map) {
    to_map(alm, map, transform_.fields(), [this](const Alm<T>& read, Map<T>& out) { transform_.synthesis(read, out); });
  }
  void adjoint_synthesis(nb::handle map, nb::handle alm) {
    to_alm(map, alm, transform_.fields(),
           [this](const Map<T>& read, Alm<T>& out) { transform_.adjoint_synthesis(read, out); });
  }
  void analysis(nb::handle map, nb::handle alm, Index iterations, const std::string& weights) {
    const AnalysisOptions options = agreed([&] { return AnalysisOptions{iterations, weights_of(weights)}; });
    to_alm(map, alm, transform_.fields(),
           [&](const Map<T>& read, Alm<T>& out) { transform_.analysis(read, out, options); });
  }
  void adjoint_analysis(nb::handle alm, nb::handle map) {
    to_map(alm, map, transform_.fields(),
           [this](const Alm<T>& read, Map<T>& out) { transform_.adjoint_analysis(read, out); });
  }
  /// For each map: converged, iterations, alm_error, map_residual.
  auto analysis_to_tolerance(nb::handle map, nb::handle alm, double tolerance) {
    std::vector<std::tuple<bool, Index, double, double>> results;
    to_alm(map, alm, transform_.fields(), [&](const Map<T>& read, Alm<T>& out) {
      for (const ToleranceResult& r : transform_.analysis_to_tolerance(read, out, tolerance))
        results.emplace_back(r.converged, r.iterations, r.alm_error, r.map_residual);
    });
    return results;
  }
  void vector_fields(nb::handle scalars, nb::handle map, double radius, const std::string& axes,
                     const std::string& factor) {
    const VectorOptions options = agreed([&] { return vector_options(radius, axes, factor); });
    to_map(scalars, map, scalars_of(transform_.fields().components()),
           [&](const Alm<T>& read, Map<T>& out) { transform_.vector_fields(read, out, options); });
  }
  void vorticity_divergence(nb::handle map, nb::handle scalars, double radius, const std::string& axes,
                            const std::string& factor) {
    const VectorOptions options = agreed([&] { return vector_options(radius, axes, factor); });
    to_alm(map, scalars, scalars_of(transform_.fields().components()),
           [&](const Map<T>& read, Alm<T>& out) { transform_.vorticity_divergence(read, out, options); });
  }
  void gradient(nb::handle potential, nb::handle map, double radius, const std::string& axes,
                const std::string& factor) {
    const VectorOptions options = agreed([&] { return vector_options(radius, axes, factor); });
    to_map(potential, map, scalars_of(transform_.fields().components() / 2),
           [&](const Alm<T>& read, Map<T>& out) { transform_.gradient(read, out, options); });
  }
  void adjoint_gradient(nb::handle map, nb::handle potential, double radius, const std::string& axes,
                        const std::string& factor) {
    const VectorOptions options = agreed([&] { return vector_options(radius, axes, factor); });
    to_alm(map, potential, scalars_of(transform_.fields().components() / 2),
           [&](const Map<T>& read, Alm<T>& out) { transform_.adjoint_gradient(read, out, options); });
  }

  /// A map on the GPU, as an array that owns it.
  nb::object device_map(const std::vector<std::size_t>& shape) const {
    return device_array(transform_.make_map(), shape);
  }
  /// Coefficients on the GPU; `components` are scalars if there are other fields.
  nb::object device_alm(const std::vector<std::size_t>& shape, Index components) const {
    if (components == transform_.fields().components()) return device_array(transform_.make_alm(), shape);
    return device_array(components * 2 == transform_.fields().components() ? transform_.make_potential()
                                                                           : transform_.make_vorticity_divergence(),
                        shape);
  }

 private:
  static Transform<T> make(const Communicator& comm, TransformSpec spec) {
    // Construction runs on all threads.
    check_process(uses_of(spec.threads.value_or(0), comm.size(), -1));
    const Unlocked unlocked;
    return Transform<T>(comm, std::move(spec));
  }

  /// Collective. What make() returns. All ranks throw if it throws on one of them.
  template <class Make>
  auto agreed(const Make& make) const {
    const Unlocked unlocked;
    std::optional<decltype(make())> made;
    comm::phase(transform_.comm(), [&] { made.emplace(make()); });
    return *made;
  }

  static FieldKind scalars_of(Index components) {
    std::vector<FieldKind> scalars;
    for (Index c = 0; c < std::max<Index>(components, 1); ++c)
      scalars.push_back(FieldKind::scalar(fmt::format("S{}", c)));
    return FieldKind::joined(scalars);
  }

  template <class Field>
  nb::object device_array(Field field, const std::vector<std::size_t>& shape) const {
    auto* const kept = new Field(std::move(field));
    const nb::capsule owner(kept, [](void* data) noexcept { delete static_cast<Field*>(data); });
    using Scalar = std::remove_pointer_t<decltype(kept->device_data())>;
    return nb::cast(nb::ndarray<nb::array_api, Scalar>(kept->device_data(), shape.size(), shape.data(), owner, nullptr,
                                                       nb::dtype<Scalar>(), nb::device::cuda::value,
                                                       transform_.device()));
  }

  Alm<T> alm_to_read(const Operand& array, const FieldKind& fields) const {
    const std::span<const Value> values = array.values<const Value>();
    return array.is_on_device() ? transform_.const_device_alm_of(values.data(), values.size(), fields)
                                : transform_.const_alm_of(values, fields);
  }
  Alm<T> alm_to_write(const Operand& array, const FieldKind& fields) const {
    const std::span<Value> values = array.values<Value>();
    return array.is_on_device() ? transform_.device_alm_of(values.data(), values.size(), fields)
                                : transform_.alm_of(values, fields);
  }
  Map<T> map_to_read(const Operand& array) const {
    const std::span<const T> values = array.values<const T>();
    return array.is_on_device() ? transform_.const_device_map_of(values.data(), values.size())
                                : transform_.const_map_of(values);
  }
  Map<T> map_to_write(const Operand& array) const {
    const std::span<T> values = array.values<T>();
    return array.is_on_device() ? transform_.device_map_of(values.data(), values.size()) : transform_.map_of(values);
  }

  template <class Work>
  void to_map(nb::handle alm, nb::handle map, const FieldKind& fields, const Work& work) {
    run<Value, T>("alm", alm, map, work, [&](const Operand& read, const Operand& written) {
      return std::pair(alm_to_read(read, fields), map_to_write(written));
    });
  }
  template <class Work>
  void to_alm(nb::handle map, nb::handle alm, const FieldKind& fields, const Work& work) {
    run<T, Value>("map", map, alm, work, [&](const Operand& read, const Operand& written) {
      return std::pair(map_to_read(read), alm_to_write(written, fields));
    });
  }
  template <class Read, class Written, class Work, class Make>
  void run(const char* name, nb::handle read, nb::handle written, const Work& work, const Make& make_fields) {
    const CallGuard guard(is_busy_, uses_);
    const Operands operands(transform_.comm(), {name, read, nb::dtype<Read>()}, {"out", written, nb::dtype<Written>()});
    const Unlocked unlocked;
    std::optional<decltype(make_fields(operands.read(), operands.written()))> fields;
    comm::phase(transform_.comm(), [&] { fields.emplace(make_fields(operands.read(), operands.written())); });
    work(fields->first, fields->second);
    // Brings results of a GPU to the array.
    if (!operands.written().is_on_device()) static_cast<void>(fields->second.data());
  }

  int threads_;
  Transform<T> transform_;
  Uses uses_;
  std::atomic<bool> is_busy_ = false;
};

template <class T>
void bind_plan(nb::module_& module, const char* name) {
  using P = Plan<T>;
  const auto distribution = [](const P& plan) -> const PixelDistribution& {
    return plan.transform().pixel_distribution();
  };
  nb::class_<P>(module, name, "See armilla.Transform.")
      .def(nb::init<const Communicator&, const Grid&, Index, std::optional<Index>, const FieldKind&, Index,
                    const std::string&, std::optional<int>, bool>(),
           nb::arg("comm"), nb::arg("grid"), nb::arg("lmax"), nb::arg("mmax").none(), nb::arg("fields"),
           nb::arg("maps"), nb::arg("backend"), nb::arg("threads").none(), nb::arg("check_finite"))
      .def_prop_ro("backend", [](const P& plan) { return plan.transform().backend(); })
      .def_prop_ro("device", [](const P& plan) { return plan.transform().device(); })
      .def_prop_ro("workspace_bytes", [](const P& plan) { return plan.transform().workspace_bytes(); })
      .def_prop_ro("lmax", [](const P& plan) { return plan.transform().layout().lmax(); })
      .def_prop_ro("mmax", [](const P& plan) { return plan.transform().layout().mmax(); })
      .def_prop_ro(
          "npix",
          [distribution](const P& plan) { return distribution(plan).local_pixels(plan.transform().comm().rank()); })
      .def_prop_ro("pixel_ranges",
                   [distribution](const P& plan) { return ranges_of(plan.transform().comm(), distribution(plan)); })
      .def_prop_ro(
          "alm_size",
          [](const P& plan) { return plan.transform().alm_distribution().local_size(plan.transform().comm().rank()); })
      .def_prop_ro(
          "local_m",
          [](const P& plan) { return plan.transform().alm_distribution().local_m(plan.transform().comm().rank()); })
      .def("synthesis", &P::synthesis)
      .def("adjoint_synthesis", &P::adjoint_synthesis)
      .def("analysis", &P::analysis)
      .def("adjoint_analysis", &P::adjoint_analysis)
      .def("analysis_to_tolerance", &P::analysis_to_tolerance)
      .def("vector_fields", &P::vector_fields)
      .def("vorticity_divergence", &P::vorticity_divergence)
      .def("gradient", &P::gradient)
      .def("adjoint_gradient", &P::adjoint_gradient)
      .def("device_map", &P::device_map)
      .def("device_alm", &P::device_alm);
}

}  // namespace

void bind_transform(nb::module_& module) {
  bind_plan<float>(module, "TransformFloat");
  bind_plan<double>(module, "TransformDouble");
}

}  // namespace armilla::python
