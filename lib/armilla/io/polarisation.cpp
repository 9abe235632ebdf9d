#include <armilla/core/error.hpp>
#include <armilla/core/text.hpp>
#include <armilla/io/component_spins.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/polarisation.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace armilla::io {

std::string polcconv_of(std::string_view text) {
  const std::string name = upper(trimmed(text));
  return name == "UNKNOWN" ? std::string() : name;
}

void check_polcconv(const std::string& path, const FieldMetadata& metadata) {
  const std::string& name = metadata.polcconv;
  if (!name.empty() && name != "COSMO" && name != "IAU")
    throw core::InputError(fmt::format(
        "'{}': POLCCONV = '{}' is not a polarisation convention: it must be COSMO or IAU", path, core::excerpt(name)));
}

Sign sign_to_cosmo(const FieldMetadata& metadata, std::size_t component) {
  const Index spin = spin_of(metadata, component);
  const bool is_u = spin > 0 && spin % 2 == 0 && role_of(metadata, component) == PairRole::kSecond;
  return metadata.polcconv == "IAU" && is_u ? Sign::kOpposite : Sign::kAsStored;
}

bool converts_to_cosmo(const FieldMetadata& metadata) {
  if (metadata.polcconv != "IAU") return true;
  for (std::size_t c = 0; c < metadata.spins.size(); ++c)
    if (metadata.spins[c] % 2 != 0 || has_unknown_sign(metadata, c)) return false;
  return knows_all_spins(metadata);
}

bool has_unknown_sign(const FieldMetadata& metadata, std::size_t component) {
  const Index spin = spin_of(metadata, component);
  return spin > 0 && spin % 2 == 0 && role_of(metadata, component) == PairRole::kUnknown;
}

std::string polcconv_to_write(const FieldMetadata& metadata) {
  if (!metadata.polcconv.empty()) return metadata.polcconv;
  const bool is_polarised = std::ranges::any_of(metadata.spins, [](Index spin) { return spin > 0 && spin % 2 == 0; });
  return is_polarised ? "COSMO" : "";
}

}  // namespace armilla::io
