#pragma once

#include <armilla/io/hdf5_handle.hpp>
#include <armilla/io/table.hpp>

#include <span>
#include <string>
#include <vector>

namespace armilla::io {

/// Names of the objects in the root group. Throws InputError.
std::vector<std::string> hdf5_names(hid_t file, const std::string& path);

/// See open_table().
Table open_hdf5_table(const std::string& path, const TableParts& parts);

/// See TableFunctions.
template <class T>
void read_hdf5_table(const Table& table, std::span<const std::size_t> columns, Index first,
                     std::span<const std::span<T>> out, Index map);
/// Collective. Each rank writes its own rows.
template <class T>
void write_hdf5_table(const comm::Communicator& comm, const AtomicFile& file, const TableWritten<T>& table);

}  // namespace armilla::io
