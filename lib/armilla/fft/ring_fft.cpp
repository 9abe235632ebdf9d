#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/fft/chirp_kernel.hpp>
#include <armilla/fft/interleave.hpp>
#include <armilla/fft/ring_fft.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

namespace armilla::fft {

namespace {

// Up to this length, FFTW is faster for any length than chirps.
constexpr Index kAlwaysDirect = 64;
constexpr Index kMaxParts = 4;
// FFTW uses 32-bit lengths.
constexpr Index kLongest = std::numeric_limits<std::int32_t>::max();
// Size of a plan of FFTW: bytes of twiddles per unit of length, and a constant part. Measured values in double
// precision, for the rings of HEALPix grids of nside 512 to 2048: 16 bytes and 6.6 kB.
constexpr Index kTwiddleBytes = 24;
constexpr Index kPlanBytes = 8192;

// exp(-i pi t / n). The angle is reduced to [-pi, pi] in integers.
std::complex<double> half_root(Index t, Index n) {
  t %= 2 * n;
  if (t > n) t -= 2 * n;
  const double angle = core::kPi * static_cast<double>(t) / static_cast<double>(n);
  return {std::cos(angle), -std::sin(angle)};
}

template <class T>
void set(Split<T> z, Index i, std::complex<double> value) {
  z.re[i] = static_cast<T>(value.real());
  z.im[i] = static_cast<T>(value.imag());
}

}  // namespace

void RingFftSizes::include(Index length) {
  using Fft = RingFft<double>;  // lengths do not depend on the precision
  ring = std::max(ring, length);
  if (Fft::method(length) == Fft::Method::kDirect) return;
  part = std::max(part, length / Fft::chirp_parts(length));
  padded = std::max(padded, Fft::planned_length(length));
}

template <class T>
ChirpTables<T>::ChirpTables(Index longest_part, Index longest_padded)
    : chirp_(longest_part), twiddle_(longest_part), filter_(longest_padded) {}

template <class T>
void ChirpTables<T>::set(const ComplexPlan<T>& padded, Index part, std::complex<T>* a, std::complex<T>* b) {
  if (part == part_) return;
  part_ = 0;  // until the tables are complete, because an allocation may fail
  const Index size = padded.length();
  units_.fill(4 * part, [part](Index t) { return half_root(t, 2 * part); });
  for (Index j = 0, square = 0; j < part; ++j) {  // square = j^2 mod 2 part
    fft::set(chirp_.get(), j, units_(2 * square));
    square += 2 * j + 1;
    if (square >= 2 * part) square -= 2 * part;
  }
  std::fill_n(a, size, std::complex<T>(0));
  const T scale = T(1) / static_cast<T>(size);
  const Split<const T> c = chirp();
  a[0] = {c.re[0] * scale, -c.im[0] * scale};
  for (Index j = 1; j < part; ++j) a[j] = a[size - j] = {c.re[j] * scale, -c.im[j] * scale};
  padded.forward(a, b);
  deinterleave(b, size, filter_.get(), false);
  for (Index k = 0; k < part; ++k) fft::set(twiddle_.get(), k, units_(k));
  part_ = part;
}

template <class T>
RingFftWorkspace<T>::RingFftWorkspace(const RingFftSizes& sizes)
    : pixels(sizes.ring),
      chirps(sizes.part, sizes.padded),
      part_stride(SplitBuffer<T>::padded(sizes.padded)),
      parts(sizes.padded == 0 ? 0 : kMaxParts * part_stride),
      part(sizes.padded) {}

template <class T>
core::MemoryEstimate RingFftWorkspace<T>::memory(const RingFftSizes& sizes) {
  const Index complex_numbers = sizes.ring + 2 * sizes.part + (kMaxParts + 2) * sizes.padded;
  return {.kept = complex_numbers * static_cast<Index>(sizeof(std::complex<T>))};
}

template <class T>
typename RingFft<T>::Method RingFft<T>::method(Index length) {
  if (length <= kAlwaysDirect) return Method::kDirect;
  for (const Index prime : {2, 3, 5, 7})
    while (length % prime == 0) length /= prime;
  return length == 1 ? Method::kDirect : Method::kChirp;
}

template <class T>
Index RingFft<T>::padded_length(Index part) {
  // 8, 10, 12 or 14 times a power of two: few plans, all fast, and at most 25% too long.
  Index power = 2;
  while (16 * power < 2 * part - 1) power *= 2;
  for (const Index factor : {8, 10, 12, 14})
    if (factor * power >= 2 * part - 1) return factor * power;
  return 16 * power;
}

template <class T>
Index RingFft<T>::planned_length(Index length) {
  return method(length) == Method::kDirect ? length : padded_length(length / chirp_parts(length));
}

template <class T>
void RingFft<T>::forward(const std::complex<T>* in, std::complex<T>* out, RingFftWorkspace<T>& work) const {
  const Index size = plan->length();
  if (size == length) return plan->forward(in, out);

  const Index count = chirp_parts(length);
  const Index part = length / count;
  const Index stride = work.part_stride;
  std::complex<T>* parts = work.parts.data();
  std::complex<T>* b = work.part.data();
  work.chirps.set(*plan, part, parts, b);
  modulate(in, work.chirps.chirp(), count, part, stride, parts);
  for (Index r = 0; r < count; ++r) {
    std::complex<T>* a = parts + r * stride;
    std::fill(a + part, a + size, std::complex<T>(0));
    plan->forward(a, b);
    multiply(work.chirps.filter(), size, b);
    plan->forward(b, a);
  }
  combine(parts, work.chirps.chirp(), work.chirps.twiddle(), count, part, stride, out);
}

template <class T>
void RingFft<T>::from_rows(Split<const T> in, std::complex<T>* out, RingFftWorkspace<T>& work) const {
  interleave(in, length, work.pixels.data());
  forward(work.pixels.data(), out, work);
}

template <class T>
void RingFft<T>::to_rows(const std::complex<T>* in, Split<T> out, RingFftWorkspace<T>& work, bool streamed) const {
  forward(in, work.pixels.data(), work);
  deinterleave(work.pixels.data(), length, out, streamed);
}

std::set<Index> planned_lengths(const std::set<Index>& rings) {
  std::set<Index> planned;
  for (const Index length : rings) {
    const Index fft = length <= kLongest ? RingFft<double>::planned_length(length) : length;
    if (fft > kLongest)
      throw core::ResourceError(
          fmt::format("a ring of {} pixels is too long for FFTW, whose limit is {}: use a grid with fewer pixels",
                      length, kLongest));
    planned.insert(fft);
  }
  return planned;
}

template <class T>
void PlanCache<T>::prepare(Index length) {
  if (rings_.contains(length)) return;
  sizes_.include(length);
  const Index planned = *planned_lengths({length}).begin();
  auto& plan = plans_[planned];
  if (!plan) plan = std::make_unique<ComplexPlan<T>>(planned);
  rings_.emplace(length, RingFft<T>{length, plan.get()});
}

template <class T>
core::MemoryEstimate PlanCache<T>::memory(const std::set<Index>& lengths) {
  core::MemoryEstimate memory;
  for (const Index length : planned_lengths(lengths)) memory.tables += kPlanBytes + kTwiddleBytes * length;
  return memory;
}

ARMILLA_INSTANTIATE_CLASS(ChirpTables);
ARMILLA_INSTANTIATE_CLASS(RingFftWorkspace);
ARMILLA_INSTANTIATE_CLASS(RingFft);
ARMILLA_INSTANTIATE_CLASS(PlanCache);

}  // namespace armilla::fft
