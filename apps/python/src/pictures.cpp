#include <armilla/core/error.hpp>
#include <armilla/draw/map_picture.hpp>
#include <armilla/draw/points_picture.hpp>
#include <armilla/draw/spectra_picture.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "interpreter_lock.hpp"
#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace armilla::python {

namespace {

using Names = std::vector<std::string>;
using Values = HostArray<const double>;

nb::bytes bytes_of(const std::string& picture) { return nb::bytes(picture.data(), picture.size()); }

/// Component `c` of values [component][value].
std::span<const double> component(const Values& values, std::size_t components, std::size_t c) {
  const std::span<const double> all = span_of(values);
  return all.subspan(c * (all.size() / components), all.size() / components);
}

/// The unit of component `c`. Objects of Python can be given other units after their construction.
std::string unit_of(const Names& units, std::size_t components, std::size_t c) {
  if (units.empty()) return "";
  if (units.size() != components)
    throw InputError(
        fmt::format("{} units for {} components: specify one per component, or none", units.size(), components));
  return units[c];
}

draw::MapStyle style_of(bool is_sky) {
  draw::MapStyle style;
  style.orientation = is_sky ? draw::Orientation::kAstronomical : draw::Orientation::kGeographic;
  return style;
}

nb::bytes picture_of_map(const Grid& grid, const Names& fields, const Names& units, const Values& values, bool is_sky) {
  std::vector<draw::MapPanel> panels;
  for (std::size_t c = 0; c < fields.size(); ++c)
    panels.push_back({.values = component(values, fields.size(), c),
                      .title = fields[c],
                      .unit = unit_of(units, fields.size(), c),
                      .range = {}});
  std::string picture;
  {
    const Unlocked unlocked;
    picture = draw::draw_map(*grid.grid, panels, style_of(is_sky));
  }
  return bytes_of(picture);
}

nb::bytes picture_of_points(const Values& theta, const Values& phi, const Names& fields, const Names& units,
                            const Values& values) {
  std::vector<draw::PointsPanel> panels;
  for (std::size_t c = 0; c < fields.size(); ++c)
    panels.push_back({.title = fields[c], .unit = unit_of(units, fields.size(), c), .range = {}});
  std::string contents;
  {
    const Unlocked unlocked;
    draw::PointsPicture picture(static_cast<Index>(theta.size()), panels, style_of(true));
    picture.add(span_of(theta), span_of(phi), span_of(values));
    contents = picture.finish();
  }
  return bytes_of(contents);
}

nb::bytes picture_of_spectra(const Names& names, const Values& values, const std::string& unit) {
  std::vector<draw::SpectrumCurve> curves;
  for (std::size_t c = 0; c < names.size(); ++c) {
    const std::span<const double> own = component(values, names.size(), c);
    curves.push_back({.name = names[c], .values = {own.begin(), own.end()}});
  }
  draw::SpectraStyle style;
  style.unit = unit;
  style.height = style.width * 5 / 8;
  std::string picture;
  {
    const Unlocked unlocked;
    picture = draw::draw_spectra(curves, style);
  }
  return bytes_of(picture);
}

}  // namespace

void bind_pictures(nb::module_& module) {
  module.def("picture_of_map", &picture_of_map, nb::arg("grid"), nb::arg("fields"), nb::arg("units"), nb::arg("values"),
             nb::arg("is_sky"), "A PNG of the components of a map.");
  module.def("picture_of_points", &picture_of_points, nb::arg("theta"), nb::arg("phi"), nb::arg("fields"),
             nb::arg("units"), nb::arg("values"), "A PNG of values at points, or of the density of points.");
  module.def("picture_of_spectra", &picture_of_spectra, nb::arg("names"), nb::arg("values"), nb::arg("unit"),
             "A PNG of l (l + 1) / (2 pi) C_l.");
}

}  // namespace armilla::python
