#include <armilla/comm/communicator.hpp>
#include <armilla/core/error.hpp>
#include <armilla/draw/spectra_picture.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/file_probe.hpp>
#include <armilla/io/fits_contents.hpp>
#include <armilla/io/read.hpp>
#include <armilla/io/spectra_summary.hpp>
#include <armilla/io/write.hpp>
#include <armilla/job/value/unit_powers.hpp>
#include <armilla/ops/spectra.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <system_error>
#include <vector>

#include "header_options.hpp"
#include "verbs.hpp"
#include "view_arguments.hpp"
#include <fmt/format.h>

namespace armilla::app {

namespace {

using core::Index;

const std::map<std::string, draw::PictureFormat> kFormats{
    {".png", draw::PictureFormat::kPng}, {".svg", draw::PictureFormat::kSvg}, {".pdf", draw::PictureFormat::kPdf}};
const std::map<std::string, draw::Projection> kProjections{{"mollweide", draw::Projection::kMollweide},
                                                           {"orthographic", draw::Projection::kOrthographic},
                                                           {"plate_carree", draw::Projection::kPlateCarree}};

}  // namespace

std::vector<Index> chosen_components(const ViewArguments& arguments, Index components,
                                     const io::FieldMetadata& metadata) {
  std::vector<Index> chosen;
  if (arguments.fields.empty())
    for (Index c = 0; c < components; ++c) chosen.push_back(c);
  for (const auto& field : arguments.fields) {
    const std::vector<Index> found = io::components_named(metadata, field);
    const std::vector<std::string>& names = metadata.columns.empty() ? metadata.fields : metadata.columns;
    if (found.empty())
      throw core::InputError(
          fmt::format("--field {}: {} has {}", field, arguments.file,
                      names.empty() ? "fields without names" : fmt::format("{}", fmt::join(names, ", "))));
    if (found.size() > 1)
      throw core::InputError(fmt::format("--field {} is ambiguous: {} has {}: use the name of one column", field,
                                         arguments.file, io::names_of(metadata, found)));
    chosen.push_back(found.front());
  }
  return chosen;
}

void refuse(const char* option, bool given, const char* what) {
  if (given) throw core::InputError(fmt::format("{} applies only to {}: remove it", option, what));
}

void choose_map(const ViewArguments& arguments, io::BatchAxis& batch) {
  if (batch.maps == 0) return refuse("--map", arguments.map.has_value(), "files of many maps");
  if (!arguments.map && batch.maps == 1) return;
  if (!arguments.map)
    throw core::InputError(
        fmt::format("{} contains {} maps: choose one with --map 0 .. {}", arguments.file, batch.maps, batch.maps - 1));
  if (*arguments.map < 0 || *arguments.map >= batch.maps)
    throw core::InputError(fmt::format("--map {}: {} contains {} maps: choose one of 0 .. {}", *arguments.map,
                                       arguments.file, batch.maps, batch.maps - 1));
  batch.map = *arguments.map;
}

namespace {

/// Spectra of all fields of the file. One field is a scalar, two are polarisation, three are temperature and
/// polarisation.
alm::SpectraTable spectra_of_alm(const ViewArguments& arguments) {
  const std::string& file = arguments.file;
  io::AlmInfo info = io::open_alm(file, io::BatchPolicy::kTake);
  choose_map(arguments, info.batch);
  const auto whole = std::make_shared<const dist::AlmDistribution>(alm::AlmLayout(info.lmax, info.mmax), 1);
  const auto kind = info.components == 1
                        ? transform::FieldKind::scalar(info.metadata.fields.empty() ? "T" : info.metadata.fields[0])
                    : info.components == 2 ? transform::FieldKind::polarisation()
                                           : transform::FieldKind::temperature_polarisation();
  if (kind.components() != info.components)
    throw core::InputError(
        fmt::format("{} has {} fields: only alm of one, two or three fields can be drawn", file, info.components));
  transform::AlmField<double> alm(kind, whole, 0, 1);
  for (Index c = 0; c < info.components; ++c) io::read_alm<double>(info, c, *whole, 0, alm.component(0, c));
  alm::SpectraTable table = ops::spectra<double>(comm::Communicator::self(), alm, alm);
  if (!info.metadata.units.empty() && !info.metadata.units[0].empty())
    table.unit = job::unit_squared(info.metadata.units[0]);
  return table;
}

// Parsers of option values. They throw ValidationError.

void take_projection(ViewArguments& arguments, const std::string& name) {
  const auto found = kProjections.find(name);
  if (found == kProjections.end())
    throw CLI::ValidationError("--projection", fmt::format("'{}': use mollweide, orthographic or plate_carree", name));
  arguments.projection = found->second;
}

void take_range(ViewArguments& arguments, const std::string& text) {
  const std::size_t colon = text.find(':');
  double low = 0, high = 0;
  if (colon == std::string::npos || !CLI::detail::lexical_cast(text.substr(0, colon), low) ||
      !CLI::detail::lexical_cast(text.substr(colon + 1), high))
    throw CLI::ValidationError("--range", fmt::format("'{}': use two numbers, such as -300:300", text));
  arguments.range = true;
  arguments.minimum = low;
  arguments.maximum = high;
}

constexpr Index kSamples = 3;

std::string title_of(const io::SpectraSummary& summary) {
  std::string title = fmt::format("Mean of {} map{}", summary.maps, summary.maps == 1 ? "" : "s");
  if (summary.maps > 1) title += "; band: standard deviation of one map";
  if (summary.maps > 1 && !summary.samples.empty())
    title += fmt::format("; thin lines: {} of the maps", summary.samples.size());
  return title;
}

std::string picture_of_spectra(const ViewArguments& arguments, const alm::SpectraTable& table,
                               const io::SpectraSummary* summary = nullptr) {
  refuse("--projection", arguments.projection.has_value(), "maps");
  refuse("--centre", !arguments.centre.empty(), "maps");
  refuse("--range", arguments.range, "maps");
  refuse("--min", arguments.minimum.has_value(), "maps");
  refuse("--max", arguments.maximum.has_value(), "maps");
  refuse("--log", arguments.logarithmic, "maps; spectra are logarithmic");
  refuse("--geo", arguments.geographic, "maps");
  refuse("--sky", arguments.astronomical, "maps");
  std::vector<draw::SpectrumCurve> curves;
  for (const Index component :
       chosen_components(arguments, static_cast<Index>(table.names.size()), {.fields = table.names})) {
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
  if (arguments.map) style.title = fmt::format("Map {}", *arguments.map);
  style.quantity = arguments.power ? draw::SpectrumQuantity::kPower : draw::SpectrumQuantity::kBandPower;
  style.unit = table.unit;
  style.format = arguments.format;
  style.width = arguments.width;
  style.height = arguments.width * 5 / 8;
  return draw::draw_spectra(curves, style);
}

std::string picture_of_spectra_file(const ViewArguments& arguments) {
  io::BatchAxis batch = io::spectra_batch(arguments.file);
  if (arguments.map) {
    choose_map(arguments, batch);
    return picture_of_spectra(arguments, io::read_spectra_of_map(arguments.file, batch));
  }
  if (const auto summary = io::read_spectra_summary(arguments.file, kSamples))
    return picture_of_spectra(arguments, summary->mean, &*summary);
  return picture_of_spectra(arguments, io::read_spectra(arguments.file, false));
}

int view(ViewArguments arguments) {
  const auto format = kFormats.find(io::name_ending(arguments.picture));
  if (format == kFormats.end())
    throw core::InputError(fmt::format("picture '{}': use a name that ends in .png, .svg or .pdf", arguments.picture));
  arguments.format = format->second;
  std::error_code error;
  if (std::filesystem::equivalent(arguments.file, arguments.picture, error))
    throw core::InputError(fmt::format("{} is both input and output: write to another file", arguments.file));
  const std::shared_ptr<const void> contents = io::inflated_contents(arguments.file);
  const auto picture = [&]() {
    switch (io::file_kind(arguments.file)) {
      case io::FileKind::kMap:
        return picture_of_map(arguments);
      case io::FileKind::kAlm:
        return picture_of_spectra(arguments, spectra_of_alm(arguments));
      case io::FileKind::kSpectra:
        return picture_of_spectra_file(arguments);
      case io::FileKind::kPoints:
        return picture_of_points(arguments);
      case io::FileKind::kRings:
        break;
    }
    throw core::InputError(fmt::format("{} contains only rings: there is nothing to draw", arguments.file));
  };
  io::write_text(comm::Communicator::self(), arguments.picture, picture());
  return core::kExitDone;
}

}  // namespace

void add_view(CLI::App& app, Action& chosen) {
  auto arguments = std::make_shared<ViewArguments>();
  CLI::App* verb = app.add_subcommand("view", "Draw a map, points, C_l or the spectra of alm, as PNG, SVG or PDF");
  verb->add_option("file", arguments->file, "A map, alm, spectra or points")->required()->type_name("FILE");
  verb->add_option("-o,--output", arguments->picture, "Output picture: .png, .svg or .pdf")
      ->required()
      ->type_name("FILE");
  verb->add_option("--field", arguments->fields, "Fields (T,Q,U) or spectra (TT,EE) to draw; default: all")
      ->type_name("NAME")
      ->delimiter(',');
  verb->add_option_function<std::string>(
          "--projection", [arguments](const std::string& name) { take_projection(*arguments, name); },
          "For maps and points: mollweide (default), orthographic or plate_carree")
      ->type_name("NAME");
  verb->add_option("--centre", arguments->centre, "Longitude and latitude of the centre [degrees]")
      ->type_name("LON LAT")
      ->expected(2);
  verb->add_option("--min", arguments->minimum, "Lower limit of the colour range")->option_text("VALUE");
  verb->add_option("--max", arguments->maximum, "Upper limit of the colour range")->option_text("VALUE");
  verb->add_option_function<std::string>(
          "--range", [arguments](const std::string& text) { take_range(*arguments, text); },
          "Both limits of the colour range, instead of --min and --max")
      ->type_name("MIN:MAX")
      ->excludes("--min")
      ->excludes("--max")
      ->option_text("MIN:MAX");
  verb->add_flag("--log", arguments->logarithmic, "Logarithmic colours; values <= 0 are grey, like missing values");
  verb->add_flag("--geo", arguments->geographic, "East to the right; default for grids other than HEALPix")
      ->option_text(" ");
  verb->add_flag("--sky", arguments->astronomical, "East to the left; default in all other cases")
      ->excludes("--geo")
      ->option_text(" ");
  verb->add_option("--map", arguments->map, "Index of the map in a file of many maps, counted from 0")->type_name("N");
  verb->add_option("--width", arguments->width, "Width of the picture [pixels]; default: 1000")->type_name("N");
  verb->add_flag("--cl", arguments->power, "Draw C_l instead of l (l + 1) C_l / (2 pi)");
  add_header_options(*verb, arguments->header);
  verb->footer("Example: armilla view map.fits -o map.png --field T --min -300 --max 300");
  verb->callback(
      [arguments, &chosen] { chosen = [arguments] { return with_header_words([&] { return view(*arguments); }); }; });
}

}  // namespace armilla::app
