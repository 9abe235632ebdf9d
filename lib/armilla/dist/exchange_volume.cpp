#include <armilla/core/set_up_count.hpp>
#include <armilla/dist/exchange_volume.hpp>
#include <armilla/dist/work.hpp>

#include <algorithm>

namespace armilla::dist {

namespace {

using core::at;

/// [pair] Number of rings in all previous pairs, with one more entry for the total.
std::vector<Index> rings_before(const RingGrid& grid) {
  std::vector<Index> before{0};
  for (const grid::RingPair& pair : grid.pairs())
    before.push_back(before.back() + (pair.north >= 0 ? 1 : 0) + (pair.south >= 0 ? 1 : 0));
  return before;
}

/// Adds the values of one Delta to a volume, and to `to_one` [source] those that each rank sends to the current rank.
class VolumeOf {
 public:
  VolumeOf(const AlmDistribution& alm, const PixelDistribution& pixels, const ExchangedDelta& delta)
      : pixels_(pixels), width_(delta.width), before_(rings_before(pixels.grid())) {
    const std::vector<Index> first = first_pairs(alm, pixels.grid(), delta.spin);
    for (std::size_t number = 0; number < first.size(); ++number)
      orders_.push_back({alm.owner(static_cast<Index>(number) * alm.m_step()), first[number]});
  }

  void add_sent(std::vector<Index>& send) const {
    for (const Order& order : orders_) send[at(order.owner)] += width_ * (before_.back() - before_[at(order.first)]);
  }

  void add_to(int rank, std::vector<Index>& to_one) const {
    const Index begin = pixels_.pair_begin(rank), end = pixels_.pair_begin(rank + 1);
    for (const Order& order : orders_) {
      if (order.first >= end) break;  // first pairs increase with m
      to_one[at(order.owner)] += width_ * (before_[at(end)] - before_[at(std::max(order.first, begin))]);
    }
  }

 private:
  struct Order {
    int owner;
    Index first;  // first pair to which it contributes
  };
  const PixelDistribution& pixels_;
  Index width_;
  std::vector<Index> before_;
  std::vector<Order> orders_;  // [index of m]
};

}  // namespace

ExchangeVolume::ExchangeVolume(const AlmDistribution& alm, const PixelDistribution& pixels,
                               std::span<const ExchangedDelta> deltas)
    : send(at(alm.ranks()), 0), receive(at(alm.ranks()), 0), own(at(alm.ranks()), 0) {
  core::count_set_up(core::SetUpWork::kExchangePlans);
  std::vector<VolumeOf> volumes;
  for (const ExchangedDelta& delta : deltas) volumes.emplace_back(alm, pixels, delta);
  for (const VolumeOf& volume : volumes) volume.add_sent(send);
  std::vector<int> partners_of(at(alm.ranks()), 0);
  std::vector<Index> to_one(at(alm.ranks()));
  for (int rank = 0; rank < alm.ranks(); ++rank) {
    std::ranges::fill(to_one, 0);
    for (const VolumeOf& volume : volumes) volume.add_to(rank, to_one);
    for (int source = 0; source < alm.ranks(); ++source) {
      const Index count = to_one[at(source)];
      receive[at(rank)] += count;
      if (source == rank) {
        own[at(rank)] = count;
        continue;
      }
      total += count;
      largest_pair = std::max(largest_pair, count);
      if (count > 0) ++partners_of[at(source)];
    }
  }
  for (const int count : partners_of) partners = std::max(partners, count);
}

Index ExchangeVolume::largest_rank() const {
  Index largest = 0;
  for (std::size_t rank = 0; rank < own.size(); ++rank)
    largest = std::max(largest, std::max(send[rank], receive[rank]) - own[rank]);
  return largest;
}

Index ExchangeVolume::largest_buffer() const {
  Index largest = 0;
  for (std::size_t rank = 0; rank < own.size(); ++rank) largest = std::max({largest, send[rank], receive[rank]});
  return largest;
}

}  // namespace armilla::dist
