#include <armilla/core/error.hpp>
#include <armilla/draw/points_picture.hpp>
#include <armilla/io/points.hpp>
#include <armilla/io/polarisation.hpp>
#include <armilla/io/read.hpp>

#include <algorithm>
#include <cmath>

#include "standard_streams.hpp"
#include "view_arguments.hpp"
#include <fmt/format.h>

namespace armilla::app {

namespace {

using core::Index;

draw::MapStyle style_of(const ViewArguments& arguments, draw::Orientation usual) {
  draw::MapStyle style;
  if (arguments.projection) style.projection = *arguments.projection;
  style.orientation = arguments.geographic     ? draw::Orientation::kGeographic
                      : arguments.astronomical ? draw::Orientation::kAstronomical
                                               : usual;
  if (!arguments.centre.empty()) {
    style.centre_lon_deg = arguments.centre[0];
    style.centre_lat_deg = arguments.centre[1];
    if (!(std::abs(style.centre_lat_deg) <= 90))
      throw core::InputError(fmt::format("--centre: the latitude {} is outside -90 .. 90: use degrees from -90 to 90",
                                         style.centre_lat_deg));
  }
  if (arguments.map) style.title = fmt::format("Map {}", *arguments.map);
  style.format = arguments.format;
  style.width = arguments.width;
  return style;
}

draw::RangeStyle range_of(const ViewArguments& arguments) {
  draw::RangeStyle range{.minimum = arguments.minimum, .maximum = arguments.maximum};
  if (arguments.logarithmic) range.scale = draw::ColorScale::kLogarithmic;
  return range;
}

/// Geographic orientation for grids other than HEALPix, unless the file specifies celestial coordinates.
draw::Orientation usual_orientation(const io::MapInfo& info) {
  const bool is_sky = info.grid->description().kind == "healpix" || !info.metadata.coordsys.empty();
  return is_sky ? draw::Orientation::kAstronomical : draw::Orientation::kGeographic;
}

/// Number of good values that a logarithmic scale cannot show.
Index not_positive(std::span<const double> values) {
  return std::ranges::count_if(values, [](double value) { return !draw::is_bad(value) && value <= 0; });
}

void print_not_positive(const std::string& field, Index count, Index of, const char* fate) {
  if (count > 0)
    print("{}: {} of {} values are zero or negative and cannot be shown on a logarithmic scale: they are {}\n", field,
          count, of, fate);
}

/// Points to read at a time. A text file is parsed once for each component, so it is read in one block.
Index points_per_block(const io::PointsInfo& info) {
  constexpr Index kBlock = Index{1} << 20;
  return info.format == io::TableFormat::kText ? info.points : std::min(kBlock, info.points);
}

}  // namespace

std::string picture_of_map(const ViewArguments& arguments) {
  refuse("--cl", arguments.power, "spectra");
  io::MapInfo info = io::open_map(arguments.file, io::BatchPolicy::kTake, arguments.header);
  choose_map(arguments, info.batch);
  const dist::PixelRange all{0, info.grid->npix()};
  const auto components = chosen_components(arguments, info.components, info.metadata);
  std::vector<std::vector<double>> values(components.size());
  std::vector<draw::MapPanel> panels;
  for (std::size_t i = 0; i < components.size(); ++i) {
    const auto c = static_cast<std::size_t>(components[i]);
    values[i].resize(static_cast<std::size_t>(all.count));
    io::read_map<double>(info, components[i], {&all, 1}, values[i], io::BadDataPolicy::kKeep,
                         io::sign_to_cosmo(info.metadata, static_cast<std::size_t>(components[i])));
    draw::MapPanel panel{.values = values[i], .title = {}, .unit = {}, .range = range_of(arguments)};
    if (c < info.metadata.fields.size()) panel.title = info.metadata.fields[c];
    if (c < info.metadata.units.size()) panel.unit = info.metadata.units[c];
    panels.push_back(panel);
  }
  std::string picture = draw::draw_map(*info.grid, panels, style_of(arguments, usual_orientation(info)));
  for (const draw::MapPanel& panel : panels)
    if (arguments.logarithmic)
      print_not_positive(panel.title, not_positive(panel.values), all.count, "drawn in grey, like missing values");
  return picture;
}

std::string picture_of_points(const ViewArguments& arguments) {
  refuse("--cl", arguments.power, "spectra");
  refuse("--map", arguments.map.has_value(), "files of many maps");
  const io::PointsInfo info = io::open_points(arguments.file);
  const auto components = chosen_components(arguments, info.components, info.metadata);
  const draw::RangeStyle range = range_of(arguments);
  std::vector<draw::PointsPanel> panels;
  for (const Index component : components) {
    const auto c = static_cast<std::size_t>(component);
    panels.push_back({.title = info.metadata.fields[c], .unit = info.metadata.units[c], .range = range});
  }
  draw::PointsPicture picture(info.points, panels, style_of(arguments, draw::Orientation::kAstronomical), range);
  std::vector<double> theta, phi, values;
  std::vector<Index> left_out(components.size(), 0);
  for (Index first = 0; first < info.points; first += points_per_block(info)) {
    const auto count = static_cast<std::size_t>(std::min(points_per_block(info), info.points - first));
    theta.resize(count);
    phi.resize(count);
    values.resize(count * components.size());
    io::read_places(info, first, theta, phi);
    for (std::size_t i = 0; i < components.size(); ++i) {
      const auto own = std::span(values).subspan(i * count, count);
      io::read_values<double>(info, components[i], first, own, io::BadDataPolicy::kKeep,
                              io::sign_to_cosmo(info.metadata, static_cast<std::size_t>(components[i])));
      left_out[i] += not_positive(own);
    }
    picture.add(theta, phi, values);
  }
  std::string content = picture.finish();
  for (std::size_t i = 0; arguments.logarithmic && i < components.size(); ++i)
    print_not_positive(panels[i].title, left_out[i], info.points, "not drawn, like missing values");
  return content;
}

}  // namespace armilla::app
