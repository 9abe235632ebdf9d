#pragma once

#include <armilla/api/names.hpp>
#include <armilla/api/places.hpp>
#include <armilla/comm/item_exchange.hpp>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace armilla::api {

/// Items that the program distributes over ranks, and their owners.
class ItemOwners {
 public:
  /// Collective. `items`: those of this rank of the program. `local`: number of values of a component on this rank.
  /// `name`: the item at such a place, as text for messages, such as "pixel 17". Throws ResourceError.
  ItemOwners(const Communicator& comm, std::span<const dist::OwnedPlace> items, Index local,
             std::function<std::string(Index place)> name);

  ItemOwners(const ItemOwners&) = delete;
  ItemOwners& operator=(const ItemOwners&) = delete;

  Index size() const { return exchange_.given(); }
  const Communicator& comm() const { return comm_; }

  /// Collective. Copies real values of the program to their owners. Value f of item i is at given[f][i * step], and at
  /// owned[f][place * owned_step]. Throws InputError if an item occurs twice, or is missing, unless `fill` has a value
  /// for each f.
  template <class T>
  void to_owners(std::span<const T* const> given, Index step, std::span<T* const> owned, Index owned_step,
                 std::span<const T> fill) const;
  /// Collective. The reverse.
  template <class T>
  void from_owners(std::span<const T* const> owned, Index owned_step, std::span<T* const> given, Index step) const;

 private:
  void find_gaps(Index local);

  Communicator comm_;
  std::function<std::string(Index place)> name_;
  comm::ItemExchange exchange_;
  std::vector<Index> places_;            // of the received items
  std::vector<Index> missing_;           // places of this rank without item
  Index all_missing_ = 0;                // of all ranks
  std::optional<std::string> repeated_;  // message about the first item of this rank that occurs twice
};

}  // namespace armilla::api
