#pragma once

#include <armilla/job/parse/document.hpp>
#include <armilla/job/parse/expand_path.hpp>
#include <armilla/job/parse/job_spec.hpp>

#include <string>

namespace armilla::job {

/// What the values of a job are read with.
struct ParseContext {
  std::string folder;         ///< that of the job file: relative paths start from it
  std::string output_folder;  ///< relative paths of outputs start from it
  Variables variables;
  /// The path of a file that is read, expanded (expand_path) and resolved against `folder`. Throws InputError.
  std::string input_path(const YamlValue& value) const { return resolve(folder, value); }
  /// Likewise of one that is written, against `output_folder`.
  std::string output_path(const YamlValue& value) const { return resolve(output_folder, value); }

 private:
  std::string resolve(const std::string& from, const YamlValue& value) const;
};

/// Numbers of a job such as nside and nphi end here: all products of two of them fit 64 bits.
inline constexpr Index kLargestNumber = Index{1} << 30;

/// lmax and mmax end here: no transform reaches it, and sizes stay far from the limits of 64 bits.
inline constexpr Index kLargestDegree = Index{1} << 20;

/// A number that is neither infinite nor NaN. Throws InputError.
double parse_finite(const YamlValue& value);

/// Which coefficients a step makes.
struct Limits {
  Index lmax = 0;
  Index mmax = 0;
};

/// Throws InputError at `mmax`, the value of that key, where it exceeds lmax.
void check_mmax(const YamlValue& mmax, const Limits& limits);

/// The largest spin that a job can name.
inline constexpr Index kLargestSpin = Index{1} << 20;

/// `fields: [..]`, of names or of {name: X} and {names: [X, Y], spin: s}. Throws InputError.
void parse_fields(const YamlValue& value, FieldsSpec& fields);

/// `healpix:64` and the other short forms of grid::parse_grid_text, or `{healpix: {nside: 64}}` and its like, for all
/// rows of grid::grid_kinds() and `rings: {file: ...}`. Sections take a part of the sky: `theta_deg: [first, last]`,
/// colatitudes in degrees, and `rings`, a list of numbers and [first, last].
GridSpec parse_grid(const YamlValue& value, const ParseContext& context);

}  // namespace armilla::job
