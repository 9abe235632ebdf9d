#include <armilla/comm/exchange.hpp>
#include <armilla/comm/item_exchange.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/instantiate.hpp>

#include <algorithm>
#include <complex>
#include <functional>
#include <numeric>
#include <utility>

#include <omp.h>

namespace armilla::comm {

using core::at;

namespace {

std::vector<Index> times(std::span<const Index> counts, Index width) {
  std::vector<Index> products;
  for (const Index count : counts) products.push_back(width * count);
  return products;
}

std::vector<Index> begins(std::span<const Index> counts) {
  std::vector<Index> first(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), first.begin(), Index{0});
  return first;
}

/// Divides `count` items into parts of consecutive items, one for each thread.
struct Parts {
  Index count, parts = omp_get_max_threads();
  Index begin(Index part) const { return count * part / parts; }
};

}  // namespace

ItemExchange::ItemExchange(const Communicator& comm, Index items)
    : comm_(comm), given_(items), received_(items), from_begin_{0} {}

ItemExchange::ItemExchange(const Communicator& comm, std::span<const int> to)
    : ItemExchange(comm, static_cast<Index>(to.size())) {
  if (comm.size() == 1) return;
  const auto ranks = at(comm.size());
  phase(comm, [&] {
    from_counts_.resize(ranks);
    order_by_rank(to);
  });
  // The numbers of items, as integers that a double represents exactly.
  std::vector<std::complex<double>> here(ranks), there(ranks);
  for (std::size_t r = 0; r < ranks; ++r) here[r] = static_cast<double>(to_counts_[r]);
  const std::vector<Index> ones(ranks, 1);
  exchange<double>(comm, here, ones, begins(ones), there, ones, begins(ones));
  for (std::size_t r = 0; r < ranks; ++r) from_counts_[r] = static_cast<Index>(there[r].real());
  from_begin_ = begins(from_counts_);
  received_ = from_begin_.back() + from_counts_.back();
}

int ItemExchange::sender(Index i) const {
  return static_cast<int>(std::ranges::upper_bound(from_begin_, i) - from_begin_.begin()) - 1;
}

void ItemExchange::order_by_rank(std::span<const int> to) {
  const Parts parts{given_};
  const auto ranks = at(comm_.size());
  std::vector<std::vector<Index>> next(at(parts.parts), std::vector<Index>(ranks, 0));  // [part][rank] counts, offsets
#pragma omp parallel for schedule(static, 1)
  for (Index part = 0; part < parts.parts; ++part)
    for (Index i = parts.begin(part); i < parts.begin(part + 1); ++i) ++next[at(part)][at(to[at(i)])];
  to_counts_.assign(ranks, 0);
  Index place = 0;
  for (std::size_t rank = 0; rank < ranks; ++rank)
    for (std::vector<Index>& of_part : next) {
      to_counts_[rank] += of_part[rank];
      place += std::exchange(of_part[rank], place);
    }
  order_.resize(to.size());
#pragma omp parallel for schedule(static, 1)
  for (Index part = 0; part < parts.parts; ++part)
    for (Index i = parts.begin(part); i < parts.begin(part + 1); ++i) order_[at(next[at(part)][at(to[at(i)])]++)] = i;
}

template <class T>
void ItemExchange::carry(const End& from, const Values<const T>& values, const End& to,
                         const Values<T>& results) const {
  const std::size_t fields = values.base.size();
  if (comm_.size() == 1) {
    for (std::size_t f = 0; f < fields; ++f) {
      if (values.base[f] == results.base[f] && values.places.empty() && results.places.empty()) continue;
#pragma omp parallel for schedule(static)
      for (Index i = 0; i < from.items; ++i) results.at(f, i) = values.at(f, i);
    }
    return;
  }
  // Pairs of values are sent as complex numbers.
  const Index width = (static_cast<Index>(fields) + 1) / 2;
  const auto item = [](const End& end, Index i) { return end.order.empty() ? i : end.order[at(i)]; };
  core::AlignedBuffer<std::complex<T>> send, receive;
  phase(comm_, [&] {
    send = core::AlignedBuffer<std::complex<T>>(width * from.items);
    receive = core::AlignedBuffer<std::complex<T>>(width * to.items);
    T* numbers = reinterpret_cast<T*>(send.data());
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < from.items; ++i) {
      T* of_item = numbers + 2 * width * i;
      const Index source = item(from, i);
      for (std::size_t f = 0; f < fields; ++f) of_item[f] = values.at(f, source);
      if (fields % 2 == 1) of_item[fields] = 0;
    }
  });
  const std::vector<Index> out = times(from.counts, width), in = times(to.counts, width);
  exchange<T>(comm_, send.span(), out, begins(out), receive.span(), in, begins(in));
  const T* numbers = reinterpret_cast<const T*>(receive.data());
#pragma omp parallel for schedule(static)
  for (Index i = 0; i < to.items; ++i) {
    const T* of_item = numbers + 2 * width * i;
    const Index target = item(to, i);
    for (std::size_t f = 0; f < fields; ++f) results.at(f, target) = of_item[f];
  }
}

template <class T>
void ItemExchange::send(const Values<const T>& given, const Values<T>& received) const {
  carry<T>({given_, to_counts_, order_}, given, {received_, from_counts_, {}}, received);
}

template <class T>
void ItemExchange::send_back(const Values<const T>& received, const Values<T>& given) const {
  carry<T>({received_, from_counts_, {}}, received, {given_, to_counts_, order_}, given);
}

ARMILLA_INSTANTIATE(ItemExchange::send);
ARMILLA_INSTANTIATE(ItemExchange::send_back);

}  // namespace armilla::comm
