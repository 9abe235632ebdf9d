#include <armilla/api/point_transform.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/machine.hpp>

#include <complex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "call_guard.hpp"
#include "interpreter_lock.hpp"
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace armilla::python {

namespace {

/// A transform at points with the arrays of Python. Its methods are those of PointTransform.
template <class T>
class PointPlan {
 public:
  using Value = std::complex<T>;

  PointPlan(const Communicator& comm, const HostArray<const double>& theta, const HostArray<const double>& phi,
            Index lmax, std::optional<Index> mmax, const FieldKind& fields, Index maps, const std::string& backend,
            std::optional<double> accuracy, std::optional<int> threads)
      : threads_(threads.value_or(0)),
        transform_(make(comm, {lmax, mmax, fields, maps, accuracy, backend}, threads_, span_of(theta), span_of(phi))),
        uses_(uses_of(threads_, comm.size(), transform_.device())) {}

  const PointTransform<T>& transform() const { return transform_; }

  void synthesis(nb::handle alm, nb::handle values) {
    run<Value, T>("alm", alm, values, [this](const Operand& read, const Operand& written) {
      const Alm<T> coefficients = made([&] { return alm_to_read(read); });
      if (written.is_on_device())
        transform_.device_synthesis(coefficients, written.values<T>().data(), written.size());
      else
        transform_.synthesis(coefficients, written.values<T>());
    });
  }
  void adjoint_synthesis(nb::handle values, nb::handle alm) {
    run<T, Value>("values", values, alm, [this](const Operand& read, const Operand& written) {
      Alm<T> coefficients = made([&] { return alm_to_write(written); });
      if (read.is_on_device())
        transform_.device_adjoint_synthesis(read.values<const T>().data(), read.size(), coefficients);
      else
        transform_.adjoint_synthesis(read.values<const T>(), coefficients);
      deliver(written, coefficients);
    });
  }
  /// For each map: converged, iterations, residual, condition.
  auto analysis(nb::handle values, nb::handle alm, const std::optional<HostArray<const double>>& inverse_variance,
                std::optional<double> tolerance, Index max_iterations, double regularise) {
    const auto weights = inverse_variance ? span_of(*inverse_variance) : std::span<const double>();
    std::vector<std::tuple<bool, Index, double, double>> results;
    run<T, Value>("values", values, alm, [&](const Operand& read, const Operand& written) {
      Alm<T> coefficients = made([&] { return alm_to_write(written); });
      const PointAnalysisOptions options{tolerance, max_iterations, regularise};
      const auto found =
          read.is_on_device()
              ? transform_.device_analysis(read.values<const T>().data(), read.size(), coefficients, weights, options)
              : transform_.analysis(read.values<const T>(), coefficients, weights, options);
      for (const PointAnalysisResult& r : found)
        results.emplace_back(r.converged, r.iterations, r.residual, r.condition);
      deliver(written, coefficients);
    });
    return results;
  }

 private:
  static PointTransform<T> make(const Communicator& comm, PointTransformSpec spec, int threads,
                                std::span<const double> theta, std::span<const double> phi) {
    // Construction runs on all threads.
    check_process(uses_of(threads, comm.size(), -1));
    const Unlocked unlocked;
    const core::ThreadScope scope(threads);
    return PointTransform<T>(comm, std::move(spec), theta, phi);
  }

  Alm<T> alm_to_read(const Operand& array) const {
    const std::span<const Value> values = array.values<const Value>();
    return array.is_on_device() ? transform_.const_device_alm_of(values.data(), values.size())
                                : transform_.const_alm_of(values);
  }
  Alm<T> alm_to_write(const Operand& array) const {
    const std::span<Value> values = array.values<Value>();
    return array.is_on_device() ? transform_.device_alm_of(values.data(), values.size()) : transform_.alm_of(values);
  }
  // Collective. Coefficients that a rank may fail to make.
  template <class Make>
  Alm<T> made(const Make& make) const {
    std::optional<Alm<T>> alm;
    comm::phase(transform_.comm(), [&] { alm.emplace(make()); });
    return std::move(*alm);
  }
  // Brings results of a GPU to an array of the host.
  static void deliver(const Operand& written, Alm<T>& alm) {
    if (!written.is_on_device()) static_cast<void>(alm.data());
  }

  template <class Read, class Written, class Work>
  void run(const char* name, nb::handle read, nb::handle written, const Work& work) {
    const CallGuard guard(is_busy_, uses_);
    const Operands operands(transform_.comm(), {name, read, nb::dtype<Read>()}, {"out", written, nb::dtype<Written>()});
    const Unlocked unlocked;
    const core::ThreadScope threads(threads_);
    work(operands.read(), operands.written());
  }

  int threads_;
  PointTransform<T> transform_;
  Uses uses_;
  std::atomic<bool> is_busy_ = false;
};

template <class T>
void bind_plan(nb::module_& module, const char* name) {
  using P = PointPlan<T>;
  nb::class_<P>(module, name, "See armilla.PointTransform.")
      .def(nb::init<const Communicator&, const HostArray<const double>&, const HostArray<const double>&, Index,
                    std::optional<Index>, const FieldKind&, Index, const std::string&, std::optional<double>,
                    std::optional<int>>(),
           nb::arg("comm"), nb::arg("theta"), nb::arg("phi"), nb::arg("lmax"), nb::arg("mmax").none(),
           nb::arg("fields"), nb::arg("maps"), nb::arg("backend"), nb::arg("accuracy").none(),
           nb::arg("threads").none())
      .def_prop_ro("backend", [](const P& plan) { return plan.transform().backend(); })
      .def_prop_ro("device", [](const P& plan) { return plan.transform().device(); })
      .def_prop_ro("lmax", [](const P& plan) { return plan.transform().layout().lmax(); })
      .def_prop_ro("mmax", [](const P& plan) { return plan.transform().layout().mmax(); })
      .def_prop_ro("points", [](const P& plan) { return plan.transform().points(); })
      .def_prop_ro("alm_size",
                   [](const P& plan) { return plan.transform().alm_size() / plan.transform().fields().components(); })
      .def("synthesis", &P::synthesis)
      .def("adjoint_synthesis", &P::adjoint_synthesis)
      .def("analysis", &P::analysis, nb::arg("values"), nb::arg("out"), nb::arg("inverse_variance").none(),
           nb::arg("tolerance").none(), nb::arg("max_iterations"), nb::arg("regularise"));
}

}  // namespace

void bind_point_transform(nb::module_& module) {
  bind_plan<float>(module, "PointTransformFloat");
  bind_plan<double>(module, "PointTransformDouble");
}

}  // namespace armilla::python
