#pragma once

#include <string>
#include <vector>

namespace armilla::io {

/// A function of the angle, as rows.
struct KernelTable {
  std::vector<double> theta;   ///< [rad]
  std::vector<double> values;  ///< [1/sr]
};

/// From text, two numbers a line, lines of `#` left out, or from HDF5 with the data sets `theta` and `kernel`. What the
/// numbers are is not checked. Throws InputError, naming file and line.
KernelTable read_kernel_table(const std::string& path);

}  // namespace armilla::io
