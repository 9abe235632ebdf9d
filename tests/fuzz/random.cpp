#include "random.hpp"

#include <limits>

namespace armilla::fuzz {

std::int64_t Random::whole() {
  constexpr auto kLargest = std::numeric_limits<std::int64_t>::max();
  switch (below(4)) {
    case 0:
      return static_cast<std::int64_t>(below(20)) - 2;
    case 1:
      return std::int64_t{1} << below(63);
    case 2:
      return (std::int64_t{1} << below(63)) - 1;
    default:
      return of<std::int64_t>({12,         48,          192,        768,          3072,     255,
                               256,        65535,       65536,      8192,         16384,    2147483647,
                               2147483648, -2147483648, 4294967295, 4294967296,   kLargest, -kLargest - 1,
                               -kLargest,  1000000,     999999999,  100000000000, -5,       -100});
  }
}

double Random::number() {
  using Limits = std::numeric_limits<double>;
  if (one_in(2)) return of({0.0, 1.0, -1.0, 0.5, 3.141592653589793, 1.5707963267948966, 6.283185307179586, 180.0});
  return of({Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity(), Limits::max(), -Limits::max(), Limits::min(),
             Limits::denorm_min(), -1.6375e30, 1e38, 1e39, 1e170, 1e-170, -0.0, 1e-20, 9.3e18, 4294967296.5});
}

}  // namespace armilla::fuzz
