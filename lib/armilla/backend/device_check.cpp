#include <armilla/backend/check_case.hpp>
#include <armilla/backend/device_check.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include <fmt/format.h>

namespace armilla::backend {

namespace {

template <class T>
using Numbers = std::vector<std::complex<T>>;

// These cases run all kernels that jobs use. In double precision, four or more fields use tensor cores, in groups of
// four and eight. The calls of the second case are repeated, so that its results come from graphs.
std::vector<CheckCase::Shape> shapes() {
  using enum ThetaResampling;
  return {
      {"rings of HEALPix", healpix_pairs(16), 47, 0, 1, kOff},
      {"rings of HEALPix", healpix_pairs(16), 47, 2, 2, kOff, {}, 2},
      {"rings of equal length", gauss_pairs(48, 96), 47, 0, 8, kOff},
      {"rings of equal length", gauss_pairs(48, 96), 47, 2, 1, kOff},
      {"rings of equal length, resampled in theta", gauss_pairs(64, 128), 47, 2, 1, kOn},
      {"equidistant rings with exact quadrature", equidistant_pairs(33, 50), 24, 0, 1, kOff, {64, 0, 31}},
  };
}

// Bytes of each workspace. A few MiB are sufficient; ring FFTs need about ten, including the workspace of cuFFT. On
// devices with little free memory, kLittleWork is the minimum for the FFTs.
constexpr Index kMaxWork = Index{64} << 20;
constexpr Index kLittleWork = Index{8} << 20;

Index work_within(Index room) { return std::clamp(room / 16, std::min(room / 2, kLittleWork), kMaxWork); }

// Results of a backend for one case. Each stage has its own input, so that a wrong result of one stage does not hide
// that of another.
template <class T>
struct Results {
  Numbers<T> synthesised, adjoint, analysed, adjoint_analysed, of_map;
  std::vector<T> map;
};

// An array in the memory of a backend.
template <class Number>
class Array {
 public:
  Array(Memory& memory, const std::vector<Number>& numbers)
      : memory_(memory), size_(numbers.size()), there_(memory.allocate(bytes())) {
    memory_.from_host(there_.get(), numbers.data(), bytes());
  }
  Number* data() const { return static_cast<Number*>(there_.get()); }
  std::vector<Number> fetch() const {
    std::vector<Number> numbers(size_);
    memory_.to_host(numbers.data(), there_.get(), bytes());
    return numbers;
  }

 private:
  Index bytes() const { return static_cast<Index>(size_ * sizeof(Number)); }

  Memory& memory_;
  std::size_t size_;
  std::shared_ptr<void> there_;
};

template <class T>
Results<T> compute(Context<T>& context, const CheckCase& with, const Options& options) {
  const auto& circle = with.shape().circle;
  const auto stages = context.make_stages(options, with.legendre_task(), with.ring_task(), with.ring_lengths(), circle);
  Memory& memory = *context.memory();
  const Numbers<T> alm_numbers = with.alm<T>();
  const Numbers<T> delta_numbers = with.delta<T>();
  const std::vector<T> map_numbers = with.map<T>();
  const Array<std::complex<T>> alm(memory, alm_numbers), delta(memory, delta_numbers);
  const Array<T> map(memory, map_numbers);
  // Zeros, because some values are not written, such as those below the spin.
  const Array<std::complex<T>> to_alm(memory, Numbers<T>(alm_numbers.size()));
  const Array<std::complex<T>> to_delta(memory, Numbers<T>(delta_numbers.size()));
  const Array<T> to_map(memory, std::vector<T>(map_numbers.size()));

  const auto repeat = [&](const auto& call) {
    for (int i = 0; i < with.shape().calls; ++i) call();
  };
  Results<T> results;
  repeat([&] { stages->legendre_synthesis(alm.data(), to_delta.data(), {}); });
  results.synthesised = to_delta.fetch();
  repeat([&] { stages->legendre_adjoint(delta.data(), to_alm.data(), {}); });
  results.adjoint = to_alm.fetch();
  repeat([&] { stages->rings_synthesis(delta.data(), with.factor(), to_map.data()); });
  results.map = to_map.fetch();
  repeat([&] { stages->rings_adjoint(map.data(), with.factor(), to_delta.data()); });
  results.of_map = to_delta.fetch();
  if (circle.points == 0) return results;
  stages->legendre_adjoint_analysis(alm.data(), to_delta.data(), {});
  results.adjoint_analysed = to_delta.fetch();
  stages->legendre_analysis(delta.data(), to_alm.data(), {});  // overwrites Delta
  results.analysed = to_alm.fetch();
  return results;
}

template <class Number>
double relative_rms(const std::vector<Number>& found, const std::vector<Number>& expected) {
  double difference = 0;
  double size = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    difference += std::norm(std::complex<double>(found[i]) - std::complex<double>(expected[i]));
    size += std::norm(std::complex<double>(expected[i]));
  }
  if (difference == 0) return 0;
  const double rms = std::sqrt(difference / size);
  return std::isnan(rms) ? std::numeric_limits<double>::infinity() : rms;
}

// Stores the fault of the first wrong result.
template <class T>
void compare(const CheckCase::Shape& shape, const Results<T>& found, const Results<T>& expected, DeviceCheck& check) {
  const double limit = device_check_limit(core::kPrecisionOf<T>);
  const auto take = [&](const char* what, const auto& numbers, const auto& right) {
    const double rms = relative_rms(numbers, right);
    check.rms = std::max(check.rms, rms);
    if (rms <= limit || !check.fault.empty()) return;
    check.fault =
        fmt::format("{} of spin {}, {} map{}, on {}, has a relative rms error of {:.2g}, above the limit {:.0e}", what,
                    shape.spin, shape.maps, shape.maps == 1 ? "" : "s", shape.name, rms, limit);
  };
  take("the Legendre stage of synthesis", found.synthesised, expected.synthesised);
  take("the Legendre stage of adjoint synthesis", found.adjoint, expected.adjoint);
  take("the ring stage of synthesis", found.map, expected.map);
  take("the ring stage of adjoint synthesis", found.of_map, expected.of_map);
  take("the adjoint of quadrature", found.adjoint_analysed, expected.adjoint_analysed);
  take("quadrature", found.analysed, expected.analysed);
}

}  // namespace

template <class T>
DeviceCheck check_device(Kind kind, const Placement& placement) {
  check_backend(kind);
  if (!has_device(kind)) throw core::InputError(fmt::format("backend {} has no device to check", name_of(kind)));
  DeviceCheck check;
  try {
    const auto device = make_context<T>(kind, placement);
    device->set_work(work_within(device->room()));
    const auto cpu = make_context<T>(Kind::kCpu, placement);
    for (CheckCase::Shape& shape : shapes()) {
      const CheckCase with(std::move(shape));
      const Options plain{.engine = "reference", .theta_resampling = ThetaResampling::kOff};
      const Results<T> expected = compute(*cpu, with, plain);
      compare(with.shape(), compute(*device, with, {.theta_resampling = with.shape().resampling}), expected, check);
    }
  } catch (...) {
    check = {.rms = std::numeric_limits<double>::infinity(), .fault = core::describe_current_exception().message};
  }
  forget_device_peak();
  return check;
}

ARMILLA_INSTANTIATE(check_device);

}  // namespace armilla::backend
