#pragma once

#include <armilla/job/value/source.hpp>

#include <memory>
#include <span>
#include <utility>

namespace armilla::job {

/// An item whose class `Item` reads both precisions by one template, read_as().
template <class Item>
class TypedItem : public SourceItem {
 public:
  BadPixels read(std::span<const Index> components, Value<float>& value, Index place) const final {
    return static_cast<const Item&>(*this).read_as(components, value, place);
  }
  BadPixels read(std::span<const Index> components, Value<double>& value, Index place) const final {
    return static_cast<const Item&>(*this).read_as(components, value, place);
  }
};

/// Tables of the caller, or of a file.
class TableItem final : public TypedItem<TableItem> {
 public:
  /// `file`: that contains the tables; its path is empty if they are in memory.
  explicit TableItem(std::shared_ptr<const alm::SpectraTable> table, core::SeenFile file = {})
      : table_(std::move(table)), file_(std::move(file)) {}

  core::FileState seen() const override { return file_.state; }

  /// Throws InputError if the file has changed.
  template <class T>
  BadPixels read_as(std::span<const Index>, Value<T>& value, Index place) const {
    if (!file_.path.empty()) core::check_unchanged(file_.path, file_.state);
    value.template find_own<Tables>()->at(core::at(place)) = *table_;
    return {};
  }

 private:
  std::shared_ptr<const alm::SpectraTable> table_;
  core::SeenFile file_;
};

}  // namespace armilla::job
