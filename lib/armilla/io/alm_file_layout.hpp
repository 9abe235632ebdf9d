#pragma once

#include <armilla/alm/alm_layout.hpp>

#include <string>

namespace armilla::io {

/// The layout of the coefficients in a file, from the values of its keys for lmax and mmax. Throws InputError, with the
/// file and both keys, unless 0 <= mmax <= lmax <= 2^24.
alm::AlmLayout alm_file_layout(const std::string& path, const std::string& lmax_key, alm::Index lmax,
                               const std::string& mmax_key, alm::Index mmax);

}  // namespace armilla::io
