#include <armilla/comm/phase.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/hdf5_attributes.hpp>
#include <armilla/io/hdf5_statistics.hpp>

#include <vector>

namespace armilla::io {

namespace {

constexpr const char* kCovariance = "covariance";

void describe_spectra(hid_t dataset, const alm::SpectraTable& spectra) {
  write_hdf5_index(dataset, "LMAX", spectra.lmax);
  write_hdf5_texts(dataset, "FIELDS", spectra.names);
  if (!spectra.unit.empty()) write_hdf5_text(dataset, "UNITS", spectra.unit);
}

void write_mean(hid_t file, const alm::SpectraTable& mean) {
  const std::string context = "dataset 'cl' cannot be written: check the disk";
  const Hdf5Handle dataset =
      create_hdf5_dataset(file, "cl", H5T_IEEE_F64LE, {mean.names.size(), static_cast<hsize_t>(mean.lmax + 1)});
  std::vector<double> values;
  for (const auto& column : mean.columns) values.insert(values.end(), column.begin(), column.end());
  hdf5_checked(H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), kResource,
               context);
  describe_spectra(dataset.get(), mean);
  hdf5_checked(H5Lcreate_hard(file, "cl", file, "mean", H5P_DEFAULT, H5P_DEFAULT), kResource, context);
}

}  // namespace

Hdf5Plan hdf5_spectra_plan(const alm::SpectraTable& spectra) {
  return {.dataset = "cl",
          .rows = static_cast<Index>(spectra.names.size()),
          .columns = spectra.lmax + 1,
          .file_type = hdf5_real_file_type(core::Precision::kDouble),
          .describe = [&spectra](hid_t, hid_t dataset) { describe_spectra(dataset, spectra); }};
}

StatisticsFile::StatisticsFile(const comm::Communicator& comm, const core::OutputPath& output,
                               const alm::SpectraTable& mean, Index count)
    : file_(comm, output), degrees_(mean.lmax + 1) {
  const Hdf5Plan plan{.dataset = kCovariance,
                      .rows = degrees_,
                      .columns = degrees_,
                      .file_type = hdf5_real_file_type(core::Precision::kDouble),
                      .describe =
                          [&](hid_t file, hid_t dataset) {
                            describe_spectra(dataset, mean);
                            write_mean(file, mean);
                            const auto maps = static_cast<std::int64_t>(count);
                            write_hdf5_column(file, "count", H5T_STD_I64LE, H5T_NATIVE_INT64, 1, &maps);
                          },
                      .maps = static_cast<Index>(mean.names.size())};
  covariance_.emplace(comm, file_, plan);
}

void StatisticsFile::write_rows(Index spectrum, Index first, std::span<const double> rows) {
  const core::IndexRange all{0, degrees_};
  const auto count = static_cast<Index>(rows.size()) / degrees_;
  for (Index row = 0; row < count; ++row)
    covariance_->write(spectrum, first + row, {&all, 1},
                       std::as_bytes(rows.subspan(static_cast<std::size_t>(row * degrees_))).data());
}

void StatisticsFile::commit() {
  comm::phase(file_.comm(), [&] { covariance_->finish(); });
  file_.commit();
}

}  // namespace armilla::io
