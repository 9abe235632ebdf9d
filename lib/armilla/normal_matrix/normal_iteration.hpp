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

/// Where the coefficients of the maps of a batch stand: (l, m) of a component of a map at offset[m] + l, counted from
/// the component's first one.
struct AlmPlaces {
  std::span<const Index> offset;  ///< [m]
  Index component_stride = 0;
  Index map_stride = 0;
};

/// Iterated analysis by the normal matrix alone, for many maps: since alm += A (map - Y alm) makes the correction c of
/// one round to (1 - M) c, M = A Y, in the next, and all rounds together are alm = c + (1 - M) (c + (1 - M) (..)),
/// neither maps nor rings are needed but for the first analysis c = A map (FirstAnalysis). Blocks of one m are
/// kept as far as they have a low rank, else generated as they are used (SelfMatrix), those between m that rings cannot
/// tell apart are kept or taken ring by ring (BeltBlocks, CapHarmonics). A map has the bits that it has alone, on any
/// number of threads.
class NormalIteration {
 public:
  /// Makes the tables on the threads of the process; `engine` as for legendre::make_engine.
  NormalIteration(NormalTask task, const std::string& engine);
  ~NormalIteration();
  NormalIteration(const NormalIteration&) = delete;
  NormalIteration& operator=(const NormalIteration&) = delete;

  const NormalTask& task() const;

  /// Working memory, which is kept from call to call: of one iteration after the other.
  class Memory;

  /// Makes room for so many maps and their first analysis. Throws std::bad_alloc where it does not fit.
  template <class T>
  void reserve(Index maps, const FirstAnalysis<T>& first, Memory& memory) const;
  /// The analysis of `maps` maps with so many corrections, at least one. Overwrites alm. On the threads of the process;
  /// one call at a time. Throws std::bad_alloc where working memory does not fit.
  template <class T>
  void iterate(Index maps, FirstAnalysis<T>& first, Index iterations, const AlmPlaces& places, std::complex<T>* alm,
               Memory& memory) const;

  /// Of `maps` maps, how many are worked on together: the most that FirstAnalysis is asked for at a time.
  static Index maps_together(const NormalTask& task, Index maps);
  /// With a Memory, as `kept`, for so many maps, whose first analysis is lent `first_room` bytes. Tables are made
  /// before there is a Memory.
  static core::MemoryEstimate memory(const NormalTask& task, Index maps, Index first_room);

 private:
  struct Tables;
  struct Chunk;
  std::unique_ptr<Tables> tables_;
};

class NormalIteration::Memory {
 public:
  Memory();
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

 private:
  friend NormalIteration;
  struct Worker;
  core::AlignedBuffer<double> first_;             // of a chunk of maps
  core::AlignedBuffer<double> first_sums_;        // on rings, of them
  core::AlignedBuffer<double> later_;             // a state and its sums; before, lent to the first analysis
  std::vector<std::unique_ptr<Worker>> workers_;  // [thread]
};

}  // namespace armilla::normal_matrix
