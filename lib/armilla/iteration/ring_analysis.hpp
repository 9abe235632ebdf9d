#pragma once

#include <armilla/core/aligned_buffer.hpp>
#include <armilla/fft/ring_fft.hpp>
#include <armilla/iteration/ring_part.hpp>
#include <armilla/normal_matrix/first_analysis.hpp>

#include <complex>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace armilla::iteration {

/// The analysis of one part of whole maps on one rank, by weights of their rings: all threads transform the rings of a
/// group of maps, then each takes other m.
template <class T>
class RingAnalysis final : public normal_matrix::FirstAnalysis<T> {
 public:
  using Complex = std::complex<T>;
  using Take = typename normal_matrix::FirstAnalysis<T>::Take;

  /// `weight` [sr] of a pixel of each ring, in the order of PixelDistribution::local_rings(); `plans` may be those of
  /// other parts.
  RingAnalysis(const FieldTransformSpec& spec, const FieldPart& part, std::span<const double> weight,
               std::shared_ptr<fft::PlanCache<T>> plans);
  ~RingAnalysis() override;

  /// What begin() is to analyse, which outlives find().
  void set(const MapField<T>& map) { pixels_ = map.data().data(); }

  Index bytes(Index maps) const override { return bytes(part_, maps, bytes_of_map_); }
  void begin(Index first, Index count, std::byte* room) override;
  void find(Index m, const Take& take) override;

  /// Bytes that begin() is lent, and of what there is besides, without plans, for groups of so many maps.
  static Index bytes(const FieldTransformSpec& spec, const FieldPart& part, Index maps);
  static Index own_bytes(const FieldTransformSpec& spec, const FieldPart& part, Index maps);

 private:
  struct Rings;
  /// Maps of a group that are side by side.
  struct Piece {
    const Rings* rings;
    Index map;
    const Complex* modes;
  };
  struct Worker {
    core::AlignedBuffer<Complex> column;        // [slot][component, map] of one m
    core::AlignedBuffer<Complex> coefficients;  // [map][component][l] of one m
    std::vector<std::pair<const RingPart<T>*, std::unique_ptr<legendre::EngineWorkspace>>> engines;

    legendre::EngineWorkspace& of(const RingPart<T>& part);
  };

  static Index bytes(const FieldPart& part, Index maps, Index bytes_of_map);
  const Rings& rings_of(Index maps);

  FieldTransformSpec spec_;
  FieldPart part_;
  std::vector<double> weight_;
  std::shared_ptr<fft::PlanCache<T>> plans_;
  Index bytes_of_map_;  // its modes
  const T* pixels_ = nullptr;
  std::vector<std::unique_ptr<Rings>> rings_;  // for so many maps
  std::vector<Piece> pieces_;                  // of a group
  std::vector<Worker> workers_;                // [thread]
};

extern template class RingAnalysis<float>;
extern template class RingAnalysis<double>;

}  // namespace armilla::iteration
