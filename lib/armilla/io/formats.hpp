#pragma once

#include <armilla/alm/spectra_table.hpp>
#include <armilla/comm/communicator.hpp>
#include <armilla/dist/distribution.hpp>
#include <armilla/io/atomic_file.hpp>
#include <armilla/io/metadata.hpp>
#include <armilla/io/stated_header.hpp>
#include <armilla/io/write.hpp>

#include <complex>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace armilla::io {

/// Functions of a format for values of type T. Readers are not collective; writers are collective.
template <class T>
struct FormatFunctions {
  void (*read_map)(const MapInfo&, Index component, std::span<const dist::PixelRange>, std::span<T>);
  void (*read_alm)(const AlmInfo&, Index component, const dist::AlmDistribution&, int rank, std::span<std::complex<T>>);
  void (*write_map)(const comm::Communicator&, const AtomicFile&, const FieldMetadata&, const dist::PixelDistribution&,
                    std::span<const T>, const WriteOptions&);
  void (*write_alm)(const comm::Communicator&, const AtomicFile&, const FieldMetadata&, const dist::AlmDistribution&,
                    std::span<const std::complex<T>>, const WriteOptions&);
};

/// One row per format: the interface of a format to the rest of the program. A new format consists of a row and its
/// source files.
struct FormatRow {
  Format format;
  std::string_view name;
  std::vector<std::string_view> endings;  ///< the first one is the default
  bool healpix_only;                      ///< maps on other grids cannot be written
  bool (*recognises)(const std::string& path);
  // For the extension `hdu` of a file, if it is not empty; HDF5 files have none.
  FileKind (*kind)(const std::string& path, const std::string& hdu);
  MapInfo (*open_map)(const std::string& path, const StatedHeader& stated);
  AlmInfo (*open_alm)(const std::string& path, const std::string& hdu);
  std::tuple<FormatFunctions<float>, FormatFunctions<double>> functions;

  template <class T>
  const FormatFunctions<T>& of() const {
    return std::get<FormatFunctions<T>>(functions);
  }
};

std::span<const FormatRow> formats();
const FormatRow& format_row(Format format);
/// The row of the format detected from the content, or nullptr. Throws InputError if the file cannot be read.
const FormatRow* recognised_format(const std::string& path);

/// A file format, human-readable.
struct FormatSummary {
  std::string name;
  std::vector<std::string> endings;  ///< the first one is the default
  std::string holds;                 ///< its possible contents, in words
};

/// All supported data formats, from the tables formats() and table_formats().
std::vector<FormatSummary> format_list();

}  // namespace armilla::io
