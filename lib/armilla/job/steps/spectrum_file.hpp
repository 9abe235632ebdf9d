#pragma once

#include <armilla/job/parse/keys.hpp>
#include <armilla/job/plan/step_planner.hpp>

#include <optional>
#include <string>
#include <vector>

namespace armilla::job::steps {

/// A file of C_l, given by the keys `spectrum` and `spectrum_kind` of a section.
struct SpectrumFile {
  enum class Kind { kDl, kCl };

  FileSpec spectrum;
  std::optional<Kind> spectrum_kind;

  static Keys<SpectrumFile> keys();
  /// Checks the keys of the section `value`. Throws InputError.
  void finish(const YamlValue& value) const;

  /// Reads the file into PlannedStep::table, which then has a column for the spectrum of each of these fields of an alm
  /// up to lmax. `path`: that of the section within the step, empty or ending in a dot. Throws InputError.
  void plan(StepPlanner& planner, const std::string& path, const std::vector<std::string>& alm_names, Index lmax) const;
};

/// The keys, for a class derived from SpectrumFile.
template <class Section>
Keys<Section> spectrum_keys() {
  using K = KeyMakers<Section>;
  return {
      K::file("spectrum", static_cast<FileSpec Section::*>(&SpectrumFile::spectrum),
              "file of spectra: text (columns below a line `# L TT EE BB TE`), a FITS table of C_l, or HDF5")
          .required(),
      K::choice("spectrum_kind",
                static_cast<std::optional<SpectrumFile::Kind> Section::*>(&SpectrumFile::spectrum_kind), {"dl", "cl"},
                "`dl`: columns contain l (l + 1) / (2 pi) C_l, with a further factor sqrt(l (l + 1)) for each P of "
                "the lensing potential, as written by CAMB; `cl`: columns contain C_l")
          .fallback("`cl` for FITS and HDF5; required for text files")};
}

}  // namespace armilla::job::steps
