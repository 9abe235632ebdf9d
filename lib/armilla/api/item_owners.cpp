#include <armilla/api/item_owners.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/instantiate.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace armilla::api {

using core::at;

namespace {

std::vector<int> ranks_of(std::span<const dist::OwnedPlace> items) {
  std::vector<int> ranks;
  ranks.reserve(items.size());
  for (const dist::OwnedPlace& item : items) ranks.push_back(item.rank);
  return ranks;
}

// Items of a single rank need no list of ranks.
comm::ItemExchange make_exchange(const Communicator& comm, std::span<const dist::OwnedPlace> items) {
  if (comm.size() == 1) return {comm, static_cast<Index>(items.size())};
  std::vector<int> ranks;
  comm::phase(comm, [&] { ranks = ranks_of(items); });
  return {comm, ranks};
}

}  // namespace

ItemOwners::ItemOwners(const Communicator& comm, std::span<const dist::OwnedPlace> items, Index local,
                       std::function<std::string(Index place)> name)
    : comm_(comm), name_(std::move(name)), exchange_(make_exchange(comm_, items)) {
  std::vector<double> here, there;  // places, which doubles represent exactly
  comm::phase(comm_, [&] {
    for (const dist::OwnedPlace& item : items) here.push_back(static_cast<double>(item.index));
    there.resize(at(exchange_.received()));
    places_.resize(there.size());
  });
  const std::array from{std::as_const(here).data()};
  const std::array to{there.data()};
  exchange_.send<double>({from}, {to});
  for (std::size_t i = 0; i < places_.size(); ++i) places_[i] = static_cast<Index>(there[i]);
  comm::phase(comm_, [&] { find_gaps(local); });
  all_missing_ = static_cast<Index>(missing_.size());
  comm_.sum(std::span(&all_missing_, 1));
}

void ItemOwners::find_gaps(Index local) {
  std::vector<Index> item_at(at(local), -1);
  for (std::size_t i = 0; i < places_.size(); ++i) {
    Index& item = item_at[at(places_[i])];
    if (item >= 0 && !repeated_)
      repeated_ = fmt::format("{} is given twice, by ranks {} and {}: give each once", name_(places_[i]),
                              exchange_.sender(item), exchange_.sender(static_cast<Index>(i)));
    item = static_cast<Index>(i);
  }
  for (Index place = 0; place < local; ++place)
    if (item_at[at(place)] < 0) missing_.push_back(place);
}

template <class T>
void ItemOwners::to_owners(std::span<const T* const> given, Index step, std::span<T* const> owned, Index owned_step,
                           std::span<const T> fill) const {
  comm::phase(comm_, [&] {
    if (repeated_) throw InputError(*repeated_);
    if (fill.empty() && !missing_.empty())
      throw InputError(
          fmt::format("{} of the field are not given on any rank, first {}: give them, or a value to fill "
                      "them with",
                      all_missing_, name_(missing_.front())));
  });
  exchange_.send<T>({given, {}, step}, {owned, places_, owned_step});
  if (fill.empty()) return;
  for (std::size_t f = 0; f < owned.size(); ++f)
    for (const Index place : missing_) owned[f][place * owned_step] = fill[f];
}

template <class T>
void ItemOwners::from_owners(std::span<const T* const> owned, Index owned_step, std::span<T* const> given,
                             Index step) const {
  exchange_.send_back<T>({owned, places_, owned_step}, {given, {}, step});
}

ARMILLA_INSTANTIATE(ItemOwners::to_owners);
ARMILLA_INSTANTIATE(ItemOwners::from_owners);

}  // namespace armilla::api
