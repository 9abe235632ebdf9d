// Times both stages of a transform on a GPU with data in device memory, using CUDA events. Small stages are launched as
// graphs, as in jobs:
//   perf_device --nlat 4096 --lmax 4095 --spin 0 --maps 8 --variant tensor_cores --rounds 9
// or the Legendre stage with different kernels: perf_device --nlat 4096 --lmax 4095 --compare
// or compares these kernels with the CPU: perf_device --parity
#include <armilla/backend/cuda/device_rings.hpp>
#include <armilla/backend/cuda/legendre_stage.hpp>
#include <armilla/backend/cuda/repeated_calls.hpp>
#include <armilla/core/error.hpp>
#include <armilla/transform/operation_count.hpp>
#include <armilla/transform/spin_tables.hpp>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "device_compare.hpp"
#include "device_parity.hpp"
#include "device_timing.hpp"
#include "legendre_variants.hpp"
#include "noise.hpp"
#include "stage_case.hpp"
#include <kernels/core/device.hpp>

namespace {

using armilla::core::Index;
using namespace armilla;

struct Case : perf::StageCase {
  std::string resampling = "auto";
  std::string precision = "double";
  const perf::LegendreVariant* variant = nullptr;
};

using perf::Time;
using perf::time_on_device;

transform::FieldTransformSpec make_spec(const Case& which) {
  transform::FieldTransformSpec spec = which.spec();
  using enum backend::ThetaResampling;
  spec.options.theta_resampling = which.resampling == "on" ? kOn : which.resampling == "off" ? kOff : kAuto;
  return spec;
}

template <class T>
void time_case(const Case& which) {
  const kernels::Stream stream;
  const auto spec = make_spec(which);
  const transform::SpinTables tables(spec, spec.kind.spin_fields().front(), 0);
  const Index work = perf::work_of_jobs();
  backend::LegendreStage<T> stage(spec.options, tables.legendre_task(), {}, work, stream, which.variant->products,
                                  which.variant->scalar, which.variant->makers);
  backend::DeviceRings<T> rings(tables.ring_task(), work, stream);
  const Index coefficients = tables.alm_stride * which.maps;
  auto alm = kernels::upload<std::complex<T>>(perf::complex_noise<T>(core::at(coefficients), 1), stream);
  kernels::DeviceBuffer<std::complex<T>> delta(tables.exchange.send_size);
  kernels::DeviceBuffer<T> map(tables.map_stride * which.maps);
  const auto factor = kernels::upload<double>(tables.quadrature, stream);
  const backend::OrderRange all = backend::OrderRange::all(tables.legendre_task());
  backend::RepeatedCalls calls(delta.size());
  const auto synthesis_of_stage = [&] {
    calls.run({0}, stream, [&] { stage.synthesis(all, alm.data(), delta.data()); });
  };
  const auto synthesis_of_rings = [&] {
    calls.run({1}, stream, [&] { rings.synthesis(delta.data(), nullptr, map.data(), stream); });
  };
  const auto adjoint_of_rings = [&] {
    calls.run({2}, stream, [&] { rings.adjoint(map.data(), factor.data(), delta.data(), stream); });
  };
  const auto adjoint_of_stage = [&] { calls.run({3}, stream, [&] { stage.adjoint(all, delta.data(), alm.data()); }); };
  // In the order of a transform, so that each stage reads the output of the previous one.
  const Time down = time_on_device(stream, which.rounds, synthesis_of_stage);
  const Time to_map = time_on_device(stream, which.rounds, synthesis_of_rings);
  const Time from_map = time_on_device(stream, which.rounds, adjoint_of_rings);
  const Time up = time_on_device(stream, which.rounds, adjoint_of_stage);
  const Time synthesis = time_on_device(stream, which.rounds, [&] {
    synthesis_of_stage();
    synthesis_of_rings();
  });
  const Time analysis = time_on_device(stream, which.rounds, [&] {
    adjoint_of_rings();
    adjoint_of_stage();
  });
  std::printf("legendre fma %.4g\n", transform::legendre_fma(spec, 0));
  const auto show = [](const char* name, const Time& t) {
    std::printf("%-20s %9.4f %9.4f\n", name, 1e3 * t.median, 1e3 * t.least);
  };
  std::printf("%-20s %9s %9s\n", "[ms]", "median", "least");
  show("legendre synthesis", down);
  show("rings synthesis", to_map);
  show("synthesis", synthesis);
  show("legendre adjoint", up);
  show("rings adjoint", from_map);
  show("analysis", analysis);
}

struct Choice {
  bool parity = false, compare = false, list = false;
  int parity_cases = 100;
  std::string names;
};

int run(Case& which, const Choice& choice) {
  if (choice.list) {
    for (const perf::LegendreVariant& one : perf::legendre_variants())
      std::printf("%s  %s  %s\n", one.name.c_str(), one.choices.empty() ? "-" : one.choices.c_str(), one.what);
    return 0;
  }
  const std::vector<perf::LegendreVariant> variants =
      choice.names.empty() ? perf::legendre_variants() : perf::find_variants(choice.names);
  const auto devices = kernels::devices();
  if (devices.empty()) {
    std::fprintf(stderr, "perf_device: no GPU is visible\n");
    return 3;
  }
  std::printf("%s, compute capability %d.%d\n", devices.front().name.c_str(), devices.front().compute_major,
              devices.front().compute_minor);
  if (choice.parity) {
    int failures = 0;
    for (const perf::LegendreVariant& one : variants) failures += perf::count_failures(one, choice.parity_cases);
    return failures == 0 ? 0 : 1;
  }
  which.variant = &variants.front();
  if (which.variant->products == backend::Products::kTensorCores && which.precision == "single")
    throw core::InputError("variant " + which.variant->name + " requires double precision: remove --precision single");
  if (perf::device_is_emulated()) std::printf("emulated device: times are meaningless\n");
  if (choice.compare)
    perf::compare_variants(which, make_spec(which), variants);
  else if (which.precision == "single")
    time_case<float>(which);
  else
    time_case<double>(which);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Case which;
  which.rounds = 9;
  Choice choice;
  CLI::App app("Times Legendre stage, ring FFTs and whole transforms on the first GPU, or on the emulated one");
  which.add_options(app);
  app.add_option("--precision", which.precision, "double, single")->check(CLI::IsMember({"double", "single"}));
  app.add_option(
      "--variant", choice.names,
      "kernels of the Legendre stage, default: as in jobs; A+B combines two; A,B for --parity and --compare");
  app.add_flag("--list-variants", choice.list, "list the variants of these kernels, and do nothing else");
  app.add_flag("--parity", choice.parity, "compare all variants, or these, with the CPU on small grids");
  app.add_option("--parity-cases", choice.parity_cases, "only the first of these grids");
  app.add_flag("--compare", choice.compare, "time the Legendre stage with all variants, or these, in one process")
      ->excludes("--parity", "--precision");
  app.add_option("--theta-resampling", which.resampling, "auto, on, off");
  CLI11_PARSE(app, argc, argv);
  try {
    return run(which, choice);
  } catch (const core::InputError& error) {
    std::fprintf(stderr, "perf_device: %s\n", error.what());
    return 2;
  }
}
