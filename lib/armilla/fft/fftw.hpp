#pragma once

#include <armilla/core/types.hpp>

#include <complex>
#include <cstdlib>

#include <fftw3.h>

namespace armilla::fft {

/// FFTW has one set of names per precision. For use in this folder only.
template <class T>
struct Fftw;

/// Defines Fftw<T> by the functions with prefix `prefix`. Plans are for one complex forward transform between two
/// arrays aligned to 64 bytes, with the input preserved; null if `flags` give no plan. plan, destroy, export_text,
/// import_text and set_limit require core::planner_lock. The result of export_text must be freed by std::free, and may
/// be null.
#define ARMILLA_FFTW(T, prefix)                                                                                       \
  template <>                                                                                                         \
  struct Fftw<T> {                                                                                                    \
    using Plan = prefix##_plan;                                                                                       \
    static prefix##_complex* raw(const std::complex<T>* p) {                                                          \
      return reinterpret_cast<prefix##_complex*>(const_cast<std::complex<T>*>(p));                                    \
    }                                                                                                                 \
    static Plan plan(core::Index n, std::complex<T>* in, std::complex<T>* out, unsigned flags) {                      \
      return prefix##_plan_dft_1d(static_cast<int>(n), raw(in), raw(out), FFTW_FORWARD, flags | FFTW_PRESERVE_INPUT); \
    }                                                                                                                 \
    static void run(Plan p, const std::complex<T>* in, std::complex<T>* out) {                                        \
      prefix##_execute_dft(p, raw(in), raw(out));                                                                     \
    }                                                                                                                 \
    static void destroy(Plan p) { prefix##_destroy_plan(p); }                                                         \
    static char* export_text() { return prefix##_export_wisdom_to_string(); }                                         \
    static bool import_text(const char* text) { return prefix##_import_wisdom_from_string(text) != 0; }               \
    static void set_limit(double seconds) { prefix##_set_timelimit(seconds); }                                        \
    static const char* version() { return prefix##_version; }                                                         \
  }

ARMILLA_FFTW(double, fftw);
ARMILLA_FFTW(float, fftwf);

#undef ARMILLA_FFTW

}  // namespace armilla::fft
