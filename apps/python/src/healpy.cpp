#include <armilla/backend/dual_buffer.hpp>
#include <armilla/comm/communicator.hpp>
#include <armilla/core/error.hpp>
#include <armilla/dist/distribution.hpp>
#include <armilla/io/pixel_order.hpp>
#include <armilla/ops/coordinates.hpp>
#include <armilla/ops/rotate.hpp>

#include <array>
#include <complex>
#include <memory>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "call_guard.hpp"
#include "interpreter_lock.hpp"
#include <fmt/format.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>

namespace armilla::python {

namespace {

using Matrix = std::array<std::array<double, 3>, 3>;

// Rotates coefficients [component][coefficient] in place.
void rotate(nb::handle alm, Index lmax, const math::EulerAngles& angles) {
  check_process(uses_of(0, 1, -1));
  const Operand operand("alm", alm, Access::kWrite, nb::dtype<std::complex<double>>());
  const Unlocked unlocked;
  const auto distribution = std::make_shared<const dist::AlmDistribution>(AlmLayout(lmax, lmax), 1);
  const auto components = static_cast<Index>(operand.size()) / distribution->layout().size();
  transform::AlmField<double> field(FieldKind::scalar(), distribution, 0, components,
                                    operand.values<std::complex<double>>(), backend::Access::kReadWrite);
  ops::rotate(Communicator::self(), field, angles);
}

void rotate_by_angles(nb::handle alm, Index lmax, double psi, double theta, double phi) {
  rotate(alm, lmax, {psi, theta, phi});
}

void rotate_by_matrix(nb::handle alm, Index lmax, const Matrix& matrix) {
  math::RotationMatrix rotation;
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 3; ++column) rotation[row][column] = matrix[row][column];
  rotate(alm, lmax, math::euler_angles(rotation));
}

Matrix coordinate_matrix(const std::string& from, const std::string& to) {
  const auto coordinates = [](const std::string& letter) {
    const auto found = ops::coordinates_of_letter(letter);
    if (!found) throw InputError(fmt::format("coord = '{}': use 'G' (galactic), 'E' (ecliptic) or 'C' (FK5)", letter));
    return *found;
  };
  const math::RotationMatrix exact = ops::coordinate_matrix(coordinates(from), coordinates(to));
  Matrix matrix;
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 3; ++column) matrix[row][column] = static_cast<double>(exact[row][column]);
  return matrix;
}

auto ring_of_nested(Index nside) {
  if (!io::has_nested_order(nside))
    throw InputError(fmt::format("nside = {} has no NESTED order: use a power of 2, or maps in RING order", nside));
  std::vector<Index> ring(core::at(12 * nside * nside));
  for (std::size_t i = 0; i < ring.size(); ++i) ring[i] = io::ring_of_nested(nside, static_cast<Index>(i));
  return numpy_array(std::move(ring));
}

}  // namespace

void bind_healpy(nb::module_& module) {
  module.def("rotate_by_angles", &rotate_by_angles, nb::arg("alm"), nb::arg("lmax"), nb::arg("psi"), nb::arg("theta"),
             nb::arg("phi"), "Rotates coefficients in place: by psi about z, theta about y, phi about z [rad].");
  module.def("rotate_by_matrix", &rotate_by_matrix, nb::arg("alm"), nb::arg("lmax"), nb::arg("matrix"),
             "Rotates coefficients in place by a matrix, which maps the vector of a point to that of its image.");
  module.def("coordinate_matrix", &coordinate_matrix, nb::arg("from"), nb::arg("to"),
             "The matrix that transforms vectors between the coordinates G, E and C.");
  module.def("ring_of_nested", &ring_of_nested, nb::arg("nside"), nb::rv_policy::automatic,
             "RING index of each NESTED pixel.");
}

}  // namespace armilla::python
