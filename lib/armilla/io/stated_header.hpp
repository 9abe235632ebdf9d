#pragma once

#include <armilla/io/metadata.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace armilla::io {

/// A property of a file, as its user states it.
template <class T>
struct Stated {
  T value = {};
  bool is_forced = false;  ///< overrides another value in the header
};

/// What the user of a file states because its header lacks it or has it wrong. Members that are not set: those of the
/// file.
struct StatedHeader {
  std::string hdu = {};  ///< number or EXTNAME of the extension of a FITS file; empty: chosen by content
  std::optional<Stated<Ordering>> ordering = {};
  std::optional<Stated<Index>> nside = {};
  std::optional<Stated<std::string>> polcconv = {};  ///< COSMO or IAU
  std::optional<Stated<std::string>> coordsys = {};  ///< G, E or C
  std::optional<Stated<double>> bad_value = {};      ///< of pixels without data, in addition to kBadPixel
};

/// Throws the InputError of a stated value that contradicts a header. `key`: of a job, `keyword`: of the header.
[[noreturn]] void refuse_contradiction(const std::string& path, std::string_view key, std::string_view keyword,
                                       const std::string& stated, const std::string& in_file);

/// The value of a property: the stated one, otherwise that of the header. Throws InputError if both exist and differ,
/// unless the stated one is forced, and if there is no ordering.
Ordering agreed_ordering(const std::string& path, const StatedHeader& stated, const std::string& in_file);
std::optional<Index> agreed_nside(const std::string& path, const StatedHeader& stated, std::optional<Index> in_file);
double agreed_bad_value(const std::string& path, const StatedHeader& stated, std::optional<double> in_file);
/// The same for coordinates and polarisation.
void agree_on_metadata(const std::string& path, const StatedHeader& stated, FieldMetadata& metadata);

}  // namespace armilla::io
