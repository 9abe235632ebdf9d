#include <armilla/core/text.hpp>
#include <armilla/core/types.hpp>

#include <iterator>
#include <vector>

#include "inspect_record.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::app {

namespace {

using Json = nlohmann::ordered_json;
using Text = std::back_insert_iterator<std::string>;

/// A text from the file on one line, or `otherwise` if there is none.
std::string words(const Json& text, const char* otherwise = "unspecified") {
  return text.is_null() ? otherwise : core::printable(text.get<std::string>());
}

std::string number(const Json& value, const char* otherwise = "none") {
  return value.is_null() ? otherwise : fmt::format("{:.6g}", value.get<double>());
}

std::string range(const Json& ends) { return number(ends[0]) + " .. " + number(ends[1]); }

/// Name and unit of a field: "T [uK]".
std::string title(const Json& record, std::size_t component) {
  const Json& field = record["fields"][component];
  const std::string name = field["field"].is_null() ? fmt::format("{}", component) : words(field["field"]);
  return field["unit"].is_null() ? name : fmt::format("{} [{}]", name, words(field["unit"]));
}

void add_metadata(Text out, const Json& record) {
  fmt::format_to(out, "coordinates: {}\npolarisation: {}\n", words(record["coordsys"]), words(record["polcconv"]));
  std::vector<std::string> names, spins;
  for (const Json& field : record["fields"]) {
    if (!field["field"].is_null()) names.push_back(words(field["field"]));
    spins.push_back(field["spin"].is_null() ? "not stated" : field["spin"].dump());
  }
  if (!names.empty()) fmt::format_to(out, "fields, as named in jobs: {}\n", fmt::join(names, ", "));
  if (!spins.empty()) fmt::format_to(out, "spins: {}\n", fmt::join(spins, ", "));
}

struct Column {
  const char* heading;
  const char* key;
  int width = 13;
};

/// Appends a table with the values of each map. If there is a batch axis, a line with the map index precedes each map.
void add_table(Text out, const Json& record, const char* heading, const std::vector<Column>& columns) {
  const bool has_batch = !record["batch"].is_null();
  if (has_batch)
    fmt::format_to(out, "batch axis: {} maps, {} present\n", record["batch"]["maps"].get<core::Index>(),
                   record["batch"]["present"].get<core::Index>());
  fmt::format_to(out, "{:<14}", heading);
  for (const Column& column : columns) fmt::format_to(out, " {:>{}}", column.heading, column.width);
  fmt::format_to(out, "\n");
  for (const Json& map : record["maps"]) {
    if (has_batch)
      fmt::format_to(out, "map {}{}\n", map["map"].get<core::Index>(), map["present"] == true ? "" : ": left out");
    if (!map.contains("values")) continue;
    for (std::size_t c = 0; c < map["values"].size(); ++c) {
      const Json& values = map["values"][c];
      fmt::format_to(out, "{:<14}", record.contains("fields") ? title(record, c) : words(values["field"]));
      for (const Column& column : columns) {
        const Json& value = values[column.key];
        fmt::format_to(out, " {:>{}}", value.is_number_integer() ? value.dump() : number(value), column.width);
      }
      fmt::format_to(out, "\n");
    }
  }
}

/// The expected error at the largest lmax, and the largest accurate lmax.
void add_accuracy(Text out, const Json& record) {
  const double error = record["quadrature_error"].get<double>();
  const double accuracy = record["accuracy"].get<double>();
  if (error <= accuracy) return;
  fmt::format_to(out,
                 "expected error of quadrature there: {:.2g} of the rms of coefficients, for equal power at all l\n"
                 "largest lmax accurate to {:.2g}: {}{}\n",
                 error, accuracy,
                 record["accurate_lmax"].is_null() ? "none (check the weights)" : record["accurate_lmax"].dump(),
                 record["grid"]["kind"] == "healpix" ? ", with tolerance: 1e-10" : "");
}

void add_map(Text out, const Json& record) {
  const Json& grid = record["grid"];
  fmt::format_to(out, "map, {}, {}\ngrid: {}, {} pixels on {} rings\n", words(record["format"]),
                 words(record["precision"]), words(grid["text"]), grid["pixels"].dump(), grid["rings"].dump());
  if (record["extensions"].size() > 1) {
    std::vector<std::string> names;
    for (const auto& name : record["extensions"])
      names.push_back(fmt::format("{} {}", names.size() + 1, name.get<std::string>()));
    fmt::format_to(out, "extensions: {} (hdu selects one)\n", fmt::join(names, ", "));
  }
  if (!record["ordering"].is_null())
    fmt::format_to(out, "ordering: {}{}\n", words(record["ordering"]),
                   record["indexed_pixels"].is_null()
                       ? ""
                       : fmt::format(", explicit index with {} pixels", record["indexed_pixels"].dump()));
  fmt::format_to(out, "largest lmax for analysis: {}\n",
                 !record["analysis_lmax"].is_null() ? record["analysis_lmax"].dump()
                 : grid["whole"] == true            ? "none (the grid has no weights)"
                                                    : "none (the grid covers part of the sky)");
  if (!record["analysis_lmax"].is_null()) add_accuracy(out, record);
  add_metadata(out, record);
  add_table(out, record, "field",
            {{"min", "min"},
             {"max", "max"},
             {"rms", "rms"},
             {"mean", "mean"},
             {"f_sky", "f_sky", 9},
             {"not finite", "not_finite", 10},
             {"bad", "bad", 10}});
}

void add_alm(Text out, const Json& record) {
  fmt::format_to(out, "alm, {}, {}\nlmax {}, mmax {}, {} coefficients of each field\n", words(record["format"]),
                 words(record["precision"]), record["lmax"].dump(), record["mmax"].dump(),
                 record["coefficients"].dump());
  fmt::format_to(out, "convention: {}; magnitudes below are orthonormal\n", words(record["convention"]));
  add_metadata(out, record);
  add_table(out, record, "field", {{"min |a_lm|", "min"}, {"max |a_lm|", "max"}, {"rms |a_lm|", "rms"}});
}

void add_spectra(Text out, const Json& record) {
  fmt::format_to(out, "spectra, as in the file: l = 0 .. {}, unit {}\n",
                 record["lmax"].is_null() ? "unknown" : record["lmax"].dump(), words(record["unit"]));
  add_table(out, record, "spectrum", {{"min", "min"}, {"max", "max"}, {"rms", "rms"}});
}

void add_rings(Text out, const Json& record) {
  fmt::format_to(out, "rings: {} rings, {} pixels, theta {} rad\n", record["rings"].dump(), record["pixels"].dump(),
                 range(record["theta"]));
  fmt::format_to(out, "quadrature weights: {}\n",
                 record["sum_of_weights"].is_null()
                     ? "none"
                     : fmt::format("yes, sum {:.15g} sr (full sphere: {:.15g} sr)",
                                   record["sum_of_weights"].get<double>(), 4 * core::kPi));
}

void add_points(Text out, const Json& record) {
  const Json& places = record["places"];
  fmt::format_to(out, "points, {}, {} points\npositions: {} and {} in {}, {}\n", words(record["format"]),
                 record["points"].dump(), words(places[0]), words(places[1]), words(record["place_unit"]),
                 words(record["place_precision"]));
  fmt::format_to(out, "theta: {} rad\nphi: {} rad\n", range(record["theta"]), range(record["phi"]));
  if (!record["longitude_deg"].is_null())
    fmt::format_to(out, "{}: {} degrees\n{}: {} degrees\n", words(places[0]), range(record["longitude_deg"]),
                   words(places[1]), range(record["latitude_deg"]));
  if (!record["note"].is_null()) fmt::format_to(out, "note: {}\n", words(record["note"]));
  add_metadata(out, record);
  fmt::format_to(out, "values: {}\n", words(record["precision"], "none"));
  if (record["precision"].is_null()) return;
  add_table(out, record, "field",
            {{"min", "min"},
             {"max", "max"},
             {"rms", "rms"},
             {"mean", "mean"},
             {"not finite", "not_finite", 10},
             {"bad", "bad", 10}});
}

void add_healpix_table(Text out, const Json& record) {
  std::vector<std::string> columns;
  for (const Json& column : record["columns"]) columns.push_back(words(column));
  fmt::format_to(out, "HEALPix {}, {}, nside {}, {} rows\ncolumns: {}\n{}\n", words(record["what"]),
                 words(record["format"]), record["nside"].is_null() ? "unspecified" : record["nside"].dump(),
                 record["rows"].dump(), fmt::join(columns, ", "), words(record["use"]));
}

}  // namespace

std::string inspect_text(const nlohmann::ordered_json& record) {
  std::string text = words(record["file"]) + "\n";
  const Text out(text);
  const std::string kind = words(record["kind"]);
  if (kind == "map") add_map(out, record);
  if (kind == "alm") add_alm(out, record);
  if (kind == "spectra") add_spectra(out, record);
  if (kind == "rings") add_rings(out, record);
  if (kind == "points") add_points(out, record);
  if (kind == "healpix_table") add_healpix_table(out, record);
  return text;
}

}  // namespace armilla::app
