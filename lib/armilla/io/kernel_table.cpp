#include <armilla/core/error.hpp>
#include <armilla/core/text.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/kernel_table.hpp>
#include <armilla/io/table.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::io {

KernelTable read_kernel_table(const std::string& path) {
  const std::vector<std::string> wanted{"theta", "kernel"};
  const Table table = open_table(path, {.datasets = wanted, .header = wanted, .names = wanted});
  const auto column = [&](const std::string& name) {
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      if (upper(table.columns[i].name) == upper(name)) return read_column(table, i);
    throw core::InputError(
        fmt::format("'{}' has no column '{}': a kernel file has the columns theta [rad] and kernel "
                    "[1/sr], but this one has {}",
                    path, name, core::excerpt(join_list(table.names()))));
  };
  return {.theta = column("theta"), .values = column("kernel")};
}

}  // namespace armilla::io
