#include <armilla/comm/phase.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/transform/ring_halo.hpp>

#include <algorithm>
#include <exception>

namespace armilla::transform {

using core::at;

namespace {

using dist::PairRange;

PairRange common(PairRange a, PairRange b) {
  const Index first = std::max(a.first, b.first);
  return {first, std::max(first, std::min(a.end, b.end))};
}

}  // namespace

const grid::Ring* ring_of(const grid::RingGrid& grid, Index pair, bool north) {
  const grid::RingPair& rings = grid.pairs()[at(pair)];
  const Index ring = north ? rings.north : rings.south;
  return ring < 0 ? nullptr : &grid.rings()[at(ring)];
}

template <class T>
typename RingHalo<T>::Part RingHalo<T>::make_part(const dist::PixelDistribution& pixels, int owner, PairRange pairs) {
  const grid::RingGrid& grid = pixels.grid();
  const auto ranges = pixels.pixel_ranges(owner);
  const auto local = [&](Index pixel) {  // converts a pixel of the grid to an index of the owner
    Index before = 0;
    for (const dist::PixelRange& range : ranges) {
      if (pixel >= range.first && pixel < range.first + range.count) return before + pixel - range.first;
      before += range.count;
    }
    return Index{-1};
  };
  Part part{owner, pairs, 0, {}, {}};
  for (int h = 0; h < 2; ++h) {
    Block& block = part.blocks[h];
    block = {0, 0};
    bool is_first = true;
    for (Index q = pairs.first; q < pairs.end; ++q) {
      const grid::Ring* ring = ring_of(grid, q, h == 0);
      const Index place = ring == nullptr ? -1 : local(ring->first_pixel);
      part.offsets[h].push_back(place);
      if (ring == nullptr) continue;
      block.first = is_first ? place : std::min(block.first, place);
      block.count += ring->nphi;
      is_first = false;
    }
    for (Index& offset : part.offsets[h]) offset -= block.first;
  }
  return part;
}

template <class T>
RingHalo<T>::RingHalo(const comm::Communicator& comm, std::shared_ptr<const dist::PixelDistribution> pixels,
                      const std::vector<PairRange>& needed, Index fields, Use use)
    : own_(pixels->own_pairs(comm.rank())), mine_(make_part(*pixels, comm.rank(), own_)), messages_(comm) {
  Index place = 0;
  for (int rank = 0; rank < comm.size(); ++rank) {
    if (rank == comm.rank()) continue;
    const PairRange theirs = common(pixels->own_pairs(rank), needed[static_cast<std::size_t>(comm.rank())]);
    if (theirs.first < theirs.end) {
      from_.push_back(make_part(*pixels, rank, theirs));
      from_.back().place = place;
      place += fields * (from_.back().blocks[0].count + from_.back().blocks[1].count);
    }
    const PairRange ours = common(own_, needed[static_cast<std::size_t>(rank)]);
    if (ours.first < ours.end) {
      to_.push_back(make_part(*pixels, comm.rank(), ours));
      to_.back().owner = rank;
    }
  }
  received_ = core::AlignedBuffer<T>(place);
  if (use == Use::kFetch) return;
  Index returned = 0;
  for (Part& part : to_) {
    part.place = returned;
    returned += fields * (part.blocks[0].count + part.blocks[1].count);
  }
  returned_ = core::AlignedBuffer<T>(returned);
}

template <class T>
Index RingHalo<T>::bytes(const dist::PixelDistribution& pixels, const std::vector<PairRange>& needed, int rank,
                         Index fields, Use use) {
  Index count = 0;
  const auto add = [&](PairRange pairs) {
    for (Index q = pairs.first; q < pairs.end; ++q)
      for (bool north : {true, false})
        if (const grid::Ring* ring = ring_of(pixels.grid(), q, north)) count += ring->nphi;
  };
  for (int other = 0; other < pixels.ranks(); ++other) {
    if (other == rank) continue;
    add(common(pixels.own_pairs(other), needed[at(rank)]));
    if (use == Use::kBoth) add(common(pixels.own_pairs(rank), needed[at(other)]));
  }
  return count * fields * static_cast<Index>(sizeof(T));
}

template <class T>
std::vector<dist::PixelRange> RingHalo<T>::lent() const {
  std::vector<dist::PixelRange> ranges;
  for (const Part& part : to_)
    for (const Block& block : part.blocks)
      if (block.count > 0) ranges.push_back({block.first, block.count});
  return ranges;
}

template <class T>
void RingHalo<T>::begin(std::span<const std::span<const T>> fields) {
  sources_.assign(fields.begin(), fields.end());
  constexpr auto kBytes = static_cast<Index>(sizeof(T));
  for (const Part& part : from_) {
    T* place = received_.data() + part.place;
    for (Index field = 0; field < static_cast<Index>(sources_.size()); ++field)
      for (const Block& block : part.blocks) {
        if (block.count > 0) messages_.receive(part.owner, place, block.count * kBytes);
        place += block.count;
      }
  }
  for (const Part& part : to_)
    for (Index field = 0; field < static_cast<Index>(sources_.size()); ++field)
      for (const Block& block : part.blocks)
        if (block.count > 0) messages_.send(part.owner, sources_[at(field)].data() + block.first, block.count * kBytes);
}

template <class T>
const T* RingHalo<T>::ring(Index field, Index pair, bool north) const {
  const int h = north ? 0 : 1;
  if (pair >= own_.first && pair < own_.end)
    return sources_[at(field)].data() + mine_.blocks[h].first + mine_.offsets[h][at(pair - own_.first)];
  for (const Part& part : from_) {
    if (pair < part.pairs.first || pair >= part.pairs.end) continue;
    return received_.data() + part.place + field * (part.blocks[0].count + part.blocks[1].count) +
           (north ? 0 : part.blocks[0].count) + part.offsets[h][at(pair - part.pairs.first)];
  }
  throw core::InternalError("a ring of another rank that was not requested");
}

template <class T>
void RingHalo<T>::exchange(const comm::Communicator& comm, std::span<const std::span<const T>> fields,
                           const std::function<void(bool own)>& work) {
  begin(fields);
  std::exception_ptr error;
  try {
    work(true);
  } catch (...) {
    error = std::current_exception();  // rethrown below, because other ranks wait for rings of this rank
  }
  messages_.wait();
  comm::phase(comm, [&] {
    if (error) std::rethrow_exception(error);
    work(false);
  });
}

template <class T>
T* RingHalo<T>::outgoing(Index field, Index pair, bool north) {
  return const_cast<T*>(ring(field, pair, north));  // the ring is in received_, which this object owns
}

template <class T>
void RingHalo<T>::add_outgoing(const comm::Communicator& comm, std::span<const std::span<T>> fields) {
  constexpr auto kBytes = static_cast<Index>(sizeof(T));
  const auto count = static_cast<Index>(fields.size());
  for (const Part& part : to_)
    messages_.receive(part.owner, returned_.data() + part.place,
                      count * (part.blocks[0].count + part.blocks[1].count) * kBytes);
  for (const Part& part : from_)
    messages_.send(part.owner, received_.data() + part.place,
                   count * (part.blocks[0].count + part.blocks[1].count) * kBytes);
  messages_.wait();
  comm::phase(comm, [&] {
    for (const Part& part : to_) {
      const T* from = returned_.data() + part.place;
      for (const std::span<T> field : fields)
        for (const Block& block : part.blocks) {
          T* to = field.data() + block.first;
          for (Index i = 0; i < block.count; ++i) to[i] += from[i];
          from += block.count;
        }
    }
  });
}

ARMILLA_INSTANTIATE_CLASS(RingHalo);

}  // namespace armilla::transform
