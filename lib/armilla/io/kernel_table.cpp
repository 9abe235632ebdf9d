#include <armilla/core/error.hpp>
#include <armilla/core/text.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/file_kinds.hpp>
#include <armilla/io/file_probe.hpp>
#include <armilla/io/hdf5_attributes.hpp>
#include <armilla/io/hdf5_ranges.hpp>
#include <armilla/io/hdf5_writer.hpp>
#include <armilla/io/kernel_table.hpp>
#include <armilla/io/text_lines.hpp>
#include <armilla/io/text_rows.hpp>

#include <fmt/format.h>

namespace armilla::io {

KernelTable read_kernel_table(const std::string& path) {
  KernelTable table;
  if (is_hdf5(path)) {
    const Hdf5Handle file = open_hdf5(path);
    table.theta = read_hdf5_column(file.get(), "theta", path);
    table.values = read_hdf5_column(file.get(), "kernel", path);
    if (table.theta.size() != table.values.size())
      throw core::InputError(fmt::format("'{}': theta has {} values but kernel has {}: the numbers must match", path,
                                         table.theta.size(), table.values.size()));
    return table;
  }
  if (!is_text(file_head(path, 4096)))
    throw core::InputError(
        fmt::format("'{}' is neither HDF5 nor text: a kernel file is text with two columns, theta [rad] and K [1/sr], "
                    "or HDF5 with the datasets theta and kernel",
                    path));
  TextLines lines(path);
  std::string line;
  while (lines.next(line)) {
    line = trimmed(line);
    if (line.empty() || line.front() == '#') continue;
    const std::vector<std::string> words = words_of(line);
    if (words.size() != 2)
      throw core::InputError(fmt::format("'{}', line {}: {} numbers, but two are expected: theta [rad] and K [1/sr]",
                                         path, lines.number(), words.size()));
    table.theta.push_back(number_of(words[0], path, lines.number()));
    table.values.push_back(number_of(words[1], path, lines.number()));
  }
  return table;
}

}  // namespace armilla::io
