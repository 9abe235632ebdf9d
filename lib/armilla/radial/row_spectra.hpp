#pragma once

#include <armilla/radial/ring_store.hpp>
#include <armilla/radial/row_kernels.hpp>
#include <armilla/radial/row_plan.hpp>

#include <vector>

namespace armilla::radial {

/// The spectra of rows of one output pair, in groups of rows whose spectra fit in the caches; one object per thread.
class RowSpectra {
 public:
  /// Number of rows whose spectra are stored at a time.
  static constexpr Index kGroup = 8;
  /// Number of modes per block, so that those of all rings within reach fit in the L2 cache.
  static constexpr Index kBlock = 4 * kModeStep;

  /// For rows of up to `modes` modes, a multiple of kModeStep, and `samples` samples over all rows. `ffts`: all modes
  /// are computed at once, by FFT if that takes fewer operations.
  RowSpectra(Index modes, Index samples, bool ffts);
  static Index numbers(Index modes, Index samples, bool ffts) {
    return static_cast<Index>(kTables) * kArrays * modes + kGroup * block(modes, ffts) + samples;
  }

  /// Number of modes that make() computes at a time.
  Index block() const { return block(modes_, ffts_); }

  /// Removes all rows.
  void clear();
  /// Adds the next row; its samples are those that RowPlan::add_samples() appended to samples().
  void add(const RowSampling& sampling, Index samples);
  std::vector<double>& samples() { return samples_; }

  /// Computes modes first .. first + block() - 1 of rows begin .. end - 1, at most kGroup rows; `first` is a multiple
  /// of block().
  void make(Index begin, Index end, Index first, const fft::PlanCache<double>& plans, RingWork& work);
  /// The result of make() for a row, starting at mode `first`. Rows end at a multiple of kModeStep.
  const double* spectrum(Index row) { return target(row); }

 private:
  struct Row {
    RowSampling sampling;
    Index first, count;  // range in samples_
    std::size_t table;
    bool by_fft;
  };
  /// The angles m step: all cosines, the versines of small angles, and the cosines of half angles.
  struct Angles {
    Index points, modes, small;
  };
  /// One for rows up to the band limit, and one for rows on the pixel lattice.
  static constexpr std::size_t kTables = 2;

  static Index block(Index modes, bool ffts) { return ffts ? modes : std::min(modes, kBlock); }

  enum Array { kCosines, kHalfCosines, kVersines, kArrays };
  double* array(std::size_t table, Array array) {
    return arrays_.data() + (static_cast<Index>(table) * kArrays + array) * modes_;
  }
  std::size_t find_table(const RowSampling& sampling);
  void make_by_sums(const Row& row, Index first, Index count, double* spectrum);
  double* target(Index row) { return spectra_.data() + row % kGroup * block(); }
  /// Computes the spectra of one or two rows of equal sampling, as the real and imaginary part of one FFT.
  void transform(const Row* const (&rows)[2], double* const (&spectra)[2], const fft::PlanCache<double>& plans,
                 RingWork& work);

  Index modes_;
  bool ffts_;
  std::vector<double> samples_;
  std::vector<Row> rows_;
  std::vector<Angles> tables_;
  core::AlignedBuffer<double> arrays_, spectra_;
  fft::RingPhase<double> half_step_;
};

}  // namespace armilla::radial
