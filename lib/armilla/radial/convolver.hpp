#pragma once

#include <armilla/radial/convolution_target.hpp>
#include <armilla/radial/row_sum.hpp>

#include <memory>
#include <set>
#include <span>
#include <vector>

namespace armilla::radial {

/// Computes out(p) = sum over pixels q of K(angle(p, q)) w(q) x(q), ring by ring (Elsner & Wandelt 2011), for several
/// kernels that share the ring FFTs of the input. Works in double precision, in bands of rings. Output pixels are
/// bitwise identical for any number of ranks, threads, fields and targets. Holds a reference to the communicator.
template <class T>
class Convolver {
 public:
  /// For up to `fields` fields at once; identical arguments on all ranks.
  Convolver(const comm::Communicator& comm, std::shared_ptr<const dist::PixelDistribution> in,
            std::vector<ConvolutionTarget> targets, Index fields);

  /// Memory on `rank`, with the current number of OpenMP threads.
  static core::MemoryEstimate memory(const dist::PixelDistribution& in, const std::vector<ConvolutionTarget>& targets,
                                     int rank, Index fields);

  /// Collective. Maps local pixels of each field to local pixels of each target and field, out[target][field].
  /// `weights` holds the weight of a pixel of each ring of the input's grid.
  void operator()(std::span<const std::span<const T>> fields, std::span<const double> weights,
                  const std::vector<std::vector<std::span<T>>>& out);

 private:
  // Lengths of the rings that are transformed.
  static std::set<Index> ring_lengths(const grid::RingGrid& in, const std::vector<ConvolutionTarget>& targets);

  /// Output pairs p .. p + pairs - 1.
  struct Task {
    std::size_t target;
    Index p;
    Index pairs;
    double theta;
  };
  /// Tasks first .. end - 1, which need pairs needed.first .. needed.end - 1 of the input.
  struct Band {
    std::size_t first, end;
    RowPlan::PairRange needed;
  };
  struct Layout;

  Convolver(const comm::Communicator& comm, Layout layout, std::shared_ptr<const dist::PixelDistribution> in,
            std::vector<ConvolutionTarget> targets, Index fields);
  static Layout make_layout(const dist::PixelDistribution& in, const std::vector<ConvolutionTarget>& targets, int rank,
                            Index fields);
  void work_on(const Band& band, std::span<const double> weights, const std::vector<std::vector<std::span<T>>>& out);
  void load(Index q, std::span<const double> weights, RingWork& work);
  void store(const Task& task, RowSum& sum, const std::vector<std::vector<std::span<T>>>& out) const;

  const comm::Communicator& comm_;
  std::shared_ptr<const dist::PixelDistribution> in_;
  std::vector<ConvolutionTarget> targets_;
  Index fields_;                            // of the current call
  std::vector<RowPlan> plans_;              // [target]
  std::vector<std::vector<Index>> places_;  // [target][local pair, north, south] offset in local pixels
  std::vector<Task> tasks_;                 // starting at the poles
  std::vector<Band> bands_;
  fft::PlanCache<double> ffts_;
  bool streamed_ = false;  // use non-temporal stores for results
  RingHalo<T> halo_;
  RingStore store_;
  std::vector<std::unique_ptr<RowSum>> sums_;  // [thread]
};

}  // namespace armilla::radial
