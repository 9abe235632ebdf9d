#include <armilla/io/component_spins.hpp>
#include <armilla/io/polarisation.hpp>
#include <armilla/job/parse/refuse.hpp>
#include <armilla/job/value/choose_fields.hpp>
#include <armilla/job/value/polarisation_signs.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job {

namespace {

/// The sign of a component that is read as a scalar, as U may be.
io::Sign sign_of_scalar(const InputSpec& input, const std::string& name, const io::FieldMetadata& metadata,
                        std::size_t component) {
  if (io::has_unknown_sign(metadata, component))
    complain(input.place, {},
             fmt::format("{} has POLCCONV = IAU, but nothing states whether {}, of spin {}, is the first or the second "
                         "of its pair, such as Q or U: read both components of the pair, or use the values as stored "
                         "with {}",
                         source_of(input), name, io::spin_of(metadata, component),
                         core::mention("", "polcconv", "{force: COSMO}")));
  const bool is_u = io::spin_of(metadata, component) == io::kUnknownSpin && metadata.fields[component] == "U";
  return is_u ? io::Sign::kOpposite : io::sign_to_cosmo(metadata, component);
}

}  // namespace

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
    const std::size_t in_file = core::at(value.components[first]);
    if (part.spin > 0)
      signs[io::are_reversed(metadata, in_file, core::at(value.components[last])) ? first : last] = io::Sign::kOpposite;
    else
      signs[first] = sign_of_scalar(input, name, metadata, in_file);
  }
  return signs;
}

}  // namespace armilla::job
