#include <armilla/core/error.hpp>
#include <armilla/io/points.hpp>
#include <armilla/io/read.hpp>

#include <string>

#include "binding.hpp"
#include <nanobind/stl/string.h>

namespace armilla::python {

namespace {

/// Whether a catalogue has values. One that needs keys to be read has.
bool has_values(const std::string& path) {
  try {
    return io::open_points(path).components > 0;
  } catch (const core::InputError&) {
    return true;
  }
}

/// The type of input as which a file is read; "rings" for a file of a grid.
const char* file_kind(const std::string& path) {
  switch (io::file_kind(path)) {
    case io::FileKind::kMap:
      return "map";
    case io::FileKind::kAlm:
      return "alm";
    case io::FileKind::kPoints:
      return has_values(path) ? "values" : "points";
    case io::FileKind::kSpectra:
      return "spectra";
    case io::FileKind::kRings:
      break;
  }
  return "rings";
}

}  // namespace

void bind_files(nb::module_& module) {
  module.def("file_kind", &file_kind, nb::arg("path"),
             "What a file contains: \"map\", \"alm\", \"points\", \"values\", \"spectra\" or \"rings\".");
  module.def(
      "read_rings", [](const std::string& path) { return Grid{io::read_rings(path)}; }, nb::arg("path"),
      "The grid in a file of rings.");
}

}  // namespace armilla::python
