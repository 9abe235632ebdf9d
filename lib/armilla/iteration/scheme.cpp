#include <armilla/core/error.hpp>
#include <armilla/iteration/normal_matrix_iteration.hpp>
#include <armilla/iteration/scheme.hpp>

#include <fmt/format.h>

namespace armilla::iteration {

namespace {

constexpr const char* kNames[] = {"pixel", "ring", "normal_matrix"};

}  // namespace

std::vector<std::string> scheme_names() { return {std::begin(kNames), std::end(kNames)}; }

const char* name_of(Scheme scheme) { return kNames[static_cast<int>(scheme)]; }

std::string why_not(Scheme scheme, const FieldTransformSpec& spec, const Corrections& corrections) {
  if (scheme == Scheme::kPixel)
    return corrections.order == Order::kImmediate ? "the immediate iteration works on whole rings: use ring" : "";
  if (!corrections.ring_weights)
    return "the weights vary within a ring, so corrections must be computed in pixel space: use pixel, or ring weights";
  if (scheme == Scheme::kRing) return {};
  if (corrections.order == Order::kImmediate) return "it supports only jacobi: use ring";
  if (spec.on_device()) return "it is not supported on GPUs: use ring, or set backend: cpu";
  return why_no_normal_matrix(spec);
}

Scheme choose_scheme(const FieldTransformSpec& spec, const Corrections& corrections) {
  if (corrections.scheme) {
    const std::string why = why_not(*corrections.scheme, spec, corrections);
    if (!why.empty())
      throw core::InputError(fmt::format("scheme '{}' is not available: {}", name_of(*corrections.scheme), why));
  }
  // A single analysis does not use modes.
  if (corrections.order == Order::kJacobi && corrections.count == 0) return Scheme::kPixel;
  if (corrections.scheme) return *corrections.scheme;
  if (spec.campaign && why_not(Scheme::kNormalMatrix, spec, corrections).empty()) return Scheme::kNormalMatrix;
  return corrections.ring_weights ? Scheme::kRing : Scheme::kPixel;
}

}  // namespace armilla::iteration
