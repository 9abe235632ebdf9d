#include <armilla/fft/ring_fft.hpp>

#include <algorithm>

namespace armilla::fft {

namespace {

// Below this FFTW plans and runs any length faster than chirps do.
constexpr Index kAlwaysDirect = 64;
constexpr Index kMostParts = 4;

// std::complex's product checks for infinities; this one is four multiplications.
template <class T>
std::complex<T> times(std::complex<T> a, std::complex<T> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// exp(-i pi t / n), the angle reduced to [-pi, pi] in integers.
std::complex<double> half_root(Index t, Index n) {
  t %= 2 * n;
  if (t > n) t -= 2 * n;
  const double angle = core::kPi * static_cast<double>(t) / static_cast<double>(n);
  return {std::cos(angle), -std::sin(angle)};
}

template <class T>
std::complex<T> rounded(std::complex<double> z) {
  return {static_cast<T>(z.real()), static_cast<T>(z.imag())};
}

}  // namespace

template <class T>
ChirpWorkspace<T>::ChirpWorkspace(Index longest_part, Index longest_padded)
    : chirp_(longest_part),
      twiddle_(longest_part),
      filter_(longest_padded),
      a_(longest_padded),
      b_(longest_padded),
      parts_(kMostParts * longest_part) {}

template <class T>
void ChirpWorkspace<T>::set_part(const ComplexPlan<T>& padded, Index part) {
  if (part == part_) return;
  part_ = part;
  const Index size = padded.length();
  units_.fill(2 * part, [part](Index t) { return half_root(t, part); });
  for (Index j = 0, square = 0; j < part; ++j) {  // square = j^2 mod 2 part
    chirp_.data()[j] = rounded<T>(units_(square));
    square += 2 * j + 1;
    if (square >= 2 * part) square -= 2 * part;
  }
  const T scale = T(1) / static_cast<T>(size);
  std::fill_n(a_.data(), size, std::complex<T>(0));
  a_.data()[0] = std::conj(chirp_.data()[0]) * scale;
  for (Index j = 1; j < part; ++j) a_.data()[j] = a_.data()[size - j] = std::conj(chirp_.data()[j]) * scale;
  padded.forward(a_.data(), filter_.data());
  units_.fill(part, [part](Index k) { return half_root(k, 2 * part); });
  for (Index k = 0; k < part; ++k) twiddle_.data()[k] = rounded<T>(units_(k));
}

template <class T>
void ChirpWorkspace<T>::convolve(const ComplexPlan<T>& padded, Index part, Index stride, const std::complex<T>* in,
                                 std::complex<T>* out) {
  const Index size = padded.length();
  std::complex<T>* a = a_.data();
  std::complex<T>* b = b_.data();
  const std::complex<T>* chirp = chirp_.data();
  for (Index j = 0; j < part; ++j) a[j] = times(in[j * stride], chirp[j]);
  std::fill(a + part, a + size, std::complex<T>(0));
  padded.forward(a, b);
  // The inverse transform is the conjugate of the forward one of the conjugate.
  for (Index t = 0; t < size; ++t) a[t] = std::conj(times(b[t], filter_.data()[t]));
  padded.forward(a, b);
  for (Index k = 0; k < part; ++k) out[k] = times(std::conj(b[k]), chirp[k]);
}

template <class T>
void ChirpWorkspace<T>::combine(Index part, std::complex<T>* out) const {
  const std::complex<T>* y = parts_.data();
  for (Index k = 0; k < part; ++k) {
    const std::complex<T> w = twiddle_.data()[k];
    const std::complex<T> w2 = times(w, w);
    const std::complex<T> y0 = y[k];
    const std::complex<T> y1 = times(y[part + k], w);
    const std::complex<T> y2 = times(y[2 * part + k], w2);
    const std::complex<T> y3 = times(y[3 * part + k], times(w2, w));
    const std::complex<T> even = y0 + y2;
    const std::complex<T> odd = y1 + y3;
    const std::complex<T> p = y0 - y2;
    const std::complex<T> q(y1.imag() - y3.imag(), y3.real() - y1.real());  // -i (y1 - y3)
    out[k] = even + odd;
    out[part + k] = p + q;
    out[2 * part + k] = even - odd;
    out[3 * part + k] = p - q;
  }
}

template <class T>
void ChirpWorkspace<T>::forward(const ComplexPlan<T>& padded, Index length, Index parts, const std::complex<T>* in,
                                std::complex<T>* out) {
  const Index part = length / parts;
  set_part(padded, part);
  if (parts == 1) {
    convolve(padded, part, 1, in, out);
    return;
  }
  for (Index r = 0; r < parts; ++r) convolve(padded, part, parts, in + r, parts_.data() + r * part);
  combine(part, out);
}

template <class T>
bool RingFft<T>::is_direct(Index length) {
  if (length <= kAlwaysDirect) return true;
  for (const Index prime : {2, 3, 5, 7})
    while (length % prime == 0) length /= prime;
  return length == 1;
}

template <class T>
Index RingFft<T>::padded_length(Index part) {
  // 8, 10, 12, 14 times a power of two: few plans, all fast, never more than a quarter too long.
  Index power = 2;
  while (16 * power < 2 * part - 1) power *= 2;
  for (const Index factor : {8, 10, 12, 14})
    if (factor * power >= 2 * part - 1) return factor * power;
  return 16 * power;
}

template <class T>
void PlanCache<T>::prepare(Index length) {
  if (rings_.contains(length)) return;
  Index planned = length;
  if (!RingFft<T>::is_direct(length)) {
    const Index part = length / RingFft<T>::chirp_parts(length);
    planned = RingFft<T>::padded_length(part);
    longest_part_ = std::max(longest_part_, part);
    longest_padded_ = std::max(longest_padded_, planned);
  }
  auto& plan = plans_[planned];
  if (!plan) plan = std::make_unique<ComplexPlan<T>>(planned);
  rings_.emplace(length, RingFft<T>{length, plan.get()});
}

template class ChirpWorkspace<float>;
template class ChirpWorkspace<double>;
template struct RingFft<float>;
template struct RingFft<double>;
template class PlanCache<float>;
template class PlanCache<double>;

}  // namespace armilla::fft
