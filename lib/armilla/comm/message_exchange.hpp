#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/comm/parted_exchange.hpp>

#include <complex>
#include <cstddef>
#include <vector>

namespace armilla::comm {

/// The exchange by MPI: one MPI_Ialltoallv for each part in host memory. In device memory, which Open MPI does not
/// support in that call, it is one MPI_Alltoallv. Holds a reference to the communicator, which must not be self().
template <class T>
class MessageExchange final : public PartedExchange<T> {
 public:
  using typename PartedExchange<T>::Complex;

  /// Collective. `space`: of the buffers; kDevice only if takes_device_memory(). In device memory, start_next() blocks.
  /// It also blocks, and calls exchange(), if a count or displacement of some rank exceeds the range of MPI_Ialltoallv.
  MessageExchange(const Communicator& comm, std::vector<core::ExchangePart> parts, core::MemorySpace space);

  void poll() override;

 private:
  /// Arguments of one part, read by MPI until it is complete.
  struct Narrow {
    std::vector<int> here_counts, here_displacements, there_counts, there_displacements;
  };

  void prepare(const Complex* send, Complex* receive) override;
  void start(std::size_t part) override;
  void complete() override;

  const Communicator& comm_;
  core::MemorySpace space_;
  std::vector<Narrow> narrow_;         ///< [part]; empty if counts are too large
  std::vector<MPI_Request> requests_;  ///< [part]
  const Complex* send_ = nullptr;
  Complex* receive_ = nullptr;
};

extern template class MessageExchange<float>;
extern template class MessageExchange<double>;

}  // namespace armilla::comm
