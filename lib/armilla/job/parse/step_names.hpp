#pragma once

#include <armilla/job/parse/job_spec.hpp>

#include <optional>
#include <string>
#include <vector>

namespace armilla::job {

/// A named operand of a step.
struct Operand {
  std::string key;  ///< of the step: alm, map, with, reference
  std::string name;
  ValueSort sort;
  std::string given = {};  ///< name in the job, if `name` was derived from it; empty if it is `name`
};

/// The names in a step: its operands, results and files. Set during parsing.
class StepNames {
 public:
  /// Adds operand `name`, given by `key` of the step. If other steps derive it from the value that `key` names, that
  /// value is `given`.
  void take(const std::string& key, const std::string& name, ValueSort sort, const std::string& given = {}) {
    operands_.push_back({key, name, sort, given});
  }
  /// Adds an operand that is a value of the job or a file, which becomes an input. `columns`: of a file of spectra.
  void take(const std::string& key, const Reference& reference, ValueSort sort, std::optional<SpectrumKind> kind = {},
            const std::vector<std::string>& columns = {}) {
    take(key, reference.name, sort);
    if (reference.is_file)
      inputs_.push_back({.place = reference.place,
                         .name = reference.name,
                         .sort = sort,
                         .file = reference.path,
                         .columns = columns,
                         .spectrum_kind = kind,
                         .is_of_step = true});
  }
  /// Adds a result with that name.
  void make(const std::string& name) { results_.push_back(name); }
  /// Adds the file of a grid, if it has one.
  void read(const GridSpec& grid) {
    if (!grid.description.file.empty()) files_.push_back({grid.place, grid.description.file});
  }

  /// Its operands, in the order in which plan() and run() number them.
  const std::vector<Operand>& operands() const { return operands_; }
  /// The names of its results; none if it has no result.
  const std::vector<std::string>& results() const { return results_; }
  /// The files that it names as operands.
  const std::vector<InputSpec>& inputs() const { return inputs_; }
  /// The files of its grids.
  const std::vector<FileSpec>& files() const { return files_; }

 private:
  std::vector<Operand> operands_;
  std::vector<std::string> results_;
  std::vector<InputSpec> inputs_;
  std::vector<FileSpec> files_;
};

}  // namespace armilla::job
