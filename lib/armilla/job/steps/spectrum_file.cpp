#include <armilla/core/error.hpp>
#include <armilla/io/read.hpp>
#include <armilla/job/steps/spectrum_file.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job::steps {

namespace {

/// Whether a file of spectra is a text table, according to its extension.
bool is_text_table(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  const std::array<std::string, 4> binary{".fits", ".fit", ".h5", ".hdf5"};
  return std::ranges::find(binary, ending) == binary.end();
}

}  // namespace

Keys<SpectrumFile> SpectrumFile::keys() { return spectrum_keys<SpectrumFile>(); }

void SpectrumFile::finish(const YamlValue& value) const {
  const bool is_text = is_text_table(spectrum.path);
  if (is_text && !spectrum_kind)
    value.complain(fmt::format(
        "lacks the key 'spectrum_kind': set it to 'dl' if the columns of {} contain l (l + 1) / (2 pi) C_l, "
        "otherwise to 'cl'",
        spectrum.path));
  if (!is_text && spectrum_kind == Kind::kDl)
    value.at("spectrum_kind")
        .fail("cannot be used with FITS or HDF5 files, which contain C_l: use 'cl', or remove the key");
}

void SpectrumFile::plan(StepPlanner& planner, const std::string& path, const std::vector<std::string>& alm_names,
                        Index lmax) const {
  core::SeenFile file;
  try {
    file = PlanBuilder::see(spectrum.path);
    planner.planned().table = io::read_spectra(file.path, spectrum_kind == Kind::kDl);
  } catch (const core::InputError& error) {
    planner.rethrow(path + "spectrum", error.what());
  }
  const alm::SpectraTable& table = *planner.planned().table;
  if (table.lmax < lmax)
    planner.refuse_key("lmax", fmt::format("{}", lmax),
                       fmt::format("exceeds l = {}, the last degree in {}: lower lmax", table.lmax, spectrum.path));
  double sum = 0;
  for (const auto& column : table.columns) sum = std::accumulate(column.begin(), column.end(), sum);
  planner.builder().note(file, fmt::format("{} to l = {}, sum {:.17g}", fmt::join(table.names, " "), table.lmax, sum));
  for (const std::string& name : alm_names)
    if (const std::string column = alm::spectrum_name(name, name); table.find(column) == nullptr)
      planner.refuse_key(path + "spectrum", spectrum.path,
                         fmt::format("has no column {}, which is required for the field {}; its columns are {}", column,
                                     name, fmt::join(table.names, ", ")));
}

}  // namespace armilla::job::steps
