#include <armilla/comm/phase.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/fft/wisdom.hpp>
#include <armilla/transform/share_wisdom.hpp>

#include <string>
#include <utility>

#include <spdlog/spdlog.h>

namespace armilla::transform {

template <class T>
void share_wisdom(const comm::Communicator& comm, const std::set<Index>& lengths) {
  std::string wisdom;
  comm::phase(comm, [&] {
    if (!comm.is_root()) return;
    fft::Wisdom<T>::measure(lengths);
    if (comm.size() > 1) wisdom = fft::Wisdom<T>::text();
  });
  if (comm.size() == 1) return;
  wisdom = comm.broadcast(std::move(wisdom));
  if (!comm.is_root() && !fft::Wisdom<T>::add(wisdom))
    spdlog::warn(
        "rank {} cannot use the FFT plans of rank 0, possibly because its processor or FFTW version differs: it "
        "measures its own plans, so results may not be bitwise identical on other numbers of ranks",
        comm.rank());
}

ARMILLA_INSTANTIATE(share_wisdom);

}  // namespace armilla::transform
