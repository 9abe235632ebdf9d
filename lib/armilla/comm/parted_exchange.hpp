#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/core/exchange_part.hpp>

#include <atomic>
#include <complex>
#include <cstddef>
#include <memory>
#include <vector>

namespace armilla::comm {

/// An all-to-all of complex numbers in parts, so that some travel while others are computed: MPI_Ialltoallv for each.
/// All calls come from one thread, but is_there(). MPI moves data while it is called: call poll() now and then.
/// Holds a reference to the communicator, which is not self().
template <class T>
class PartedExchange {
 public:
  using Complex = std::complex<T>;

  /// Collective. Where a count or displacement of some rank is beyond what MPI_Ialltoallv takes, parts are exchanged as
  /// by exchange() when they start, which then blocks.
  PartedExchange(const Communicator& comm, std::vector<core::ExchangePart> parts);
  PartedExchange(const PartedExchange&) = delete;
  PartedExchange& operator=(const PartedExchange&) = delete;

  enum class Direction { kForward, kBackward };

  std::size_t parts() const { return parts_.size(); }
  /// Nothing travels yet. The buffers do not overlap and stay until finish(): host memory, or device memory where
  /// takes_device_memory().
  void begin(Direction direction, const Complex* send, Complex* receive);
  /// How many have started.
  std::size_t started() const { return started_; }
  /// Starts the next part, which all ranks do in the order of parts, whatever became of the work on it.
  void start_next();
  /// Moves what travels.
  void poll();
  /// Whether the part has arrived, and has left. Any thread may ask.
  bool is_there(std::size_t part) const { return there_[part].load(std::memory_order_acquire); }
  /// Collective. Starts what is left, and returns when all is there.
  void finish();

 private:
  /// Of one part: what MPI reads until it is done.
  struct Narrow {
    std::vector<int> here_counts, here_displacements, there_counts, there_displacements;
  };

  const Communicator& comm_;
  std::vector<core::ExchangePart> parts_;
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
