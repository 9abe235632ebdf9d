#pragma once

#include <armilla/job/parse/operation.hpp>

#include <string>
#include <utility>
#include <vector>

namespace armilla::job {

/// One step with its files, as a command line gives them: `armilla smooth map.fits --fwhm-arcmin 60 -o smooth.fits`.
/// Keys are those of the job language, the last part of a path such as {"by", "window"} that of a member. Values are
/// texts: numbers, names, YAML in flow style, and the short forms `T,E` of a list and `jacobi=3` of `{jacobi: 3}`.
struct StepCommand {
  using Setting = std::pair<std::vector<std::string>, std::string>;  ///< key path, value

  std::string step;                                           ///< name of the operation
  std::string first;                                          ///< file of the first operand; empty: none
  std::vector<std::pair<std::string, std::string>> operands;  ///< key of the step, file
  std::vector<std::pair<std::string, std::string>> inputs;    ///< more inputs, such as a mask of a method: name, file
  std::vector<Setting> step_keys;
  std::vector<Setting> input_keys;  ///< of the first operand
  std::vector<Setting> output_keys;
  std::vector<Setting> execution_keys;
  std::vector<std::string> out;  ///< FILE, or KEY=FILE where the step has several results
};

/// The job that the command is, as YAML text. Reads headers of the first operand. A map where coefficients are wanted
/// is analysed first, up to the key lmax of input_keys or as much as its grid carries, on HEALPix with `jacobi: 3`
/// where input_keys have no `method`; and what smooth, multiply and rotate make of it is synthesised on its grid.
/// `notes`: a sentence for each such step. Throws InputError.
std::string job_of(const StepCommand& command, std::vector<std::string>& notes);

}  // namespace armilla::job
