#pragma once

#include <armilla/job/parse/document.hpp>
#include <armilla/job/parse/expand_path.hpp>
#include <armilla/job/parse/job_spec.hpp>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace armilla::job {

/// Context for parsing the values of a job.
struct ParseContext {
  std::string folder;         ///< of the job file: relative paths start from it
  std::string output_folder;  ///< relative paths of outputs start from it
  Variables variables;
  /// Values of the caller, by the names of their inputs.
  std::map<std::string, ValueSort> given = {};
  /// Names of the inputs and of the results of earlier steps.
  std::set<std::string> values = {};
  /// Receives the references that name a value.
  std::shared_ptr<std::vector<Reference>> references = std::make_shared<std::vector<Reference>>();
  /// The path of an input file, expanded (expand_path) and resolved against `folder`. Throws InputError.
  std::string input_path(const YamlValue& value) const { return resolve(folder, value); }
  /// Likewise for a path, or a list of paths.
  FileSpec input_files(const YamlValue& value) const;
  /// A value of the job by its name, otherwise an input file. Throws InputError.
  Reference reference(const YamlValue& value) const;
  /// The path of an output file, expanded and resolved against `output_folder`. Throws InputError.
  std::string output_path(const YamlValue& value) const { return resolve(output_folder, value); }

 private:
  std::string resolve(const std::string& from, const YamlValue& value) const;
};

/// Upper limit for numbers such as nside and nphi, so that products of two of them fit in 64 bits.
inline constexpr Index kLargestNumber = Index{1} << 30;

/// Upper limit for lmax and mmax. No transform reaches it, and sizes stay far below the limits of 64 bits.
inline constexpr Index kLargestDegree = Index{1} << 20;

/// A number that is neither infinite nor NaN. Throws InputError.
double parse_finite(const YamlValue& value);

/// Band limits of the coefficients that a step produces.
struct Limits {
  Index lmax = 0;
  Index mmax = 0;
};

/// Throws InputError at `mmax`, the value of that key, if it exceeds lmax.
void check_mmax(const YamlValue& mmax, const Limits& limits);

/// The largest spin that a job can specify.
inline constexpr Index kLargestSpin = Index{1} << 20;

/// A list of names of components; [T, Q, U] and others may be one word: TQU, QU, TEB, EB. Throws InputError.
std::vector<std::string> component_names(const YamlValue& value);

/// `fields: [..]`, a list of names, or one word as in component_names(), or of {name: X} and {names: [X, Y], spin: s}.
/// Throws InputError.
void parse_fields(const YamlValue& value, FieldsSpec& fields);

/// The key `spin`, after `fields`: the spin of the last two of these, where the others are scalars, or of two
/// components without names. 0 makes all names scalars. Throws InputError if the spin of a name is given, or if there
/// are fewer than two.
void set_spin(const YamlValue& value, Index spin, FieldsSpec& fields);

/// Parses `healpix:64` and the other short forms of grid::parse_grid_text, or `{healpix: {nside: 64}}` and likewise for
/// all rows of grid::grid_kinds() and `rings: {file: ...}`. Sections select a part of the sky: `theta_deg: [first,
/// last]`, colatitudes in degrees, and `rings`, a list of indices and [first, last].
GridSpec parse_grid(const YamlValue& value, const ParseContext& context);

}  // namespace armilla::job
