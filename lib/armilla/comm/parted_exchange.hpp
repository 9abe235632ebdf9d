#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/core/exchange_part.hpp>

#include <atomic>
#include <complex>
#include <cstddef>
#include <memory>
#include <vector>

namespace armilla::comm {

/// An all-to-all of complex values in parts, so that some parts are sent while others are computed: one MPI_Ialltoallv
/// each in host memory. In device memory, which Open MPI does not support in that call, it is one MPI_Alltoallv. All
/// calls except is_there() must come from one thread. MPI makes progress only inside its calls, so call poll() from
/// time to time. Holds a reference to the communicator, which must not be self().
template <class T>
class PartedExchange {
 public:
  using Complex = std::complex<T>;

  /// Collective. `space`: of the buffers; kDevice only if takes_device_memory(). In device memory, start_next() blocks.
  /// It also blocks, and calls exchange(), if a count or displacement of some rank exceeds the range of MPI_Ialltoallv.
  PartedExchange(const Communicator& comm, std::vector<core::ExchangePart> parts, core::MemorySpace space);
  PartedExchange(const PartedExchange&) = delete;
  PartedExchange& operator=(const PartedExchange&) = delete;

  enum class Direction { kForward, kBackward };

  std::size_t parts() const { return parts_.size(); }
  /// Sets the buffers; sends no data yet. The buffers must not overlap and must stay valid until finish().
  void begin(Direction direction, const Complex* send, Complex* receive);
  /// Number of parts started.
  std::size_t started() const { return started_; }
  /// Starts the next part. All ranks must start all parts in order, even if the work on a part failed.
  void start_next();
  /// Allows MPI to make progress.
  void poll();
  /// Whether the part has been received and sent completely. Any thread may call this.
  bool is_there(std::size_t part) const { return there_[part].load(std::memory_order_acquire); }
  /// Collective. Starts the remaining parts, and returns when all are complete.
  void finish();

 private:
  /// Arguments of one part, read by MPI until it is complete.
  struct Narrow {
    std::vector<int> here_counts, here_displacements, there_counts, there_displacements;
  };

  const Communicator& comm_;
  std::vector<core::ExchangePart> parts_;
  core::MemorySpace space_;
  std::vector<Narrow> narrow_;  ///< [part]; empty if counts are too large
  std::unique_ptr<std::atomic<bool>[]> there_;
  std::vector<MPI_Request> requests_;  ///< [part]
  std::size_t started_ = 0;
  Direction direction_ = Direction::kForward;
  const Complex* send_ = nullptr;
  Complex* receive_ = nullptr;
};

extern template class PartedExchange<float>;
extern template class PartedExchange<double>;

}  // namespace armilla::comm
