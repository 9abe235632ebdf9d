#pragma once

#include <armilla/radial/ring_store.hpp>
#include <armilla/radial/row_kernels.hpp>
#include <armilla/radial/row_plan.hpp>

#include <vector>

namespace armilla::radial {

/// Up to two adjacent pairs of output rings are summed together and share the loads of input rings.
inline constexpr Index kPairsAtOnce = 2;

/// Computes the weights of the pixels of ring `in` around position `place`, in units of its pixels. Returns the first
/// such pixel, which may be negative. Overwrites `weights`.
Index row_weights(const ConvolutionSpec& spec, const RowShape& shape, const grid::Ring& in, double place,
                  std::vector<double>& weights);

/// Sums rows of a kernel in pixel space; one object per thread.
class PixelSum {
 public:
  /// `longest`: length of the longest sum along a ring, in pixels.
  explicit PixelSum(Index longest);
  /// Number of doubles that it allocates.
  static Index numbers(Index longest) { return (1 + kPairsAtOnce) * longest + kWeights; }

  /// Addresses of the sums of output ring g, which belongs to pair p + g, for the first field; null if there is no
  /// ring.
  struct Targets {
    double* rings[kPairsAtOnce];
    Index field_stride;
  };
  /// Adds the rows that are summed in pixels, for the rings in hemisphere `north` of pairs p .. p + pairs - 1.
  void add(const RowPlan& plan, Index p, Index pairs, bool north, Index fields, RingStore& store,
           const Targets& targets);

 private:
  // Capacity of the buffer for weights.
  static constexpr Index kWeights = 1024;
  // Equivalent of StencilTerm, with indices instead of addresses.
  struct Stencil {
    Index q;
    bool in_north;
    Index start;  // pixel of the input ring at k = 0
    Index weights[kPairsAtOnce];
    Index first[kPairsAtOnce], end[kPairsAtOnce];
  };

  /// Adds the rows between these pairs. For rings of equal length they become a stencil.
  void add_row(const RowPlan& plan, Index p, Index pairs, Index q, bool crossed, bool north, Index fields,
               RingStore& store, const Targets& targets);
  void add_unlike(const ConvolutionSpec& spec, const RowShape& shape, const grid::Ring& out, const grid::Ring& in,
                  const double* pixels, Index stride, Index fields, double* sums, Index sums_stride);
  void flush(Index nphi, Index fields, RingStore& store, const Targets& targets);

  std::vector<double> weights_;
  std::vector<double> kept_weights_;
  std::vector<Stencil> stencils_;
  std::vector<Index> ends_;
  std::vector<StencilTerm> terms_;
};

}  // namespace armilla::radial
