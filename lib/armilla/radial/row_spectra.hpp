#pragma once

#include <armilla/radial/ring_store.hpp>
#include <armilla/radial/row_kernels.hpp>
#include <armilla/radial/row_plan.hpp>

#include <vector>

namespace armilla::radial {

/// The spectra of rows of one output pair, in groups of rows whose spectra stay in the caches; one per thread.
class RowSpectra {
 public:
  /// Rows whose spectra are there at a time.
  static constexpr Index kGroup = 8;
  /// Modes at a time, so that those of all rings in reach stay in the second-level cache.
  static constexpr Index kBlock = 4 * kModeStep;

  /// For rows of up to `modes` modes, a multiple of kModeStep, and `samples` samples of all rows. `ffts`: all modes are
  /// made at a time, by FFT where that takes fewer operations.
  RowSpectra(Index modes, Index samples, bool ffts);
  static Index numbers(Index modes, Index samples, bool ffts) {
    return static_cast<Index>(kTables) * kArrays * modes + kGroup * block(modes, ffts) + samples;
  }

  /// Modes that add() makes at a time.
  Index block() const { return block(modes_, ffts_); }

  /// Forgets all rows.
  void clear();
  /// Takes the next row; its samples are those that RowPlan::add_samples() appended to samples().
  void add(const RowSampling& sampling, Index samples);
  std::vector<double>& samples() { return samples_; }

  /// Makes modes first .. first + block() - 1 of rows begin .. end - 1, at most kGroup; `first` is a multiple of
  /// block().
  void make(Index begin, Index end, Index first, const fft::PlanCache<double>& plans, RingWork& work);
  /// What make() made of a row, from mode `first` on; rows end at a multiple of kModeStep.
  const double* spectrum(Index row) { return target(row); }

 private:
  struct Row {
    RowSampling sampling;
    Index first, count;  // in samples_
    std::size_t table;
    bool by_fft;
  };
  /// The angles m step: the cosines of all, the versines of those that are small, and the cosines of their halves.
  struct Angles {
    Index points, modes, small;
  };
  /// Of rows up to the band limit, and on the lattice of the pixels.
  static constexpr std::size_t kTables = 2;

  static Index block(Index modes, bool ffts) { return ffts ? modes : std::min(modes, kBlock); }

  enum Array { kCosines, kHalfCosines, kVersines, kArrays };
  double* array(std::size_t table, Array array) {
    return arrays_.data() + (static_cast<Index>(table) * kArrays + array) * modes_;
  }
  std::size_t find_table(const RowSampling& sampling);
  void make_by_sums(const Row& row, Index first, Index count, double* spectrum);
  double* target(Index row) { return spectra_.data() + row % kGroup * block(); }
  /// The spectra of one or two rows of equal sampling, as the real and imaginary part of one FFT.
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
