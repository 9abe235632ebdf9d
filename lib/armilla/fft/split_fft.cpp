#include <armilla/core/error.hpp>
#include <armilla/fft/split_fft.hpp>
#include <armilla/fft/split_kernel.hpp>
#include <armilla/fft/unit_table.hpp>

#include <cmath>
#include <complex>

#include <fmt/format.h>

namespace armilla::fft {

namespace {

constexpr Index kBlock = 4;

// The first pass transposes four values; fours before eights leave long columns to the latter.
std::vector<Index> radices(Index length) {
  std::vector<Index> result{4};
  length /= 4;
  int twos = 0;
  for (; length % 2 == 0; length /= 2) ++twos;
  if (twos == 1) result.push_back(2);
  if (twos % 3 == 2) result.push_back(4);
  if (twos % 3 == 1 && twos > 1) result.insert(result.end(), 2, 4);
  const int eights = twos % 3 == 1 ? (twos - 4) / 3 : twos / 3;
  for (int i = 0; i < eights; ++i) result.push_back(8);
  for (const Index prime : {7, 5, 3})
    for (; length % prime == 0; length /= prime) result.push_back(prime);
  return result;
}

// exp(-2 pi i t / n), the angle reduced to [-pi, pi].
std::complex<double> root(Index t, Index n) {
  const double angle = 2 * core::kPi * static_cast<double>(2 * t > n ? t - n : t) / static_cast<double>(n);
  return {std::cos(angle), -std::sin(angle)};
}

// Appends the passes of a length; returns the number of values that their factors take.
template <class T>
Index plan_passes(Index length, std::vector<SplitPass<T>>& passes) {
  using Kind = typename SplitPass<T>::Kind;
  const Index lanes = split_lanes<T>();
  Index before = 1;
  Index values = 0;
  for (const Index radix : radices(length)) {
    const Index after = length / before / radix;
    const bool blocks =
        before == kBlock && lanes > kBlock && radix % (lanes / kBlock) == 0 && before * after >= lanes && after > 1;
    const Kind kind = before == 1 ? Kind::kTranspose : blocks ? Kind::kBlocks : Kind::kColumns;
    passes.push_back({kind, radix, before, after, values});
    if (after > 1) values += 2 * (radix - 1) * after * (kind == Kind::kColumns ? 1 : before);
    before *= radix;
  }
  return values;
}

// Factors exp(-2 pi i j p / (radix after)): for columns [p][j][re, im], else [j][re, im][p][before].
template <class T>
void set_twiddles(const SplitPass<T>& pass, UnitTable& units, T* twiddle) {
  const Index turns = pass.radix * pass.after;
  units.fill(turns, [turns](Index t) { return root(t, turns); });
  const bool columns = pass.kind == SplitPass<T>::Kind::kColumns;
  const Index copies = columns ? 1 : pass.before;
  const Index butterflies = copies * pass.after;
  for (Index p = 0; p < pass.after; ++p)
    for (Index j = 1; j < pass.radix; ++j) {
      const std::complex<double> w = units(j * p);
      T* place =
          columns ? twiddle + 2 * ((pass.radix - 1) * p + j - 1) : twiddle + (2 * j - 2) * butterflies + copies * p;
      for (Index q = 0; q < copies; ++q) {
        place[q] = static_cast<T>(w.real());
        place[(columns ? 1 : butterflies) + q] = static_cast<T>(w.imag());
      }
    }
}

}  // namespace

template <class T>
bool SplitFft<T>::serves(Index length) {
  if (length < 4 || length % 4 != 0) return false;
  for (const Index prime : {2, 3, 5, 7})
    while (length % prime == 0) length /= prime;
  return length == 1;
}

template <class T>
SplitFft<T>::SplitFft(Index length) : length_(length) {
  if (!serves(length)) throw core::InternalError(fmt::format("SplitFft does not serve length {}", length));
  twiddles_ = core::AlignedBuffer<T>(plan_passes(length, passes_));
  UnitTable units;
  for (const SplitPass<T>& pass : passes_)
    if (pass.after > 1) set_twiddles(pass, units, twiddles_.data() + pass.twiddle);
}

template <class T>
Index SplitFft<T>::table_bytes(Index length) {
  std::vector<SplitPass<T>> passes;
  return plan_passes(length, passes) * static_cast<Index>(sizeof(T));
}

template <class T>
void SplitFft<T>::forward(Split<const T> in, Split<T> out, T* scratch, bool streamed) const {
  run_passes(passes_, twiddles_.data(), in, out, scratch, streamed);
}

template class SplitFft<float>;
template class SplitFft<double>;

}  // namespace armilla::fft
