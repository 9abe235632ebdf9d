#pragma once

#include <armilla/legendre/engine.hpp>

#include <atomic>

#include <omp.h>

namespace armilla::legendre {

/// Calls work(k) for each own m number k on the threads of the rank, one at a time as threads become free. Own m are
/// ascending, so the longest come first and the last threads finish with short ones. `make` gives each thread a
/// workspace.
template <class Make, class Work>
void for_each_m(Index count, const Progress& progress, Make&& make, Work&& work) {
  std::atomic<Index> done{0};
#pragma omp parallel
  {
    auto workspace = make();
#pragma omp for schedule(dynamic, 1)
    for (Index k = 0; k < count; ++k) {
      work(k, workspace);
      const Index finished = ++done;
      if (progress && omp_get_thread_num() == 0) progress(static_cast<double>(finished) / static_cast<double>(count));
    }
  }
}

}  // namespace armilla::legendre
