#pragma once

#include <armilla/comm/messages.hpp>
#include <armilla/core/aligned_buffer.hpp>
#include <armilla/dist/distribution.hpp>

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace armilla::transform {

using core::Index;

/// The ring of a pair in a hemisphere; null if there is none.
const grid::Ring* ring_of(const grid::RingGrid& grid, Index pair, bool north);

/// The rings that a rank needs of distributed fields: its own, and those that other ranks send.
template <class T>
class RingHalo {
 public:
  /// kBoth: also supports the transpose.
  enum class Use { kFetch, kBoth };
  /// Rank r needs pairs needed[r]. The same on all ranks.
  RingHalo(const comm::Communicator& comm, std::shared_ptr<const dist::PixelDistribution> pixels,
           const std::vector<dist::PairRange>& needed, Index fields, Use use = Use::kFetch);

  /// Bytes on this rank.
  static Index bytes(const dist::PixelDistribution& pixels, const std::vector<dist::PairRange>& needed, int rank,
                     Index fields, Use use = Use::kFetch);

  /// The pairs of this rank.
  dist::PairRange own() const { return own_; }
  /// Own pixels that other ranks need, and return with kBoth; possibly duplicated.
  std::vector<dist::PixelRange> lent() const;
  /// Collective. Sends and receives own pixels of each field, and runs work(): first for what needs only own rings,
  /// during the exchange, then for the rest. The pixels must not change until the last call of ring(). If work() throws
  /// on one rank, all ranks throw.
  void exchange(const comm::Communicator& comm, std::span<const std::span<const T>> fields,
                const std::function<void(bool own)>& work);
  /// The transpose of ring(): memory for values of an existing, needed ring of another rank.
  T* outgoing(Index field, Index pair, bool north);
  /// Collective. Adds the outgoing() values of other ranks to own pixels of each field, in rank order.
  void add_outgoing(const comm::Communicator& comm, std::span<const std::span<T>> fields);
  /// Pixels of an existing, needed ring; rings of other ranks are available only after their arrival.
  const T* ring(Index field, Index pair, bool north) const;

 private:
  struct Block {  // part in one hemisphere, as stored by its owner
    Index first;  // pixel of the owner
    Index count;
  };
  struct Part {
    int owner;
    dist::PairRange pairs;
    Index place;                    // offset in received_
    Block blocks[2];                // north, south
    std::vector<Index> offsets[2];  // [pair] of the ring in its block
  };
  void begin(std::span<const std::span<const T>> fields);
  static Part make_part(const dist::PixelDistribution& pixels, int owner, dist::PairRange pairs);

  dist::PairRange own_;
  Part mine_;
  std::vector<Part> from_, to_;
  core::AlignedBuffer<T> received_;
  core::AlignedBuffer<T> returned_;  ///< with kBoth: what other ranks return
  std::vector<std::span<const T>> sources_;
  comm::Messages messages_;
};

}  // namespace armilla::transform
