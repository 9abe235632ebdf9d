#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/core/planner_lock.hpp>
#include <armilla/fft/complex_plan.hpp>
#include <armilla/fft/fftw.hpp>
#include <armilla/fft/one_thread.hpp>
#include <armilla/fft/radix4_step.hpp>
#include <armilla/fft/unit_table.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace armilla::fft {

namespace {

// FFTW uses wisdom, also with FFTW_ESTIMATE, only if it was stored with the same restrictions or more. These two have
// no effect on the plans of small factors, and nobody else asks for both: fftw3.h declares them, FFTW's manual does
// not.
constexpr unsigned kFlags = FFTW_ESTIMATE | FFTW_CONSERVE_MEMORY | FFTW_NO_BUFFERING;

struct StepsOf {
  Index length;
  int in_double;
  int in_single;
};
// Lengths whose estimated plans take up to 2.5 times as long as measured ones, mostly because of steps that combine 32
// lines at distances of a power of two, and the fastest numbers of steps (docs/decisions/0021-fft-plans.md).
constexpr std::array kSteps = std::to_array<StepsOf>({{3840, 2, 0},
                                                      {4096, 3, 3},
                                                      {4608, 3, 0},
                                                      {5120, 1, 1},
                                                      {6144, 3, 0},
                                                      {7168, 0, 1},
                                                      {7680, 1, 0},
                                                      {8192, 3, 4},
                                                      {9216, 1, 3},
                                                      {10240, 2, 1},
                                                      {12288, 1, 0},
                                                      {15360, 3, 1},
                                                      {16384, 4, 4},
                                                      {18432, 0, 1},
                                                      {20480, 2, 2},
                                                      {24576, 2, 3},
                                                      {28672, 3, 0},
                                                      {30720, 2, 1},
                                                      {32768, 4, 4}});

template <class T>
int radix4_steps(Index length) {
  const auto* found = std::ranges::find(kSteps, length, &StepsOf::length);
  if (found == kSteps.end()) return 0;
  return sizeof(T) == sizeof(double) ? found->in_double : found->in_single;
}

}  // namespace

template <class T>
struct ComplexPlan<T>::Handle {
  typename Fftw<T>::Plan plan = nullptr;
};

template <class T>
ComplexPlan<T>::ComplexPlan(Index length) : length_(length), handle_(std::make_unique<Handle>()) {
  // Part r of a step stands at r * quarter of the result, and takes every fourth value of the input from r on.
  std::vector<typename Fftw<T>::Dimension> loops;
  Index part = length;
  int stride = 1;
  for (int step = radix4_steps<T>(length); step > 0; --step, stride *= 4) {
    const Index n = part / 4;
    Step& added = *steps_.insert(steps_.begin(), Step{n, SplitBuffer<T>(3 * n)});
    UnitTable units;
    units.fill(part, [part](Index t) { return std::polar(1.0, -2 * core::kPi * double(t) / double(part)); });
    for (Index r = 1; r < 4; ++r)
      for (Index k = 0; k < n; ++k) {
        const std::complex<double> unit = units(r * k);
        added.twiddle.get().re[(r - 1) * n + k] = static_cast<T>(unit.real());
        added.twiddle.get().im[(r - 1) * n + k] = static_cast<T>(unit.imag());
      }
    loops.push_back({4, stride, static_cast<int>(n)});
    part = n;
  }
  core::AlignedBuffer<std::complex<T>> in(length);
  core::AlignedBuffer<std::complex<T>> out(length);
  const std::lock_guard guard(core::planner_lock());
  const OneThread<T> one_thread;
  handle_->plan = Fftw<T>::plan({static_cast<int>(part), stride, 1}, static_cast<int>(loops.size()), loops.data(),
                                in.data(), out.data(), kFlags);
  if (handle_->plan == nullptr) throw core::InternalError(fmt::format("FFTW has no plan for length {}", length));
}

template <class T>
ComplexPlan<T>::~ComplexPlan() {
  const std::lock_guard guard(core::planner_lock());
  if (handle_->plan != nullptr) Fftw<T>::destroy(handle_->plan);
}

template <class T>
void ComplexPlan<T>::forward(const std::complex<T>* in, std::complex<T>* out) const {
  Fftw<T>::run(handle_->plan, in, out);
  for (const Step& step : steps_)
    for (std::complex<T>* z = out; z < out + length_; z += 4 * step.quarter)
      radix4_step(step.twiddle.get(), step.quarter, z);
}

ARMILLA_INSTANTIATE_CLASS(ComplexPlan);

}  // namespace armilla::fft
