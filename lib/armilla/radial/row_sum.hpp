#pragma once

#include <armilla/radial/pixel_sum.hpp>
#include <armilla/radial/ring_store.hpp>
#include <armilla/radial/row_spectra.hpp>

#include <vector>

namespace armilla::radial {

/// Sums rows of a kernel into a pair of rings; one object per thread.
class RowSum {
 public:
  struct Sizes {
    Index fields;
    Index pixels;   ///< of the longest ring
    Index modes;    ///< a multiple of kModeStep
    Index longest;  ///< longest sum along a ring, in pixels
    Index samples;  ///< RowPlan::most_samples()
    bool row_fft;   ///< RowPlan::has_row_fft()
    static core::MemoryEstimate memory(const Sizes& sizes, const fft::RingFftSizes& ffts);
  };
  RowSum(const Sizes& sizes, const fft::RingFftSizes& ffts);

  /// Computes the convolved rings of pairs p .. p + pairs - 1, at most kPairsAtOnce, for some fields. `store` holds the
  /// rings within reach.
  void sum(const RowPlan& plan, Index p, Index pairs, Index fields, const fft::PlanCache<double>& plans,
           RingStore& store);
  /// The result for an existing ring of pair p + g.
  const double* pixels(Index g, Index field, bool north) { return target(g, field, north); }

  RingWork& work() { return work_; }

 private:
  struct Row {
    Index q;
    bool crossed;
    bool used[2];  // by the northern, southern ring of p
    Index modes;
  };

  Index index(Index field, bool north) const { return 2 * field + (north ? 0 : 1); }
  double* target(Index g, Index field, bool north) {
    return sums_.data() + (2 * sizes_.fields * g + index(field, north)) * sizes_.pixels;
  }
  fft::Split<double> modes(Index field, bool north) {
    double* re = modes_.data() + index(field, north) * 2 * sizes_.modes;
    return {re, re + sizes_.modes};
  }
  void find_rows(const RowPlan& plan, Index p);
  void sum_modes(const RowPlan& plan, Index p, Index g, Index fields, const fft::PlanCache<double>& plans,
                 RingStore& store);
  /// Adds rows begin .. end - 1, starting at mode `first`, whose spectra have been computed.
  void add_group(Index begin, Index end, Index first, Index fields, RingStore& store);

  Sizes sizes_;
  RingWork work_;
  PixelSum pixels_;
  core::AlignedBuffer<double> sums_, modes_;
  RowSpectra spectra_;
  std::vector<Row> rows_;
};

}  // namespace armilla::radial
