#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/core/planner_lock.hpp>
#include <armilla/fft/complex_plan.hpp>
#include <armilla/fft/fftw.hpp>
#include <armilla/fft/wisdom.hpp>

#include <fmt/format.h>

namespace armilla::fft {

template <class T>
struct ComplexPlan<T>::Handle {
  typename Fftw<T>::Plan plan = nullptr;
};

template <class T>
ComplexPlan<T>::ComplexPlan(Index length) : length_(length), handle_(std::make_unique<Handle>()) {
  Wisdom<T>::learn(length);
  core::AlignedBuffer<std::complex<T>> in(length);
  core::AlignedBuffer<std::complex<T>> out(length);
  const std::lock_guard guard(core::planner_lock());
  if (is_measured(length))
    handle_->plan = Fftw<T>::plan(length, in.data(), out.data(), FFTW_WISDOM_ONLY | FFTW_MEASURE);
  if (handle_->plan == nullptr) handle_->plan = Fftw<T>::plan(length, in.data(), out.data(), FFTW_ESTIMATE);
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
}

ARMILLA_INSTANTIATE_CLASS(ComplexPlan);

}  // namespace armilla::fft
