#pragma once

#include <armilla/job/parse/key_makers.hpp>

#include <optional>
#include <string>

/// The key `spectrum_kind`, of inputs and of steps that name a file of spectra.
namespace armilla::job {

/// Throws InputError if the section `value` lacks the key for a text file, or has `dl` for a file that contains C_l.
void check_spectrum_kind(const YamlValue& value, const std::string& file, const std::optional<SpectrumKind>& kind);

/// The key. Its section calls check_spectrum_kind() for files.
template <class Section>
KeyOf<Section> spectrum_kind_key(std::optional<SpectrumKind> Section::*member) {
  KeyOf<Section> key =
      KeyMakers<Section>::choice(
          "spectrum_kind", member, {"dl", "cl", "Dl", "Cl"},
          "`dl`: columns contain l (l + 1) / (2 pi) C_l, with a further factor sqrt(l (l + 1)) for each P of the "
          "lensing potential, as written by CAMB; `cl`: columns contain C_l")
          .fallback("`cl` for FITS and HDF5; required for text files");
  key.read = [member](Section& section, const Key& known, const YamlValue& value, const ParseContext&) {
    section.*member = static_cast<SpectrumKind>(value.choice(known.choices) % 2);
  };
  return key;
}

/// The key `columns` of a file of spectra: a list of names.
template <class Section>
KeyOf<Section> spectra_columns_key(std::vector<std::string> Section::*member) {
  return KeyMakers<Section>::texts(
             "columns", member,
             "names of all columns of the file in order, such as `[L, TT, EE]`, if it does not name them")
      .fallback("those in the file");
}

/// Throws InputError if the section `value` has the key although it names a value of the job.
void check_spectra_columns(const YamlValue& value, const Reference& spectra);

}  // namespace armilla::job
