#pragma once

#include <armilla/io/hdf5_handle.hpp>
#include <armilla/io/metadata.hpp>

#include <optional>
#include <string>
#include <vector>

namespace armilla::io {

/// An integer, stored as integer or floating point; std::nullopt if the attribute is absent. Throws InputError, naming
/// file and attribute, for anything else.
std::optional<Index> read_hdf5_index(hid_t object, const std::string& name, const std::string& path);
/// A real number; std::nullopt if the attribute is absent. Throws InputError, naming file and attribute, for anything
/// else.
std::optional<double> read_hdf5_number(hid_t object, const std::string& name, const std::string& path);
/// A string, or the strings of a one-dimensional array, of fixed or variable length. Empty if absent.
std::vector<std::string> read_hdf5_texts(hid_t object, const std::string& name, const std::string& path);
/// The first of read_hdf5_texts(), or empty.
std::string read_hdf5_text(hid_t object, const std::string& name, const std::string& path);

/// A one-dimensional array of integers; empty if absent. Throws InputError, naming file and attribute, for anything
/// else.
std::vector<Index> read_hdf5_indices(hid_t object, const std::string& name, const std::string& path);

/// The writers throw ResourceError.
void write_hdf5_index(hid_t object, const std::string& name, Index value);
void write_hdf5_number(hid_t object, const std::string& name, double value);
/// Variable-length UTF-8, which h5py and TOAST read as str.
void write_hdf5_text(hid_t object, const std::string& name, const std::string& value);
/// A one-dimensional array of such strings.
void write_hdf5_texts(hid_t object, const std::string& name, const std::vector<std::string>& values);

void write_hdf5_indices(hid_t object, const std::string& name, const std::vector<Index>& values);

/// FIELDS, an array of strings or a comma-separated string; `unnamed` if absent. Throws InputError for a number of
/// names other than that of `unnamed`.
std::vector<std::string> read_hdf5_fields(hid_t dataset, std::vector<std::string> unnamed, const std::string& path);
/// FIELDS, SPINS, UNITS, COORDSYS, POLCCONV. UNITS is an array like FIELDS; a single unit applies to all components.
/// Without FIELDS, a map or catalogue has T; Q, U or T, Q, U, and an alm (kAlm) T; E, B or T, E, B. Without SPINS, the
/// names may define spins (set_spins_of_names).
FieldMetadata read_hdf5_metadata(hid_t dataset, FileKind kind, Index components, const std::string& path);
/// Writes the same attributes, except empty ones.
void write_hdf5_metadata(hid_t dataset, const FieldMetadata& metadata);

}  // namespace armilla::io
