#pragma once

#include <armilla/core/types.hpp>
#include <armilla/draw/map_picture.hpp>
#include <armilla/io/metadata.hpp>

#include <optional>
#include <string>
#include <vector>

namespace armilla::app {

/// What the command line of `view` says.
struct ViewArguments {
  std::string file, picture;
  draw::PictureFormat format = draw::PictureFormat::kPng;  ///< as the name of the picture ends
  std::vector<std::string> fields;                         ///< all where empty
  std::optional<draw::Projection> projection;
  bool geographic = false, astronomical = false;
  std::optional<double> minimum, maximum;
  bool range = false;          ///< both were given as one option
  std::vector<double> centre;  ///< longitude and latitude; none: 0, 0
  std::optional<core::Index> map;
  int width = 1000;
  bool logarithmic = false;
  bool power = false;
};

/// Numbers of the components to draw. Throws InputError for a field that the file lacks.
std::vector<core::Index> chosen_components(const ViewArguments& arguments, core::Index components,
                                           const std::vector<std::string>& names);

/// Throws InputError where an option was given that is for `what` only.
void refuse(const char* option, bool given, const char* what);

/// Makes the map that --map names the one to read. Throws InputError where the file has no such map, or where it has
/// several and none was named.
void choose_map(const ViewArguments& arguments, io::BatchAxis& batch);

/// The bytes of the picture of a map file, or of one of points. They print which values a logarithmic scale cannot
/// show. Throw InputError.
std::string picture_of_map(const ViewArguments& arguments);
std::string picture_of_points(const ViewArguments& arguments);

}  // namespace armilla::app
