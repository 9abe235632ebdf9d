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
  return KeyMakers<Section>::choice(
             "spectrum_kind", member, {"dl", "cl"},
             "`dl`: columns contain l (l + 1) / (2 pi) C_l, with a further factor sqrt(l (l + 1)) for each P of the "
             "lensing potential, as written by CAMB; `cl`: columns contain C_l")
      .fallback("`cl` for FITS and HDF5; required for text files");
}

}  // namespace armilla::job
