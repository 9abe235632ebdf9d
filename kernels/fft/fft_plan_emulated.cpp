#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/core/planner_lock.hpp>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <vector>

#include <fftw3.h>
#include <kernels/core/emulated_stream.hpp>
#include <kernels/core/emulation.hpp>
#include <kernels/core/poison.hpp>
#include <kernels/fft/fft_plan.hpp>

namespace armilla::kernels {

namespace {

template <class T>
struct Fftw;

template <>
struct Fftw<double> {
  using Plan = fftw_plan;
  using Complex = fftw_complex;
  static constexpr auto make = fftw_plan_dft_1d;
  static constexpr auto destroy = fftw_destroy_plan;
  static constexpr auto run = fftw_execute_dft;
};

template <>
struct Fftw<float> {
  using Plan = fftwf_plan;
  using Complex = fftwf_complex;
  static constexpr auto make = fftwf_plan_dft_1d;
  static constexpr auto destroy = fftwf_destroy_plan;
  static constexpr auto run = fftwf_execute_dft;
};

}  // namespace

std::shared_ptr<const CufftLibrary> load_cufft(const std::string& file) {
  if (!file.empty()) throw core::ResourceError("cuFFT cannot be loaded from " + file + ": the device is emulated");
  return nullptr;
}

template <class T>
struct FftPlan<T>::Handle {
  using Complex = typename Fftw<T>::Complex;

  Handle(Index size, Index count) : length(size), lines(count) {
    std::vector<T> numbers(static_cast<std::size_t>(2 * size));
    auto* line = reinterpret_cast<Complex*>(numbers.data());
    const std::lock_guard guard(core::planner_lock());
    constexpr unsigned kFlags = FFTW_ESTIMATE | FFTW_UNALIGNED;
    forward = Fftw<T>::make(static_cast<int>(size), line, line, FFTW_FORWARD, kFlags);
    inverse = Fftw<T>::make(static_cast<int>(size), line, line, FFTW_BACKWARD, kFlags);
    if (forward == nullptr || inverse == nullptr) throw core::InternalError("FFTW has no plan");
  }
  // As on a device, a plan is destroyed after its work is complete.
  ~Handle() {
    finish_all_streams();
    const std::lock_guard guard(core::planner_lock());
    Fftw<T>::destroy(forward);
    Fftw<T>::destroy(inverse);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  Index length;
  Index lines;
  typename Fftw<T>::Plan forward = nullptr;
  typename Fftw<T>::Plan inverse = nullptr;
};

template <class T>
FftPlan<T>::FftPlan(std::shared_ptr<const CufftLibrary>, Index length, Index lines)
    : handle_(std::make_unique<Handle>(length, lines)),
      work_bytes_(emulation().fft_needs_work ? static_cast<Index>(2 * sizeof(T)) * length * lines : 0) {}

template <class T>
FftPlan<T>::~FftPlan() = default;
template <class T>
FftPlan<T>::FftPlan(FftPlan&&) noexcept = default;
template <class T>
FftPlan<T>& FftPlan<T>::operator=(FftPlan&&) noexcept = default;

template <class T>
void FftPlan<T>::run(DevicePointer<T> values, FftDirection direction, DevicePointer<char> work,
                     StreamHandle stream) const {
  if (work == nullptr) throw core::InternalError("a transform on the GPU without workspace");
  enqueue(stream, [handle = handle_.get(), there = in_kernel(values), direction, error = emulation().transform_error,
                   space = in_kernel(work), bytes = work_bytes_] {
    std::memset(space, kPoisonByte, static_cast<std::size_t>(bytes));
    T* all = there;
    const auto plan = direction == FftDirection::kForward ? handle->forward : handle->inverse;
    for (Index line = 0; line < handle->lines; ++line) {
      T* begin = all + 2 * line * handle->length;
      if (std::all_of(begin, begin + 2 * handle->length, [](T x) { return x == 0; }))
        continue;  // most lines of a small chunk are zero
      auto* numbers = reinterpret_cast<typename Fftw<T>::Complex*>(begin);
      Fftw<T>::run(plan, numbers, numbers);
    }
    if (error != 0) all[0] *= static_cast<T>(1 + error);
  });
}

ARMILLA_INSTANTIATE_CLASS(FftPlan);

}  // namespace armilla::kernels
