#pragma once

#include <armilla/alm/spectra_table.hpp>
#include <armilla/job/parse/key_makers.hpp>
#include <armilla/radial/kernel.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace armilla::job::steps {

struct GaussianKeys {
  double fwhm_arcmin = 0;
  static Keys<GaussianKeys> keys();
};
struct TopHatKeys {
  double radius_deg = 0;
  static Keys<TopHatKeys> keys();
};
struct MexicanHatKeys {
  double scale_deg = 0;
  static Keys<MexicanHatKeys> keys();
};
struct NeedletKeys {
  Index scale = 0;
  double base = 2;
  radial::NeedletPart part = radial::NeedletPart::kScale;
  static Keys<NeedletKeys> keys();
};
/// A kernel given by a table of angles.
struct KernelTableKeys {
  Reference file;
  static Keys<KernelTableKeys> keys();
};
/// A kernel given by B_l.
struct KernelBeamKeys {
  Reference file;
  std::vector<std::string> columns;  ///< of the file
  static Keys<KernelBeamKeys> keys();
  void finish(const YamlValue& value) const;
};

/// A kernel as specified in a job: exactly one of these members is set.
struct KernelSpec {
  std::optional<GaussianKeys> gaussian;
  std::optional<KernelTableKeys> table;
  std::optional<KernelBeamKeys> beam;
  std::optional<TopHatKeys> top_hat;
  std::optional<MexicanHatKeys> mexican_hat;
  std::optional<NeedletKeys> needlet;

  static Keys<KernelSpec> keys();
  void finish(const YamlValue& value) const;

  /// The numbers that define it, or nullptr.
  const Reference* numbers() const;
  /// Constructs the kernel. `numbers`: those that define it. Throws InputError.
  std::shared_ptr<const radial::Kernel> make(const alm::SpectraTable* numbers) const;
  /// Sigma of a Gaussian [rad], otherwise 0.
  double sigma() const;
};

/// The kernel keys, for a class derived from KernelSpec.
template <class Section>
Keys<Section> kernel_keys() {
  using K = KeyMakers<Section>;
  const std::string one =
      "exactly one of `gaussian`, `table`, `beam`, `top_hat`, `mexican_hat` and `needlet` is required";
  const auto of = [](auto member) { return member; };
  return {K::section("gaussian", of(static_cast<std::optional<GaussianKeys> Section::*>(&KernelSpec::gaussian)),
                     "exp(-d^2 / 2 sigma^2) / (2 pi sigma^2), normalised on the plane")
              .requirement(one),
          K::section("table", of(static_cast<std::optional<KernelTableKeys> Section::*>(&KernelSpec::table)),
                     "rows of theta [rad] and K [1/sr], interpolated with a cubic spline that has zero slope at 0; "
                     "K is 0 beyond the last row")
              .requirement(one),
          K::section("beam", of(static_cast<std::optional<KernelBeamKeys> Section::*>(&KernelSpec::beam)),
                     "B_l in one column, in the format of the windows of `multiply`")
              .requirement(one),
          K::section("top_hat", of(static_cast<std::optional<TopHatKeys> Section::*>(&KernelSpec::top_hat)),
                     "1 / (2 pi (1 - cos r)) within the radius r")
              .requirement(one),
          K::section("mexican_hat", of(static_cast<std::optional<MexicanHatKeys> Section::*>(&KernelSpec::mexican_hat)),
                     "the spherical Mexican hat wavelet")
              .requirement(one),
          K::section("needlet", of(static_cast<std::optional<NeedletKeys> Section::*>(&KernelSpec::needlet)),
                     "a needlet, with coefficients b(l / B^scale)")
              .requirement(one)};
}

/// The key `kernels`: a list of sections, each a kernel with additional keys.
template <class Section, class Entry>
KeyOf<Section> kernels_key(std::vector<Entry> Section::*member, std::string help) {
  KeyOf<Section> row =
      KeyMakers<Section>::other("kernels", "list of sections", std::move(help),
                                [member](Section& section, const YamlValue& value, const ParseContext& context) {
                                  for (const YamlValue& item : value.items())
                                    parse_section((section.*member).emplace_back(), item, context);
                                  if ((section.*member).empty()) value.fail("is empty: list at least one kernel");
                                });
  row.key.type = KeyType::kSection;
  row.key.form = "list of sections";
  row.key.members = described(Entry::keys());
  return row;
}

}  // namespace armilla::job::steps
