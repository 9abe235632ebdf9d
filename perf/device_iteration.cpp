// Times iterated analysis of a batch of maps by FieldTransform on one rank, with fields that remain in the memory of
// the backend: through pixels, by ring modes, and by the immediate scheme.
#include <armilla/comm/communicator.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/timer.hpp>
#include <armilla/iteration/make_iteration.hpp>

#include <exception>
#include <string>
#include <vector>

#include "noise.hpp"
#include "stage_case.hpp"
#include "timing.hpp"
#include <fmt/format.h>

namespace {

using namespace armilla;
using perf::Index;

struct Case : perf::StageCase {
  std::string backend = "cuda";
  std::string precision = "double";
  Index iterations = 3;
};

template <class T>
void run(const comm::Communicator& comm, const Case& which) {
  transform::FieldTransformSpec spec = which.spec();
  spec.backend = backend::kind_of(which.backend);
  transform::FieldTransform<T> transform(comm, spec);
  const auto& memory = transform.memory();
  transform::MapField<T> map(spec.kind, spec.pixels, 0, spec.maps), left(spec.kind, spec.pixels, 0, spec.maps);
  transform::AlmField<T> alm(spec.kind, spec.alm, 0, spec.maps), correction(spec.kind, spec.alm, 0, spec.maps);
  perf::fill_with_noise(map.data(), 1);
  map.read(memory);
  std::vector<double> weight;
  for (const grid::Ring& ring : spec.pixels->grid().rings())
    weight.push_back(ring.weight / static_cast<double>(ring.nphi));

  const auto time = [&](const char* name, const auto& work) {
    const auto seconds = [&](int count) {
      const double start = core::now_seconds();
      for (int i = 0; i < count; ++i) work();
      return core::now_seconds() - start;
    };
    const double median = perf::sample(perf::Sampling::on_device(which.rounds), seconds).median;
    fmt::print("{:<16} {:9.3f} ms, {:7.2f} us per map and round\n", name, 1e3 * median,
               1e6 * median / static_cast<double>(which.maps * (which.iterations + 1)));
  };
  fmt::print("{}, {} maps, spin {}, lmax {}, {} iterations and the first analysis, {} precision, backend {}\n",
             spec.pixels->grid().description().text(), which.maps, which.spin, which.lmax, which.iterations,
             which.precision, name_of(transform.backend()));
  if (perf::device_is_emulated()) fmt::print("emulated device: times are meaningless\n");
  time("jacobi, pixels", [&] {
    transform.quadrature(map, alm);
    for (Index i = 0; i < which.iterations; ++i) {
      transform.synthesis(alm, left);
      transform::combine(T{1}, map, T{-1}, left, memory);
      transform.quadrature(left, correction);
      transform::combine(T{1}, correction, T{1}, alm, memory);
    }
  });
  for (const auto order : {iteration::Order::kJacobi, iteration::Order::kImmediate}) {
    iteration::AnalysisOperator<T> quadrature;
    quadrature.ring_weights = weight;
    const auto iteration = iteration::make_iteration<T>(
        transform,
        {.order = order, .count = which.iterations, .ring_weights = true, .scheme = iteration::Scheme::kRing},
        quadrature);
    time(order == iteration::Order::kJacobi ? "jacobi, rings" : "immediate",
         [&] { iteration->analyse(map, which.iterations, alm); });
  }
}

}  // namespace

int main(int argc, char** argv) {
  const comm::Session session(argc, argv);
  CLI::App app{"Times iterated analysis of a batch of maps on one rank"};
  Case which;
  which.add_options(app);
  app.add_option("--backend", which.backend)->check(CLI::IsMember({"cpu", "cuda"}));
  app.add_option("--precision", which.precision)->check(CLI::IsMember({"double", "single"}));
  app.add_option("--iterations", which.iterations);
  CLI11_PARSE(app, argc, argv);
  try {
    const auto comm = comm::Communicator::self();
    if (which.precision == "single")
      run<float>(comm, which);
    else
      run<double>(comm, which);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
