#include <armilla/radial/row_spectra.hpp>

#include <algorithm>
#include <cmath>

namespace armilla::radial {

using core::at;
using core::kPi;

namespace {

// Angles from this value on are not treated as small [rad].
constexpr double kSmallAngle = 0.5;

/// Halves the Nyquist mode among modes first .. first + count - 1, and zeroes those beyond it.
void end_spectrum(const RowSampling& sampling, Index first, Index count, double* spectrum) {
  const Index nyquist = sampling.points / 2 - first;
  if (nyquist >= count) return;
  if (nyquist >= 0 && sampling.points % 2 == 0) spectrum[nyquist] /= 2;
  for (Index m = std::max(Index{0}, nyquist + 1); m < count; ++m) spectrum[m] = 0;
}

/// Computes the samples of a row around the circle from those on one side.
void mirror(const RowSampling& sampling, const double* samples, Index count, double* row) {
  const Index n = sampling.points;
  std::fill_n(row, n, 0.0);
  for (Index s = 0; s < count; ++s) {
    const Index image = sampling.half ? n - 1 - s : (n - s) % n;
    if (image == s) {
      row[s] = samples[s];
    } else {
      row[s] = row[image] = samples[s] / 2;
    }
  }
}

}  // namespace

RowSpectra::RowSpectra(Index modes, Index samples, bool ffts)
    : modes_(modes),
      ffts_(ffts),
      arrays_(static_cast<Index>(kTables) * kArrays * modes),
      spectra_(kGroup * block(modes, ffts)) {
  samples_.reserve(at(samples));
}

void RowSpectra::clear() {
  samples_.clear();
  rows_.clear();
  tables_.clear();
}

std::size_t RowSpectra::find_table(const RowSampling& sampling) {
  const auto found = std::ranges::find(tables_, sampling.points, &Angles::points);
  const auto number = static_cast<std::size_t>(found - tables_.begin());
  if (found == tables_.end()) tables_.push_back({sampling.points, 0, 0});
  Angles& table = tables_[number];
  if (table.modes >= sampling.modes) return number;
  // cos and sin of m step / 2, m = a kModeStep + b, from short tables.
  const double half = kPi / static_cast<double>(sampling.points);
  double fine[2][kModeStep];
  for (Index b = 0; b < kModeStep; ++b) {
    fine[0][b] = std::cos(half * static_cast<double>(b));
    fine[1][b] = std::sin(half * static_cast<double>(b));
  }
  for (Index m = 0; m < sampling.modes; m += kModeStep) {
    const double c = std::cos(half * static_cast<double>(m)), s = std::sin(half * static_cast<double>(m));
    for (Index b = 0; b < kModeStep; ++b) {
      const double half_cosine = c * fine[0][b] - s * fine[1][b], half_sine = s * fine[0][b] + c * fine[1][b];
      array(number, kHalfCosines)[m + b] = half_cosine;
      array(number, kVersines)[m + b] = 4 * half_sine * half_sine;
      array(number, kCosines)[m + b] = (half_cosine - half_sine) * (half_cosine + half_sine);
    }
    if (2 * half * static_cast<double>(m) < kSmallAngle) table.small = m + kModeStep;
  }
  table.modes = sampling.modes;
  return number;
}

void RowSpectra::add(const RowSampling& sampling, Index samples) {
  const auto first = static_cast<Index>(samples_.size()) - samples;
  rows_.push_back({sampling, first, samples, find_table(sampling), ffts_ && by_fft(sampling, samples)});
}

void RowSpectra::make(Index begin, Index end, Index first, const fft::PlanCache<double>& plans, RingWork& work) {
  Index waiting = -1;  // row that waits for another one to share its FFT
  for (Index r = begin; r < end; ++r) {
    const Row& row = rows_[at(r)];
    const Index here = std::min(block(), row.sampling.modes - first);
    if (here <= 0) continue;
    if (row.by_fft) {
      const Row* other = waiting < 0 ? nullptr : &rows_[at(waiting)];
      if (other != nullptr && other->table == row.table && other->sampling.half == row.sampling.half) {
        transform({other, &row}, {target(waiting), target(r)}, plans, work);
        waiting = -1;
      } else {
        if (other != nullptr) transform({other, nullptr}, {target(waiting), nullptr}, plans, work);
        waiting = r;
      }
      continue;
    }
    make_by_sums(row, first, here, target(r));
  }
  if (waiting >= 0) transform({&rows_[at(waiting)], nullptr}, {target(waiting), nullptr}, plans, work);
}

void RowSpectra::make_by_sums(const Row& row, Index first, Index count, double* spectrum) {
  const Index small = std::clamp(tables_[row.table].small - first, Index{0}, count);
  const Index ranges[2][2] = {{0, small}, {small, count}};
  for (const auto& [begin, end] : ranges) {
    RowAngles angles{array(row.table, kCosines) + first + begin, nullptr, nullptr};
    if (row.sampling.half) angles.half_cosine = array(row.table, kHalfCosines) + first + begin;
    if (begin < small) angles.versine = array(row.table, kVersines) + first + begin;
    row_spectrum(samples_.data() + row.first, row.count, angles, end - begin, spectrum + begin);
  }
  end_spectrum(row.sampling, first, count, spectrum);
}

void RowSpectra::transform(const Row* const (&rows)[2], double* const (&spectra)[2],
                           const fft::PlanCache<double>& plans, RingWork& work) {
  const RowSampling& sampling = rows[0]->sampling;
  for (int i = 0; i < 2; ++i)
    if (rows[i] != nullptr) mirror(sampling, samples_.data() + rows[i]->first, rows[i]->count, work.rows[i].data());
  const std::complex<double>* modes = work.spectrum.data();
  plans.at(sampling.points)
      .from_rows({work.rows[0].data(), rows[1] == nullptr ? work.zeros.data() : work.rows[1].data()},
                 work.spectrum.data(), work.fft);
  // Even rows have real spectra. Rows whose samples are half a step off the axis are even after multiplication by a
  // phase.
  half_step_.set(sampling.half ? kPi / static_cast<double>(sampling.points) : 0.0, sampling.modes);
  const Index end = sampling.points / 2 + 1;
  for (Index m = 0; m < end; ++m) {
    const std::complex<double> low(half_step_.low_re()[m % fft::kTileM], half_step_.low_im()[m % fft::kTileM]);
    const std::complex<double> turned = modes[m] * std::conj(low * half_step_.high(m / fft::kTileM));
    spectra[0][m] = turned.real();
    if (spectra[1] != nullptr) spectra[1][m] = turned.imag();
  }
  for (int i = 0; i < 2; ++i)
    if (spectra[i] != nullptr) {
      std::fill(spectra[i] + end, spectra[i] + sampling.modes, 0.0);
      end_spectrum(sampling, 0, sampling.modes, spectra[i]);
    }
}

}  // namespace armilla::radial
