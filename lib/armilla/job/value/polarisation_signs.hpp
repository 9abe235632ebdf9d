#pragma once

#include <armilla/io/metadata.hpp>
#include <armilla/job/value/input_value.hpp>

#include <vector>

namespace armilla::job {

/// Not collective. The signs by which the components of an input from this file are multiplied, so that polarisation is
/// in the COSMO convention: if the file is in IAU, the second component of each pair of even spin has the opposite
/// sign, also if it is read as a scalar. The roles of the file decide (io::PairRole), otherwise positions. Throws
/// InputError with the place of the input if the file is in IAU and a component has an odd spin, a spin that neither
/// the job nor the file states, or an unknown role without its pair.
std::vector<io::Sign> polarisation_signs(const InputSpec& input, const InputValue& value,
                                         const io::FieldMetadata& metadata);

}  // namespace armilla::job
