#include <armilla/comm/phase.hpp>
#include <armilla/io/hdf5_batch.hpp>

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace armilla::io {

namespace {

constexpr const char* kPresent = "present";
constexpr const char* kLabel = "label";

static_assert(std::endian::native == std::endian::little,
              "files are little-endian, and data are written without conversion");

// Strings of equal length, padded with zeros.
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

void check_present(const std::string& path, const BatchAxis& batch) {
  if (batch.map < 0 || batch.map >= std::max<Index>(batch.maps, 1))
    throw core::InternalError(fmt::format("'{}' has no map {}", path, batch.map));
  if (!batch.present.empty() && !batch.present[static_cast<std::size_t>(batch.map)])
    throw core::InputError(fmt::format("'{}': map {} is absent (dataset 'present' is 0)", path, batch.map));
}

BatchFile::BatchFile(const comm::Communicator& comm, const core::OutputPath& output, Hdf5Plan plan,
                     const std::vector<std::string>& labels)
    : file_(comm, output), rows_(plan.rows), columns_(plan.columns), precision_(core::Precision::kDouble) {
  const bool is_complex = H5Tget_class(plan.file_type.get()) == H5T_COMPOUND;
  if (H5Tget_size(plan.file_type.get()) == (is_complex ? 8 : 4)) precision_ = core::Precision::kSingle;
  const auto describe = std::move(plan.describe);
  plan.describe = [&](hid_t file, hid_t dataset) {
    describe(file, dataset);
    const std::vector<unsigned char> absent(static_cast<std::size_t>(plan.maps), 0);
    write_hdf5_column(file, kPresent, H5T_STD_U8LE, H5T_NATIVE_UCHAR, plan.maps, absent.data());
    write_labels(file, labels);
  };
  comm::phase(comm, [&] {
    if (!comm.is_root()) return;
    if (!file_.is_continued()) create_hdf5(file_, plan);
    file_.keep();
  });
  maps_.emplace(comm, file_, plan, std::vector<std::string>{kPresent}, PlacedDataset::Layout::kDone);
}

void BatchFile::write(Index map, std::span<const core::IndexRange> ranges, std::span<const std::byte> values) {
  Index own = 0;
  for (const core::IndexRange& range : ranges) own += range.count;
  const Index row_bytes = own * maps_->number_bytes();
  if (rows_ * row_bytes != static_cast<Index>(values.size()))
    throw core::InternalError(fmt::format("'{}': {} bytes do not make one map", file_.path(), values.size()));
  for (Index row = 0; row < rows_; ++row) maps_->write(map, row, ranges, values.data() + row * row_bytes);
}

void BatchFile::mark_present(Index map) {
  const unsigned char there = 1;
  maps_->write_other(0, map, &there, 1);
}

void BatchFile::leave_out(Index map) {
  const Index bytes = columns_ * maps_->number_bytes();
  const bool is_double = precision_ == core::Precision::kDouble;
  const std::vector<double> wide(is_double ? static_cast<std::size_t>(bytes / 8) : 0,
                                 std::numeric_limits<double>::quiet_NaN());
  const std::vector<float> narrow(is_double ? 0 : static_cast<std::size_t>(bytes / 4),
                                  std::numeric_limits<float>::quiet_NaN());
  const core::IndexRange all{0, columns_};
  const std::span<const std::byte> row = is_double ? std::as_bytes(std::span(wide)) : std::as_bytes(std::span(narrow));
  for (Index i = 0; i < rows_; ++i) maps_->write(map, i, {&all, 1}, row.data());
  const unsigned char absent = 0;
  maps_->write_other(0, map, &absent, 1);
}

void BatchFile::finish() {
  comm::phase(file_.comm(), [&] { maps_->finish(); });
  file_.sync();
}

}  // namespace armilla::io
