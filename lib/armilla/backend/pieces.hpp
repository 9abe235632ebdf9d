#pragma once

#include <armilla/backend/runs.hpp>
#include <armilla/backend/scalar_stage_shape.hpp>
#include <armilla/fft/ring_transform.hpp>
#include <armilla/legendre/task.hpp>

#include <span>
#include <vector>

namespace armilla::backend {

/// Where Delta of a task stands, block by block: which slots feel an m.
class DeltaSlots {
 public:
  explicit DeltaSlots(const legendre::Task& task);

  struct Range {
    Index begin, end;
  };
  /// Slots of a block with pairs from `first_pair` on; they follow each other (dist::ExchangePlan).
  Range of_block(Index block, Index first_pair) const;

 private:
  struct Block {
    std::vector<Index> pairs;  ///< ascending
    std::vector<Index> first;  ///< [pair] least slot of this pair and those after it
    Index end = 0;             ///< of the slots
  };
  std::vector<Block> blocks_;
};

/// Some own m of a task as a task of their own, with coefficients and Delta in arrays without gaps: a piece of the
/// Legendre stage. Not movable, for the task holds spans to its tables; keeps spans of the whole task.
class OrderPiece {
 public:
  OrderPiece(const legendre::Task& whole, const DeltaSlots& slots, const OrderRange& range);
  OrderPiece(const OrderPiece&) = delete;
  OrderPiece& operator=(const OrderPiece&) = delete;

  const legendre::Task& task() const { return task_; }
  /// Which coefficients and which numbers of Delta of the whole task those of the piece are.
  const Runs& alm() const { return alm_; }
  const Runs& delta() const { return delta_; }

 private:
  legendre::Task task_;
  std::vector<Index> alm_offset_, block_shift_;
  Runs alm_, delta_;
};

/// Slots begin .. end - 1.
struct SlotSpan {
  Index begin, end;
};

/// Some rings of a task as a task of their own, likewise, with all partners: a piece of the ring stage.
class RingPiece {
 public:
  RingPiece(const fft::RingTask& whole, const SlotSpan& slots);
  RingPiece(const RingPiece&) = delete;
  RingPiece& operator=(const RingPiece&) = delete;

  const fft::RingTask& task() const { return task_; }
  const Runs& delta() const { return delta_; }
  const Runs& map() const { return map_; }

 private:
  void place_delta(const fft::RingTask& whole, const SlotSpan& slots);
  void place_pixels(const fft::RingTask& whole);

  fft::RingTask task_;
  std::vector<fft::RingShape> rings_;
  std::vector<Index> m_shift_;
  Runs delta_, map_;
};

/// [slot] whether rings up to this one have no partner behind it.
std::vector<bool> ring_cuts(const fft::RingTask& task);

/// Consecutive own m, of which each takes so many bytes, in pieces of at most `room` bytes, or one by one.
std::vector<OrderRange> order_ranges(std::span<const Index> bytes, Index room);
/// Likewise rings, which are parted only where `cuts` allows it.
std::vector<SlotSpan> slot_ranges(std::span<const Index> bytes, const std::vector<bool>& cuts, Index room);

}  // namespace armilla::backend
