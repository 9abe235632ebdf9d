#include <armilla/fft/chirp_kernel.hpp>
#include <armilla/fft/ring_fft.hpp>

#include <algorithm>

namespace armilla::fft {

namespace {

// Below this FFTW runs any length faster than chirps do.
constexpr Index kAlwaysPlain = 64;
constexpr Index kMostParts = 4;
// FFTW's plan with its twiddles, bytes per unit of length.
constexpr Index kPlainBytes = 64;

// exp(-i pi t / n), the angle reduced to [-pi, pi] in integers.
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

template <class T>
Split<const T> fixed(Split<T> z) {
  return {z.re, z.im};
}

// Exchange of real and imaginary part turns the forward transform into the inverse one.
template <class T>
Split<T> swapped(Split<T> z) {
  return {z.im, z.re};
}

}  // namespace

void RingFftSizes::include(Index length) {
  using Fft = RingFft<double>;  // lengths do not depend on the precision
  switch (Fft::method(length)) {
    case Fft::Method::kSplit:
      split = std::max(split, length);
      break;
    case Fft::Method::kPlain:
      plain = std::max(plain, length);
      break;
    case Fft::Method::kChirp:
      part = std::max(part, length / Fft::chirp_parts(length));
      padded = std::max(padded, Fft::padded_length(length / Fft::chirp_parts(length)));
      split = std::max(split, padded);
      break;
  }
}

template <class T>
ChirpTables<T>::ChirpTables(Index longest_part, Index longest_padded)
    : chirp_(longest_part), twiddle_(longest_part), filter_(longest_padded) {}

template <class T>
void ChirpTables<T>::set(const SplitFft<T>& padded, Index part, Split<T> a, T* scratch) {
  if (part == part_) return;
  part_ = part;
  const Index size = padded.length();
  units_.fill(2 * part, [part](Index t) { return half_root(t, part); });
  for (Index j = 0, square = 0; j < part; ++j) {  // square = j^2 mod 2 part
    fft::set(chirp_.get(), j, units_(square));
    square += 2 * j + 1;
    if (square >= 2 * part) square -= 2 * part;
  }
  std::fill_n(a.re, size, T(0));
  std::fill_n(a.im, size, T(0));
  const T scale = T(1) / static_cast<T>(size);
  const Split<const T> c = chirp();
  a.re[0] = c.re[0] * scale;
  a.im[0] = -c.im[0] * scale;
  for (Index j = 1; j < part; ++j) {
    a.re[j] = a.re[size - j] = c.re[j] * scale;
    a.im[j] = a.im[size - j] = -c.im[j] * scale;
  }
  padded.forward(fixed(a), filter_.get(), scratch);
  units_.fill(part, [part](Index k) { return half_root(k, 2 * part); });
  for (Index k = 0; k < part; ++k) fft::set(twiddle_.get(), k, units_(k));
}

template <class T>
RingFftWorkspace<T>::RingFftWorkspace(const RingFftSizes& sizes)
    : scratch(SplitFft<T>::scratch_size(sizes.split)),
      in(sizes.plain),
      out(sizes.plain),
      chirps(sizes.part, sizes.padded),
      part_stride(SplitBuffer<T>::padded(sizes.padded)),
      parts(sizes.padded == 0 ? 0 : kMostParts * part_stride),
      part(sizes.padded) {}

template <class T>
Index RingFftWorkspace<T>::bytes(const RingFftSizes& sizes) {
  const Index complex_numbers = 2 * sizes.plain + 2 * sizes.part + (kMostParts + 2) * sizes.padded;
  return (SplitFft<T>::scratch_size(sizes.split) + 2 * complex_numbers) * static_cast<Index>(sizeof(T));
}

template <class T>
typename RingFft<T>::Method RingFft<T>::method(Index length) {
  if (SplitFft<T>::serves(length)) return Method::kSplit;
  if (length <= kAlwaysPlain) return Method::kPlain;
  for (const Index prime : {2, 3, 5, 7})
    while (length % prime == 0) length /= prime;
  return length == 1 ? Method::kPlain : Method::kChirp;
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
void RingFft<T>::forward(Split<const T> in, Split<T> out, RingFftWorkspace<T>& work, bool streamed) const {
  if (plain != nullptr) {
    for (Index j = 0; j < length; ++j) work.in.data()[j] = {in.re[j], in.im[j]};
    plain->forward(work.in.data(), work.out.data());
    for (Index k = 0; k < length; ++k) {
      out.re[k] = work.out.data()[k].real();
      out.im[k] = work.out.data()[k].imag();
    }
    return;
  }
  if (split->length() == length) return split->forward(in, out, work.scratch.data(), streamed);

  const Index count = chirp_parts(length);
  const Index part = length / count;
  const Index size = split->length();
  const Index stride = work.part_stride;
  const Split<T> b = work.part.get();
  work.chirps.set(*split, part, b, work.scratch.data());
  modulate(in, work.chirps.chirp(), count, part, stride, work.parts.get());
  for (Index r = 0; r < count; ++r) {
    const Split<T> a = work.parts.get() + r * stride;
    std::fill(a.re + part, a.re + size, T(0));
    std::fill(a.im + part, a.im + size, T(0));
    split->forward(fixed(a), b, work.scratch.data());
    multiply(work.chirps.filter(), size, b);
    split->forward(swapped(fixed(b)), swapped(a), work.scratch.data());
  }
  combine(fixed(work.parts.get()), work.chirps.chirp(), work.chirps.twiddle(), count, part, stride, out);
}

template <class T>
void PlanCache<T>::prepare(Index length) {
  using Method = typename RingFft<T>::Method;
  if (rings_.contains(length)) return;
  sizes_.include(length);
  const Method method = RingFft<T>::method(length);
  if (method == Method::kPlain) {
    auto& plan = plains_[length];
    plan = std::make_unique<ComplexPlan<T>>(length);
    rings_.emplace(length, RingFft<T>{length, nullptr, plan.get()});
    return;
  }
  const Index planned =
      method == Method::kSplit ? length : RingFft<T>::padded_length(length / RingFft<T>::chirp_parts(length));
  auto& plan = splits_[planned];
  if (!plan) plan = std::make_unique<SplitFft<T>>(planned);
  rings_.emplace(length, RingFft<T>{length, plan.get(), nullptr});
}

template <class T>
Index PlanCache<T>::bytes(const std::set<Index>& lengths) {
  using Method = typename RingFft<T>::Method;
  std::set<Index> splits;
  std::set<Index> plains;
  for (const Index length : lengths) switch (RingFft<T>::method(length)) {
      case Method::kSplit:
        splits.insert(length);
        break;
      case Method::kPlain:
        plains.insert(length);
        break;
      case Method::kChirp:
        splits.insert(RingFft<T>::padded_length(length / RingFft<T>::chirp_parts(length)));
        break;
    }
  Index bytes = 0;
  for (const Index length : splits) bytes += SplitFft<T>::table_bytes(length);
  for (const Index length : plains) bytes += kPlainBytes * length;
  return bytes;
}

template class ChirpTables<float>;
template class ChirpTables<double>;
template struct RingFftWorkspace<float>;
template struct RingFftWorkspace<double>;
template struct RingFft<float>;
template struct RingFft<double>;
template class PlanCache<float>;
template class PlanCache<double>;

}  // namespace armilla::fft
