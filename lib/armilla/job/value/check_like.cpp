#include <armilla/core/error.hpp>
#include <armilla/io/joined_files.hpp>
#include <armilla/job/value/check_like.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job {

namespace {

/// Throws InputError unless a property of a file, `what`, is that of the first file.
template <class Info>
void check_same(const Info& own_file, const Info& first_file, const char* what, const std::string& own,
                const std::string& first) {
  if (own != first)
    throw core::InputError(
        fmt::format("'{}' has {} {}, but the first map, '{}', has {}: all maps of an input must match", own_file.path,
                    what, own, first_file.path, first));
}

template <class Info>
void check_metadata(const Info& own, const Info& first) {
  const auto check = [&](const char* what, const auto& a, const auto& b) {
    check_same(own, first, what, fmt::format("{}", fmt::join(a, ", ")), fmt::format("{}", fmt::join(b, ", ")));
  };
  check_same(own, first, "components:", fmt::format("{}", own.components), fmt::format("{}", first.components));
  check("the fields", own.metadata.fields, first.metadata.fields);
  check("the units", own.metadata.units, first.metadata.units);
  check("the spins", own.metadata.spins, first.metadata.spins);
  check_same(own, first, "COORDSYS", fmt::format("'{}'", own.metadata.coordsys),
             fmt::format("'{}'", first.metadata.coordsys));
}

}  // namespace

void check_like(const io::MapInfo& own, const io::MapInfo& first) {
  if (const auto grids = io::different_grids(own, first))
    check_same(own, first, "the grid", grids->first, grids->second);
  check_metadata(own, first);
}

void check_like(io::AlmInfo& own, const io::AlmInfo& first) {
  check_same(own, first, "lmax, mmax", fmt::format("{}, {}", own.lmax, own.mmax),
             fmt::format("{}, {}", first.lmax, first.mmax));
  if (!own.says_norm) own.convention.norm = first.convention.norm;
  if (!own.says_phase) own.convention.phase = first.convention.phase;
  if (!own.says_basis) own.convention.basis = first.convention.basis;
  check_same(own, first, "the convention", own.convention.text(), first.convention.text());
  check_metadata(own, first);
}

void check_like(io::PointsInfo& own, const io::PointsInfo& first) {
  check_same(own, first, "points:", fmt::format("{}", own.points), fmt::format("{}", first.points));
  if (own.metadata.coordsys.empty()) own.metadata.coordsys = first.metadata.coordsys;
  if (own.metadata.polcconv.empty()) own.metadata.polcconv = first.metadata.polcconv;
  check_same(own, first, "POLCCONV", own.metadata.polcconv, first.metadata.polcconv);
  check_metadata(own, first);
}

void check_like(const TableInfo& own, const TableInfo& first) {
  check_same(own, first, "the columns", fmt::format("{}", fmt::join(own.table->names, ", ")),
             fmt::format("{}", fmt::join(first.table->names, ", ")));
  check_same(own, first, "lmax", fmt::format("{}", own.table->lmax), fmt::format("{}", first.table->lmax));
  check_same(own, first, "the unit", own.table->unit, first.table->unit);
}

}  // namespace armilla::job
