#include <armilla/core/instantiate.hpp>
#include <armilla/job/run/batch.hpp>

#include <algorithm>
#include <type_traits>
#include <utility>

namespace armilla::job {

bool Batch::any() const { return there.empty() || std::ranges::find(there, true) != there.end(); }

template <class T>
void fill_absent(Value<T>& value, const Batch& batch) {
  const auto good = static_cast<Index>(std::ranges::find(batch.there, true) - batch.there.begin());
  const auto fill = [&](auto& held) {
    using Held = std::remove_reference_t<decltype(held)>;
    for (Index place = 0; place < batch.maps; ++place) {
      if (batch.is_there(place)) continue;
      if constexpr (std::is_same_v<Held, std::vector<alm::SpectraTable>>)
        held[static_cast<std::size_t>(place)] = held[static_cast<std::size_t>(good)];
      else if constexpr (!std::is_same_v<Held, std::monostate>)
        for (Index c = 0; c < held.kind().components(); ++c)
          std::ranges::copy(std::as_const(held).component(good, c), held.component(place, c).begin());
    }
  };
  std::visit(fill, value);
}

ARMILLA_INSTANTIATE(fill_absent);

}  // namespace armilla::job
