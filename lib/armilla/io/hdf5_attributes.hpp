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

void write_hdf5_indices(hid_t object, const std::string& name, const std::vector<Index>& values);

/// FIELDS, SPINS, UNITS, COORDSYS, POLCCONV. FIELDS and UNITS may be comma-separated or arrays; a single unit applies
/// to all components.
FieldMetadata read_hdf5_metadata(hid_t dataset, std::vector<std::string> default_fields, const std::string& path);
/// Writes the same attributes, except empty ones. Polarised fields are labelled COSMO, their convention in memory.
void write_hdf5_metadata(hid_t dataset, const FieldMetadata& metadata);

}  // namespace armilla::io
