// Times both stages of a transform on a GPU, data resident there, by events:
//   perf_device --nlat 4096 --lmax 4095 --spin 0 --maps 1 --rounds 21
#include <armilla/backend/cuda/device_rings.hpp>
#include <armilla/backend/cuda/device_stage.hpp>
#include <armilla/transform/operation_count.hpp>
#include <armilla/transform/part_plan.hpp>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "stage_case.hpp"
#include <kernels/core/device.hpp>

namespace {

using armilla::core::Index;
using namespace armilla;
using Complex = std::complex<double>;

struct Case : perf::StageCase {
  std::string resampling = "auto";
};

// Median and least milliseconds of a call, after one that is not timed.
struct Time {
  double median, least;
};
template <class Call>
Time time(const kernels::Stream& stream, int rounds, Call&& call) {
  std::vector<double> milliseconds;
  kernels::Event start, end;
  for (int round = -1; round < rounds; ++round) {
    start.record(stream);
    call();
    end.record(stream);
    end.wait();
    if (round >= 0) milliseconds.push_back(1e3 * end.seconds_since(start));
  }
  return {perf::median(milliseconds), std::ranges::min(milliseconds)};
}

transform::FieldTransformSpec make_spec(const Case& which) {
  transform::FieldTransformSpec spec = which.spec();
  using enum backend::ThetaResampling;
  spec.options.theta_resampling = which.resampling == "on" ? kOn : which.resampling == "off" ? kOff : kAuto;
  return spec;
}

template <class Stage>
void run(const Case& which, const transform::FieldTransformSpec& spec, const transform::PartTables& tables,
         Stage& stage, const kernels::Stream& stream) {
  backend::DeviceRings<double> rings(tables.ring_task(), kernels::device_memory().free / 2, stream);
  const Index coefficients = tables.alm_stride * which.maps;
  const std::vector<Complex> noise(static_cast<std::size_t>(coefficients), {1.0, 0.0});
  auto alm = kernels::upload<Complex>(noise, stream);
  kernels::DeviceBuffer<Complex> delta(tables.exchange.send_size);
  kernels::DeviceBuffer<double> map(tables.map_stride * which.maps);
  const auto factor = kernels::upload<double>(tables.quadrature, stream);
  // In the order of the transforms, so that each reads what was made.
  const Time down = time(stream, which.rounds, [&] { stage.synthesis(alm.data(), delta.data(), stream); });
  const Time to_map = time(stream, which.rounds, [&] { rings.synthesis(delta.data(), nullptr, map.data(), stream); });
  const Time from_map =
      time(stream, which.rounds, [&] { rings.adjoint(map.data(), factor.data(), delta.data(), stream); });
  const Time up = time(stream, which.rounds, [&] { stage.adjoint(delta.data(), alm.data(), stream); });
  const Time synthesis = time(stream, which.rounds, [&] {
    stage.synthesis(alm.data(), delta.data(), stream);
    rings.synthesis(delta.data(), nullptr, map.data(), stream);
  });
  const Time analysis = time(stream, which.rounds, [&] {
    rings.adjoint(map.data(), factor.data(), delta.data(), stream);
    stage.adjoint(delta.data(), alm.data(), stream);
  });
  std::printf("legendre fma %.4g\n", transform::legendre_fma(spec, 0));
  const auto show = [](const char* name, const Time& t) {
    std::printf("%-20s %9.4f %9.4f\n", name, t.median, t.least);
  };
  std::printf("%-20s %9s %9s\n", "[ms]", "median", "least");
  show("legendre synthesis", down);
  show("rings synthesis", to_map);
  show("synthesis", synthesis);
  show("legendre adjoint", up);
  show("rings adjoint", from_map);
  show("analysis", analysis);
}

void time_case(const Case& which) {
  const kernels::Stream stream;
  const auto spec = make_spec(which);
  const transform::PartTables tables(spec, spec.kind.parts().front(), 0);
  const Index work = std::min(kernels::device_memory().free / 8, Index{4} << 30);
  if (spec.resampled()) {
    backend::DeviceResampled<double> stage(tables.legendre_task(), {}, work, stream);
    run(which, spec, tables, stage, stream);
  } else {
    backend::DevicePlain<double> stage(tables.legendre_task(), {}, work, stream);
    run(which, spec, tables, stage, stream);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Case which;
  which.rounds = 21;
  CLI::App app("Times Legendre stage, ring FFTs and whole transforms on the first GPU, in double precision");
  which.add_options(app);
  app.add_option("--theta-resampling", which.resampling, "auto, on, off");
  CLI11_PARSE(app, argc, argv);
  const auto devices = armilla::kernels::devices();
  if (devices.empty()) {
    std::fprintf(stderr, "perf_device: no GPU is visible\n");
    return 3;
  }
  std::printf("%s, compute capability %d.%d\n", devices.front().name.c_str(), devices.front().compute_major,
              devices.front().compute_minor);
  time_case(which);
}
