#include <armilla/comm/exchange.hpp>
#include <armilla/comm/mpi_types.hpp>
#include <armilla/comm/parted_exchange.hpp>
#include <armilla/core/instantiate.hpp>

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace armilla::comm {

namespace {

using core::ExchangePart;

constexpr Index kMost = std::numeric_limits<int>::max();

}  // namespace

template <class T>
PartedExchange<T>::PartedExchange(const Communicator& comm, std::vector<ExchangePart> parts, core::MemorySpace space)
    : comm_(comm),
      parts_(std::move(parts)),
      space_(space),
      there_(std::make_unique<std::atomic<bool>[]>(parts_.size())),
      requests_(parts_.size(), MPI_REQUEST_NULL) {
  Index largest = 0;
  for (const ExchangePart& part : parts_)
    for (const auto* values :
         {&part.here_counts, &part.here_displacements, &part.there_counts, &part.there_displacements})
      for (const Index value : *values) largest = std::max(largest, value);
  comm.max({&largest, 1});
  if (largest > kMost) return;
  for (const ExchangePart& part : parts_)
    narrow_.push_back({narrow(part.here_counts), narrow(part.here_displacements), narrow(part.there_counts),
                       narrow(part.there_displacements)});
}

template <class T>
void PartedExchange<T>::begin(Direction direction, const Complex* send, Complex* receive) {
  direction_ = direction;
  send_ = send;
  receive_ = receive;
  started_ = 0;
  for (std::size_t part = 0; part < parts_.size(); ++part) there_[part] = false;
}

template <class T>
void PartedExchange<T>::start_next() {
  const std::size_t number = started_++;
  const bool forward = direction_ == Direction::kForward;
  if (narrow_.empty()) {
    const ExchangePart& part = parts_[number];
    const auto size_of = [](const std::vector<Index>& counts, const std::vector<Index>& displacements) {
      return static_cast<std::size_t>(displacements.back() + counts.back());
    };
    const std::size_t here = size_of(part.here_counts, part.here_displacements);
    const std::size_t there = size_of(part.there_counts, part.there_displacements);
    if (forward)
      exchange<T>(comm_, {send_, here}, part.here_counts, part.here_displacements, {receive_, there}, part.there_counts,
                  part.there_displacements);
    else
      exchange<T>(comm_, {send_, there}, part.there_counts, part.there_displacements, {receive_, here},
                  part.here_counts, part.here_displacements);
    there_[number].store(true, std::memory_order_release);
    return;
  }
  const Narrow& part = narrow_[number];
  const auto& [send_counts, send_begins] = forward ? std::tie(part.here_counts, part.here_displacements)
                                                   : std::tie(part.there_counts, part.there_displacements);
  const auto& [receive_counts, receive_begins] = forward ? std::tie(part.there_counts, part.there_displacements)
                                                         : std::tie(part.here_counts, part.here_displacements);
  if (space_ == core::MemorySpace::kDevice) {
    check_mpi(MPI_Alltoallv(send_, send_counts.data(), send_begins.data(), complex_type<T>(), receive_,
                            receive_counts.data(), receive_begins.data(), complex_type<T>(), comm_.native()),
              "MPI_Alltoallv");
    there_[number].store(true, std::memory_order_release);
    return;
  }
  check_mpi(
      MPI_Ialltoallv(send_, send_counts.data(), send_begins.data(), complex_type<T>(), receive_, receive_counts.data(),
                     receive_begins.data(), complex_type<T>(), comm_.native(), &requests_[number]),
      "MPI_Ialltoallv");
}

template <class T>
void PartedExchange<T>::poll() {
  for (std::size_t part = 0; part < started_; ++part) {
    if (requests_[part] == MPI_REQUEST_NULL) continue;
    int done = 0;
    check_mpi(MPI_Test(&requests_[part], &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done != 0) there_[part].store(true, std::memory_order_release);
  }
}

template <class T>
void PartedExchange<T>::finish() {
  while (started_ < parts_.size()) start_next();
  check_mpi(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  for (std::size_t part = 0; part < parts_.size(); ++part) there_[part].store(true, std::memory_order_release);
}

ARMILLA_INSTANTIATE_CLASS(PartedExchange);

}  // namespace armilla::comm
