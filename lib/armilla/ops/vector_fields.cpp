#include <armilla/core/instantiate.hpp>
#include <armilla/ops/scale_degrees.hpp>
#include <armilla/ops/vector_fields.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace armilla::ops {

namespace {

using transform::FieldKind;

// Defines a form by the rotational part sqrt(l (l + 1)) / a psi and the divergent part sqrt(l (l + 1)) / a chi: the
// component that holds the rotational part, the signs of both parts, and the power of sqrt(l (l + 1)) / a that
// multiplies them.
struct FormRow {
  VectorForm form;
  const char* name;
  std::size_t rotational;
  double rotational_sign;
  double divergent_sign;
  int power;
};

constexpr std::array kRows{
    FormRow{VectorForm::kThetaPhi, "theta_phi", 1, 1, 1, 0},
    FormRow{VectorForm::kWind, "wind", 0, 1, -1, 0},
    FormRow{VectorForm::kVorticityDivergence, "vorticity_divergence", 0, -1, -1, 1},
    FormRow{VectorForm::kStreamPotential, "stream_potential", 0, 1, 1, -1},
};

const FormRow& row_of(VectorForm form) { return kRows[static_cast<std::size_t>(form)]; }

FieldKind two_scalars(const char* first, const char* second) {
  const FieldKind both[] = {FieldKind::scalar(first), FieldKind::scalar(second)};
  return FieldKind::joined(both);
}

// Returns sign (sqrt(l (l + 1)) / radius)^power for each degree, and 0 for degree 0.
std::vector<double> factors(Index lmax, double sign, int power, double radius) {
  std::vector<double> result{0.0};
  for (Index l = 1; l <= lmax; ++l) {
    const double root = std::sqrt(static_cast<double>(l) * static_cast<double>(l + 1)) / radius;
    result.push_back(sign * std::pow(root, power));
  }
  return result;
}

}  // namespace

std::vector<std::string> vector_form_names() {
  std::vector<std::string> names;
  for (const FormRow& row : kRows) names.emplace_back(row.name);
  return names;
}

const char* name_of(VectorForm form) { return row_of(form).name; }

FieldKind kind_of(VectorForm form) {
  switch (form) {
    case VectorForm::kThetaPhi:
      return FieldKind::vector();
    case VectorForm::kWind:
      return FieldKind::wind();
    case VectorForm::kVorticityDivergence:
      return two_scalars("VORTICITY", "DIVERGENCE");
    case VectorForm::kStreamPotential:
      break;
  }
  return two_scalars("STREAM", "POTENTIAL");
}

FieldKind converted_kind(const FieldKind& kind, Index first, VectorForm form) {
  std::vector<FieldKind> kinds;
  for (const transform::SpinField& spin_field : kind.spin_fields()) {
    const std::string* names = &kind.map_names()[static_cast<std::size_t>(spin_field.first)];
    if (spin_field.first == first) kinds.push_back(kind_of(form));
    if (spin_field.first == first || spin_field.first == first + 1) continue;
    kinds.push_back(spin_field.spin == 0 ? FieldKind::scalar(names[0])
                                         : FieldKind::pair(spin_field.spin, names[0], names[1]));
  }
  return FieldKind::joined(kinds);
}

int length_power(VectorForm form) { return -row_of(form).power; }

namespace {

// Factors of the rotational and of the divergent part between two forms.
struct Conversion {
  Conversion(VectorForm from, VectorForm to, Index lmax, double radius) : old_row(row_of(from)), new_row(row_of(to)) {
    const int power = new_row.power - old_row.power;
    // All signs are +1 or -1, so dividing by a sign is multiplying by it.
    rotational = factors(lmax, new_row.rotational_sign * old_row.rotational_sign, power, radius);
    divergent = factors(lmax, new_row.divergent_sign * old_row.divergent_sign, power, radius);
  }
  const std::vector<double>& of(std::size_t component) const {
    return component == new_row.rotational ? rotational : divergent;
  }
  bool swaps() const { return new_row.rotational != old_row.rotational; }

  const FormRow& old_row;
  const FormRow& new_row;
  std::vector<double> rotational, divergent;
};

}  // namespace

template <class T>
void convert_vector(transform::AlmField<T>& alm, Index first, VectorForm from, VectorForm to, double radius) {
  const Conversion conversion(from, to, alm.distribution().layout().lmax(), radius);
  for (Index map = 0; map < alm.maps(); ++map) {
    const std::array both{alm.component(map, first), alm.component(map, first + 1)};
    if (conversion.swaps()) std::swap_ranges(both[0].begin(), both[0].end(), both[1].begin());
    for (std::size_t c = 0; c < 2; ++c)
      scale_degrees<T>(alm.distribution(), alm.rank(), conversion.of(c), both[c], both[c]);
  }
  alm.set_kind(converted_kind(alm.kind(), first, to));
}

template <class T>
void convert_vectors(const transform::AlmField<T>& in, VectorForm from, transform::AlmField<T>& out, VectorForm to,
                     double radius) {
  const Conversion conversion(from, to, in.distribution().layout().lmax(), radius);
  for (Index map = 0; map < in.maps(); ++map)
    for (Index c = 0; c < in.kind().components(); ++c) {
      const Index source = conversion.swaps() ? (c % 2 == 0 ? c + 1 : c - 1) : c;
      scale_degrees<T>(in.distribution(), in.rank(), conversion.of(static_cast<std::size_t>(c % 2)),
                       in.component(map, source), out.component(map, c));
    }
}

ARMILLA_INSTANTIATE(convert_vectors);
ARMILLA_INSTANTIATE(convert_vector);

}  // namespace armilla::ops
