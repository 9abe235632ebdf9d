#include <armilla/core/error.hpp>
#include <armilla/io/alm_file_layout.hpp>

#include <fmt/format.h>

namespace armilla::io {

alm::AlmLayout alm_file_layout(const std::string& path, const std::string& lmax_key, alm::Index lmax,
                               const std::string& mmax_key, alm::Index mmax) {
  if (mmax < 0 || mmax > lmax)
    throw core::InputError(fmt::format("'{0}': {1} = {2} and {3} = {4} must satisfy 0 <= {3} <= {1}", path, lmax_key,
                                       lmax, mmax_key, mmax));
  try {
    return {lmax, mmax};
  } catch (const core::InputError& error) {
    throw core::InputError(fmt::format("'{}': {} = {}: {}", path, lmax_key, lmax, error.what()));
  }
}

}  // namespace armilla::io
