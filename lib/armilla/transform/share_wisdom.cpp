#include <armilla/comm/phase.hpp>
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
    if (comm.is_root()) wisdom = fft::Wisdom<T>::measure(lengths);
  });
  if (comm.size() == 1) return;
  wisdom = comm.broadcast(std::move(wisdom));
  if (!comm.is_root() && !fft::Wisdom<T>::add(wisdom))
    spdlog::warn(
        "FFT plans: rank {} cannot use those of rank 0 (different processor or FFTW?) and measures its own; the last "
        "bits of results may depend on the number of ranks",
        comm.rank());
}

template void share_wisdom<float>(const comm::Communicator&, const std::set<Index>&);
template void share_wisdom<double>(const comm::Communicator&, const std::set<Index>&);

}  // namespace armilla::transform
