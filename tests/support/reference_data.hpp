#pragma once

#include <armilla/core/types.hpp>

#include <complex>
#include <string>
#include <vector>

namespace armilla::test {

/// Path of a file of the source tree, given by its path in the tree. The environment variable ARMILLA_SOURCE_DIR names
/// the tree for programs that were moved to another machine. Throws std::runtime_error where there is no such file.
std::string source_file(const std::string& path);

/// Path of a file of tests/data/reference. Throws as source_file does.
std::string reference_file(const std::string& name);

/// One data set of an HDF5 file as flat numbers.
std::vector<double> read_doubles(const std::string& file, const std::string& path);
std::vector<core::Index> read_integers(const std::string& file, const std::string& path);
/// An integer attribute of a group.
core::Index read_attribute(const std::string& file, const std::string& group, const std::string& name);
/// A real attribute of a group.
double read_real_attribute(const std::string& file, const std::string& group, const std::string& name);
/// Names of the members of a group.
std::vector<std::string> members(const std::string& file, const std::string& group);
bool exists(const std::string& file, const std::string& path);

/// The closed form of the coefficients that the reference files were made from.
std::complex<double> closed_form(core::Index l, core::Index m, core::Index component, core::Index spin);

/// sqrt(sum |a - b|^2 / sum |b|^2).
template <class T, class U>
double relative_rms(const std::vector<T>& value, const std::vector<U>& reference) {
  double difference = 0;
  double norm = 0;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    difference += std::norm(value[i] - reference[i]);
    norm += std::norm(reference[i]);
  }
  return norm > 0 ? std::sqrt(difference / norm) : std::sqrt(difference);
}

}  // namespace armilla::test
