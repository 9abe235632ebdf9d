#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/planner_lock.hpp>
#include <armilla/resample/complex_plan.hpp>

#include <fftw3.h>
#include <fmt/format.h>

namespace armilla::resample {

namespace {

fftw_complex* as_fftw(std::complex<double>* values) { return reinterpret_cast<fftw_complex*>(values); }

}  // namespace

struct ComplexPlan::Handle {
  fftw_plan plan = nullptr;
};

ComplexPlan::ComplexPlan(Index length) : length_(length), handle_(std::make_unique<Handle>()) {
  core::AlignedBuffer<std::complex<double>> in(length);
  core::AlignedBuffer<std::complex<double>> out(length);
  const std::lock_guard guard(core::planner_lock());
  handle_->plan =
      fftw_plan_dft_1d(static_cast<int>(length), as_fftw(in.data()), as_fftw(out.data()), FFTW_FORWARD, FFTW_ESTIMATE);
  if (handle_->plan == nullptr)
    throw core::InternalError(fmt::format("FFTW has no plan for complex data of length {}", length));
}

ComplexPlan::~ComplexPlan() {
  const std::lock_guard guard(core::planner_lock());
  if (handle_->plan != nullptr) fftw_destroy_plan(handle_->plan);
}

void ComplexPlan::run(std::complex<double>* in, std::complex<double>* out) const {
  fftw_execute_dft(handle_->plan, as_fftw(in), as_fftw(out));
}

Index fast_length(Index least) {
  constexpr Index step = 4;
  for (Index n = (least + step - 1) / step;; ++n) {
    Index rest = n;
    for (const Index prime : {2, 3, 5, 7})
      while (rest % prime == 0) rest /= prime;
    if (rest == 1) return step * n;
  }
}

}  // namespace armilla::resample
