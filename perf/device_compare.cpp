#include "device_compare.hpp"

#include <armilla/backend/cuda/legendre_stage.hpp>
#include <armilla/transform/spin_tables.hpp>

#include <complex>
#include <cstdio>

#include "device_timing.hpp"
#include "noise.hpp"

namespace armilla::perf {

namespace {

void show(const std::string& name, const char* direction, const Time& time) {
  std::printf("compare %s %s %.4f %.4f\n", name.c_str(), direction, 1e3 * time.median, 1e3 * time.least);
  std::fflush(stdout);
}

}  // namespace

void compare_variants(const StageCase& which, const transform::FieldTransformSpec& spec,
                      const std::vector<LegendreVariant>& variants) {
  const kernels::Stream stream;
  const transform::SpinTables tables(spec, spec.kind.spin_fields().front(), 0);
  const legendre::Task task = tables.legendre_task();
  const auto from_alm = complex_noise<double>(core::at(tables.alm_stride * which.maps), 1);
  const auto from_delta = complex_noise<double>(core::at(tables.exchange.send_size), 2);
  const auto alm = kernels::upload<std::complex<double>>(from_alm, stream);
  const auto delta = kernels::upload<std::complex<double>>(from_delta, stream);
  kernels::DeviceBuffer<std::complex<double>> to_alm(static_cast<Index>(from_alm.size()));
  kernels::DeviceBuffer<std::complex<double>> to_delta(static_cast<Index>(from_delta.size()));
  const backend::OrderRange all = backend::OrderRange::all(task);
  const auto measure = [&](const LegendreVariant& one) {
    backend::LegendreStage<double> stage(spec.options, task, {}, work_of_jobs(), stream, one.products, one.scalar,
                                         one.makers);
    if (!one.is_of_adjoint())
      show(one.name, "synthesis",
           time_on_device(stream, which.rounds, [&] { stage.synthesis(all, alm.data(), to_delta.data()); }));
    if (!one.is_of_synthesis())
      show(one.name, "adjoint",
           time_on_device(stream, which.rounds, [&] { stage.adjoint(all, delta.data(), to_alm.data()); }));
  };
  const LegendreVariant own = legendre_variants().front();
  std::vector<LegendreVariant> others;
  for (const LegendreVariant& one : variants)
    if (one.name != own.name) others.push_back(one);
  measure(own);
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (i > 0 && i == others.size() / 2) measure(own);
    measure(others[i]);
  }
  measure(own);
}

}  // namespace armilla::perf
