#include <armilla/job/steps/spectrum_keys.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job::steps {

Keys<SpectrumKeys> SpectrumKeys::keys() { return spectrum_keys<SpectrumKeys>(); }

void SpectrumKeys::finish(const YamlValue& value) const {
  if (spectrum.is_file && !spectrum_kind && spectrum.text.find_first_of("./") == std::string::npos)
    value.at("spectrum")
        .fail(
            "is neither a value of the job so far nor the name of a file with an extension: name an input or an "
            "earlier result, or add " +
            core::mention({}, "spectrum_kind") + " for a text file");
  check_spectra_columns(value, spectrum);
  if (spectrum.is_file)
    check_spectrum_kind(value, spectrum.path, spectrum_kind);
  else if (spectrum_kind)
    value.at("spectrum_kind").fail(fmt::format("applies to files, but '{}' is a value: remove it", spectrum.name));
}

void SpectrumKeys::check(const StepPlanner& planner, std::size_t number, const std::vector<std::string>& alm_names,
                         Index lmax) {
  const ValueInfo& table = planner.operand(number);
  if (table.spectra_lmax < lmax)
    planner.refuse_key(
        "lmax", fmt::format("{}", lmax),
        fmt::format("exceeds l = {}, the last degree in {}: lower lmax", table.spectra_lmax, table.name));
  for (const std::string& name : alm_names) {
    const std::string column = alm::spectrum_name(name, name);
    if (std::ranges::find(table.spectra, column) == table.spectra.end())
      planner.refuse_operand(number, fmt::format("has no column {}, which is required for the field {}; its columns "
                                                 "are {}",
                                                 column, name, fmt::join(table.spectra, ", ")));
  }
}

}  // namespace armilla::job::steps
