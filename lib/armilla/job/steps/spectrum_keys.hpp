#pragma once

#include <armilla/job/parse/spectrum_kind.hpp>
#include <armilla/job/plan/step_planner.hpp>

#include <optional>
#include <string>
#include <vector>

namespace armilla::job::steps {

/// C_l, given by the keys `spectrum`, `spectrum_kind` and `columns` of a section: a value of the job, or a file.
struct SpectrumKeys {
  Reference spectrum;
  std::optional<SpectrumKind> spectrum_kind;
  std::vector<std::string> columns;  ///< of a file

  static Keys<SpectrumKeys> keys();
  /// Checks the keys of the section `value`. Throws InputError.
  void finish(const YamlValue& value) const;

  /// Checks that the spectra, the operand with this number, reach lmax and have a column for each of these fields of an
  /// alm. Throws InputError.
  static void check(const StepPlanner& planner, std::size_t number, const std::vector<std::string>& alm_names,
                    Index lmax);
};

/// The keys, for a class derived from SpectrumKeys.
template <class Section>
Keys<Section> spectrum_keys() {
  using K = KeyMakers<Section>;
  return {
      K::reference("spectrum", static_cast<Reference Section::*>(&SpectrumKeys::spectrum), ValueSort::kSpectra,
                   "spectra; as a file: text (columns below a line `# L TT EE BB TE`), a FITS table of C_l, or HDF5")
          .required(),
      spectrum_kind_key(static_cast<std::optional<SpectrumKind> Section::*>(&SpectrumKeys::spectrum_kind)),
      spectra_columns_key(static_cast<std::vector<std::string> Section::*>(&SpectrumKeys::columns))};
}

}  // namespace armilla::job::steps
