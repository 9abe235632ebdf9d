#pragma once

#include <armilla/core/types.hpp>
#include <armilla/draw/map_picture.hpp>
#include <armilla/io/metadata.hpp>
#include <armilla/io/stated_header.hpp>

#include <optional>
#include <string>
#include <vector>

namespace armilla::app {

/// Command-line arguments of `view`.
struct ViewArguments {
  std::string file, picture;
  draw::PictureFormat format = draw::PictureFormat::kPng;  ///< from the file name extension
  std::vector<std::string> fields;                         ///< if empty, all fields
  std::optional<draw::Projection> projection;
  bool geographic = false, astronomical = false;
  std::optional<double> minimum, maximum;
  bool range = false;          ///< both limits were given as one option
  std::vector<double> centre;  ///< longitude and latitude [degrees]; if empty, 0, 0
  std::optional<core::Index> map;
  int width = 1000;
  bool logarithmic = false;
  bool power = false;
  io::StatedHeader header;  ///< of a map
};

/// Indices of the components to draw. Throws InputError for a field that is not in the file, and for an ambiguous one.
std::vector<core::Index> chosen_components(const ViewArguments& arguments, core::Index components,
                                           const io::FieldMetadata& metadata);

/// Throws InputError if `option`, which applies only to `what`, was given.
void refuse(const char* option, bool given, const char* what);

/// Selects the map given by --map. Throws InputError if the file has no such map, or if it has several and --map is
/// missing.
void choose_map(const ViewArguments& arguments, io::BatchAxis& batch);

/// Return the picture of a map file or of a points file, as file contents. They print a message about values that a
/// logarithmic scale cannot show. Throw InputError.
std::string picture_of_map(const ViewArguments& arguments);
std::string picture_of_points(const ViewArguments& arguments);

}  // namespace armilla::app
