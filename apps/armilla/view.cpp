#include <armilla/comm/communicator.hpp>
#include <armilla/core/error.hpp>
#include <armilla/draw/map_picture.hpp>
#include <armilla/draw/points_picture.hpp>
#include <armilla/draw/spectra_picture.hpp>
#include <armilla/io/file_probe.hpp>
#include <armilla/io/points.hpp>
#include <armilla/io/read.hpp>
#include <armilla/io/spectra_summary.hpp>
#include <armilla/io/write.hpp>
#include <armilla/ops/spectra.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <system_error>
#include <vector>

#include "verbs.hpp"
#include <fmt/format.h>

namespace armilla::app {

namespace {

using core::Index;

const std::map<std::string, draw::PictureFormat> kFormats{
    {".png", draw::PictureFormat::kPng}, {".svg", draw::PictureFormat::kSvg}, {".pdf", draw::PictureFormat::kPdf}};

struct ViewArguments {
  std::string file, picture;
  draw::PictureFormat format = draw::PictureFormat::kPng;  ///< as the name of the picture ends
  std::vector<std::string> fields;                         ///< all where empty
  std::optional<draw::Projection> projection;
  std::optional<double> minimum, maximum;
  std::vector<double> centre;  ///< longitude and latitude; none: 0, 0
  int width = 1600;
  bool power = false;
};

/// Numbers of the components to draw. Throws InputError for a field that the file lacks.
std::vector<Index> chosen_components(const ViewArguments& arguments, Index components,
                                     const std::vector<std::string>& names) {
  std::vector<Index> chosen;
  if (arguments.fields.empty())
    for (Index c = 0; c < components; ++c) chosen.push_back(c);
  for (const auto& field : arguments.fields) {
    const auto found = std::find(names.begin(), names.end(), field);
    if (found == names.end())
      throw core::InputError(
          fmt::format("--field {}: {} has {}", field, arguments.file,
                      names.empty() ? "fields without names" : fmt::format("{}", fmt::join(names, ", "))));
    chosen.push_back(found - names.begin());
  }
  return chosen;
}

void refuse(const char* option, bool given, const char* what) {
  if (given) throw core::InputError(fmt::format("{} is for {}: leave it out", option, what));
}

draw::MapStyle style_of(const ViewArguments& arguments) {
  draw::MapStyle style;
  if (arguments.projection) style.projection = *arguments.projection;
  if (!arguments.centre.empty()) {
    style.centre_lon_deg = arguments.centre[0];
    style.centre_lat_deg = arguments.centre[1];
    if (!(std::abs(style.centre_lat_deg) <= 90))
      throw core::InputError(fmt::format("--centre: the latitude {} is outside -90 .. 90", style.centre_lat_deg));
  }
  style.format = arguments.format;
  style.width = arguments.width;
  return style;
}

std::string picture_of_map(const ViewArguments& arguments) {
  refuse("--cl", arguments.power, "spectra");
  const io::MapInfo info = io::open_map(arguments.file);
  const dist::PixelRange all{0, info.grid->npix()};
  const auto components = chosen_components(arguments, info.components, info.metadata.fields);
  std::vector<std::vector<double>> values(components.size());
  std::vector<draw::MapPanel> panels;
  for (std::size_t i = 0; i < components.size(); ++i) {
    const auto c = static_cast<std::size_t>(components[i]);
    values[i].resize(static_cast<std::size_t>(all.count));
    io::read_map<double>(info, components[i], {&all, 1}, values[i], io::BadDataPolicy::kKeep);
    draw::MapPanel panel{.values = values[i], .title = {}, .unit = {}, .range = {}};
    if (c < info.metadata.fields.size()) panel.title = info.metadata.fields[c];
    if (c < info.metadata.units.size()) panel.unit = info.metadata.units[c];
    panel.range.minimum = arguments.minimum;
    panel.range.maximum = arguments.maximum;
    panels.push_back(panel);
  }
  return draw::draw_map(*info.grid, panels, style_of(arguments));
}

/// Points that are read at a time; text is read once for each component.
Index block_of(const io::PointsInfo& info) {
  constexpr Index kBlock = Index{1} << 20;
  return info.format == io::PointFormat::kText ? info.points : std::min(kBlock, info.points);
}

std::string picture_of_points(const ViewArguments& arguments) {
  refuse("--cl", arguments.power, "spectra");
  const io::PointsInfo info = io::open_points(arguments.file);
  const auto components = chosen_components(arguments, info.components, info.metadata.fields);
  std::vector<draw::PointsPanel> panels;
  const draw::RangeStyle range{.minimum = arguments.minimum, .maximum = arguments.maximum};
  for (const Index component : components) {
    const auto c = static_cast<std::size_t>(component);
    panels.push_back({.title = info.metadata.fields[c], .unit = info.metadata.units[c], .range = range});
  }
  draw::PointsPicture picture(info.points, panels, style_of(arguments), range);
  std::vector<double> theta, phi, values;
  for (Index first = 0; first < info.points; first += block_of(info)) {
    const auto count = static_cast<std::size_t>(std::min(block_of(info), info.points - first));
    theta.resize(count);
    phi.resize(count);
    values.resize(count * components.size());
    io::read_places(info, first, theta, phi);
    for (std::size_t i = 0; i < components.size(); ++i)
      io::read_values<double>(info, components[i], first, std::span(values).subspan(i * count, count),
                              io::BadDataPolicy::kKeep);
    picture.add(theta, phi, values);
  }
  return picture.finish();
}

/// The field kind that the names in the file stand for; single fields of any kind where they stand for none.
alm::SpectraTable spectra_of_alm(const std::string& file) {
  const io::AlmInfo info = io::open_alm(file);
  const auto whole = std::make_shared<const dist::AlmDistribution>(alm::AlmLayout(info.lmax, info.mmax), 1);
  const auto kind = info.components == 1
                        ? transform::FieldKind::scalar(info.metadata.fields.empty() ? "T" : info.metadata.fields[0])
                    : info.components == 2 ? transform::FieldKind::polarisation()
                                           : transform::FieldKind::temperature_polarisation();
  if (kind.components() != info.components)
    throw core::InputError(
        fmt::format("{} has {} fields: alm of one, two or three can be drawn", file, info.components));
  transform::AlmField<double> alm(kind, whole, 0, 1);
  for (Index c = 0; c < info.components; ++c) io::read_alm<double>(info, c, *whole, 0, alm.component(0, c));
  alm::SpectraTable table = ops::spectra<double>(comm::Communicator::self(), alm, alm);
  if (!info.metadata.units.empty() && !info.metadata.units[0].empty()) table.unit = info.metadata.units[0] + "^2";
  return table;
}

constexpr Index kSamples = 3;

std::string title_of(const io::SpectraSummary& summary) {
  std::string title = fmt::format("Mean of {} map{}", summary.maps, summary.maps == 1 ? "" : "s");
  if (summary.maps > 1) title += "; band: standard deviation of one";
  if (summary.maps > 1 && !summary.samples.empty())
    title += fmt::format("; thin lines: {} of them", summary.samples.size());
  return title;
}

std::string picture_of_spectra(const ViewArguments& arguments, const alm::SpectraTable& table,
                               const io::SpectraSummary* summary = nullptr) {
  refuse("--projection", arguments.projection.has_value(), "maps");
  refuse("--centre", !arguments.centre.empty(), "maps");
  refuse("--min", arguments.minimum.has_value(), "maps");
  refuse("--max", arguments.maximum.has_value(), "maps");
  std::vector<draw::SpectrumCurve> curves;
  for (const Index component : chosen_components(arguments, static_cast<Index>(table.names.size()), table.names)) {
    const auto c = static_cast<std::size_t>(component);
    draw::SpectrumCurve& curve = curves.emplace_back();
    curve.name = table.names[c];
    curve.values = table.columns[c];
    if (summary == nullptr) continue;
    if (summary->maps > 1) curve.deviation = summary->deviation[c];
    for (const alm::SpectraTable& sample : summary->samples) curve.samples.push_back(sample.columns[c]);
  }
  draw::SpectraStyle style;
  if (summary != nullptr) style.title = title_of(*summary);
  style.quantity = arguments.power ? draw::SpectrumQuantity::kPower : draw::SpectrumQuantity::kBandPower;
  style.unit = table.unit;
  style.format = arguments.format;
  style.width = arguments.width;
  style.height = arguments.width * 5 / 8;
  return draw::draw_spectra(curves, style);
}

int view(ViewArguments arguments) {
  const auto format = kFormats.find(io::name_ending(arguments.picture));
  if (format == kFormats.end())
    throw core::InputError(fmt::format("picture '{}': give a name that ends in .png, .svg or .pdf", arguments.picture));
  arguments.format = format->second;
  std::error_code error;
  if (std::filesystem::equivalent(arguments.file, arguments.picture, error))
    throw core::InputError(fmt::format("{} is input and output at once: write to another file", arguments.file));
  const auto picture = [&]() {
    switch (io::file_kind(arguments.file)) {
      case io::FileKind::kMap:
        return picture_of_map(arguments);
      case io::FileKind::kAlm:
        return picture_of_spectra(arguments, spectra_of_alm(arguments.file));
      case io::FileKind::kSpectra:
        if (const auto summary = io::read_spectra_summary(arguments.file, kSamples))
          return picture_of_spectra(arguments, summary->mean, &*summary);
        return picture_of_spectra(arguments, io::read_spectra(arguments.file, false));
      case io::FileKind::kPoints:
        return picture_of_points(arguments);
      case io::FileKind::kRings:
        break;
    }
    throw core::InputError(fmt::format("{} holds rings only: there is nothing to draw", arguments.file));
  };
  io::write_text(comm::Communicator::self(), arguments.picture, picture());
  return core::kExitDone;
}

}  // namespace

void add_view(CLI::App& app, Action& chosen) {
  auto arguments = std::make_shared<ViewArguments>();
  CLI::App* verb = app.add_subcommand("view", "Draw a map, points, or the spectra of C_l or alm, as PNG, SVG or PDF");
  verb->add_option("file", arguments->file, "A map, alm, spectra or points")->required()->type_name("FILE");
  verb->add_option("-o,--output", arguments->picture, "The picture: .png, .svg or .pdf")->required()->type_name("FILE");
  verb->add_option("--field", arguments->fields, "Fields (T Q U) or spectra (TT EE) to draw; all by default")
      ->type_name("NAME")
      ->delimiter(',');
  verb->add_option_function<std::string>(
          "--projection",
          [arguments](const std::string& name) {
            if (name != "mollweide" && name != "orthographic")
              throw CLI::ValidationError("--projection", fmt::format("'{}': give mollweide or orthographic", name));
            arguments->projection =
                name == "mollweide" ? draw::Projection::kMollweide : draw::Projection::kOrthographic;
          },
          "Of maps and points: mollweide (default) or orthographic")
      ->type_name("NAME");
  verb->add_option("--centre", arguments->centre, "Longitude and latitude in the middle [degree]")
      ->type_name("LON LAT")
      ->expected(2);
  verb->add_option("--min", arguments->minimum, "Lower end of the colours")->type_name("VALUE");
  verb->add_option("--max", arguments->maximum, "Upper end of the colours")->type_name("VALUE");
  verb->add_option("--width", arguments->width, "Of the picture [pixels], 1600 by default")->type_name("N");
  verb->add_flag("--cl", arguments->power, "Draw C_l instead of l (l + 1) C_l / (2 pi)");
  verb->footer("Example: armilla view map.fits -o map.png --field T --min -300 --max 300");
  verb->callback([arguments, &chosen] { chosen = [arguments] { return view(*arguments); }; });
}

}  // namespace armilla::app
