#pragma once

#include <armilla/core/types.hpp>

#include <complex>

#include <fftw3.h>

namespace armilla::fft {

/// FFTW has one set of names per precision. For use in this folder only.
template <class T>
struct Fftw;

/// Defines Fftw<T> by the functions with prefix `prefix` of lib`library`.so. A plan is for complex forward transforms
/// in `rank` nested loops, between two arrays aligned to 64 bytes, with the input preserved; null if FFTW has none.
/// plan and destroy require core::planner_lock.
#define ARMILLA_FFTW(T, prefix, library)                                                                \
  template <>                                                                                           \
  struct Fftw<T> {                                                                                      \
    using Plan = prefix##_plan;                                                                         \
    using Dimension = prefix##_iodim;                                                                   \
    static prefix##_complex* raw(const std::complex<T>* p) {                                            \
      return reinterpret_cast<prefix##_complex*>(const_cast<std::complex<T>*>(p));                      \
    }                                                                                                   \
    static Plan plan(const Dimension& transform, int rank, const Dimension* loops, std::complex<T>* in, \
                     std::complex<T>* out, unsigned flags) {                                            \
      return prefix##_plan_guru_dft(1, &transform, rank, loops, raw(in), raw(out), FFTW_FORWARD,        \
                                    flags | FFTW_PRESERVE_INPUT);                                       \
    }                                                                                                   \
    static void run(Plan p, const std::complex<T>* in, std::complex<T>* out) {                          \
      prefix##_execute_dft(p, raw(in), raw(out));                                                       \
    }                                                                                                   \
    static void destroy(Plan p) { prefix##_destroy_plan(p); }                                           \
    static constexpr const char* kPrefix = #prefix;                                                     \
    static constexpr const char* kLibrary = #library;                                                   \
  }

ARMILLA_FFTW(double, fftw, fftw3);
ARMILLA_FFTW(float, fftwf, fftw3f);

#undef ARMILLA_FFTW

}  // namespace armilla::fft
