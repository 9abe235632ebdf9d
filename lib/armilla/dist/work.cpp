#include <armilla/dist/work.hpp>

#include <bit>
#include <cstdint>

namespace armilla::dist {

namespace {

// log2(n) with an error of at most 0.09, from its leading bit, with linear interpolation between powers of two.
double log2_about(Index n) {
  const int exponent = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n))) - 1;
  return exponent - 1 + static_cast<double>(n) / static_cast<double>(Index{1} << exponent);
}

}  // namespace

double ring_work(Index nphi) { return static_cast<double>(nphi) * (4.0 + log2_about(nphi + 1)); }

}  // namespace armilla::dist
