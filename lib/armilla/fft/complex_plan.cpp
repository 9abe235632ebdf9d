#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/planner_lock.hpp>
#include <armilla/fft/complex_plan.hpp>

#include <fftw3.h>
#include <fmt/format.h>

namespace armilla::fft {

namespace {

// FFTW has one set of names per precision.
template <class T>
struct Fftw;
template <>
struct Fftw<double> {
  using Plan = fftw_plan;
  static fftw_complex* raw(const std::complex<double>* p) {
    return reinterpret_cast<fftw_complex*>(const_cast<std::complex<double>*>(p));
  }
  static Plan forward(int n, std::complex<double>* in, std::complex<double>* out) {
    return fftw_plan_dft_1d(n, raw(in), raw(out), FFTW_FORWARD, FFTW_ESTIMATE | FFTW_PRESERVE_INPUT);
  }
  static void run(Plan p, const std::complex<double>* in, std::complex<double>* out) {
    fftw_execute_dft(p, raw(in), raw(out));
  }
  static void destroy(Plan p) { fftw_destroy_plan(p); }
};
template <>
struct Fftw<float> {
  using Plan = fftwf_plan;
  static fftwf_complex* raw(const std::complex<float>* p) {
    return reinterpret_cast<fftwf_complex*>(const_cast<std::complex<float>*>(p));
  }
  static Plan forward(int n, std::complex<float>* in, std::complex<float>* out) {
    return fftwf_plan_dft_1d(n, raw(in), raw(out), FFTW_FORWARD, FFTW_ESTIMATE | FFTW_PRESERVE_INPUT);
  }
  static void run(Plan p, const std::complex<float>* in, std::complex<float>* out) {
    fftwf_execute_dft(p, raw(in), raw(out));
  }
  static void destroy(Plan p) { fftwf_destroy_plan(p); }
};

}  // namespace

template <class T>
struct ComplexPlan<T>::Handle {
  typename Fftw<T>::Plan plan = nullptr;
};

template <class T>
ComplexPlan<T>::ComplexPlan(Index length) : length_(length), handle_(std::make_unique<Handle>()) {
  core::AlignedBuffer<std::complex<T>> in(length);
  core::AlignedBuffer<std::complex<T>> out(length);
  const std::lock_guard guard(core::planner_lock());
  handle_->plan = Fftw<T>::forward(static_cast<int>(length), in.data(), out.data());
  if (handle_->plan == nullptr) throw core::InternalError(fmt::format("FFTW has no plan of length {}", length));
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

template class ComplexPlan<float>;
template class ComplexPlan<double>;

}  // namespace armilla::fft
