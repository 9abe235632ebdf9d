#pragma once

#include <armilla/comm/communicator.hpp>

#include <span>
#include <vector>

namespace armilla::comm {

/// Moves items, each with any number of values, to ranks that the senders choose, and back. Items arrive in the order
/// of the sending ranks, and from each rank in its order. The items are assigned once; values are exchanged any number
/// of times. Holds a reference to the communicator.
class ItemExchange {
 public:
  /// Collective. `to[i]` is the rank that receives item i of this rank; there may be no items.
  ItemExchange(const Communicator& comm, std::span<const int> to);
  /// The items of a communicator with one rank, which stay there.
  ItemExchange(const Communicator& comm, Index items);

  Index given() const { return given_; }        ///< number of items of this rank
  Index received() const { return received_; }  ///< number of items that this rank receives
  /// The rank that sends received item i.
  int sender(Index i) const;

  /// Values of the items of one end: value f of item i is at base[f][i * step], or, if `places` is not empty, at
  /// base[f][places[i] * step].
  template <class T>
  struct Values {
    std::span<T* const> base;
    std::span<const Index> places = {};
    Index step = 1;

    T& at(std::size_t f, Index i) const {
      return base[f][(places.empty() ? i : places[static_cast<std::size_t>(i)]) * step];
    }
  };

  /// Collective. Copies values of given items to the ranks that receive them, and the reverse. Both ends have the same
  /// number of values per item, on all ranks. T is float or double. With one rank, both ends may be the same memory.
  template <class T>
  void send(const Values<const T>& given, const Values<T>& received) const;
  template <class T>
  void send_back(const Values<const T>& received, const Values<T>& given) const;

 private:
  struct End {
    Index items;
    std::span<const Index> counts;  ///< [rank] number of items
    std::span<const Index> order;   ///< items in the order of the exchange; empty: unchanged
  };
  void order_by_rank(std::span<const int> to);
  template <class T>
  void carry(const End& from, const Values<const T>& values, const End& to, const Values<T>& results) const;

  const Communicator& comm_;
  Index given_;
  Index received_;
  std::vector<Index> order_;                    // given items, by receiving rank; empty for one rank
  std::vector<Index> to_counts_, from_counts_;  // [rank]
  std::vector<Index> from_begin_;               // [rank] first received item
};

}  // namespace armilla::comm
