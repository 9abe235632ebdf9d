#include <armilla/dist/work.hpp>

#include <cmath>

namespace armilla::dist {

double ring_work(Index nphi) {
  const auto n = static_cast<double>(nphi);
  return n * (4.0 + std::log2(n + 1.0));
}

}  // namespace armilla::dist
