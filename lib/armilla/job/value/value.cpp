#include <armilla/core/cache.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/job/value/value.hpp>

#include <algorithm>
#include <type_traits>
#include <utility>

namespace armilla::job {

std::uint64_t contents_hash(const alm::SpectraTable& table) {
  std::uint64_t hash = core::fnv1a(nullptr, 0);
  for (const auto& column : table.columns) hash = core::fnv1a(column.data(), column.size() * sizeof(double), hash);
  return hash;
}

bool Batch::any() const { return there.empty() || std::ranges::find(there, true) != there.end(); }

template <class T>
void fill_absent(Value<T>& value, const Batch& batch) {
  const auto good = static_cast<Index>(std::ranges::find(batch.there, true) - batch.there.begin());
  value.visit_own([&](auto& held) {
    for (Index place = 0; place < batch.maps; ++place) {
      if (batch.is_there(place)) continue;
      if constexpr (std::is_same_v<std::remove_reference_t<decltype(held)>, Tables>)
        held[static_cast<std::size_t>(place)] = held[static_cast<std::size_t>(good)];
      else
        for (Index c = 0; c < held.kind().components(); ++c)
          std::ranges::copy(std::as_const(held).component(good, c), held.component(place, c).begin());
    }
  });
}

ARMILLA_INSTANTIATE(fill_absent);

}  // namespace armilla::job
