#include <armilla/comm/phase.hpp>
#include <armilla/io/hdf5_statistics.hpp>
#include <armilla/io/write.hpp>
#include <armilla/job/campaign/spectra_statistics.hpp>

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace armilla::job {

namespace {

// Part of the covariance in memory at once.
constexpr Index kPanelBytes = Index{32} << 20;

/// Calls work(spectrum, first l, number of l) for this rank's share of all (spectrum, l).
template <class Work>
void for_own_rows(const comm::Communicator& comm, Index spectra, Index degrees, const Work& work) {
  const Index all = spectra * degrees;
  Index at = all * comm.rank() / comm.size();
  const Index end = all * (comm.rank() + 1) / comm.size();
  while (at < end) {
    const Index first = at % degrees;
    const Index count = std::min(degrees - first, end - at);
    work(at / degrees, first, count);
    at += count;
  }
}

}  // namespace

SpectraStatistics::SpectraStatistics(const comm::Communicator& comm, const SpectraStore& store, const ValueInfo& info,
                                     std::span<const Index> there)
    : comm_(comm),
      store_(store),
      mean_(io::in_file_order(
          {.lmax = info.spectra_lmax, .names = info.spectra, .columns = {}, .unit = info.units.front()})) {
  for (std::size_t map = 0; map < there.size(); ++map)
    if (there[map] != 0) maps_.push_back(static_cast<Index>(map));
  const Index degrees = store.lmax() + 1;
  std::vector<double> sums;
  comm::phase(comm, [&] {
    sums.assign(static_cast<std::size_t>(store.spectra() * degrees), 0.0);
    std::vector<double> values(static_cast<std::size_t>(degrees));
    for_own_rows(comm, store.spectra(), degrees, [&](Index spectrum, Index first, Index count) {
      for (const Index map : maps_) {
        store.get(map, spectrum, values);
        for (Index l = first; l < first + count; ++l)
          sums[static_cast<std::size_t>(spectrum * degrees + l)] += values[static_cast<std::size_t>(l)];
      }
    });
  });
  comm.sum(std::span<double>(sums));  // all but one rank contribute zero: exact
  for (Index s = 0; s < store.spectra(); ++s) {
    auto& column = mean_.columns.emplace_back();
    for (Index l = 0; l < degrees; ++l)
      column.push_back(maps_.empty() ? std::numeric_limits<double>::quiet_NaN()
                                     : sums[static_cast<std::size_t>(s * degrees + l)] / static_cast<double>(count()));
  }
}

std::vector<double> SpectraStatistics::covariance_rows(Index spectrum, Index first, Index count) const {
  const auto degrees = static_cast<std::size_t>(store_.lmax() + 1);
  std::vector<double> rows(static_cast<std::size_t>(count) * degrees, 0.0);
  std::vector<double> values(degrees);
  const std::vector<double>& mean = mean_.columns[static_cast<std::size_t>(spectrum)];
  for (const Index map : maps_) {
    store_.get(map, spectrum, values);
    for (std::size_t l = 0; l < degrees; ++l) values[l] -= mean[l];
    for (std::size_t row = 0; row < static_cast<std::size_t>(count); ++row) {
      const double deviation = values[static_cast<std::size_t>(first) + row];
      double* target = rows.data() + row * degrees;
      for (std::size_t l = 0; l < degrees; ++l) target[l] += deviation * values[l];
    }
  }
  // The covariance of fewer than two maps is undefined.
  const double norm =
      this->count() > 1 ? static_cast<double>(this->count() - 1) : std::numeric_limits<double>::quiet_NaN();
  for (double& value : rows) value /= norm;
  return rows;
}

void SpectraStatistics::write(const core::OutputPath& output, const OnNonfinite& on_nonfinite) const {
  ops::NonfiniteCount found;
  Index all = 0;
  const auto count_all = [&](std::span<const double> numbers) {
    const ops::NonfiniteCount more = ops::count_nonfinite(numbers, core::Precision::kDouble);
    found = {found.nan + more.nan, found.infinite + more.infinite};
    all += static_cast<Index>(numbers.size());
  };
  if (comm_.is_root())
    for (const auto& column : mean_.columns) count_all(column);
  const auto agree = [&] {
    std::array<Index, 3> sums{found.nan, found.infinite, all};
    comm_.sum(sums);
    found = {sums[0], sums[1]};
    if (found.total() > 0) on_nonfinite(found, sums[2]);
  };
  if (io::spectra_format_of_name(output.path) != io::Format::kHdf5) {
    agree();
    return io::write_spectra(comm_, output, mean_);
  }
  io::StatisticsFile out(comm_, output, mean_, count());
  const Index degrees = store_.lmax() + 1;
  const Index most = std::max<Index>(kPanelBytes / static_cast<Index>(sizeof(double)) / degrees, 1);
  comm::phase(comm_, [&] {
    for_own_rows(comm_, store_.spectra(), degrees, [&](Index spectrum, Index first, Index rows) {
      for (Index done = 0; done < rows; done += most) {
        const Index now = std::min(most, rows - done);
        const std::vector<double> numbers = covariance_rows(spectrum, first + done, now);
        if (count() > 1) count_all(numbers);
        out.write_rows(spectrum, first + done, numbers);
      }
    });
  });
  agree();
  out.commit();
}

Tables SpectraStatistics::tables(const OnNonfinite& on_nonfinite) const {
  Tables tables{mean_};
  const Index degrees = store_.lmax() + 1;
  for (Index s = 0; s < store_.spectra(); ++s) {
    alm::SpectraTable& matrix = tables.emplace_back(alm::SpectraTable{store_.lmax(), {}, {}, mean_.unit});
    std::vector<double> all;
    comm::phase(comm_, [&] {
      all.assign(core::at(degrees * degrees), 0.0);
      for_own_rows(comm_, store_.spectra(), degrees, [&](Index spectrum, Index first, Index rows) {
        if (spectrum == s) std::ranges::copy(covariance_rows(s, first, rows), all.begin() + first * degrees);
      });
    });
    comm_.sum(std::span<double>(all));  // all but one rank contribute zero: exact
    for (Index l = 0; l < degrees; ++l) {
      matrix.names.push_back(fmt::format("{}", l));
      const auto row = all.begin() + l * degrees;
      matrix.columns.emplace_back(row, row + degrees);
    }
  }
  ops::NonfiniteCount found;
  Index all = 0;
  for (std::size_t t = 0; t < (count() > 1 ? tables.size() : 1); ++t)
    for (const auto& column : tables[t].columns) {
      const ops::NonfiniteCount more = ops::count_nonfinite(std::span(column), core::Precision::kDouble);
      found = {found.nan + more.nan, found.infinite + more.infinite};
      all += static_cast<Index>(column.size());
    }
  if (found.total() > 0) on_nonfinite(found, all);
  return tables;
}

}  // namespace armilla::job
