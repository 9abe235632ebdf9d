#include "device_parity.hpp"

#include <armilla/backend/cuda/legendre_stage.hpp>
#include <armilla/core/cache.hpp>
#include <armilla/legendre/engine.hpp>
#include <armilla/transform/spin_tables.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <ranges>
#include <vector>

#include "noise.hpp"
#include "stage_case.hpp"

namespace armilla::perf {

namespace {

using Numbers = std::vector<std::complex<double>>;

constexpr Index kWork = Index{1} << 24;

template <class T>
constexpr double kTolerance = sizeof(T) == sizeof(double) ? 1e-12 : 1e-6;

// Pairs next to the pole without high m; pairs at the equator; more pairs than a block has; steps that fill no tile.
const std::vector<StageCase>& cases() {
  static const std::vector<StageCase> all = {
      {.nside = 16, .lmax = 47, .spin = 0, .maps = 1},  {.nside = 16, .lmax = 47, .spin = 2, .maps = 8},
      {.nlat = 64, .lmax = 63, .spin = 1, .maps = 1},   {.nlat = 65, .lmax = 64, .spin = 2, .maps = 1},
      {.nlat = 65, .lmax = 64, .spin = 0, .maps = 13},  {.nlat = 129, .lmax = 128, .spin = 3, .maps = 2},
      {.nside = 64, .lmax = 191, .spin = 0, .maps = 1}, {.nside = 64, .lmax = 191, .spin = 2, .maps = 1},
      {.nlat = 1035, .lmax = 300, .spin = 0, .maps = 1}};
  return all;
}

// Both directions of one Legendre stage, of given input.
struct Results {
  Numbers delta, alm;

  std::uint64_t hash() const {
    const std::uint64_t of_delta = core::fnv1a(delta.data(), delta.size() * sizeof(delta[0]));
    return core::fnv1a(alm.data(), alm.size() * sizeof(alm[0]), of_delta);
  }
};

template <class T>
Results run_on_device(const LegendreVariant& variant, const legendre::Task& task, const Numbers& alm,
                      const Numbers& delta) {
  const kernels::Stream stream;
  backend::Options options;
  options.theta_resampling = backend::ThetaResampling::kOff;
  backend::LegendreStage<T> stage(options, task, {}, kWork, stream, variant.products, variant.scalar, variant.makers);
  const auto upload = [&](const Numbers& numbers) {
    std::vector<std::complex<T>> narrow(numbers.size());
    std::ranges::transform(numbers, narrow.begin(), [](const auto& z) { return std::complex<T>(z); });
    return kernels::upload<std::complex<T>>(narrow, stream);
  };
  auto to_delta = upload(Numbers(delta.size()));
  auto to_alm = upload(Numbers(alm.size()));
  const auto from_alm = upload(alm);
  const auto from_delta = upload(delta);
  stage.synthesis(stage.all_orders(), from_alm.data(), to_delta.data());
  stage.adjoint(stage.all_orders(), from_delta.data(), to_alm.data());
  const auto download = [&](const auto& buffer, std::size_t count) {
    std::vector<std::complex<T>> numbers(count);
    kernels::copy(numbers.data(), buffer.data(), static_cast<Index>(count), stream);
    stream.wait();
    return Numbers(numbers.begin(), numbers.end());
  };
  return {download(to_delta, delta.size()), download(to_alm, alm.size())};
}

double relative_error(const Numbers& some, const Numbers& expected) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < some.size(); ++i) {
    difference += std::norm(some[i] - expected[i]);
    norm += std::norm(expected[i]);
  }
  return std::sqrt(difference / norm);
}

template <class T>
bool agrees(const LegendreVariant& variant, const StageCase& one) {
  const auto spec = one.spec();
  const transform::SpinTables tables(spec, spec.kind.spin_fields().front(), 0);
  const legendre::Task task = tables.legendre_task();
  const auto alm = complex_noise<T>(core::at(tables.alm_stride * one.maps), 1);
  const auto delta = complex_noise<T>(core::at(tables.exchange.send_size), 2);
  const Numbers from_alm(alm.begin(), alm.end());
  const Numbers from_delta(delta.begin(), delta.end());
  Results expected{Numbers(delta.size()), Numbers(alm.size())};
  const auto engine = legendre::make_engine<double>("auto", task);
  engine->synthesis(from_alm.data(), expected.delta.data(), {});
  engine->adjoint(from_delta.data(), expected.alm.data(), {});
  const Results own = run_on_device<T>(variant, task, from_alm, from_delta);
  const bool same = own.hash() == run_on_device<T>(variant, task, from_alm, from_delta).hash();
  const double down = relative_error(own.delta, expected.delta);
  const double up = relative_error(own.alm, expected.alm);
  const bool good = same && down <= kTolerance<T> && up <= kTolerance<T>;
  std::printf("parity %s: %s lmax %lld spin %lld, %lld maps, %s: %.1e %.1e %016llx %s\n", variant.name.c_str(),
              spec.pixels->grid().description().text().c_str(), static_cast<long long>(one.lmax),
              static_cast<long long>(one.spin), static_cast<long long>(one.maps),
              sizeof(T) == sizeof(double) ? "double" : "single", down, up, static_cast<unsigned long long>(own.hash()),
              good   ? "ok"
              : same ? "FAILED"
                     : "FAILED: not the same bits in two runs");
  std::fflush(stdout);
  return good;
}

}  // namespace

int count_failures(const LegendreVariant& variant, int most) {
  int failures = 0;
  for (const StageCase& one : cases() | std::views::take(most)) {
    failures += agrees<double>(variant, one) ? 0 : 1;
    if (variant.products != backend::Products::kTensorCores) failures += agrees<float>(variant, one) ? 0 : 1;
  }
  return failures;
}

}  // namespace armilla::perf
