#pragma once

#include <armilla/comm/messages.hpp>
#include <armilla/core/aligned_buffer.hpp>
#include <armilla/dist/distribution.hpp>
#include <armilla/radial/convolution_target.hpp>

#include <memory>
#include <span>
#include <vector>

namespace armilla::radial {

/// The rings that a rank needs of distributed fields: its own, and those that other ranks send.
template <class T>
class RingHalo {
 public:
  /// Rank r needs pairs needed[r]. The same on all ranks.
  RingHalo(const comm::Communicator& comm, std::shared_ptr<const dist::PixelDistribution> pixels,
           const std::vector<RowPlan::PairRange>& needed, Index fields);

  /// Bytes on this rank.
  static Index bytes(const dist::PixelDistribution& pixels, const std::vector<RowPlan::PairRange>& needed, int rank,
                     Index fields);

  /// The pairs of this rank.
  RowPlan::PairRange own() const { return own_; }
  /// Collective. Starts to send and receive own pixels of each field. They must not change until the last call of
  /// ring().
  void begin(std::span<const std::span<const T>> fields);
  /// Collective.
  void wait() { messages_.wait(); }
  /// Pixels of a ring that is there and needed; those of others after wait().
  const T* ring(Index field, Index pair, bool north) const;

 private:
  struct Block {  // of one hemisphere, as its owner stores it
    Index first;  // pixel of the owner
    Index count;
  };
  struct Part {
    int owner;
    RowPlan::PairRange pairs;
    Index place;                    // in received_
    Block blocks[2];                // north, south
    std::vector<Index> offsets[2];  // [pair] of the ring in its block
  };
  static Part make_part(const dist::PixelDistribution& pixels, int owner, RowPlan::PairRange pairs);

  RowPlan::PairRange own_;
  Part mine_;
  std::vector<Part> from_, to_;
  core::AlignedBuffer<T> received_;
  std::vector<std::span<const T>> sources_;
  comm::Messages messages_;
};

}  // namespace armilla::radial
