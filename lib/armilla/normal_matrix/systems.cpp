#include <armilla/normal_matrix/product.hpp>
#include <armilla/normal_matrix/systems.hpp>

#include <algorithm>

namespace armilla::normal_matrix {

Systems::Systems(Index spin, Index lmax, Index mmax) : spin_(spin), lmax_(lmax), mmax_(mmax), begin_{0} {
  for (Index m = 0; m <= mmax; ++m)
    for (Index q = 0; q < per_m(); ++q) {
      rows_.push_back(std::max<Index>(lmax - first_degree(m) - q + per_m(), 0) / per_m());
      begin_.push_back(begin_.back() + whole_tiles(rows_.back()));
    }
}

}  // namespace armilla::normal_matrix
