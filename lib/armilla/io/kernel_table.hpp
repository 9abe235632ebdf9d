#pragma once

#include <string>
#include <vector>

namespace armilla::io {

/// A function of the angle, tabulated.
struct KernelTable {
  std::vector<double> theta;   ///< [rad]
  std::vector<double> values;  ///< [1/sr]
};

/// Reads a table from text or HDF5. Text has two numbers per line; lines starting with `#` are skipped. HDF5 has the
/// datasets `theta` and `kernel`. The values are not validated. Throws InputError, naming file and line.
KernelTable read_kernel_table(const std::string& path);

}  // namespace armilla::io
