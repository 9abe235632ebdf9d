#include <armilla/core/error.hpp>
#include <armilla/io/file_kinds.hpp>
#include <armilla/io/hdf5_batch.hpp>
#include <armilla/io/hdf5_handle.hpp>
#include <armilla/io/hdf5_ranges.hpp>
#include <armilla/io/spectra_rows.hpp>
#include <armilla/io/spectra_summary.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

namespace armilla::io {

namespace {

constexpr const char* kSpectra = "cl";
constexpr const char* kCovarianceDataset = "covariance";
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Reads the spectra of one map after the other.
class Maps {
 public:
  Maps(hid_t dataset, const std::string& path) : dataset_(dataset), path_(path) {
    const Table header = open_spectra(path);
    table_ = {.lmax = header.rows - 1,
              .names = spectra_names(header),
              .columns = std::vector(header.columns.size(), std::vector<double>(static_cast<std::size_t>(header.rows))),
              .unit = header.columns.front().unit};
  }

  const alm::SpectraTable& read(Index map) {
    const core::IndexRange all{0, table_.lmax + 1};
    auto row = map * static_cast<Index>(table_.columns.size());
    for (auto& column : table_.columns)
      read_hdf5_ranges(dataset_, H5T_NATIVE_DOUBLE, row++, {&all, 1}, column.data(), path_);
    return table_;
  }

 private:
  hid_t dataset_;
  const std::string& path_;
  alm::SpectraTable table_;
};

using Columns = std::vector<std::vector<double>>;

// Sums term(value, value of `mean`) over the maps, and applies `finish` to each sum.
template <class Term, class Finish>
Columns sum_over(Maps& maps, const std::vector<Index>& there, const Columns& mean, Term&& term, Finish&& finish) {
  Columns sums = mean;
  for (auto& column : sums) column.assign(column.size(), 0);
  for (const Index map : there) {
    const Columns& one = maps.read(map).columns;
    for (std::size_t s = 0; s < sums.size(); ++s)
      for (std::size_t l = 0; l < sums[s].size(); ++l) sums[s][l] += term(one[s][l], mean[s][l]);
  }
  for (auto& column : sums)
    for (double& value : column) value = finish(value);
  return sums;
}

SpectraSummary of_maps(Maps& maps, const std::vector<Index>& there, Index samples) {
  SpectraSummary summary;
  summary.maps = static_cast<Index>(there.size());
  const auto count = static_cast<double>(there.size());
  summary.mean = maps.read(there.front());
  summary.mean.columns = sum_over(
      maps, there, summary.mean.columns, [](double value, double) { return value; },
      [&](double sum) { return sum / count; });
  summary.deviation = sum_over(
      maps, there, summary.mean.columns, [](double value, double mean) { return (value - mean) * (value - mean); },
      [&](double sum) { return count > 1 ? std::sqrt(sum / (count - 1)) : kNone; });
  const Index taken = std::min(samples, summary.maps);
  for (Index i = 0; i < taken; ++i)
    summary.samples.push_back(maps.read(there[static_cast<std::size_t>(i * summary.maps / taken)]));
  return summary;
}

// Square roots of the diagonals of the covariances.
SpectraSummary of_statistics(hid_t file, Maps& maps, const std::string& path) {
  SpectraSummary summary;
  summary.mean = maps.read(0);
  const Index degrees = summary.mean.lmax + 1;
  const Hdf5Handle covariance = open_hdf5_dataset(file, kCovarianceDataset, path);
  const Hdf5Shape shape = hdf5_shape(covariance.get(), kCovarianceDataset, path);
  const std::vector<double> count = read_hdf5_column(file, "count", path);
  if (shape.maps != static_cast<Index>(summary.mean.names.size()) || shape.rows != degrees ||
      shape.columns != degrees || count.size() != 1)
    throw core::InputError(
        fmt::format("'{}': datasets 'covariance' and 'count' do not match {} spectra of {} degrees: recreate the file",
                    path, summary.mean.names.size(), degrees));
  if (!(count.front() >= 1 && count.front() <= 0x1p53) || count.front() != std::floor(count.front()))
    throw core::InputError(
        fmt::format("'{}': dataset 'count' is {}, not a number of maps: recreate the file", path, count.front()));
  summary.maps = static_cast<Index>(count.front());
  for (Index s = 0; s < shape.maps; ++s) {
    std::vector<double>& column = summary.deviation.emplace_back(static_cast<std::size_t>(degrees));
    for (Index l = 0; l < degrees; ++l) {
      const core::IndexRange diagonal{l, 1};
      read_hdf5_ranges(covariance.get(), H5T_NATIVE_DOUBLE, s * degrees + l, {&diagonal, 1},
                       &column[static_cast<std::size_t>(l)], path);
    }
    for (double& value : column) value = std::sqrt(value);
  }
  return summary;
}

}  // namespace

std::optional<SpectraSummary> read_spectra_summary(const std::string& path, Index samples) {
  if (!is_hdf5(path)) return std::nullopt;
  const Hdf5Handle file = open_hdf5(path);
  const Hdf5Handle dataset = open_hdf5_dataset(file.get(), kSpectra, path);
  const Hdf5Shape shape = hdf5_shape(dataset.get(), kSpectra, path);
  const bool is_statistics = shape.maps == 0 && hdf5_has_object(file.get(), kCovarianceDataset);
  if (shape.maps <= 1 && !is_statistics) return std::nullopt;
  Maps maps(dataset.get(), path);
  if (is_statistics) return of_statistics(file.get(), maps, path);
  const BatchAxis batch = read_batch_axis(file.get(), shape, path);
  std::vector<Index> there;
  for (Index map = 0; map < shape.maps; ++map)
    if (batch.present.empty() || batch.present[static_cast<std::size_t>(map)]) there.push_back(map);
  if (there.empty())
    throw core::InputError(
        fmt::format("'{}': all {} maps were left out: there is nothing to summarise", path, shape.maps));
  return of_maps(maps, there, samples);
}

BatchAxis spectra_batch(const std::string& path) {
  if (!is_hdf5(path)) return {};
  const Hdf5Handle file = open_hdf5(path);
  const Hdf5Handle dataset = open_hdf5_dataset(file.get(), kSpectra, path);
  return read_batch_axis(file.get(), hdf5_shape(dataset.get(), kSpectra, path), path);
}

alm::SpectraTable read_spectra_of_map(const std::string& path, const BatchAxis& batch) {
  check_present(path, batch);
  const Hdf5Handle file = open_hdf5(path);
  const Hdf5Handle dataset = open_hdf5_dataset(file.get(), kSpectra, path);
  return Maps(dataset.get(), path).read(batch.map);
}

}  // namespace armilla::io
