#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/job/value/memory_source.hpp>

#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>

#include <fmt/format.h>

namespace armilla::job {

namespace {

template <class T>
bool is_finite(const T& number) {
  return std::isfinite(number);
}
template <class T>
bool is_finite(const std::complex<T>& number) {
  return std::isfinite(number.real()) && std::isfinite(number.imag());
}

/// HEALPix's value for a pixel without data.
template <class T>
bool is_marked_bad(T number) {
  return std::abs(static_cast<double>(number) / io::kBadPixel - 1) < 1e-5;
}

/// A field of the same kind in another precision.
template <class Field, class T>
struct InPrecision;
template <class From, class T>
struct InPrecision<transform::MapField<From>, T> {
  using Type = transform::MapField<T>;
};
template <class From, class T>
struct InPrecision<transform::AlmField<From>, T> {
  using Type = transform::AlmField<T>;
};
template <class From, class T>
struct InPrecision<points::PointField<From>, T> {
  using Type = points::PointField<T>;
};

template <class Field>
inline constexpr bool kIsMap = false;
template <class T>
inline constexpr bool kIsMap<transform::MapField<T>> = true;
template <class Field>
inline constexpr bool kIsAlm = false;
template <class T>
inline constexpr bool kIsAlm<transform::AlmField<T>> = true;
template <class Field>
inline constexpr bool kIsPoints = false;
template <class T>
inline constexpr bool kIsPoints<points::PointField<T>> = true;

/// One map of a field of the caller.
template <class Field>
class MemoryItem final : public SourceItem {
 public:
  MemoryItem(const std::string& name, std::shared_ptr<const Field> field, Index map)
      : name_(name), field_(std::move(field)), map_(map) {}

  std::shared_ptr<const points::LocalPoints> places(int, int) const override {
    if constexpr (kIsPoints<Field>)
      return field_->points();
    else
      throw core::InternalError("the value of an input has no points");
  }
  BadPixels read(std::span<const Index> components, Value<float>& value, Index place) const override {
    return read_as(components, value, place);
  }
  BadPixels read(std::span<const Index> components, Value<double>& value, Index place) const override {
    return read_as(components, value, place);
  }

 private:
  template <class T>
  BadPixels read_as(std::span<const Index> components, Value<T>& value, Index place) const {
    using Target = typename InPrecision<Field, T>::Type;
    BadPixels bad;
    // A borrowed value is only checked.
    auto* target = value.template find_own<Target>();
    for (std::size_t c = 0; c < components.size(); ++c) {
      const auto from = std::as_const(*field_).component(map_, components[c]);
      if (target == nullptr)
        check(from, bad);
      else
        copy(from, *target, place, static_cast<Index>(c), bad);
    }
    return bad;
  }

  template <class Numbers>
  void check(const Numbers& from, BadPixels& bad) const {
    for (const auto& number : from) {
      if constexpr (kIsMap<Field>) {
        bad.nan += is_finite(number) ? 0 : 1;
        bad.bad_data += is_marked_bad(number) ? 1 : 0;
      } else if (!is_finite(number)) {
        refuse_nonfinite();
      }
    }
  }

  template <class Numbers, class Target>
  void copy(const Numbers& from, Target& target, Index place, Index c, BadPixels& bad) const {
    const auto to = target.component(place, c);
    using To = typename std::remove_cvref_t<decltype(to)>::value_type;
    for (std::size_t i = 0; i < from.size(); ++i) {
      to[i] = static_cast<To>(from[i]);
      if constexpr (kIsMap<Field>) {
        const bool is_marked = is_marked_bad(from[i]);
        if (is_finite(to[i]) && !is_marked) continue;
        (is_marked ? bad.bad_data : bad.nan) += 1;
        to[i] = std::numeric_limits<To>::quiet_NaN();
      } else if (!is_finite(to[i])) {
        refuse_nonfinite();
      }
    }
  }

  [[noreturn]] void refuse_nonfinite() const {
    throw core::InputError(fmt::format("'{}' has values that are NaN or infinite: use finite values", name_));
  }

  std::string name_;
  std::shared_ptr<const Field> field_;
  Index map_;
};

class TableItem final : public SourceItem {
 public:
  explicit TableItem(std::shared_ptr<const alm::SpectraTable> table) : table_(std::move(table)) {}
  std::shared_ptr<const points::LocalPoints> places(int, int) const override {
    throw core::InternalError("the value of an input has no points");
  }
  BadPixels read(std::span<const Index>, Value<float>& value, Index place) const override { return put(value, place); }
  BadPixels read(std::span<const Index>, Value<double>& value, Index place) const override { return put(value, place); }

 private:
  template <class T>
  BadPixels put(Value<T>& value, Index place) const {
    value.template find_own<Tables>()->at(core::at(place)) = *table_;
    return {};
  }
  std::shared_ptr<const alm::SpectraTable> table_;
};

std::string item_text(const std::string& name, const Described& described, Index item) {
  return described.dimensions.empty() ? fmt::format("'{}'", name) : fmt::format("map {} of '{}'", item, name);
}

template <class Field>
class FieldSource final : public Source {
 public:
  FieldSource(MemoryFacts facts, std::shared_ptr<const Field> field, Index points)
      : facts_(std::move(facts)), field_(std::move(field)) {
    const transform::FieldKind& kind = field_->kind();
    if (!facts_.units.empty() && static_cast<Index>(facts_.units.size()) != kind.components())
      throw core::InputError(fmt::format("'{}' has {} units for {} components: specify one per component, or none",
                                         facts_.name, facts_.units.size(), kind.components()));
    described_.components = kind.components();
    described_.metadata = {.fields = kIsAlm<Field> ? kind.alm_names() : kind.map_names(),
                           .units = facts_.units,
                           .coordsys = facts_.coordsys,
                           .polcconv = kind.max_spin() > 0 ? "COSMO" : "",
                           .spins = kind.spins()};
    if constexpr (kIsMap<Field>) {
      described_.sort = ValueSort::kMap;
      described_.grid = field_->distribution().shared_grid();
    } else if constexpr (kIsAlm<Field>) {
      described_.sort = ValueSort::kAlm;
      described_.lmax = field_->distribution().layout().lmax();
      described_.mmax = field_->distribution().layout().mmax();
    } else {
      described_.sort = kind.components() == 0 ? ValueSort::kPoints : ValueSort::kValues;
      described_.points = points;
    }
    if (field_->maps() == 1) return;
    BatchDimension maps{"map", {}};
    for (Index map = 0; map < field_->maps(); ++map) maps.labels.push_back(fmt::format("{}", map));
    described_.dimensions.push_back(std::move(maps));
  }

  std::string text(Index item) const override { return item_text(facts_.name, described_, item); }
  std::unique_ptr<SourceItem> open(Index item) const override {
    return std::make_unique<MemoryItem<Field>>(facts_.name, field_, item);
  }
  Value<float> borrow(float) const override { return lend<float>(); }
  Value<double> borrow(double) const override { return lend<double>(); }

 private:
  template <class T>
  Value<T> lend() const {
    if constexpr (std::is_same_v<typename InPrecision<Field, T>::Type, Field>) {
      if (field_->maps() == 1) return Value<T>(field_);
    }
    return {};
  }

  MemoryFacts facts_;
  std::shared_ptr<const Field> field_;
};

class TableSource final : public Source {
 public:
  TableSource(MemoryFacts facts, ValueSort sort, std::shared_ptr<const alm::SpectraTable> table)
      : name_(std::move(facts.name)) {
    table->check();
    described_ = {.sort = sort, .lmax = table->lmax, .table = std::move(table)};
  }
  std::string text(Index item) const override { return item_text(name_, described_, item); }
  std::unique_ptr<SourceItem> open(Index) const override { return std::make_unique<TableItem>(described_.table); }

 private:
  std::string name_;
};

}  // namespace

template <class Field>
std::shared_ptr<const Source> memory_source(MemoryFacts facts, std::shared_ptr<const Field> field, Index points) {
  return std::make_shared<const FieldSource<Field>>(std::move(facts), std::move(field), points);
}

std::shared_ptr<const Source> memory_source(MemoryFacts facts, ValueSort sort,
                                            std::shared_ptr<const alm::SpectraTable> table) {
  return std::make_shared<const TableSource>(std::move(facts), sort, std::move(table));
}

#define ARMILLA_MEMORY_SOURCE(Field) \
  template std::shared_ptr<const Source> memory_source<Field>(MemoryFacts, std::shared_ptr<const Field>, Index)
ARMILLA_MEMORY_SOURCE(transform::MapField<float>);
ARMILLA_MEMORY_SOURCE(transform::MapField<double>);
ARMILLA_MEMORY_SOURCE(transform::AlmField<float>);
ARMILLA_MEMORY_SOURCE(transform::AlmField<double>);
ARMILLA_MEMORY_SOURCE(points::PointField<float>);
ARMILLA_MEMORY_SOURCE(points::PointField<double>);
#undef ARMILLA_MEMORY_SOURCE

}  // namespace armilla::job
