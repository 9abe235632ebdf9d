#include <armilla/job/steps/at_points.hpp>
#include <armilla/job/steps/parts.hpp>
#include <armilla/job/steps/rows.hpp>

namespace armilla::job::steps {

namespace {

struct GradientAtKeys {
  std::string alm, points, out;
  ops::TangentAxes axes = ops::TangentAxes::kThetaPhi;
  std::optional<double> radius;
  PointAccuracy accuracy = kCatalogueAccuracy;

  static Keys<GradientAtKeys> keys() {
    using K = KeyMakers<GradientAtKeys>;
    return {K::value_name("alm", &GradientAtKeys::alm, ValueSort::kAlm, "the coefficients of scalars").required(),
            K::value_name("points", &GradientAtKeys::points, ValueSort::kPoints,
                          "the points; if they have values, only the positions are used")
                .required(),
            axes_key(&GradientAtKeys::axes),
            radius_key(&GradientAtKeys::radius),
            catalogue_accuracy_key<GradientAtKeys>(),
            K::result_name("out", &GradientAtKeys::out, "the tangent vectors").required()};
  }

  Operations expand() const {
    const std::string vectors = out + " (coefficients)";
    return {std::make_shared<const GradientAlm>(alm, axes, radius, vectors),
            std::make_shared<const SynthesisAt>(vectors, points, accuracy, out, alm)};
  }
};

}  // namespace

OperationKind gradient_at() {
  return composed_kind<GradientAtKeys>("gradient_at",
                                       "Compute the gradient of scalars at the [points](points.md) of a catalogue");
}

}  // namespace armilla::job::steps
