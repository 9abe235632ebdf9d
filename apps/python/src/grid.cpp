#include <armilla/core/types.hpp>
#include <armilla/grid/grid_text.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/grid/part.hpp>

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "binding.hpp"
#include <fmt/format.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace armilla::python {

namespace {

Grid held(RingGrid grid) { return {std::make_shared<const RingGrid>(std::move(grid))}; }

Grid make_rings_grid(nb::handle theta, nb::handle phi0, nb::handle nphi, nb::handle weight) {
  const nb::object convert = nb::module_::import_("numpy").attr("ascontiguousarray");
  const auto reals = [&](nb::handle values) { return nb::cast<HostArray<const double>>(convert(values, "float64")); };
  const auto all_theta = reals(theta), all_phi0 = reals(phi0);
  const auto kind =
      nb::cast<std::string>(nb::module_::import_("numpy").attr("asarray")(nphi).attr("dtype").attr("kind"));
  if (kind != "i" && kind != "u") throw InputError("nphi are no whole numbers: pass integers, nphi.astype(int)");
  const auto all_nphi = nb::cast<HostArray<const Index>>(convert(nphi, "int64"));
  const auto weights = weight.is_none() ? HostArray<const double>() : reals(weight);
  return held(grid::make_rings(span_of(all_theta), span_of(all_phi0), span_of(all_nphi),
                               weight.is_none() ? std::span<const double>() : span_of(weights), "Grid.from_rings()"));
}

Grid make_part(const Grid& whole, const std::vector<std::pair<Index, Index>>& rings) {
  grid::RingSelection selection;
  for (const auto& [first, last] : rings) selection.rings.push_back({first, last});
  return held(grid::part_of(*whole.grid, selection));
}

// One value per ring.
template <class Get>
auto of_rings(const Grid& grid, const Get& get) {
  std::vector<decltype(get(grid.grid->rings()[0]))> values;
  for (const Ring& ring : grid.grid->rings()) values.push_back(get(ring));
  return numpy_array(std::move(values));
}

// Colatitude and longitude of all pixels.
auto angles(const Grid& grid) {
  std::vector<double> theta, phi;
  theta.reserve(core::at(grid.grid->npix()));
  phi.reserve(core::at(grid.grid->npix()));
  for (const Ring& ring : grid.grid->rings())
    for (Index j = 0; j < ring.nphi; ++j) {
      theta.push_back(ring.theta);
      phi.push_back(ring.phi0 + 2 * core::kPi * static_cast<double>(j) / static_cast<double>(ring.nphi));
    }
  return nb::make_tuple(numpy_array(std::move(theta)), numpy_array(std::move(phi)));
}

// The text that Grid() takes; empty for grids of rings and parts of the sky.
std::string short_form(const Grid& grid) {
  const GridDescription& description = grid.grid->description();
  return description.is_whole() && description.kind != "rings" ? grid::grid_text(description) : "";
}

// (constructor, arguments), for pickle and copy.
nb::tuple reduced(const nb::object& self) {
  const auto& grid = nb::cast<const Grid&>(self);
  const nb::handle type = self.type();
  if (const std::string text = short_form(grid); !text.empty()) return nb::make_tuple(type, nb::make_tuple(text));
  const nb::object call = nb::module_::import_("operator").attr("methodcaller");
  GridDescription whole = grid.grid->description();
  if (whole.kind != "rings") {
    std::vector<std::pair<Index, Index>> rings;
    for (const grid::RingRange& range : std::exchange(whole.part, {})) rings.emplace_back(range.first, range.last);
    return nb::make_tuple(call("part", rings), nb::make_tuple(type(grid::grid_text(whole))));
  }
  const nb::object weight = grid.grid->has_weights() ? nb::object(self.attr("weight")) : nb::none();
  return nb::make_tuple(call("from_rings", self.attr("theta"), self.attr("phi0"), self.attr("nphi"), weight),
                        nb::make_tuple(type));
}

}  // namespace

std::vector<std::pair<Index, Index>> ranges_of(const Communicator& comm, const PixelDistribution& distribution) {
  std::vector<std::pair<Index, Index>> ranges;
  for (const PixelRange& range : distribution.pixel_ranges(comm.rank()))
    ranges.emplace_back(range.first, range.first + range.count);
  return ranges;
}

void bind_grid(nb::module_& module) {
  nb::class_<Grid>(module, "Grid",
                   "The pixels of maps: rings of equal colatitude.\n\n"
                   "Grid(\"healpix:1024\"), Grid(\"gauss:256:512\"), Grid(\"cc:181\") and the other short forms of the "
                   "command line. Functions that take a grid also take this text.")
      .def(
          "__init__",
          [](Grid* self, const std::string& text) { new (self) Grid(held(make_grid(grid::parse_grid_text(text)))); },
          nb::arg("text"))
      .def_static("from_rings", &make_rings_grid, nb::arg("theta"), nb::arg("phi0"), nb::arg("nphi"),
                  nb::arg("weight") = nb::none(),
                  "The grid of rings at colatitudes theta [rad], ascending, with nphi pixels each, the first at "
                  "longitude phi0 [rad]. weight [sr], of whole rings, is needed only by analysis.")
      .def("part", &make_part, nb::arg("rings"),
           "The part of the sky with these rings: pairs (first, last) of indices from 0, ends included.")
      .def_prop_ro("text", &short_form, "The short form; empty if there is none.")
      .def_prop_ro(
          "npix", [](const Grid& grid) { return grid.grid->npix(); }, "Number of pixels.")
      .def_prop_ro(
          "rings", [](const Grid& grid) { return grid.grid->rings().size(); }, "Number of rings.")
      .def_prop_ro(
          "kind", [](const Grid& grid) { return grid.grid->description().kind; },
          "\"healpix\", \"gauss\", \"equiangular\" and others.")
      .def_prop_ro(
          "nside", [](const Grid& grid) { return grid.grid->description().nside; }, "Of HEALPix; 0 for other grids.")
      .def_prop_ro(
          "has_weights", [](const Grid& grid) { return grid.grid->has_weights(); }, "Whether analysis is possible.")
      .def_prop_ro(
          "analysis_lmax", [](const Grid& grid) { return grid.grid->analysis_lmax(); },
          "The largest lmax of analysis, with mmax = lmax.")
      .def_prop_ro(
          "theta", [](const Grid& grid) { return of_rings(grid, [](const Ring& r) { return r.theta; }); },
          nb::rv_policy::automatic, "Colatitude of each ring [rad].")
      .def_prop_ro(
          "phi0", [](const Grid& grid) { return of_rings(grid, [](const Ring& r) { return r.phi0; }); },
          nb::rv_policy::automatic, "Longitude of the first pixel of each ring [rad].")
      .def_prop_ro(
          "nphi", [](const Grid& grid) { return of_rings(grid, [](const Ring& r) { return r.nphi; }); },
          nb::rv_policy::automatic, "Number of pixels of each ring.")
      .def_prop_ro(
          "weight", [](const Grid& grid) { return of_rings(grid, [](const Ring& r) { return r.weight; }); },
          nb::rv_policy::automatic, "Quadrature weight of each ring [sr].")
      .def("angles", &angles, "Colatitude and longitude of each pixel [rad]: (theta, phi).")
      .def(
          "__eq__", [](const Grid& a, const Grid& b) { return a.grid->same_pixels(*b.grid); }, nb::is_operator())
      .def("__hash__", [](const Grid& grid) { return std::hash<Index>()(grid.grid->npix()); })
      .def("__reduce__", &reduced)
      .def("__repr__", [](const Grid& grid) {
        const std::string text = short_form(grid);
        return text.empty()
                   ? fmt::format("<armilla.Grid: {}, {} pixels>", grid.grid->description().text(), grid.grid->npix())
                   : fmt::format("armilla.Grid('{}')", text);
      });
}

}  // namespace armilla::python
