#include <armilla/comm/phase.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/ops/deflection.hpp>
#include <armilla/ops/scale_degrees.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace armilla::ops {

using core::at;
using transform::FieldKind;

namespace {

/// Indices of the components of deflection_kind(kDerivatives) that follow the vectors.
constexpr Index kConvergence = 2, kRotation = 3, kShear = 4, kAll = 6;

}  // namespace

FieldKind deflection_kind(DeflectionParts parts) {
  std::vector<FieldKind> kinds{FieldKind::vector()};
  if (parts == DeflectionParts::kDerivatives)
    for (const FieldKind& kind :
         {FieldKind::scalar("CONVERGENCE"), FieldKind::scalar("ROTATION"), FieldKind::pair(2, "SHEAR_1", "SHEAR_2")})
      kinds.push_back(kind);
  return FieldKind::joined(kinds);
}

FieldKind magnification_kind() {
  const FieldKind kinds[] = {FieldKind::vector(), FieldKind::scalar("MAGNIFICATION")};
  return FieldKind::joined(kinds);
}

DisplacementMatrix::DisplacementMatrix(const DisplacementGradient& of)
    : angle(std::sqrt(std::norm(of.displacement))),
      cosine(std::cos(angle)),
      share(angle > 0 ? std::sin(angle) / angle : 1),
      along(angle > 0 ? of.displacement / angle : 1) {
  const std::complex<double> shear = of.shear * std::conj(along * along);
  uu = 1 + of.convergence + shear.real();
  uv = shear.imag() - of.rotation;
  vu = share * (shear.imag() + of.rotation);
  vv = cosine + share * (of.convergence - shear.real());
}

template <class T>
DisplacementGradient gradient_at(const std::span<const T>* parts, std::size_t i) {
  const auto value = [&](Index part) { return static_cast<double>(parts[part][i]); };
  return {.displacement = {value(0), value(1)},
          .convergence = value(kConvergence),
          .rotation = value(kRotation),
          .shear = {value(kShear), value(kShear + 1)}};
}

template <class T>
void make_deflection(const transform::AlmField<T>& from, transform::AlmField<T>& to) {
  const dist::AlmDistribution& alm = from.distribution();
  const bool potential = from.kind().components() == 1;
  const auto scaled = [&](Index map, Index c, Index made, const auto& factor) {
    std::vector<double> factors;
    for (Index l = 0; l <= alm.layout().lmax(); ++l) {
      const auto degree = static_cast<double>(l);
      const double root = std::sqrt(degree * (degree + 1));
      // Vector fields have no degree 0.
      factors.push_back(l == 0 ? 0 : (potential ? root : 1) * factor(degree, root));
    }
    scale_degrees<T>(alm, from.rank(), factors, from.component(map, c), to.component(map, made));
  };
  for (Index map = 0; map < from.maps(); ++map)
    for (Index c = 0; c < 2; ++c) {
      if (potential && c == 1) {
        for (Index made = 1; made < to.kind().components(); made += 2)
          std::ranges::fill(to.component(map, made), std::complex<T>(0));
        continue;
      }
      scaled(map, c, c, [](double, double) { return 1.0; });
      if (to.kind().components() < kAll) continue;
      scaled(map, c, kConvergence + c, [](double, double root) { return -root / 2; });
      scaled(map, c, kShear + c, [](double l, double) { return -std::sqrt((l - 1) * (l + 2)) / 2; });
    }
}

template <class T>
void magnification(const transform::MapField<T>& deflection, transform::MapField<T>& to) {
  const std::vector<std::span<const T>> from = transform::host_components(deflection);
  for (Index map = 0; map < deflection.maps(); ++map) {
    const std::span<const T>* parts = &from[at(map * kAll)];
    const std::span<T> south = to.component(map, 0), east = to.component(map, 1), determinant = to.component(map, 2);
    std::ranges::copy(parts[0], south.begin());
    std::ranges::copy(parts[1], east.begin());
    const Index count = deflection.local_size();
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < count; ++i)
      determinant[at(i)] = static_cast<T>(DisplacementMatrix(gradient_at(parts, at(i))).determinant());
  }
}

template <class T>
DeflectionFaults find_deflection_faults(const comm::Communicator& comm, const transform::MapField<T>& vectors,
                                        Index map) {
  DeflectionFaults found = DeflectionFaults::none();
  comm::phase(comm, [&] {
    const std::shared_ptr<backend::Memory> memory = vectors.memory();
    const Index count = vectors.local_size(), components = vectors.kind().components();
    const T* south = vectors.read(memory) + map * components * count;
    found = memory->ops<T>().find_faults(south, south + count, components > 2 ? south + 2 * count : nullptr, count);
  });
  Index counts[] = {found.too_long, found.folded};
  double extremes[] = {found.longest, -found.least};
  comm.sum(counts);
  comm.max(extremes);
  return {.too_long = counts[0], .longest = extremes[0], .folded = counts[1], .least = -extremes[1]};
}

ARMILLA_INSTANTIATE(gradient_at);
ARMILLA_INSTANTIATE(make_deflection);
ARMILLA_INSTANTIATE(magnification);
ARMILLA_INSTANTIATE(find_deflection_faults);

}  // namespace armilla::ops
