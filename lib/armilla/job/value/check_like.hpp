#pragma once

#include <armilla/alm/spectra_table.hpp>
#include <armilla/core/input_file.hpp>
#include <armilla/io/metadata.hpp>
#include <armilla/io/points.hpp>

#include <memory>
#include <string>

namespace armilla::job {

/// A file of tables, which is read as a whole.
struct TableInfo {
  std::string path;
  core::FileState seen;
  std::shared_ptr<const alm::SpectraTable> table;
};

/// Throws InputError unless the file matches that of the first map of an input. Properties that the file does not
/// specify become those of the first one, which the job or a default may define.
void check_like(const io::MapInfo& own, const io::MapInfo& first);
void check_like(io::AlmInfo& own, const io::AlmInfo& first);
void check_like(io::PointsInfo& own, const io::PointsInfo& first);
void check_like(const TableInfo& own, const TableInfo& first);

}  // namespace armilla::job
