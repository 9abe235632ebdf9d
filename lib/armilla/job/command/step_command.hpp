#pragma once

#include <armilla/job/command/command_files.hpp>
#include <armilla/job/parse/operation_kind.hpp>

#include <string>
#include <utility>
#include <vector>

namespace armilla::job {

/// One step and its files, from a command line such as `armilla smooth map.fits --fwhm-arcmin 60 -o smooth.fits`. Keys
/// are those of the job language; in a path such as {"by", "window"} the last key is that of a member. Values are
/// strings: numbers, names, YAML in flow style, and the short forms `T,E` for a list and `jacobi=3` for `{jacobi: 3}`.
struct StepCommand {
  using Setting = std::pair<std::vector<std::string>, std::string>;  ///< key path, value
  /// A key of inputs.
  struct InputSetting {
    std::string operand;  ///< whose file it describes; empty: all files to which it applies
    Setting setting;
    /// As on the command line: "--fields", "--mask.fields".
    std::string option() const;
  };

  std::string step;                                           ///< name of the operation
  std::string first;                                          ///< file of the first operand, or empty
  std::vector<std::pair<std::string, std::string>> operands;  ///< key of the step, file
  /// Additional inputs, such as a mask of a method: name, and file or section of an input in flow style.
  std::vector<std::pair<std::string, std::string>> inputs;
  std::vector<Setting> step_keys;
  std::vector<InputSetting> input_keys;
  std::vector<Setting> output_keys;
  std::vector<Setting> execution_keys;
  std::vector<std::string> out;  ///< FILE, or KEY=FILE if the step has several results
};

/// The job equivalent to the command, as YAML text. Reads the headers of operands. If the step needs coefficients and
/// the file contains a map, the map is analysed first, up to the key lmax of input_keys or the limit of its grid. On
/// HEALPix the default method is `jacobi: 3`. The results of smooth, multiply and rotate are then synthesised on its
/// grid. `notes`: a sentence for each added step. `held`: receives the contents of compressed files, to be held until
/// the job is planned. Throws InputError.
std::string job_of(const StepCommand& command, std::vector<std::string>& notes, HeldContents& held);

}  // namespace armilla::job
