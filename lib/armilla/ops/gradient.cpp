#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/ops/gradient.hpp>
#include <armilla/ops/scale_degrees.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace armilla::ops {

namespace {

using transform::AlmField;
using transform::FieldKind;

// Component of an E/B pair that holds a gradient, and its sign (VectorForm::kThetaPhi and kWind).
struct GradientComponent {
  Index component;
  double sign;
};

GradientComponent gradient_component(TangentAxes axes) {
  return axes == TangentAxes::kThetaPhi ? GradientComponent{0, 1.0} : GradientComponent{1, -1.0};
}

std::vector<double> factors(Index lmax, TangentAxes axes, double radius) {
  std::vector<double> result;
  for (Index l = 0; l <= lmax; ++l)
    result.push_back(gradient_component(axes).sign * std::sqrt(static_cast<double>(l) * static_cast<double>(l + 1)) /
                     radius);
  return result;
}

// Collective. Allocates E and B; throws on all ranks if any allocation fails.
template <class T>
AlmField<T> vector_alm(const transform::FieldTransform<T>& transform) {
  const auto& spec = transform.spec();
  std::optional<AlmField<T>> alm;
  comm::phase(transform.comm(), [&] { alm.emplace(spec.kind, spec.alm, transform.comm().rank(), spec.maps); });
  return std::move(*alm);
}

}  // namespace

FieldKind gradient_kind(const FieldKind& scalars, TangentAxes axes) {
  const bool south = axes == TangentAxes::kThetaPhi;
  std::vector<FieldKind> kinds;
  for (const transform::SpinField& spin_field : scalars.spin_fields()) {
    const std::string& name = scalars.map_names()[static_cast<std::size_t>(spin_field.first)];
    if (spin_field.spin != 0)
      throw core::InputError(fmt::format("fields {} have spin {}, but the gradient is defined for scalars only",
                                         fmt::join(scalars.map_names(), ", "), spin_field.spin));
    kinds.push_back(FieldKind::pair(1, name + (south ? "_THETA" : "_EAST"), name + (south ? "_PHI" : "_NORTH")));
  }
  return FieldKind::joined(kinds);
}

template <class T>
void gradient_coefficients(const AlmField<T>& scalars, AlmField<T>& vectors, TangentAxes axes, double radius) {
  const auto scale = factors(scalars.distribution().layout().lmax(), axes, radius);
  const Index used = gradient_component(axes).component;
  for (Index k = 0; k < scalars.maps(); ++k)
    for (Index c = 0; c < scalars.kind().components(); ++c) {
      scale_degrees<T>(scalars.distribution(), scalars.rank(), scale, scalars.component(k, c),
                       vectors.component(k, 2 * c + used));
      std::ranges::fill(vectors.component(k, 2 * c + 1 - used), std::complex<T>(0));
    }
}

template <class T>
void adjoint_gradient_coefficients(const AlmField<T>& vectors, AlmField<T>& scalars, TangentAxes axes, double radius) {
  const auto scale = factors(scalars.distribution().layout().lmax(), axes, radius);
  const Index used = gradient_component(axes).component;
  for (Index k = 0; k < scalars.maps(); ++k)
    for (Index c = 0; c < scalars.kind().components(); ++c)
      scale_degrees<T>(scalars.distribution(), scalars.rank(), scale, vectors.component(k, 2 * c + used),
                       scalars.component(k, c));
}

template <class T>
void gradient(transform::FieldTransform<T>& transform, const AlmField<T>& scalars, transform::MapField<T>& map,
              TangentAxes axes, double radius) {
  AlmField<T> vectors = vector_alm(transform);
  gradient_coefficients(scalars, vectors, axes, radius);
  transform.synthesis(vectors, map);
}

template <class T>
void adjoint_gradient(transform::FieldTransform<T>& transform, const transform::MapField<T>& map, AlmField<T>& scalars,
                      TangentAxes axes, double radius) {
  AlmField<T> vectors = vector_alm(transform);
  transform.adjoint_synthesis(map, vectors);
  adjoint_gradient_coefficients(vectors, scalars, axes, radius);
}

ARMILLA_INSTANTIATE(gradient_coefficients);
ARMILLA_INSTANTIATE(adjoint_gradient_coefficients);
ARMILLA_INSTANTIATE(gradient);
ARMILLA_INSTANTIATE(adjoint_gradient);

}  // namespace armilla::ops
