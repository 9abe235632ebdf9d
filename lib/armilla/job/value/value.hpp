#pragma once

#include <armilla/alm/spectra_table.hpp>
#include <armilla/core/error.hpp>
#include <armilla/points/point_field.hpp>
#include <armilla/transform/field.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace armilla::job {

using core::Index;

/// Spectra, or other columns of numbers: one table for each map.
using Tables = std::vector<alm::SpectraTable>;

/// Hash of the columns of a table, by which runs and ranks compare contents.
std::uint64_t contents_hash(const alm::SpectraTable& table);

/// A value of a job during a run: an alm, a map, values at points, or tables; empty before it is computed and after it
/// is freed. Its content is its own, a constant of the caller, which is never written, or a target in the memory of the
/// caller.
template <class T>
class Value {
 public:
  using Alm = transform::AlmField<T>;
  using Map = transform::MapField<T>;
  using Points = points::PointField<T>;

  Value() = default;
  /// A constant of the caller. Its shape is that of the value in the plan.
  template <class Held>
  explicit Value(std::shared_ptr<const Held> constant) : content_(std::move(constant)) {}
  /// A value that is to be written in the memory of the caller.
  template <class Held>
  explicit Value(std::shared_ptr<Held> target) : content_(std::move(target)) {}
  /// The other value is then empty.
  Value(Value&& other) noexcept : content_(std::exchange(other.content_, {})) {}
  Value& operator=(Value&& other) noexcept {
    content_ = std::exchange(other.content_, {});
    return *this;
  }
  ~Value() = default;

  bool is_empty() const { return content_.index() == 0; }
  bool is_borrowed() const { return content_.index() > kOwnTypes; }

  /// The content, or nullptr if it is of another type.
  template <class Held>
  const Held* find() const {
    if (const auto* own = std::get_if<std::shared_ptr<Held>>(&content_)) return own->get();
    const auto* constant = std::get_if<std::shared_ptr<const Held>>(&content_);
    return constant == nullptr ? nullptr : constant->get();
  }
  /// The content. Throws InternalError if it is of another type.
  template <class Held>
  const Held& get() const {
    const Held* held = find<Held>();
    if (held == nullptr) throw core::InternalError("a value of the job is not of the planned type");
    return *held;
  }
  /// The content for writing, or nullptr if it is of another type or borrowed.
  template <class Held>
  Held* find_own() {
    return share_own<Held>().get();
  }
  /// Like find_own(), for owners that outlive this value.
  template <class Held>
  std::shared_ptr<Held> share_own() {
    const auto* own = std::get_if<std::shared_ptr<Held>>(&content_);
    return own == nullptr ? nullptr : *own;
  }

  /// Replaces the content.
  template <class Held, class... Arguments>
  Held& emplace(Arguments&&... arguments) {
    clear();
    return *content_.template emplace<std::shared_ptr<Held>>(
        std::make_shared<Held>(std::forward<Arguments>(arguments)...));
  }
  void clear() { content_ = {}; }

  /// Calls work(content) for the content in own memory, if there is any.
  template <class Work>
  void visit_own(Work&& work) {
    std::visit(
        [&](const auto& held) {
          if constexpr (!std::is_same_v<std::remove_cvref_t<decltype(held)>, std::monostate>)
            if constexpr (!std::is_const_v<std::remove_reference_t<decltype(*held)>>) work(*held);
        },
        content_);
  }

 private:
  static constexpr std::size_t kOwnTypes = 4;
  std::variant<std::monostate, std::shared_ptr<Alm>, std::shared_ptr<Map>, std::shared_ptr<Points>,
               std::shared_ptr<Tables>, std::shared_ptr<const Alm>, std::shared_ptr<const Map>,
               std::shared_ptr<const Points>, std::shared_ptr<const Tables>>
      content_;
};

/// Values by name.
template <class T>
using ValuesByName = std::map<std::string, Value<T>>;
/// Values in the precision of a job.
using AnyValues = std::variant<ValuesByName<double>, ValuesByName<float>>;

/// All components of one map of a field, as stored in memory.
template <class Field>
auto numbers_of(const Field& field, Index place) {
  const auto size = static_cast<std::size_t>(field.local_size() * field.kind().components());
  return field.data().subspan(static_cast<std::size_t>(place) * size, size);
}

/// The maps of a campaign that steps process together; outside campaigns, one map.
struct Batch {
  Index first = 0;  ///< index of the first map in the campaign
  Index maps = 1;   ///< number of maps in the fields
  /// Number of maps that the run processes, counted from the first; the remaining entries of the fields hold no map.
  Index taken = 1;
  /// [map of the batch] whether the map is present. Absent maps are replaced by a copy of another map: they were left
  /// out, or the batch is not full.
  std::vector<bool> there = {};

  bool is_there(Index place) const { return there.empty() || there[static_cast<std::size_t>(place)]; }
  /// Whether any map is present.
  bool any() const;
};

/// Not collective. `value` is a per-map value. Replaces absent maps by a copy of the first present map. At least one
/// map must be present.
template <class T>
void fill_absent(Value<T>& value, const Batch& batch);

extern template void fill_absent<float>(Value<float>&, const Batch&);
extern template void fill_absent<double>(Value<double>&, const Batch&);

}  // namespace armilla::job
