#include <armilla/core/error.hpp>
#include <armilla/job/parse/spectrum_kind.hpp>
#include <armilla/job/steps/kernel_spec.hpp>

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job::steps {

namespace {

constexpr double kRadianOfArcmin = core::kPi / 10800;
constexpr double kRadianOfDegree = core::kPi / 180;
// The smallest accepted length, in the unit of the key; far smaller than any pixel.
constexpr double kLeastLength = 1e-6;

}  // namespace

Keys<GaussianKeys> GaussianKeys::keys() {
  return {KeyMakers<GaussianKeys>::number("fwhm_arcmin", &GaussianKeys::fwhm_arcmin, kLeastLength, 10800,
                                          "full width at half maximum [arc minutes]")
              .required()};
}
Keys<TopHatKeys> TopHatKeys::keys() {
  return {KeyMakers<TopHatKeys>::number("radius_deg", &TopHatKeys::radius_deg, kLeastLength, 180,
                                        "radius r of the top hat [degrees]")
              .required()};
}
Keys<MexicanHatKeys> MexicanHatKeys::keys() {
  return {KeyMakers<MexicanHatKeys>::number("scale_deg", &MexicanHatKeys::scale_deg, kLeastLength, 57,
                                            "scale R of the wavelet [degrees], which is zero near sqrt(2) R")
              .required()};
}
Keys<NeedletKeys> NeedletKeys::keys() {
  using K = KeyMakers<NeedletKeys>;
  return {K::whole("scale", &NeedletKeys::scale, 0, 1000, "needlet scale j; covers degrees B^(j - 1) to B^(j + 1)")
              .required(),
          K::number("B", &NeedletKeys::base, 1.01, 100, "ratio B of consecutive scales"),
          K::choice("part", &NeedletKeys::part, {"scale", "below"},
                    "`scale`: this scale alone; `below`: the sum of all lower scales")};
}
Keys<KernelTableKeys> KernelTableKeys::keys() {
  return {KeyMakers<KernelTableKeys>::reference("file", &KernelTableKeys::file, ValueSort::kTable,
                                                "file with columns theta [rad] and K [1/sr]")
              .required()};
}
Keys<KernelBeamKeys> KernelBeamKeys::keys() {
  return {KeyMakers<KernelBeamKeys>::reference("file", &KernelBeamKeys::file, ValueSort::kSpectra,
                                               "file with B_l in one column")
              .required(),
          spectra_columns_key(&KernelBeamKeys::columns)};
}
void KernelBeamKeys::finish(const YamlValue& value) const { check_spectra_columns(value, file); }
Keys<KernelSpec> KernelSpec::keys() { return kernel_keys<KernelSpec>(); }

void KernelSpec::finish(const YamlValue& value) const {
  const int given = gaussian.has_value() + table.has_value() + beam.has_value() + top_hat.has_value() +
                    mexican_hat.has_value() + needlet.has_value();
  if (given != 1)
    value.fail(fmt::format(
        "has {} kernels: expected exactly one of gaussian, table, beam, top_hat, mexican_hat, needlet", given));
}

const Reference* KernelSpec::numbers() const { return table ? &table->file : beam ? &beam->file : nullptr; }

double KernelSpec::sigma() const {
  return gaussian ? gaussian->fwhm_arcmin * kRadianOfArcmin / std::sqrt(8 * std::log(2.0)) : 0;
}

std::shared_ptr<const radial::Kernel> KernelSpec::make(const alm::SpectraTable* numbers) const {
  if (gaussian) return radial::gaussian_kernel(gaussian->fwhm_arcmin * kRadianOfArcmin);
  if (top_hat) return radial::top_hat_kernel(top_hat->radius_deg * kRadianOfDegree);
  if (mexican_hat) return radial::mexican_hat_kernel(mexican_hat->scale_deg * kRadianOfDegree);
  if (needlet) return radial::series_kernel(radial::needlet_window(needlet->base, needlet->scale, needlet->part));
  if (table) return radial::table_kernel("'" + table->file.name + "'", numbers->columns[0], numbers->columns[1]);
  if (numbers->columns.size() != 1)
    throw core::InputError(fmt::format("'{}' has the columns {}: use a file with one column", beam->file.name,
                                       fmt::join(numbers->names, ", ")));
  return radial::series_kernel(numbers->columns.front());
}

}  // namespace armilla::job::steps
