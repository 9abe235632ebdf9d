#include <armilla/comm/phase.hpp>
#include <armilla/io/hdf5_ranges.hpp>
#include <armilla/io/placed_dataset.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace armilla::io {

namespace {

constexpr Index kConvertedAtOnce = Index{1} << 16;  // values

std::string write_context(const std::string& path) {
  return fmt::format("'{}' cannot be written: check the disk", path);
}

Index begin_of(hid_t file, const std::string& name, const std::string& path) {
  const Hdf5Handle dataset = open_hdf5_dataset(file, name, path);
  const haddr_t begin = H5Dget_offset(dataset.get());
  if (begin == HADDR_UNDEF) throw_hdf5(kResource, write_context(path));
  return static_cast<Index>(begin);
}

/// Opens the unfinished file, under a name that its user does not know.
Hdf5Handle open_made(const AtomicFile& file) {
  try {
    return open_hdf5(file.partial_path());
  } catch (const core::Error& error) {
    if (file.is_continued())
      throw core::ResourceError(
          fmt::format("'{}' cannot be continued: {}: remove '{}', in which earlier runs kept its "
                      "maps, and run again, which computes all maps again",
                      file.path(), error.what(), file.partial_path()));
    throw core::ResourceError(fmt::format("'{}' cannot be read back: {}", file.path(), error.what()));
  }
}

}  // namespace

PlacedDataset::PlacedDataset(const comm::Communicator& comm, const AtomicFile& file, const Hdf5Plan& plan,
                             const std::vector<std::string>& others, Layout layout)
    : path_(file.path()),
      file_type_(H5Tcopy(plan.file_type.get()), H5Tclose, kResource, write_context(path_)),
      rows_(plan.rows),
      columns_(plan.columns),
      number_bytes_(static_cast<Index>(H5Tget_size(plan.file_type.get()))),
      begins_(1 + others.size()) {
  comm::phase(comm, [&] {
    silence_hdf5();
    if (!comm.is_root()) return;
    if (layout == Layout::kMake) create_hdf5(file, plan);
    const Hdf5Handle made = open_made(file);
    begins_[0] = begin_of(made.get(), plan.dataset, path_);
    for (std::size_t i = 0; i < others.size(); ++i) begins_[1 + i] = begin_of(made.get(), others[i], path_);
  });
  comm.broadcast(begins_.data(), static_cast<Index>(begins_.size() * sizeof(Index)));
  comm::phase(comm, [&] { writer_.open(file, comm.size()); });
}

Index PlacedDataset::position(Index map, Index row, Index column) const {
  return begins_[0] + ((map * rows_ + row) * columns_ + column) * number_bytes_;
}

void PlacedDataset::write(Index map, Index row, std::span<const core::IndexRange> ranges,
                          const std::byte* values) const {
  for (const core::IndexRange& piece : joined(ranges)) {
    const Index bytes = piece.count * number_bytes_;
    writer_.write(position(map, row, piece.first), values, bytes);
    values += bytes;
  }
}

void PlacedDataset::write_converted(Index map, Index row, std::span<const core::IndexRange> ranges, hid_t memory_type,
                                    const void* values) const {
  const auto* next = static_cast<const std::byte*>(values);
  if (hdf5_checked(H5Tequal(memory_type, file_type_.get()), kResource, write_context(path_)) > 0)
    return write(map, row, ranges, next);
  const auto memory_bytes = static_cast<Index>(H5Tget_size(memory_type));
  // H5Tconvert works in place; for compound types, the old content of the target is the background.
  std::vector<std::byte> numbers(static_cast<std::size_t>(kConvertedAtOnce * std::max(memory_bytes, number_bytes_)));
  std::vector<std::byte> background(numbers.size());
  for (const core::IndexRange& piece : joined(ranges))
    for (Index begin = 0; begin < piece.count; begin += kConvertedAtOnce) {
      const Index count = std::min(kConvertedAtOnce, piece.count - begin);
      std::copy_n(next, count * memory_bytes, numbers.begin());
      next += count * memory_bytes;
      hdf5_checked(H5Tconvert(memory_type, file_type_.get(), static_cast<std::size_t>(count), numbers.data(),
                              background.data(), H5P_DEFAULT),
                   kResource, write_context(path_));
      writer_.write(position(map, row, piece.first + begin), numbers.data(), count * number_bytes_);
    }
}

void PlacedDataset::write_other(std::size_t other, Index first, const void* values, Index bytes) const {
  writer_.write(begins_[1 + other] + first, values, bytes);
}

}  // namespace armilla::io
