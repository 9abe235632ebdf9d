#pragma once

#include <armilla/core/types.hpp>

#include <string>
#include <vector>

namespace armilla::alm {

using core::Index;

/// Angular power spectra C_l, l = 0 .. lmax, one column per named pair of fields ("TT", "EE", "TE", ...).
struct SpectraTable {
  Index lmax = 0;                            ///< of all columns
  std::vector<std::string> names;            ///< of the columns
  std::vector<std::vector<double>> columns;  ///< [name][l], in `unit`
  std::string unit;                          ///< of C_l, such as "uK^2"; empty if unknown

  /// The column called `name` (or with its two letters exchanged), or nullptr.
  const std::vector<double>* find(const std::string& name) const;

  /// Throws InputError unless there is one column of lmax + 1 finite values for each name.
  void check() const;
};

/// The column of a pair of fields: TE of T and E; longer names are joined by an x.
std::string spectrum_name(const std::string& a, const std::string& b);

}  // namespace armilla::alm
