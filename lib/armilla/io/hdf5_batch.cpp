#include <armilla/comm/phase.hpp>
#include <armilla/io/hdf5_batch.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <complex>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace armilla::io {

namespace {

constexpr auto kResource = core::ErrorKind::kResource;
constexpr const char* kPresent = "present";
constexpr const char* kLabel = "label";

static_assert(std::endian::native == std::endian::little, "files are little endian, and written as they stand");

std::string context_of(const std::string& path) { return fmt::format("'{}' cannot be written: check the disk", path); }

// Texts of equal length, filled up with zeros.
void write_labels(hid_t file, const std::vector<std::string>& labels) {
  std::size_t length = 1;
  for (const std::string& label : labels) length = std::max(length, label.size());
  std::string all;
  for (const std::string& label : labels) all += label + std::string(length - label.size(), '\0');
  const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose, kResource, kLabel);
  hdf5_checked(H5Tset_size(type.get(), length), kResource, kLabel);
  hdf5_checked(H5Tset_strpad(type.get(), H5T_STR_NULLPAD), kResource, kLabel);
  write_hdf5_column(file, kLabel, type.get(), type.get(), static_cast<Index>(labels.size()), all.data());
}

}  // namespace

BatchAxis read_batch_axis(hid_t file, const Hdf5Shape& shape, const std::string& path) {
  BatchAxis batch{.maps = shape.maps};
  if (shape.maps == 0 || !hdf5_has_object(file, kPresent)) return batch;
  const std::vector<double> present = read_hdf5_column(file, kPresent, path);
  if (static_cast<Index>(present.size()) != shape.maps)
    throw core::InputError(
        fmt::format("'{}': dataset 'present' has {} values for {} maps", path, present.size(), shape.maps));
  for (const double there : present) batch.present.push_back(there != 0);
  return batch;
}

Index hdf5_position(hid_t dataset, const std::string& context) {
  const haddr_t position = H5Dget_offset(dataset);
  if (position == HADDR_UNDEF) throw_hdf5(kResource, context);
  return static_cast<Index>(position);
}

BatchFile::BatchFile(const comm::Communicator& comm, const core::OutputPath& output, Hdf5Plan plan,
                     const std::vector<std::string>& labels)
    : file_(comm, output),
      rows_(plan.rows),
      columns_(plan.columns),
      number_bytes_(static_cast<Index>(H5Tget_size(plan.file_type.get()))),
      precision_(core::Precision::kDouble) {
  const bool is_complex = H5Tget_class(plan.file_type.get()) == H5T_COMPOUND;
  if (number_bytes_ == (is_complex ? 8 : 4)) precision_ = core::Precision::kSingle;
  std::array<Index, 2> positions{0, 0};
  comm::phase(comm, [&] {
    if (!comm.is_root()) return;
    silence_hdf5();
    const auto describe = std::move(plan.describe);
    plan.describe = [&](hid_t file, hid_t dataset) {
      describe(file, dataset);
      const std::vector<unsigned char> absent(static_cast<std::size_t>(plan.maps), 0);
      write_hdf5_column(file, kPresent, H5T_STD_U8LE, H5T_NATIVE_UCHAR, plan.maps, absent.data());
      write_labels(file, labels);
    };
    create_hdf5(file_, plan);
    const Hdf5Handle made = reopen_hdf5(file_);
    const std::array<std::string, 2> names{plan.dataset, kPresent};
    for (std::size_t i = 0; i < names.size(); ++i)
      positions[i] = hdf5_position(open_hdf5_dataset(made.get(), names[i], output.path).get(), context_of(output.path));
  });
  comm.broadcast(positions.data(), sizeof(positions));
  begin_ = positions[0];
  present_ = positions[1];
  comm::phase(comm, [&] { writer_.open(file_); });
}

void BatchFile::write(Index map, std::span<const dist::PixelRange> ranges, std::span<const std::byte> values) {
  const std::vector<dist::PixelRange> pieces = joined(ranges);
  const std::byte* next = values.data();
  for (Index row = 0; row < rows_; ++row)
    for (const dist::PixelRange& piece : pieces) {
      const Index bytes = piece.count * number_bytes_;
      writer_.write(begin_ + ((map * rows_ + row) * columns_ + piece.first) * number_bytes_, next, bytes);
      next += bytes;
    }
  if (next != values.data() + values.size())
    throw core::InternalError(fmt::format("'{}': {} bytes do not make one map", file_.path(), values.size()));
}

void BatchFile::mark_present(Index map) {
  const unsigned char there = 1;
  writer_.write(present_ + map, &there, 1);
}

void BatchFile::leave_out(Index map) {
  const Index bytes = columns_ * number_bytes_;
  const bool is_double = precision_ == core::Precision::kDouble;
  const std::vector<double> wide(is_double ? static_cast<std::size_t>(bytes / 8) : 0,
                                 std::numeric_limits<double>::quiet_NaN());
  const std::vector<float> narrow(is_double ? 0 : static_cast<std::size_t>(bytes / 4),
                                  std::numeric_limits<float>::quiet_NaN());
  const void* values = is_double ? static_cast<const void*>(wide.data()) : static_cast<const void*>(narrow.data());
  for (Index row = 0; row < rows_; ++row) writer_.write(begin_ + (map * rows_ + row) * bytes, values, bytes);
  const unsigned char absent = 0;
  writer_.write(present_ + map, &absent, 1);
}

void BatchFile::commit() { file_.commit(); }

}  // namespace armilla::io
