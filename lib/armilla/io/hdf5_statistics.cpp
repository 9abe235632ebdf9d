#include <armilla/comm/phase.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/hdf5_attributes.hpp>
#include <armilla/io/hdf5_batch.hpp>
#include <armilla/io/hdf5_statistics.hpp>

#include <array>
#include <vector>

#include <fmt/format.h>

namespace armilla::io {

namespace {

constexpr auto kResource = core::ErrorKind::kResource;
constexpr const char* kCovariance = "covariance";

void describe(hid_t object, const alm::SpectraTable& mean) {
  write_hdf5_index(object, "LMAX", mean.lmax);
  write_hdf5_text(object, "FIELDS", join_list(mean.names));
  if (!mean.unit.empty()) write_hdf5_text(object, "UNITS", mean.unit);
}

void write_mean(hid_t file, const alm::SpectraTable& mean) {
  const std::string context = "dataset 'cl' cannot be written: check the disk";
  const std::array<hsize_t, 2> extent{mean.names.size(), static_cast<hsize_t>(mean.lmax + 1)};
  const Hdf5Handle space(H5Screate_simple(2, extent.data(), nullptr), H5Sclose, kResource, context);
  const Hdf5Handle properties = reproducible_dataset_properties();
  const Hdf5Handle dataset(
      H5Dcreate2(file, "cl", H5T_IEEE_F64LE, space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT), H5Dclose,
      kResource, context);
  std::vector<double> values;
  for (const auto& column : mean.columns) values.insert(values.end(), column.begin(), column.end());
  hdf5_checked(H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), kResource,
               context);
  describe(dataset.get(), mean);
  hdf5_checked(H5Lcreate_hard(file, "cl", file, "mean", H5P_DEFAULT, H5P_DEFAULT), kResource, context);
}

}  // namespace

StatisticsFile::StatisticsFile(const comm::Communicator& comm, const core::OutputPath& output,
                               const alm::SpectraTable& mean, Index count)
    : file_(comm, output), degrees_(mean.lmax + 1) {
  comm::phase(comm, [&] {
    if (!comm.is_root()) return;
    silence_hdf5();
    create_hdf5(file_, {.dataset = kCovariance,
                        .rows = degrees_,
                        .columns = degrees_,
                        .file_type = hdf5_real_file_type(core::Precision::kDouble),
                        .describe =
                            [&](hid_t file, hid_t dataset) {
                              describe(dataset, mean);
                              write_mean(file, mean);
                              const auto maps = static_cast<std::int64_t>(count);
                              write_hdf5_column(file, "count", H5T_STD_I64LE, H5T_NATIVE_INT64, 1, &maps);
                            },
                        .maps = static_cast<Index>(mean.names.size())});
    const Hdf5Handle made = reopen_hdf5(file_);
    begin_ = hdf5_position(open_hdf5_dataset(made.get(), kCovariance, output.path).get(), output.path);
  });
  comm.broadcast(&begin_, sizeof(begin_));
  comm::phase(comm, [&] { writer_.open(file_); });
}

void StatisticsFile::write_rows(Index spectrum, Index first, std::span<const double> rows) {
  constexpr auto kNumber = static_cast<Index>(sizeof(double));
  writer_.write(begin_ + (spectrum * degrees_ + first) * degrees_ * kNumber, rows.data(),
                static_cast<Index>(rows.size()) * kNumber);
}

void StatisticsFile::commit() { file_.commit(); }

}  // namespace armilla::io
