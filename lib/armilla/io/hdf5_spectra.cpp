#include <armilla/io/field_names.hpp>
#include <armilla/io/hdf5_attributes.hpp>
#include <armilla/io/hdf5_ranges.hpp>
#include <armilla/io/hdf5_spectra.hpp>
#include <armilla/io/hdf5_writer.hpp>

#include <fmt/format.h>

namespace armilla::io {

namespace {

constexpr const char* kSpectraDataset = "cl";

}  // namespace

alm::SpectraTable named_hdf5_spectra(hid_t dataset, const Hdf5Shape& shape, const std::string& path) {
  if (read_hdf5_texts(dataset, "FIELDS", path).empty())
    throw core::InputError(
        fmt::format("'{}': dataset 'cl' lacks attribute FIELDS with the names of its spectra, such as 'TT,EE'", path));
  check_hdf5_counts(shape, kSpectraDataset, path);
  const std::vector<std::string> unnamed(static_cast<std::size_t>(shape.rows));
  const FieldMetadata metadata = read_hdf5_metadata(dataset, unnamed, path);
  alm::SpectraTable spectra{.lmax = shape.columns - 1, .names = {}, .columns = {}, .unit = {}};
  if (!metadata.units.empty()) spectra.unit = metadata.units.front();
  for (Index row = 0; row < shape.rows; ++row)
    spectra.names.push_back(spectrum_of_column(metadata.fields[static_cast<std::size_t>(row)]));
  return spectra;
}

SpectraRows read_hdf5_spectra(const std::string& path) {
  const Hdf5Handle file = open_hdf5(path);
  const Hdf5Handle dataset = open_hdf5_dataset(file.get(), kSpectraDataset, path);
  const Hdf5Shape shape = hdf5_shape(dataset.get(), kSpectraDataset, path);
  if (shape.maps > 0)
    throw core::InputError(fmt::format(
        "'{}': dataset 'cl' contains the spectra of {} maps, but those of a single map are needed", path, shape.maps));
  const alm::SpectraTable named = named_hdf5_spectra(dataset.get(), shape, path);
  return {.degrees = {},
          .names = named.names,
          .columns = read_hdf5_columns(dataset.get(), shape, 0, path),
          .unit = named.unit};
}

std::vector<std::vector<double>> read_hdf5_columns(hid_t dataset, const Hdf5Shape& shape, Index map,
                                                   const std::string& path) {
  std::vector<std::vector<double>> columns;
  const core::IndexRange all{0, shape.columns};
  for (Index row = 0; row < shape.rows; ++row) {
    std::vector<double>& column = columns.emplace_back(static_cast<std::size_t>(shape.columns));
    read_hdf5_ranges(dataset, H5T_NATIVE_DOUBLE, map * shape.rows + row, {&all, 1}, column.data(), path);
  }
  return columns;
}

void describe_hdf5_spectra(hid_t dataset, const alm::SpectraTable& spectra) {
  write_hdf5_index(dataset, "LMAX", spectra.lmax);
  write_hdf5_text(dataset, "FIELDS", join_list(spectra.names));
  if (!spectra.unit.empty()) write_hdf5_text(dataset, "UNITS", spectra.unit);
}

Hdf5Plan hdf5_spectra_plan(const alm::SpectraTable& spectra) {
  return {.dataset = kSpectraDataset,
          .rows = static_cast<Index>(spectra.names.size()),
          .columns = spectra.lmax + 1,
          .file_type = hdf5_real_file_type(core::Precision::kDouble),
          .describe = [&spectra](hid_t, hid_t dataset) { describe_hdf5_spectra(dataset, spectra); }};
}

void write_hdf5_spectra(const AtomicFile& file, const alm::SpectraTable& spectra) {
  Hdf5Plan plan = hdf5_spectra_plan(spectra);
  std::vector<double> values;
  for (const auto& column : spectra.columns) values.insert(values.end(), column.begin(), column.end());
  plan.describe = [&values, &file, describe = std::move(plan.describe)](hid_t made, hid_t dataset) {
    describe(made, dataset);
    hdf5_checked(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
                 core::ErrorKind::kResource, fmt::format("'{}' cannot be written: check the disk", file.path()));
  };
  create_hdf5(file, plan);
}

}  // namespace armilla::io
