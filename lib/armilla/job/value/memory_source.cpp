#include <armilla/core/error.hpp>
#include <armilla/io/bad_data.hpp>
#include <armilla/job/value/input_value.hpp>
#include <armilla/job/value/memory_source.hpp>
#include <armilla/job/value/typed_item.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
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

/// Whether a field is of this template, for any precision.
template <class Field, template <class> class Kind>
inline constexpr bool kIs = false;
template <class T, template <class> class Kind>
inline constexpr bool kIs<Kind<T>, Kind> = true;

/// A field of the same kind in another precision.
template <class Field, class T>
struct InPrecision;
template <template <class> class Kind, class From, class T>
struct InPrecision<Kind<From>, T> {
  using Type = Kind<T>;
};

/// One map of a field of the caller.
template <class Field>
class MemoryItem final : public TypedItem<MemoryItem<Field>> {
 public:
  MemoryItem(const std::string& name, std::shared_ptr<const Field> field, Index map)
      : name_(name), field_(std::move(field)), map_(map) {}

  std::shared_ptr<const points::LocalPoints> places(int ranks, int rank) const override {
    if constexpr (kIs<Field, points::PointField>)
      return field_->points();
    else
      return SourceItem::places(ranks, rank);
  }

  template <class T>
  BadPixels read_as(std::span<const Index> components, Value<T>& value, Index place) const {
    using Target = typename InPrecision<Field, T>::Type;
    BadPixels bad;
    // A borrowed value is only checked.
    auto* target = value.template find_own<Target>();
    for (std::size_t c = 0; c < components.size(); ++c) {
      const auto from = std::as_const(*field_).component(map_, components[c]);
      bad += target == nullptr ? check(from) : copy(from, target->component(place, static_cast<Index>(c)));
    }
    return bad;
  }

 private:
  template <class Numbers>
  BadPixels check(const Numbers& from) const {
    BadPixels bad;
    for (const auto& number : from) {
      if constexpr (kIs<Field, transform::MapField>) {
        if (!is_finite(number))
          ++bad.nan;
        else if (io::is_bad_value(number, io::kBadPixel))
          ++bad.bad_data;
      } else if (!is_finite(number)) {
        refuse_nonfinite();
      }
    }
    return bad;
  }

  template <class Numbers, class To>
  BadPixels copy(const Numbers& from, std::span<To> to) const {
    if (from.size() != to.size()) throw core::InternalError("a value in memory has another size than planned");
    std::ranges::transform(from, to.begin(), [](const auto& number) { return static_cast<To>(number); });
    if constexpr (kIs<Field, transform::MapField>)
      return io::clean_values<To>(to, io::kBadPixel, io::BadDataPolicy::kMark, io::Sign::kAsStored);
    else
      return check(to);
  }

  [[noreturn]] void refuse_nonfinite() const {
    throw core::InputError(fmt::format("'{}' has values that are NaN or infinite: use finite values", name_));
  }

  std::string name_;
  std::shared_ptr<const Field> field_;
  Index map_;
};

std::string item_text(const std::string& name, const Described& described, Index item) {
  return described.dimensions.empty() ? fmt::format("'{}'", name) : fmt::format("map {} of '{}'", item, name);
}

// None for a single map.
std::vector<BatchDimension> dimensions_of(Index maps) {
  if (maps == 1) return {};
  BatchDimension dimension{"map", {}};
  for (Index map = 0; map < maps; ++map) dimension.labels.push_back(fmt::format("{}", map));
  return {dimension};
}

template <class Field>
class FieldSource final : public Source {
 public:
  FieldSource(MemoryFacts facts, std::shared_ptr<const Field> field, Index points)
      : facts_(std::move(facts)), field_(std::move(field)) {
    const transform::FieldKind& kind = field_->kind();
    check_facts(facts_.name, facts_.units, facts_.coordsys, kind.components());
    described_.components = kind.components();
    described_.precision = std::is_same_v<typename InPrecision<Field, float>::Type, Field> ? core::Precision::kSingle
                                                                                           : core::Precision::kDouble;
    described_.metadata = {.fields = kIs<Field, transform::AlmField> ? kind.alm_names() : kind.map_names(),
                           .units = facts_.units,
                           .coordsys = facts_.coordsys,
                           .polcconv = "",
                           .spins = kind.spins()};
    if constexpr (kIs<Field, transform::MapField>) {
      described_.sort = ValueSort::kMap;
      described_.grid = field_->distribution().shared_grid();
    } else if constexpr (kIs<Field, transform::AlmField>) {
      described_.sort = ValueSort::kAlm;
      described_.lmax = field_->distribution().layout().lmax();
      described_.mmax = field_->distribution().layout().mmax();
    } else {
      described_.sort = kind.components() == 0 ? ValueSort::kPoints : ValueSort::kValues;
      described_.points = points;
      described_.own_points = field_->local_size();
    }
    described_.dimensions = dimensions_of(field_->maps());
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
  TableSource(MemoryFacts facts, ValueSort sort, std::vector<alm::SpectraTable> tables) : name_(std::move(facts.name)) {
    for (alm::SpectraTable& table : tables) {
      table.check();
      tables_.push_back(std::make_shared<const alm::SpectraTable>(std::move(table)));
      const alm::SpectraTable &own = *tables_.back(), &first = *tables_.front();
      if (own.names != first.names || own.lmax != first.lmax || own.unit != first.unit)
        throw core::InputError(
            fmt::format("'{}' has spectra with other names, another lmax or another unit in map {} than in the first: "
                        "all maps must match",
                        name_, tables_.size() - 1));
    }
    if (tables_.empty()) throw core::InputError(fmt::format("'{}' has no spectra: pass at least one table", name_));
    described_.sort = sort;
    described_.lmax = tables_.front()->lmax;
    described_.table = tables_.front();
    described_.dimensions = dimensions_of(static_cast<Index>(tables_.size()));
  }
  std::string text(Index item) const override { return item_text(name_, described_, item); }
  std::unique_ptr<SourceItem> open(Index item) const override {
    return std::make_unique<TableItem>(tables_[core::at(item)]);
  }

 private:
  std::string name_;
  std::vector<std::shared_ptr<const alm::SpectraTable>> tables_;  ///< of each map
};

}  // namespace

template <class Field>
std::shared_ptr<const Source> memory_source(MemoryFacts facts, std::shared_ptr<const Field> field, Index points) {
  return std::make_shared<const FieldSource<Field>>(std::move(facts), std::move(field), points);
}

std::shared_ptr<const Source> memory_source(MemoryFacts facts, ValueSort sort, std::vector<alm::SpectraTable> tables) {
  return std::make_shared<const TableSource>(std::move(facts), sort, std::move(tables));
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
