#pragma once

#include <armilla/io/fits_handle.hpp>
#include <armilla/io/table.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace armilla::io {

/// Appends a binary table with `values` values in each column. Each row holds `repeat` values per column; `repeat` is
/// the same for all columns. Throws ResourceError, and InputError for names and units that FITS cannot hold
/// (fits_can_hold()).
void create_fits_table(const FitsFile& file, const std::vector<FitsColumn>& columns, Index values,
                       const std::string& extension_name);

/// Upper bound on the disk space of such a table, including headers [bytes].
Index fits_table_bytes(const std::vector<FitsColumn>& columns, Index values);

/// A keyword of the current HDU, otherwise of the primary header. Throws InputError like fits_text().
std::optional<std::string> fits_text_or_primary(const FitsFile& file, const std::string& key);

/// Coordinates and polarisation convention in the header of the current HDU, otherwise in the primary header.
/// Reading throws InputError, writing ResourceError.
void read_fits_conventions(const FitsFile& file, FieldMetadata& metadata);
void write_fits_conventions(const FitsFile& file, const FieldMetadata& metadata);

/// See open_table(). The first table, ASCII or binary; columns without numbers are listed, too. With
/// TableParts::components = kSpectraDataset, the table of find_spectra_table().
Table open_fits_table(const std::string& path, const TableParts& parts);

/// See TableFunctions.
template <class T>
void read_fits_table(const Table& table, std::span<const std::size_t> columns, Index first,
                     std::span<const std::span<T>> out, Index map);
/// Collective. The other ranks send their rows to the root, which writes them block by block.
template <class T>
void write_fits_table(const comm::Communicator& comm, const AtomicFile& file, const TableWritten<T>& table);

}  // namespace armilla::io
