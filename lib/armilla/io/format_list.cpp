#include <armilla/io/format_list.hpp>
#include <armilla/io/formats.hpp>
#include <armilla/io/point_formats.hpp>
#include <armilla/io/write.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::io {

std::vector<FormatSummary> format_list() {
  std::vector<FormatSummary> list;
  for (const FormatRow& row : formats())
    list.push_back({std::string(row.name),
                    {row.endings.begin(), row.endings.end()},
                    row.healpix_only ? "HEALPix maps, alm, spectra, values at points"
                                     : "maps on any grid, alm, spectra, values at points, batches of many maps"});
  for (const PointFormatRow& row : point_formats()) {
    if (row.format != PointFormat::kText) continue;
    const FormatSummary text{
        "text",
        {row.endings.begin(), row.endings.end()},
        fmt::format("values at points; {} also for spectra", fmt::join(spectra_text_endings(), " and "))};
    list.push_back(text);
  }
  return list;
}

}  // namespace armilla::io
