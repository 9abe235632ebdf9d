// Times the ring stage of one process:
//   perf_rings --nlat 4096 --lmax 4095 --spin 0 --maps 1 --rounds 7
#include <armilla/core/timer.hpp>
#include <armilla/fft/ring_transform.hpp>
#include <armilla/transform/spin_tables.hpp>

#include <algorithm>
#include <cstdio>
#include <string>

#include "stage_case.hpp"

namespace {

using armilla::core::Index;

struct Case : armilla::perf::StageCase {
  std::string precision = "both";
};

template <class T>
void time(const Case& which) {
  using namespace armilla;
  using perf::median;
  const transform::FieldTransformSpec spec = which.spec();
  const transform::SpinTables tables(spec, spec.kind.spin_fields().front(), 0);
  const double start = core::now_seconds();
  fft::RingTransform<T> rings(tables.ring_task(), std::make_shared<fft::PlanCache<T>>());
  const double planned = core::now_seconds() - start;
  core::AlignedBuffer<std::complex<T>> delta(tables.exchange.receive_size);
  core::AlignedBuffer<T> map(tables.map_stride * which.maps);
  std::fill_n(delta.data(), delta.size(), std::complex<T>(1));
  std::fill_n(map.data(), map.size(), T(0));
  std::vector<double> synthesis;
  std::vector<double> adjoint;
  for (int round = -1; round < which.rounds; ++round) {
    const double first = core::now_seconds();
    rings.synthesis(delta.data(), map.data());
    const double middle = core::now_seconds();
    rings.adjoint(map.data(), tables.quadrature, delta.data());
    const double last = core::now_seconds();
    for (Index i = 0; i < delta.size(); ++i) delta.data()[i] = std::complex<T>(1);
    if (round < 0) continue;
    synthesis.push_back(1e3 * (middle - first));
    adjoint.push_back(1e3 * (last - middle));
  }
  std::printf("%s: plan %.2f ms, synthesis %.3f ms (fastest %.3f), adjoint %.3f ms (fastest %.3f)\n",
              sizeof(T) == 4 ? "float" : "double", 1e3 * planned, median(synthesis), std::ranges::min(synthesis),
              median(adjoint), std::ranges::min(adjoint));
}

}  // namespace

int main(int argc, char** argv) {
  Case which;
  CLI::App app("Times the ring FFTs of a grid, OMP_NUM_THREADS threads; medians over the rounds");
  which.add_options(app);
  app.add_option("--precision", which.precision)->check(CLI::IsMember({"both", "double", "single"}));
  CLI11_PARSE(app, argc, argv);
  if (which.precision != "single") time<double>(which);
  if (which.precision != "double") time<float>(which);
  return 0;
}
