#pragma once

#include <armilla/core/aligned_buffer.hpp>
#include <armilla/fft/ring_fft.hpp>
#include <armilla/iteration/spin_field_rings.hpp>
#include <armilla/normal_matrix/first_analysis.hpp>

#include <complex>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace armilla::iteration {

/// The analysis of one spin field of whole maps on one rank, with per-ring weights. All threads first transform the
/// rings of a chunk of maps, then each processes a different set of m.
template <class T>
class RingAnalysis final : public normal_matrix::FirstAnalysis<T> {
 public:
  using Complex = std::complex<T>;
  using Take = typename normal_matrix::FirstAnalysis<T>::Take;

  /// `weight` [sr] of a pixel of each ring, in the order of PixelDistribution::local_rings(). `plans` may be shared
  /// with other spin fields.
  RingAnalysis(const FieldTransformSpec& spec, const SpinField& spin_field, std::span<const double> weight,
               std::shared_ptr<fft::PlanCache<T>> plans);
  ~RingAnalysis() override;

  /// Sets the map for begin(); the map must outlive find().
  void set(const MapField<T>& map) { pixels_ = map.data().data(); }

  Index workspace_bytes(Index maps) const override { return workspace_bytes(spin_field_, maps, bytes_of_map_); }
  void begin(Index first, Index count, std::byte* workspace) override;
  void find(Index m, const Take& take) override;

  /// For groups of `maps` maps, without plans. `workspace` is the memory lent to begin().
  static core::MemoryEstimate memory(const FieldTransformSpec& spec, const SpinField& spin_field, Index maps);

 private:
  struct Rings;
  /// Maps of a chunk that are stored next to each other.
  struct Piece {
    const Rings* rings;
    Index map;
    const Complex* modes;
  };
  struct Worker {
    core::AlignedBuffer<Complex> column;        // [slot][component, map] of one m
    core::AlignedBuffer<Complex> coefficients;  // [map][component][l] of one m
    std::vector<std::pair<const SpinFieldRings<T>*, std::unique_ptr<legendre::EngineWorkspace>>> engines;

    legendre::EngineWorkspace& of(const SpinFieldRings<T>& spin_field);
  };

  static Index workspace_bytes(const SpinField& spin_field, Index maps, Index bytes_of_map);
  const Rings& rings_of(Index maps);

  FieldTransformSpec spec_;
  SpinField spin_field_;
  std::vector<double> weight_;
  std::shared_ptr<fft::PlanCache<T>> plans_;
  Index bytes_of_map_;  // size of its modes
  const T* pixels_ = nullptr;
  std::vector<std::unique_ptr<Rings>> rings_;  // by the number of maps
  std::vector<Piece> pieces_;                  // of the current chunk
  std::vector<Worker> workers_;                // [thread]
};

}  // namespace armilla::iteration
