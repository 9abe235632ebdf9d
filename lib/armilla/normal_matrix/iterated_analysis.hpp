#pragma once

#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/memory_estimate.hpp>
#include <armilla/normal_matrix/first_analysis.hpp>
#include <armilla/normal_matrix/normal_task.hpp>

#include <complex>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace armilla::normal_matrix {

/// Positions of the coefficients of the maps of a batch: (l, m) of a component of a map is at offset[m] + l, relative
/// to the start of the component.
struct AlmPositions {
  std::span<const Index> offset;  ///< [m]
  Index component_stride = 0;
  Index map_stride = 0;
};

/// Iterated analysis by the normal matrix alone, for many maps. As alm += A (map - Y alm) changes the correction c of
/// one round to (1 - M) c, M = A Y, in the next, all rounds together are alm = c + (1 - M) (c + (1 - M) (..)). Maps and
/// rings are therefore needed only for the first analysis c = A map (FirstAnalysis). Blocks of one m are stored as
/// factors if their rank is low, and otherwise generated when used (SelfMatrix). Blocks between m that are aliases are
/// stored, or applied ring by ring (BeltBlocks, CapHarmonics). Each map is bitwise identical to that of a single-map
/// run, on any number of threads.
class IteratedAnalysis {
 public:
  /// Builds the tables, using the threads of the process; `engine` as for legendre::make_engine.
  IteratedAnalysis(NormalTask task, const std::string& engine);
  ~IteratedAnalysis();
  IteratedAnalysis(const IteratedAnalysis&) = delete;
  IteratedAnalysis& operator=(const IteratedAnalysis&) = delete;

  const NormalTask& task() const;

  /// Scratch memory, kept between calls; iterations use it one after the other.
  class Memory;

  /// Allocates memory for this number of maps and their first analysis. Throws std::bad_alloc if memory is
  /// insufficient.
  template <class T>
  void reserve(Index maps, const FirstAnalysis<T>& first, Memory& memory) const;
  /// The analysis of `maps` maps with this number of corrections, at least one. Overwrites alm. Uses the threads of the
  /// process; one call at a time. Throws std::bad_alloc if memory is insufficient.
  template <class T>
  void iterate(Index maps, FirstAnalysis<T>& first, Index iterations, const AlmPositions& positions,
               std::complex<T>* alm, Memory& memory) const;

  /// Number of maps processed together, out of `maps`: the largest number passed to FirstAnalysis at a time.
  static Index maps_together(const NormalTask& task, Index maps);
  /// Memory including a Memory object (`kept`) for this number of maps, whose first analysis is lent `first_room`
  /// bytes. Tables are built before the Memory is created.
  static core::MemoryEstimate memory(const NormalTask& task, Index maps, Index first_room);

 private:
  struct Tables;
  struct Chunk;
  std::unique_ptr<Tables> tables_;
};

class IteratedAnalysis::Memory {
 public:
  Memory();
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

 private:
  friend IteratedAnalysis;
  struct Worker;
  core::AlignedBuffer<double> first_;             // first analysis of a chunk of maps
  core::AlignedBuffer<double> first_sums_;        // sums on rings of these maps
  core::AlignedBuffer<double> later_;             // a state and its sums; before that, lent to the first analysis
  std::vector<std::unique_ptr<Worker>> workers_;  // [thread]
};

}  // namespace armilla::normal_matrix
