#include <armilla/io/polarisation.hpp>
#include <armilla/job/parse/refuse.hpp>
#include <armilla/job/value/choose_fields.hpp>
#include <armilla/job/value/polarisation_signs.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job {

std::vector<io::Sign> polarisation_signs(const InputSpec& input, const InputValue& value,
                                         const io::FieldMetadata& metadata) {
  std::vector<io::Sign> signs(value.components.size(), io::Sign::kAsStored);
  if (metadata.polcconv != "IAU") return signs;
  for (const transform::SpinField& part : value.kind.spin_fields()) {
    const std::size_t first = core::at(part.first), last = first + core::at(part.components) - 1;
    const std::string& name = value.kind.map_names()[first];
    if (!value.states_spin[first])
      complain(
          input.place, {},
          fmt::format("{} has POLCCONV = IAU, but nothing states the spin of {}: set {}, with {} if the last two of "
                      "them are Q and U, or with {} if all are scalars",
                      source_of(input), name, core::mention("", "fields"), core::mention("", "spin", "2"),
                      core::mention("", "spin", "0")));
    if (part.spin % 2 != 0)
      complain(input.place, {},
               fmt::format("{} has POLCCONV = IAU, which is not defined for {}, {} of spin {}: correct the spin, or "
                           "override the header with {}",
                           source_of(input), name, value.kind.map_names()[last], part.spin,
                           core::mention("", "polcconv", "{force: COSMO}")));
    if (part.spin > 0)
      signs[last] = io::Sign::kOpposite;
    else  // U as a scalar
      signs[first] = io::sign_to_cosmo(metadata, core::at(value.components[first]));
  }
  return signs;
}

}  // namespace armilla::job
