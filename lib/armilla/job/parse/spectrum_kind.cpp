#include <armilla/job/parse/spectrum_kind.hpp>

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>

namespace armilla::job {

void check_spectrum_kind(const YamlValue& value, const std::string& file, const std::optional<SpectrumKind>& kind) {
  const std::string ending = std::filesystem::path(file).extension().string();
  const std::array<std::string, 4> binary{".fits", ".fit", ".h5", ".hdf5"};
  const bool is_text = std::ranges::find(binary, ending) == binary.end();
  if (is_text && !kind)
    value.complain(
        fmt::format("lacks the unit of {}: set {} if its columns contain l (l + 1) / (2 pi) C_l, otherwise {}", file,
                    core::mention({}, "spectrum_kind", "dl"), core::mention({}, "spectrum_kind", "cl")));
  if (!is_text && kind == SpectrumKind::kDl)
    value.at("spectrum_kind")
        .fail("cannot be used with FITS or HDF5 files, which contain C_l: use 'cl', or remove the key");
}

void check_spectra_columns(const YamlValue& value, const Reference& spectra) {
  if (const auto columns = value.find("columns"); columns && !spectra.is_file)
    columns->fail(fmt::format("applies to files, but '{}' is a value: remove it", spectra.name));
}

}  // namespace armilla::job
