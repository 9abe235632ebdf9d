#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/error.hpp>
#include <armilla/fft/real_plan.hpp>

#include <mutex>

#include <fftw3.h>
#include <fmt/format.h>

namespace armilla::fft {

namespace {

// FFTW's planner keeps global state.
std::mutex& planner_lock() {
  static std::mutex lock;
  return lock;
}

// FFTW has one set of names per precision.
template <class T>
struct Fftw;
template <>
struct Fftw<double> {
  using Plan = fftw_plan;
  static Plan c2r(int n, std::complex<double>* in, double* out) {
    return fftw_plan_dft_c2r_1d(n, reinterpret_cast<fftw_complex*>(in), out, FFTW_ESTIMATE);
  }
  static Plan r2c(int n, double* in, std::complex<double>* out) {
    return fftw_plan_dft_r2c_1d(n, in, reinterpret_cast<fftw_complex*>(out), FFTW_ESTIMATE);
  }
  static void run(Plan p, std::complex<double>* in, double* out) {
    fftw_execute_dft_c2r(p, reinterpret_cast<fftw_complex*>(in), out);
  }
  static void run(Plan p, double* in, std::complex<double>* out) {
    fftw_execute_dft_r2c(p, in, reinterpret_cast<fftw_complex*>(out));
  }
  static void destroy(Plan p) { fftw_destroy_plan(p); }
};
template <>
struct Fftw<float> {
  using Plan = fftwf_plan;
  static Plan c2r(int n, std::complex<float>* in, float* out) {
    return fftwf_plan_dft_c2r_1d(n, reinterpret_cast<fftwf_complex*>(in), out, FFTW_ESTIMATE);
  }
  static Plan r2c(int n, float* in, std::complex<float>* out) {
    return fftwf_plan_dft_r2c_1d(n, in, reinterpret_cast<fftwf_complex*>(out), FFTW_ESTIMATE);
  }
  static void run(Plan p, std::complex<float>* in, float* out) {
    fftwf_execute_dft_c2r(p, reinterpret_cast<fftwf_complex*>(in), out);
  }
  static void run(Plan p, float* in, std::complex<float>* out) {
    fftwf_execute_dft_r2c(p, in, reinterpret_cast<fftwf_complex*>(out));
  }
  static void destroy(Plan p) { fftwf_destroy_plan(p); }
};

}  // namespace

template <class T>
struct RealPlan<T>::Handles {
  typename Fftw<T>::Plan to_real = nullptr;
  typename Fftw<T>::Plan to_spectrum = nullptr;
};

template <class T>
RealPlan<T>::RealPlan(Index length) : handles_(std::make_unique<Handles>()) {
  core::AlignedBuffer<std::complex<T>> spectrum(length / 2 + 1);
  core::AlignedBuffer<T> values(length);
  const std::lock_guard guard(planner_lock());
  handles_->to_real = Fftw<T>::c2r(static_cast<int>(length), spectrum.data(), values.data());
  handles_->to_spectrum = Fftw<T>::r2c(static_cast<int>(length), values.data(), spectrum.data());
  if (handles_->to_real == nullptr || handles_->to_spectrum == nullptr)
    throw core::InternalError(fmt::format("FFTW has no plan for real data of length {}", length));
}

template <class T>
RealPlan<T>::~RealPlan() {
  const std::lock_guard guard(planner_lock());
  if (handles_->to_real != nullptr) Fftw<T>::destroy(handles_->to_real);
  if (handles_->to_spectrum != nullptr) Fftw<T>::destroy(handles_->to_spectrum);
}

template <class T>
void RealPlan<T>::to_real(std::complex<T>* in, T* out) const {
  Fftw<T>::run(handles_->to_real, in, out);
}

template <class T>
void RealPlan<T>::to_spectrum(T* in, std::complex<T>* out) const {
  Fftw<T>::run(handles_->to_spectrum, in, out);
}

template <class T>
void PlanCache<T>::prepare(Index length) {
  auto& plan = plans_[length];
  if (!plan) plan = std::make_unique<RealPlan<T>>(length);
}

template class RealPlan<float>;
template class RealPlan<double>;
template class PlanCache<float>;
template class PlanCache<double>;

}  // namespace armilla::fft
