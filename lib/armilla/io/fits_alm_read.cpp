#include <armilla/core/instantiate.hpp>
#include <armilla/io/alm_file_layout.hpp>
#include <armilla/io/component_spins.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/fits_alm.hpp>
#include <armilla/io/fits_extensions.hpp>
#include <armilla/io/fits_handle.hpp>
#include <armilla/io/fits_table.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace armilla::io {

namespace {

using core::at;

struct AlmTable {
  FitsColumn index, real, imag;
  Index rows = 0;
};

FitsColumn column_named(const std::vector<FitsColumn>& columns, const std::string& name, std::size_t fallback) {
  const auto named = std::ranges::find_if(columns, [&](const FitsColumn& c) { return upper(c.name) == name; });
  return named != columns.end() ? *named : columns[fallback];
}

AlmTable alm_table(const FitsFile& file) {
  const std::vector<FitsColumn> columns = fits_columns(file);
  if (columns.size() < 3)
    throw core::InputError(fmt::format("'{}': a coefficient table needs columns INDEX, REAL and IMAG", file.name()));
  AlmTable table{column_named(columns, "INDEX", 0), column_named(columns, "REAL", 1), column_named(columns, "IMAG", 2),
                 fits_rows(file)};
  if (!table.index.is_integer() || !table.real.is_number() || !table.imag.is_number() || table.index.repeat != 1 ||
      table.real.repeat != 1 || table.imag.repeat != 1)
    throw core::InputError(fmt::format(
        "'{}': a coefficient table needs an integer column INDEX and real columns REAL and IMAG, one value per row",
        file.name()));
  return table;
}

Index largest_index(const FitsFile& file, const AlmTable& table) {
  Index largest = 0;
  const Index slice = fits_buffered_rows(file);
  std::vector<Index> block(at(slice));
  for (Index first = 0; first < table.rows; first += slice) {
    const Index count = std::min(slice, table.rows - first);
    read_fits_values(file, table.index, first, count, block.data());
    largest = std::max(largest, *std::max_element(block.begin(), block.begin() + count));
  }
  return largest;
}

alm::AlmLayout layout_of(const FitsFile& file, const AlmTable& table) {
  std::optional<Index> lmax = fits_index(file, "MAX-LPOL");
  std::optional<Index> mmax = fits_index(file, "MAX-MPOL");
  if (!lmax || !mmax) {
    const Index largest = largest_index(file, table);
    if (largest < 1)
      throw core::InputError(fmt::format(
          "'{}': the coefficient table is empty, or its indices l^2 + l + m + 1 are not positive", file.name()));
    const Degree last = degree_of_fits_index(largest);
    if (!lmax) lmax = last.l;
    if (!mmax) mmax = last.m;
  }
  const alm::AlmLayout layout = alm_file_layout(file.name(), "MAX-LPOL", *lmax, "MAX-MPOL", *mmax);
  if (layout.size() != table.rows)
    throw core::InputError(
        fmt::format("'{}': lmax = {} and mmax = {} need {} coefficients, but the table has {} rows: the file or its "
                    "keywords are wrong",
                    file.name(), *lmax, *mmax, layout.size(), table.rows));
  return layout;
}

// The tables of the components: the first and all later tables, which must have the same number of rows.
std::vector<int> component_hdus(const FitsFile& file) {
  std::vector<int> hdus{file.move_to_table()};
  const Index rows = fits_rows(file);
  const int count = file.hdu_count();
  for (int hdu = hdus.front() + 1; hdu <= count; ++hdu) {
    file.move_to(hdu);
    if (upper(fits_text(file, "XTENSION").value_or("")) != "BINTABLE" || fits_rows(file) != rows)
      throw core::InputError(fmt::format("'{}': HDU {} is not a table with {} coefficients like the first one",
                                         file.name(), hdu - 1, rows));
    hdus.push_back(hdu);
  }
  return hdus;
}

[[noreturn]] void throw_bad_index(const std::string& path, Index index, const AlmInfo& info) {
  const Degree d = degree_of_fits_index(std::max<Index>(index, 1));
  throw core::InputError(fmt::format("'{}': index {} (l = {}, m = {}) is outside lmax = {}, mmax = {}, or occurs twice",
                                     path, index, d.l, d.m, info.lmax, info.mmax));
}

}  // namespace

Degree degree_of_fits_index(Index index) {
  // The square root of 2^63 - 1, rounded down, so that no square overflows.
  constexpr Index kLargestRoot = 3037000499;
  auto l = std::min(static_cast<Index>(std::sqrt(static_cast<double>(index - 1))), kLargestRoot);
  while (l * l > index - 1) --l;
  while (l < kLargestRoot && (l + 1) * (l + 1) <= index - 1) ++l;
  return {l, index - 1 - l * l - l};
}

AlmInfo open_fits_alm(const std::string& path, const std::string& hdu) {
  const FitsFile file = FitsFile::open(path);
  const std::vector<int> hdus = hdu.empty() ? component_hdus(file) : std::vector{move_to_hdu(file, hdu)};
  AlmInfo info;
  info.path = path;
  info.format = Format::kFits;
  info.components = static_cast<Index>(hdus.size());
  info.hdus = hdus;
  info.precision = core::Precision::kSingle;
  info.metadata.fields = default_alm_fields(info.components);
  std::vector<Index> spins;
  for (std::size_t c = 0; c < hdus.size(); ++c) {
    file.move_to(hdus[c]);
    const AlmTable table = alm_table(file);
    const alm::AlmLayout layout = layout_of(file, table);
    if (c > 0 && (layout.lmax() != info.lmax || layout.mmax() != info.mmax))
      throw core::InputError(
          fmt::format("'{}': HDU {} has lmax = {}, mmax = {}, but the first has lmax = {}, mmax = {}", path,
                      hdus[c] - 1, layout.lmax(), layout.mmax(), info.lmax, info.mmax));
    info.lmax = layout.lmax();
    info.mmax = layout.mmax();
    if (table.real.type == TDOUBLE || table.imag.type == TDOUBLE) info.precision = core::Precision::kDouble;
    info.metadata.fields[c] = fits_text(file, "FIELD").value_or(info.metadata.fields[c]);
    info.metadata.units.push_back(table.real.unit);
    if (const auto spin = fits_index(file, "SPIN")) spins.push_back(*spin);
    if (c == 0) read_fits_conventions(file, info.metadata);
  }
  if (spins.size() == hdus.size() && std::ranges::all_of(spins, [](Index spin) { return spin >= 0; }))
    set_spins(info.metadata, std::move(spins));
  else
    set_spins_of_names(info.metadata, FileKind::kAlm);
  return info;
}

template <class T>
void read_fits_alm(const AlmInfo& info, Index component, const dist::AlmDistribution& target, int rank,
                   std::span<std::complex<T>> out) {
  const FitsFile file = FitsFile::open(info.path);
  file.move_to(info.hdus[at(component)]);
  const AlmTable table = alm_table(file);
  const std::vector<Index> own = target.local_m(rank);
  const std::vector<Index> offsets = target.local_offsets(rank);
  std::vector<Index> slot(at(info.mmax + 1), -1);  // [m] index among the local m
  for (std::size_t k = 0; k < own.size(); ++k) slot[at(own[k])] = static_cast<Index>(k);

  const Index slice = fits_buffered_rows(file);
  std::vector<Index> index(at(slice));
  std::vector<T> real(at(slice)), imag(at(slice));
  std::vector<bool> seen(out.size(), false);
  Index filled = 0;
  for (Index first = 0; first < table.rows; first += slice) {
    const Index count = std::min(slice, table.rows - first);
    read_fits_values(file, table.index, first, count, index.data());
    read_fits_values(file, table.real, first, count, real.data());
    read_fits_values(file, table.imag, first, count, imag.data());
    for (std::size_t i = 0; i < at(count); ++i) {
      const Degree d = degree_of_fits_index(std::max<Index>(index[i], 1));
      if (index[i] < 1 || d.m < 0 || d.m > info.mmax || d.l > info.lmax) throw_bad_index(info.path, index[i], info);
      if (slot[at(d.m)] < 0 || d.l > target.layout().lmax()) continue;
      const std::size_t position = at(offsets[at(slot[at(d.m)])] + d.l);
      if (seen[position]) throw_bad_index(info.path, index[i], info);
      seen[position] = true;
      out[position] = {real[i], imag[i]};
      ++filled;
    }
  }
  if (filled != static_cast<Index>(out.size()))
    throw core::InputError(
        fmt::format("'{}': {} coefficients of component {} are missing: the file has changed or is damaged", info.path,
                    static_cast<Index>(out.size()) - filled, component));
}

ARMILLA_INSTANTIATE(read_fits_alm);

}  // namespace armilla::io
