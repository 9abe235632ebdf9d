#include <armilla/comm/exchange.hpp>
#include <armilla/comm/message_exchange.hpp>
#include <armilla/comm/mpi_types.hpp>
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
MessageExchange<T>::MessageExchange(const Communicator& comm, std::vector<ExchangePart> parts, core::MemorySpace space)
    : PartedExchange<T>(std::move(parts)), comm_(comm), space_(space), requests_(this->parts(), MPI_REQUEST_NULL) {
  Index largest = 0;
  for (std::size_t number = 0; number < this->parts(); ++number) {
    const ExchangePart& part = this->part(number);
    for (const auto* values :
         {&part.here_counts, &part.here_displacements, &part.there_counts, &part.there_displacements})
      for (const Index value : *values) largest = std::max(largest, value);
  }
  comm.max({&largest, 1});
  if (largest > kMost) return;
  for (std::size_t number = 0; number < this->parts(); ++number) {
    const ExchangePart& part = this->part(number);
    narrow_.push_back({narrow(part.here_counts), narrow(part.here_displacements), narrow(part.there_counts),
                       narrow(part.there_displacements)});
  }
}

template <class T>
void MessageExchange<T>::prepare(const Complex* send, Complex* receive) {
  send_ = send;
  receive_ = receive;
}

template <class T>
void MessageExchange<T>::start(std::size_t number) {
  const bool forward = this->is_forward();
  if (narrow_.empty()) {
    const ExchangePart& part = this->part(number);
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
    return this->arrived(number);
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
    return this->arrived(number);
  }
  check_mpi(
      MPI_Ialltoallv(send_, send_counts.data(), send_begins.data(), complex_type<T>(), receive_, receive_counts.data(),
                     receive_begins.data(), complex_type<T>(), comm_.native(), &requests_[number]),
      "MPI_Ialltoallv");
}

template <class T>
void MessageExchange<T>::poll() {
  for (std::size_t part = 0; part < this->started(); ++part) {
    if (requests_[part] == MPI_REQUEST_NULL) continue;
    int done = 0;
    check_mpi(MPI_Test(&requests_[part], &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done != 0) this->arrived(part);
  }
}

template <class T>
void MessageExchange<T>::complete() {
  check_mpi(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  for (std::size_t part = 0; part < this->parts(); ++part) this->arrived(part);
}

ARMILLA_INSTANTIATE_CLASS(MessageExchange);

}  // namespace armilla::comm
