#include <armilla/cost/work.hpp>

#include <algorithm>
#include <string_view>

namespace armilla::cost {

Load over_ranks(std::span<const double> work) {
  Load load;
  for (const double of_rank : work) {
    load.total += of_rank;
    load.largest = std::max(load.largest, of_rank);
  }
  return load;
}

void Work::add(const Item& item) {
  if (!(item.load.total > 0)) return;
  for (Item& known : items) {
    if (known.kernel != item.kernel || known.size != item.size || known.maps != item.maps) continue;
    known.load += item.load;
    return;
  }
  items.push_back(item);
}

void Work::add(const Exchange& exchange) {
  for (Exchange& known : exchanges) {
    if (known.kind != exchange.kind || known.total_bytes != exchange.total_bytes ||
        known.largest_rank_bytes != exchange.largest_rank_bytes ||
        known.largest_pair_bytes != exchange.largest_pair_bytes || known.partners != exchange.partners)
      continue;
    known.calls += exchange.calls;
    return;
  }
  exchanges.push_back(exchange);
}

void Work::add(const Work& other, double times) {
  for (Item item : other.items) {
    item.load.total *= times;
    item.load.largest *= times;
    add(item);
  }
  for (Exchange exchange : other.exchanges) {
    exchange.calls *= times;
    add(exchange);
  }
  fixed_seconds += times * other.fixed_seconds;
}

double Work::exchanged_bytes(ExchangeKind kind) const {
  double bytes = 0;
  for (const Exchange& exchange : exchanges)
    if (exchange.kind == kind) bytes += exchange.calls * exchange.total_bytes;
  return bytes;
}

Load Work::load_of(const char* phase) const {
  Load load;
  for (const Item& item : items)
    if (std::string_view(info(item.kernel).phase) == phase) load += item.load;
  return load;
}

}  // namespace armilla::cost
