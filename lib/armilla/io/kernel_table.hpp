#pragma once

#include <string>
#include <vector>

namespace armilla::io {

/// A function of the angle, tabulated.
struct KernelTable {
  std::vector<double> theta;   ///< [rad]
  std::vector<double> values;  ///< [1/sr]
};

/// Reads a table from text, HDF5 or FITS. Text has two numbers per line and may have a line of names. HDF5 has the
/// datasets, and FITS the columns, `theta` and `kernel`. The values are not validated. Throws InputError, naming file
/// and line.
KernelTable read_kernel_table(const std::string& path);

}  // namespace armilla::io
