#include <armilla/backend/point_memory.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/points/device_sums.hpp>

#include <algorithm>
#include <utility>

namespace armilla::points {

using core::at;

static_assert(kernels::kNufftCellRows == nufft::kCellRows && kernels::kNufftCellColumns == nufft::kCellColumns);
static_assert(kernels::kNufftMinWidth == nufft::kMinWidth && kernels::kNufftMaxWidth == nufft::kMaxWidth);
static_assert(kernels::nufft_terms(7) == nufft::polynomial_terms(7) &&
              kernels::nufft_terms(16) == nufft::polynomial_terms(16));

namespace {

template <class T>
kernels::NufftWindow<T> window_of(const nufft::KernelTable<T>& table) {
  const int width = table.width();
  kernels::NufftWindow<T> window{width, {}};
  std::copy_n(table.coefficients(), (width + 1) / 2 * 2 * nufft::polynomial_terms(width), window.coefficients);
  return window;
}

template <class T>
kernels::NufftPoint<T> point_of(const nufft::PlacedPoint& point, std::span<const Index> numbers) {
  return {static_cast<T>(point.z_theta()), static_cast<T>(point.z_phi()),
          numbers.empty() ? point.number() : static_cast<std::uint32_t>(numbers[point.number()]),
          static_cast<std::uint8_t>(point.row()), static_cast<std::uint8_t>(point.column())};
}

Index rows_past_poles(const nufft::Band& band, Index rows) {
  return std::max<Index>(0, -band.first_row) + std::max<Index>(0, band.end_row() - rows);
}

}  // namespace

template <class T>
DeviceSums<T>::DeviceSums(const comm::Communicator& comm, std::shared_ptr<backend::Context<T>> context,
                          const dist::PixelDistribution& pixels, const transform::RingHalo<T>& halo,
                          std::span<const DevicePart<T>> parts, std::span<const Index> spins, Index owned)
    : comm_(comm),
      context_(std::move(context)),
      memory_(context_->memory()),
      rows_(static_cast<Index>(pixels.grid().rings().size())),
      columns_(pixels.grid().rings().front().nphi),
      fields_(static_cast<Index>(spins.size())),
      field_size_(pixels.local_pixels(comm.rank())),
      owned_(owned),
      lent_(halo.lent()) {
  if (columns_ % (2 * nufft::kCellColumns) != 0)
    throw core::InternalError("the columns of the fine grid are not pairs of cells");
  std::vector<Index> own_places(at(rows_), -1);
  const std::vector<Index> rings = pixels.local_rings(comm.rank()), places = pixels.local_ring_pixels(comm.rank());
  for (std::size_t i = 0; i < rings.size(); ++i) own_places[at(rings[i])] = places[i];

  backend::PointTables<T> tables;
  tables.columns = columns_;
  for (const Index spin : spins) tables.odd.push_back(spin % 2 != 0 ? 1 : 0);
  std::vector<Index> first_points{0};
  for (const DevicePart<T>& part : parts) {
    tables.window = window_of(*part.table);
    const Index first_row = add_rows(part.band, own_places, tables);
    add_chunks(part, first_row, first_points.back(), tables);
    first_points.push_back(first_points.back() + part.size);
    tables.placed = part.placed;
  }
  if (tables.placed && parts.size() > 1) throw core::InternalError("points in device memory are in several bands");
  tables.field_size = field_size_;
  tables.beside_size = beside_size_;
  tables.values = owned_;
  tables.points = first_points.back();
  tables.fill_points = [&](Index first, std::span<kernels::NufftPoint<T>> some) {
    std::size_t p = 0;
    for (Index i = first; kernels::NufftPoint<T> & point : some) {
      while (i >= first_points[p + 1]) ++p;
      point = point_of<T>(parts[p].points[at(i - first_points[p])], parts[p].numbers);
      ++i;
    }
  };
  engine_ = context_->make_point_engine(tables);
  beside_ = memory_->allocate(fields_ * beside_size_ * static_cast<Index>(sizeof(T)));
  if (!alone()) fields_here_ = core::AlignedBuffer<T>(fields_ * field_size_);
}

template <class T>
Index DeviceSums<T>::add_rows(const nufft::Band& band, const std::vector<Index>& own_places,
                              backend::PointTables<T>& tables) {
  const auto first = static_cast<Index>(tables.places.size());
  const auto number = [&](Index row) { return first + row - band.first_row; };
  for (Index row = band.first_row; row < band.end_row(); ++row) {
    const bool past = row < 0 || row >= rows_;
    if (!past && own_places[at(row)] >= 0) {
      tables.places.push_back(own_places[at(row)]);
      continue;
    }
    tables.places.push_back(-1 - beside_size_);
    if (past)
      tables.mirrors.push_back({number(row), number(row < 0 ? -1 - row : 2 * rows_ - 1 - row)});
    else
      foreign_.push_back({row, beside_size_});
    beside_size_ += columns_;
  }
  return first;
}

template <class T>
void DeviceSums<T>::add_chunks(const DevicePart<T>& part, Index first_row, Index first_point,
                               backend::PointTables<T>& tables) const {
  const nufft::Band& band = part.band;
  const nufft::CellGrid grid(columns_, part.table->width(), band);
  const int before = tables.cells.empty() ? 0 : tables.cells.back() + 1;
  for (const nufft::PointChunk& chunk : part.chunks) {
    const Index row = grid.first_row(chunk.cell);
    const Index begin = std::max<Index>(0, band.first_row - row);
    const Index end = std::min<Index>(kernels::nufft_patch_rows(grid.width), band.end_row() - row);
    tables.chunks.push_back({.begin = first_point + chunk.begin,
                             .count = static_cast<int>(chunk.end - chunk.begin),
                             .row = static_cast<int>(first_row + row - band.first_row),
                             .rows_begin = static_cast<int>(begin),
                             .rows_end = static_cast<int>(end),
                             .column = static_cast<int>(grid.first_column(chunk.cell))});
    const Index strip = grid.first_strip + chunk.cell / grid.columns;
    tables.colours.push_back(static_cast<int>(2 * (strip & 1) + (chunk.cell % grid.columns & 1)));
    tables.cells.push_back(before + static_cast<int>(chunk.cell));
  }
}

template <class T>
backend::DeviceEstimate DeviceSums<T>::memory(const nufft::KernelChoice& kernel, std::span<const nufft::Band> bands,
                                              Index owned, Index fields, int ranks) {
  constexpr auto kReal = static_cast<Index>(sizeof(T));
  Index rows = 0, beside = 0, cells = 0;
  for (const nufft::Band& band : bands) {
    rows += band.rows;
    beside += ranks > 1 ? band.rows : rows_past_poles(band, kernel.fine_length / 2);
    cells += nufft::CellGrid(kernel.fine_length, kernel.width, band).cells();
  }
  // Only cells with more than kChunk points have several chunks.
  const Index full = owned / nufft::kChunk;
  backend::DeviceEstimate memory =
      backend::point_engine_memory<T>(kernel.width, fields, rows, owned, std::min(owned, cells) + full, 2 * full);
  memory.held.kept += fields * (beside * kernel.fine_length + owned) * kReal;
  return memory;
}

template <class T>
T* DeviceSums<T>::value_array() {
  if (!values_) values_ = memory_->allocate(fields_ * owned_ * static_cast<Index>(sizeof(T)));
  return static_cast<T*>(values_.get());
}

template <class T>
std::vector<std::span<T>> DeviceSums<T>::lent_fields() {
  std::vector<std::span<T>> fields;
  for (Index f = 0; f < fields_; ++f)
    fields.push_back(fields_here_.span().subspan(at(f * field_size_), at(field_size_)));
  return fields;
}

template <class T>
template <class Move>
void DeviceSums<T>::for_foreign(transform::RingHalo<T>& halo, Index field, const Move& move) const {
  const auto address = [&](const Foreign& one) {
    return halo.outgoing(field, std::min(one.row, rows_ - 1 - one.row), one.row < rows_ / 2);
  };
  for (std::size_t i = 0, end = 0; i < foreign_.size(); i = end) {
    T* const first = address(foreign_[i]);
    const auto follows = [&](std::size_t k) {
      const Index behind = static_cast<Index>(k - i) * columns_;
      return foreign_[k].place == foreign_[i].place + behind && address(foreign_[k]) == first + behind;
    };
    for (end = i + 1; end < foreign_.size() && follows(end);) ++end;
    move(first, foreign_[i].place, static_cast<Index>(end - i) * columns_);
  }
}

template <class T>
void DeviceSums<T>::interpolate(transform::RingHalo<T>& halo, const transform::MapField<T>& torus, T* values) {
  constexpr auto kReal = static_cast<Index>(sizeof(T));
  auto* beside = static_cast<T*>(beside_.get());
  const T* fields = nullptr;
  comm::phase(comm_, [&] {
    fields = torus.read(memory_);
    if (alone()) return engine_->interpolate(fields, beside, values);
    for (Index f = 0; f < fields_; ++f)
      for (const dist::PixelRange& range : lent_) {
        const Index first = f * field_size_ + range.first;
        memory_->to_host(fields_here_.data() + first, fields + first, range.count * kReal);
      }
  });
  if (alone()) return;
  const std::vector<std::span<T>> here = lent_fields();
  halo.exchange(comm_, std::vector<std::span<const T>>(here.begin(), here.end()), [&](bool own) {
    if (own) return;
    for (Index f = 0; f < fields_; ++f)
      for_foreign(halo, f, [&](const T* rows, Index place, Index count) {
        memory_->from_host(beside + f * beside_size_ + place, rows, count * kReal);
      });
    engine_->interpolate(fields, beside, values);
  });
}

template <class T>
void DeviceSums<T>::spread(transform::RingHalo<T>& halo, const T* values, transform::MapField<T>& torus) {
  constexpr auto kReal = static_cast<Index>(sizeof(T));
  auto* beside = static_cast<T*>(beside_.get());
  T* fields = nullptr;
  const auto for_lent = [&](const auto& move) {
    for (Index f = 0; f < fields_; ++f)
      for (const dist::PixelRange& range : lent_) move(f * field_size_ + range.first, range.count * kReal);
  };
  comm::phase(comm_, [&] {
    fields = torus.overwrite(memory_);
    engine_->spread(values, fields, beside);
    if (alone()) return;
    for (Index f = 0; f < fields_; ++f)
      for_foreign(halo, f, [&](T* rows, Index place, Index count) {
        memory_->to_host(rows, beside + f * beside_size_ + place, count * kReal);
      });
    for_lent([&](Index first, Index bytes) { memory_->to_host(fields_here_.data() + first, fields + first, bytes); });
  });
  if (alone()) return;
  halo.add_outgoing(comm_, lent_fields());
  comm::phase(comm_, [&] {
    for_lent([&](Index first, Index bytes) { memory_->from_host(fields + first, fields_here_.data() + first, bytes); });
  });
}

template <class T>
void DeviceSums<T>::interpolate(const PointOwners& owners, transform::RingHalo<T>& halo,
                                const transform::MapField<T>& torus, Values values) {
  core::AlignedBuffer<T> owned;
  T* there = nullptr;
  comm::phase(comm_, [&] {
    there = value_array();
    if (!alone()) owned = core::AlignedBuffer<T>(fields_ * owned_);
  });
  interpolate(halo, torus, there);
  std::vector<T*> here, given;
  comm::phase(comm_, [&] {
    for (Index f = 0; f < fields_; ++f) {
      given.push_back(values[at(f)].data());
      here.push_back(alone() ? given.back() : owned.data() + f * owned_);
      memory_->to_host(here.back(), there + f * owned_, owned_ * static_cast<Index>(sizeof(T)));
    }
  });
  owners.give_back<T>(std::vector<const T*>(here.begin(), here.end()), given);
}

template <class T>
void DeviceSums<T>::spread(const PointOwners& owners, transform::RingHalo<T>& halo, ConstValues values,
                           transform::MapField<T>& torus) {
  core::AlignedBuffer<T> owned;
  std::vector<const T*> given;
  std::vector<T*> taken;
  T* there = nullptr;
  comm::phase(comm_, [&] {
    there = value_array();
    for (const std::span<const T> field : values) given.push_back(field.data());
    if (alone()) return;
    owned = core::AlignedBuffer<T>(fields_ * owned_);
    for (Index f = 0; f < fields_; ++f) taken.push_back(owned.data() + f * owned_);
  });
  if (!alone()) owners.take<T>(given, taken);
  comm::phase(comm_, [&] {
    for (Index f = 0; f < fields_; ++f)
      memory_->from_host(there + f * owned_, alone() ? given[at(f)] : taken[at(f)],
                         owned_ * static_cast<Index>(sizeof(T)));
  });
  spread(halo, there, torus);
}

ARMILLA_INSTANTIATE_CLASS(DeviceSums);

}  // namespace armilla::points
